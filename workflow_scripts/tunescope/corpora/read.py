"""From a corpus of the configuration to its splits in canonical form."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from tunescope.config.corpora import CorpusSettings
from tunescope.corpora.canonical import Split
from tunescope.corpora.conll2012 import read_conll2012
from tunescope.corpora.conllu import read_conllu
from tunescope.corpora.edge_probing_jsonl import read_edge_probing
from tunescope.corpora.glue import read_glue
from tunescope.corpora.glue_layouts import GLUE_LAYOUTS
from tunescope.corpora.gum import read_gum
from tunescope.corpora.hub import read_hub
from tunescope.corpora.iob2 import read_iob2
from tunescope.corpora.semeval2010 import read_semeval2010
from tunescope.corpora.squad import read_squad
from tunescope.corpora.subsample import subsample
from tunescope.corpora.text import read_text, read_wikitext
from tunescope.corpora.uds import read_uds
from tunescope.errors import InputError

TRAIN = "train"

#: Readers that need nothing but the file; those with options are called in `_read_file`.
_READERS: Mapping[str, Callable[[Path], Split]] = {
    **{layout: partial(read_glue, layout=layout) for layout in GLUE_LAYOUTS},
    "text": read_text,
    "wikitext": read_wikitext,
    "conll-2012": read_conll2012,
    "uner-iob2": read_iob2,
    "semeval-2010-task8": read_semeval2010,
}
#: Readers of two files.
_PAIR_READERS: Mapping[str, Callable[[Path, Path], Split]] = {
    "uds-protoroles": read_uds,
    "gum": read_gum,
}


def read_corpus(settings: CorpusSettings, *, data_root: Path | None) -> dict[str, Split]:
    """Read all splits of a corpus of official files or of the hub.

    Args:
        settings: the corpus's section of the configuration.
        data_root: folder where relative paths start; the working folder if none.

    Returns:
        The splits by name, in the order of the configuration; `train` capped at `train_rows`.

    Raises:
        InputError: a file is missing or its content is refused; a data set cannot be had.
        ValueError: the corpus is part of a generated language, which `corpora.language` makes.
    """
    if settings.generated is not None or settings.format is None:
        raise ValueError("a generated corpus is drawn by tunescope.corpora.language")
    splits = {}
    if settings.files is not None:
        for name, file in settings.files.items():
            splits[name] = _read_file(settings, name, file, data_root)
    elif settings.hub and settings.splits and settings.revision:
        for name, theirs in settings.splits.items():
            splits[name] = read_hub(
                settings.hub,
                layout=settings.format,
                configuration=settings.configuration,
                revision=settings.revision,
                split=theirs,
                training=name == TRAIN,
            )
    if settings.train_rows is not None and TRAIN in splits:
        splits[TRAIN] = subsample(splits[TRAIN], settings.train_rows)
    return splits


def _read_file(settings: CorpusSettings, name: str, file: str, data_root: Path | None) -> Split:
    path = _locate(f"files.{name}", file, data_root)
    layout = str(settings.format)
    if layout in _PAIR_READERS:
        companion = _locate(f"companions.{name}", (settings.companions or {})[name], data_root)
        split = _PAIR_READERS[layout](path, companion)
    elif layout == "conllu":
        split = read_conllu(path, empty_node_sentences=settings.empty_node_sentences)
    elif layout == "squad":
        split = read_squad(path, need_offsets=name == TRAIN)
    elif layout == "edge-probing":
        split = read_edge_probing(path, annotation=str(settings.annotation))
    else:
        split = _READERS[layout](path)
    # The path as configured: accounts and tables are then the same on every machine.
    return replace(split, accounting=replace(split.accounting, source=file))


def _locate(key: str, file: str, data_root: Path | None) -> Path:
    path = (data_root or Path()) / file
    if not path.exists():
        start = "data_root is not set" if data_root is None else f"data_root is {data_root}"
        raise InputError(
            f"{key}: {file}",
            f"no such file: looked for {path} ({start})",
            "Put the file there, set data_root to the folder of the official files, or correct "
            "the path",
        )
    return path
