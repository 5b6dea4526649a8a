"""Settings of the corpora (`corpora:`)."""

from typing import Literal, Self

from pydantic import Field, model_validator

from tunescope.config.base import Settings

GlueTask = Literal["mnli", "mrpc", "qnli", "qqp", "rte", "sst-2", "sts-b"]
#: Layout of official files.
FileFormat = Literal[
    "glue-mnli",
    "glue-mrpc",
    "glue-qnli",
    "glue-qqp",
    "glue-rte",
    "glue-sst-2",
    "glue-sts-b",
    "glue-snli",
    "conllu",
    "squad",
    "text",
    "wikitext",
    "edge-probing",
    "conll-2012",
    "uner-iob2",
    "semeval-2010-task8",
    "uds-protoroles",
    "gum",
]
#: Formats whose splits have a second file each.
_TWO_FILES = ("uds-protoroles", "gum")
#: What targets in the format `edge-probing` are about.
Annotation = Literal[
    "pos",
    "dependencies",
    "constituents",
    "entities",
    "semantic_roles",
    "proto_roles",
    "coreference",
    "relations",
]
#: Parts of a generated language; each is a corpus.
GeneratedPart = Literal[
    "pretraining",
    "treebank",
    "mnli",
    "mrpc",
    "qnli",
    "qqp",
    "rte",
    "sst-2",
    "sts-b",
    "squad",
    "out-of-domain",
]


class Generated(Settings):
    """A part of a generated language."""

    language: str
    """A name under `languages`."""
    part: GeneratedPart
    """Which of its corpora."""


class CorpusSettings(Settings):
    """One corpus: `generated`, or official `files` or a `hub` data set, read as `format`."""

    generated: Generated | None = None
    """Drawn from a generated language, offline."""
    format: FileFormat | None = None
    """Layout of the files, or of the hub's columns."""
    files: dict[str, str] | None = None
    """Official file of each split (train, dev, test); relative paths start at `data_root`."""
    companions: dict[str, str] | None = None
    """Second file of each split, where the format has one: the CoNLL-U sentences of
    `uds-protoroles`, the folder of coreference of `gum` (whose `files` are folders of trees)."""
    annotation: Annotation | None = None
    """Of `edge-probing`: what the targets of the files are about."""
    hub: str | None = None
    """Data set id on the hub, such as `nyu-mll/glue`; needs `revision` and `splits`."""
    configuration: str | None = None
    """Configuration of the hub's data set, such as `mnli`."""
    revision: str | None = Field(None, pattern=r"^[0-9a-f]{40}$")
    """Commit of the hub's data set, 40 hexadecimal digits."""
    splits: dict[str, str] | None = None
    """The hub's split for each of ours, such as `dev: validation_matched`."""
    train_rows: int | None = Field(None, ge=1)
    """Keep this many training rows, drawn by a fixed seed; all if null."""
    empty_node_sentences: Literal["kept", "dropped"] = "kept"
    """Of `conllu`: leave out sentences with an empty node, as the data of edge probing did."""

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        origins = [name for name in ("generated", "files", "hub") if getattr(self, name)]
        if len(origins) != 1:
            raise ValueError(
                f"give exactly one of generated, files, hub; found {origins or 'none'}"
            )
        if self.generated is None and self.format is None:
            raise ValueError("format: name the layout of the files or columns")
        if self.generated is not None and self.format is not None:
            raise ValueError("format: a generated corpus has none")
        if self.hub and not (self.revision and self.splits):
            raise ValueError(f"hub: {self.hub} needs revision (a commit) and splits")
        of_hub = [n for n in ("configuration", "revision", "splits") if getattr(self, n)]
        if not self.hub and of_hub:
            raise ValueError(f"{of_hub[0]}: belongs to a hub data set, but hub is not set")
        if self.empty_node_sentences == "dropped" and (self.format != "conllu" or self.hub):
            raise ValueError("empty_node_sentences: only files in the format conllu have them")
        if (self.annotation is not None) != (self.format == "edge-probing"):
            raise ValueError("annotation: say it for the format edge-probing, and for no other")
        needed = set(self.files or ()) if self.format in _TWO_FILES else set()
        if set(self.companions or ()) != needed:
            names = ", ".join(sorted(needed)) or "none"
            raise ValueError(f"companions: give one for each of the splits {names}")
        return self

    @property
    def split_names(self) -> tuple[str, ...]:
        """Splits that this corpus has."""
        if self.generated is not None:
            one = self.generated.part in ("pretraining", "out-of-domain")
            three = self.generated.part == "treebank"
            return ("train",) if one else ("train", "dev", "test") if three else ("train", "dev")
        return tuple(self.files or self.splits or ())
