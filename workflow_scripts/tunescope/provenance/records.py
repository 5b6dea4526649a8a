"""Records: the small kept file that says what an output was made from.

Every output under the results folder has one, at the same path under `records/` with `.json`
added. It outlives a store that is deleted after use, and travels with copied results: whether an
output is current never depends on time stamps or on Snakemake's own memory.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

FORMAT = 1


@dataclass(frozen=True)
class Record:
    """What one output was made from.

    Attributes:
        output: path of the output, relative to the working folder.
        rule: name of the rule that made it.
        sha256: hash of the output's bytes.
        bytes: size of the output.
        settings: the settings that the rule used, as JSON text.
        code: fingerprint of the code that made it.
        inputs: content hash of each input, by its name in the rule.
        versions: version of Python and of each third-party package used.
    """

    output: str
    rule: str
    sha256: str
    bytes: int
    settings: str
    code: str
    inputs: Mapping[str, str]
    versions: Mapping[str, str]


def by_name(inputs: Mapping[str, str | Iterable[str]]) -> dict[str, str]:
    """Give each path of a rule's named inputs a name; those of a list are numbered."""
    named: dict[str, str] = {}
    for name, value in inputs.items():
        if isinstance(value, str):
            named[name] = value
        else:
            named |= {f"{name}.{number}": path for number, path in enumerate(value)}
    return named


def record_path(output: str, results: str) -> Path:
    """Where the record of an output stands.

    Raises:
        ValueError: the output is not under the results folder.
    """
    return Path(results, "records", f"{Path(output).relative_to(results)}.json")


def read_record(path: Path) -> Record | None:
    """Read a record; None if there is none, or one of another format or cut short."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            return None
        return Record(**content)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_record(record: Record, path: Path) -> None:
    """Write a record so that a reader finds all of it or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    text = json.dumps({"format": FORMAT, **asdict(record)}, indent=1, sort_keys=True)
    temporary.write_text(text + "\n", encoding="utf-8")
    temporary.replace(path)
