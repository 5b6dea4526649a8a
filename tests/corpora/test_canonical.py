from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tunescope.corpora.canonical import SCHEMAS, Accounting, make_split, read_split, write_split
from tunescope.errors import InputError

ROWS: list[dict[str, object]] = [
    {"row": 0, "text_a": "a", "text_b": None, "label": "x"},
    {"row": 2, "text_a": "b", "label": "y"},
]
ACCOUNT = Accounting("source", "hash", 3, 2, {"cut": 1}, {"seen": 2})


def test_a_split_comes_back_as_it_was_written(tmp_path: Path) -> None:
    split = make_split("classification", ROWS, ("y", "x"), ACCOUNT)
    write_split(split, tmp_path / "deep" / "dev.parquet")
    back = read_split(tmp_path / "deep" / "dev.parquet")
    assert (back.kind, back.labels, back.accounting) == (split.kind, split.labels, ACCOUNT)
    assert back.table.to_pylist() == split.table.to_pylist()
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["dev.parquet"]


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_kind_is_read_back(tmp_path: Path, kind: str) -> None:
    row: dict[str, object] = {"row": 0}
    if kind == "classification":
        row["label"] = "x"
    if kind == "treebank":
        span = {"start": 0, "end": 1}
        row["entities"] = [{"span1": span, "span2": None, "labels": ["PER"]}]
        elements = [{"name": "Agent", "span": span, "core": True}]
        row["frames"] = [{"frame": "Motion", "target": span, "elements": elements}]
    split = make_split(kind, [row], ("x",), Accounting("s", "", 1, 1))
    write_split(split, tmp_path / "s.parquet")
    assert read_split(tmp_path / "s.parquet").table.to_pylist() == split.table.to_pylist()


def test_the_same_split_gives_the_same_bytes(tmp_path: Path) -> None:
    split = make_split("classification", ROWS, ("y", "x"), ACCOUNT)
    for name in "ab":
        write_split(split, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_records_must_add_up() -> None:
    with pytest.raises(ValueError, match="3 records read, but 1 kept"):
        Accounting("s", "", 3, 1, {"cut": 1})
    with pytest.raises(ValueError, match="2 rows announced, 1 given"):
        make_split("text", [{"row": 0}], (), Accounting("s", "", 2, 2))


def test_unknown_columns_and_labels_are_bugs() -> None:
    one = Accounting("s", "", 1, 1)
    with pytest.raises(ValueError, match="text has no column txt"):
        make_split("text", [{"row": 0, "txt": "a"}], (), one)
    with pytest.raises(ValueError, match="'z'"):
        make_split("classification", [{"row": 0, "label": "z"}], ("x",), one)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    with pytest.raises(InputError, match="no such corpus"):
        read_split(path)
    path.write_bytes(b"PAR1 but cut")
    with pytest.raises(InputError, match="cannot be read"):
        read_split(path)
    pq.write_table(pa.table({"row": [1]}), path)
    with pytest.raises(InputError, match="not a corpus in canonical form"):
        read_split(path)
