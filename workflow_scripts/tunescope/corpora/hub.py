"""Data sets of the hub, read through `datasets`, at a pinned commit and without scripts.

With `HF_DATASETS_OFFLINE=1` (and `HF_HUB_OFFLINE=1`) they come from the cache alone.
"""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tunescope.corpora.canonical import Split
from tunescope.corpora.glue_layouts import GLUE_LAYOUTS
from tunescope.corpora.hub_rows import (
    HubSource,
    glue_hub_split,
    question_hub_split,
    require_columns,
    treebank_hub_split,
)
from tunescope.corpora.text import text_split, wikitext_split
from tunescope.errors import InputError

if TYPE_CHECKING:
    from datasets import Dataset


def read_hub(
    repository: str,
    *,
    layout: str,
    configuration: str | None,
    revision: str,
    split: str,
    training: bool = False,
) -> Split:
    """Read one split of a data set of the hub.

    Args:
        repository: its namespaced id, such as `nyu-mll/glue`.
        layout: how to read its columns, as for files (`glue-mnli`, `squad`, `conllu`, `text` ...).
        configuration: its configuration, such as `mnli`.
        revision: commit, 40 hexadecimal digits.
        split: its own name of the split, such as `validation_matched`.
        training: whether the split is trained on (questions without an offset are then dropped).

    Raises:
        InputError: it cannot be reached and is not in the cache (or only another commit of it
            is), has no such configuration or split, or its columns or labels are not those of the
            layout.
    """
    name = f"{repository}@{revision}" + (f":{configuration}" if configuration else "") + f":{split}"
    dataset = _load(repository, configuration, revision, split, name)
    if not Path(repository).is_dir():
        _check_revision(dataset, revision, name)
    return convert(dataset, name=name, layout=layout, training=training)


def convert(dataset: "Dataset", *, name: str, layout: str, training: bool = False) -> Split:
    """Bring a loaded data set to the canonical form; `name` stands in the account and errors.

    The hash in the account is that of the rows (as JSON, column names sorted), since the hub's
    files themselves are not at hand.
    """
    if not len(dataset):
        raise InputError(name, "the split has no rows", "Name another split of the data set")
    source = HubSource(name, dataset.features, dataset.to_list())
    sha256 = _rows_hash(source)
    if layout in GLUE_LAYOUTS:
        return glue_hub_split(source, sha256=sha256, layout=layout)
    if layout == "squad":
        return question_hub_split(source, sha256=sha256, training=training)
    if layout == "conllu":
        return treebank_hub_split(source, sha256=sha256)
    if layout in ("text", "wikitext"):
        require_columns(source, ["text"], layout)
        lines = [str(row["text"]).rstrip("\n") for row in source.rows]
        make = text_split if layout == "text" else wikitext_split
        return make(lines, source=name, sha256=sha256)
    raise InputError(
        name,
        f"format {layout!r} has no form on the hub",
        f"Use one of {', '.join([*GLUE_LAYOUTS, 'squad', 'conllu', 'text', 'wikitext'])}, or files",
    )


def _load(
    repository: str, configuration: str | None, revision: str, split: str, name: str
) -> "Dataset":
    # Here and not above: it costs a second or two, which corpora of files need not pay.
    from datasets import load_dataset
    from datasets.exceptions import DatasetNotFoundError
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return load_dataset(repository, configuration, revision=revision, split=split)
    except (DatasetNotFoundError, FileNotFoundError) as error:
        found, remedy = f"no such data set or revision ({error})", "Correct `hub` and `revision`"
    except (ConnectionError, OSError, HfHubHTTPError) as error:
        found = f"the hub cannot be reached, and the data set is not in the cache ({error})"
        remedy = (
            "Load it once where there is a network (same HF_HOME), unset HF_DATASETS_OFFLINE and "
            "HF_HUB_OFFLINE, or give the official files with `files`"
        )
    except RuntimeError as error:
        if "scripts are no longer supported" not in str(error):
            raise
        found = f"the data set is a loading script, which is not run ({error})"
        remedy = "Name a copy in parquet, or give the official files with `files`"
    except ValueError as error:
        found = f"no such configuration or split ({error})"
        remedy = "Correct `configuration` and `splits`"
    raise InputError(name, found, remedy)


def _check_revision(dataset: "Dataset", revision: str, name: str) -> None:
    """Refuse another commit: offline, `datasets` takes the latest of its cache, whatever is asked.

    Its cache keeps each commit in a folder of that name.
    """
    commits = {Path(file["filename"]).parent.name for file in dataset.cache_files}
    if others := commits - {revision}:
        raise InputError(
            name,
            f"the cache gave commit {', '.join(sorted(others))}, not the pinned one",
            "Load the pinned commit once where there is a network, or pin the one in the cache",
        )


def _rows_hash(source: HubSource) -> str:
    digest = hashlib.sha256()
    for row in source.rows:
        line = json.dumps(row, sort_keys=True, ensure_ascii=False, default=str)
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
