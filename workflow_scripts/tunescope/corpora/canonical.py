"""The one form in which every corpus reaches the rest of the workflow.

Readers of official files, of the hub's datasets and the generated language all end here: one
parquet file a split, whose schema metadata hold the kind, the label names in their order and the
account of every row of the source.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tunescope.errors import InputError

_SPAN = pa.struct([("start", pa.int32()), ("end", pa.int32())])  # words, end exclusive
_TARGETS = pa.list_(
    pa.struct([("span1", _SPAN), ("span2", _SPAN), ("labels", pa.list_(pa.string()))])
)
_ELEMENTS = pa.list_(
    pa.struct([("name", pa.string()), ("span", _SPAN), ("core", pa.bool_())]),
)
# A start may be null: an answer whose text stands several times and whose source gives no offset.
_ANSWERS = pa.list_(pa.struct([("text", pa.string()), ("start", pa.int64())]))
_WORDS = pa.list_(pa.string())

#: Span annotations a treebank may carry, in the form of edge probing (Tenney et al. 2019): `span1`,
#: `span2` (null for probes of one span) and labels (several only for proto-roles, possibly none).
SPAN_ANNOTATIONS = (
    "constituents",
    "entities",
    "semantic_roles",
    "proto_roles",
    "coreference",
    "relations",
)

#: Columns of each kind of corpus. `row` numbers the records of the source from 0, dropped ones
#: included.
SCHEMAS: Mapping[str, pa.Schema] = {
    "classification": pa.schema(
        [
            ("row", pa.int64()),
            ("text_a", pa.string()),
            ("text_b", pa.string()),
            ("label", pa.string()),
        ]
    ),
    "regression": pa.schema(
        [
            ("row", pa.int64()),
            ("text_a", pa.string()),
            ("text_b", pa.string()),
            ("score", pa.float64()),
        ]
    ),
    "question_answering": pa.schema(
        [
            ("row", pa.int64()),
            ("id", pa.string()),
            ("title", pa.string()),
            ("question", pa.string()),
            ("context", pa.string()),
            ("answers", _ANSWERS),  # starts count Unicode code points of the context
        ]
    ),
    "treebank": pa.schema(
        [
            ("row", pa.int64()),
            ("id", pa.string()),
            ("text", pa.string()),
            ("words", _WORDS),
            ("upos", _WORDS),
            ("xpos", _WORDS),
            ("heads", pa.list_(pa.int32())),  # 1-based, 0 is the root
            ("deprels", _WORDS),
            *((name, _TARGETS) for name in SPAN_ANNOTATIONS),
            (
                "frames",
                pa.list_(
                    pa.struct([("frame", pa.string()), ("target", _SPAN), ("elements", _ELEMENTS)])
                ),
            ),
        ]
    ),
    "text": pa.schema([("row", pa.int64()), ("text", pa.string())]),
}


@dataclass(frozen=True)
class Accounting:
    """What became of every record of a source.

    Attributes:
        source: the file, hub id with revision, or generator the records came from.
        sha256: hash of the source's bytes; empty where there are none (the generated language).
        read: records found; equals `kept` plus the sum of `dropped`.
        kept: records in the parquet file.
        dropped: number of records left out, by reason.
        notes: counts of what was seen or changed in what was kept (multiword tokens left out,
            quotes left as they are).
    """

    source: str
    sha256: str
    read: int
    kept: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.read != self.kept + sum(self.dropped.values()):
            raise ValueError(
                f"{self.source}: {self.read} records read, but {self.kept} kept and "
                f"{dict(self.dropped)} dropped"
            )


@dataclass(frozen=True)
class Split:
    """One split of a corpus.

    Attributes:
        kind: a key of `SCHEMAS`.
        table: rows with the columns of that kind; columns a source lacks are null throughout.
        labels: label names in the order of the official label ids (classification), else empty.
        accounting: what became of the source's records.
    """

    kind: str
    table: pa.Table
    labels: tuple[str, ...]
    accounting: Accounting


def make_split(
    kind: str, rows: list[dict[str, object]], labels: tuple[str, ...], accounting: Accounting
) -> Split:
    """Build a split from row dictionaries; keys a row lacks become null.

    Raises:
        ValueError: a key that the kind does not have, a label that `labels` lacks, or another
            number of rows than the account says.
    """
    if accounting.kept != len(rows):
        raise ValueError(
            f"{accounting.source}: {accounting.kept} rows announced, {len(rows)} given"
        )
    unknown = {key for row in rows for key in row} - set(SCHEMAS[kind].names)
    if unknown:
        raise ValueError(f"{accounting.source}: {kind} has no column {', '.join(sorted(unknown))}")
    if kind == "classification":
        outside = {row.get("label") for row in rows} - set(labels)
        if outside:
            raise ValueError(f"{accounting.source}: labels {outside} are not among {labels}")
    return Split(kind, pa.Table.from_pylist(rows, schema=SCHEMAS[kind]), labels, accounting)


def write_split(split: Split, path: Path) -> None:
    """Write one split as parquet; the same split gives the same bytes."""
    metadata = {
        "kind": split.kind,
        "labels": json.dumps(split.labels),
        "accounting": json.dumps(asdict(split.accounting), sort_keys=True),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.partial")
    pq.write_table(split.table.replace_schema_metadata(metadata), temporary)
    temporary.replace(path)


def read_split(path: Path) -> Split:
    """Read a split written by `write_split`.

    Raises:
        InputError: the file is no canonical corpus.
    """
    remedy = "Delete it; the workflow makes it again"
    try:
        table = pq.read_table(path)
    except FileNotFoundError:
        raise InputError(path, "no such corpus", "Run the workflow; it makes the corpus") from None
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(path, f"cannot be read ({error})", remedy) from None
    metadata = {
        key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()
    }
    schema = SCHEMAS.get(metadata.get("kind", ""))
    if schema is None or not table.schema.equals(schema):
        raise InputError(path, "not a corpus in canonical form", remedy)
    return Split(
        kind=metadata["kind"],
        table=table,
        labels=tuple(json.loads(metadata["labels"])),
        accounting=Accounting(**json.loads(metadata["accounting"])),
    )
