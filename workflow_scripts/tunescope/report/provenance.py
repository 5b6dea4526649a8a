"""Gather where numbers come from out of the records that every output has."""

import csv
import json
import os
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path

from tunescope.provenance.records import Record, read_record, record_path
from tunescope.report.material import Provenance

WEIGHTS = "model.safetensors"


def gather_provenance(results: str | Path, outputs: Iterable[str] | None = None) -> Provenance:
    """Follow the records from outputs back to all that they were made from.

    What has no record (a file of the user's, an output of an older version) is left out.

    Args:
        results: folder of the results, as the configuration names it.
        outputs: paths of the tables and figures of a report; None for all tables.

    Returns:
        The provenance. Seconds are wall-clock times of the jobs' benchmarks, where there are any.
    """
    results = Path(results)
    if outputs is None:
        files = sorted((results / "records" / "tables").glob("*.csv.json"))
        outputs = [str(results / "tables" / file.stem) for file in files]
    wanted = [path for path in outputs if Path(path).is_relative_to(results)]
    records = _reached(results, wanted)
    tables = {
        Path(path).stem: records[path]
        for path in wanted
        if path in records and Path(path).suffix == ".csv"
    }
    return Provenance(
        device=describe_machine(),
        versions=_versions(records.values()),
        encoders=_origins(results, records),
        weights={
            _run_of(path, results): record.sha256
            for path, record in sorted(records.items())
            if Path(path).name == WEIGHTS
        },
        tables={name: record.sha256 for name, record in tables.items()},
        jobs=_jobs(results, records),
        code={name: record.code for name, record in tables.items()},
    )


def _run_of(path: str, results: Path) -> str:
    """Encoder and run of a file of weights: `lab-p0/mnli-s0`."""
    encoder, _, run = Path(path).relative_to(results).parts[:3]
    return f"{encoder}/{run}"


def describe_machine() -> str:
    """The machine this process runs on, in words."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"


def _reached(results: Path, outputs: list[str]) -> dict[str, Record]:
    """Records of outputs and of everything they were made from, by path.

    Records name their inputs by content. Where several outputs have the same bytes (the tokenizer
    of an encoder and of its tuned runs), the first by path stands for all.
    """
    by_content: dict[str, Record] = {}
    for file in sorted((results / "records").rglob("*.json")):
        if record := read_record(file):
            by_content.setdefault(record.sha256, record)
    found: dict[str, Record] = {}
    waiting = [read_record(record_path(path, str(results))) for path in outputs]
    while waiting:
        record = waiting.pop()
        if record is not None and record.output not in found:
            found[record.output] = record
            waiting += [by_content.get(digest) for digest in record.inputs.values()]
    return found


def _versions(records: Iterable[Record]) -> dict[str, str]:
    """Versions of packages; several, where outputs were made with different ones."""
    versions: dict[str, set[str]] = {}
    for record in records:
        for name, version in record.versions.items():
            versions.setdefault(name, set()).add(version)
    return {name: ", ".join(sorted(found)) for name, found in sorted(versions.items())}


def _origins(results: Path, records: Mapping[str, Record]) -> dict[str, str]:
    """What `origin.json` says of each encoder's weights."""
    origins = {}
    for path in sorted(records):
        parts = Path(path).relative_to(results).parts
        if parts[-3:] != ("models", "base", WEIGHTS):
            continue
        words = []
        file = Path(path).with_name("origin.json")
        if file.is_file():
            origin = json.loads(file.read_text(encoding="utf-8"))
            words.append(" ".join(filter(None, [origin.get("source"), origin.get("revision")])))
            if origin.get("sha256"):
                words.append(f"SHA-256 of {origin.get('weights')}: {origin['sha256']}")
            words += origin.get("notes", [])
        words.append(f"SHA-256 of the weights here: {records[path].sha256}")
        origins[parts[0]] = "\n".join(filter(None, words))
    return origins


def _jobs(results: Path, records: Mapping[str, Record]) -> dict[str, tuple[int, float | None]]:
    """Number of jobs of each rule, and their seconds together where benchmarks are there."""
    # Outputs of one job share rule, settings and inputs.
    jobs: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for path, record in records.items():
        job = (record.settings, *sorted(record.inputs.values()))
        jobs.setdefault(record.rule, {}).setdefault(job, []).append(path)
    counted = {}
    for rule, outputs in sorted(jobs.items()):
        seconds = [_seconds(results, paths) for paths in outputs.values()]
        known = [value for value in seconds if value is not None]
        counted[rule] = (len(outputs), sum(known) if known else None)
    return counted


def _seconds(results: Path, outputs: Iterable[str]) -> float | None:
    """Wall-clock time of a job: its benchmark is named after an output, its folder or its run."""
    for output in sorted(outputs):
        name = Path(output).relative_to(results)
        for stem in (name.with_suffix(""), name.parent, Path(name.parts[0], "models", name.stem)):
            file = results / "benchmarks" / f"{stem}.tsv"
            if file.is_file():
                with file.open(encoding="utf-8", newline="") as lines:
                    return float(next(csv.DictReader(lines, delimiter="\t"))["s"])
    return None
