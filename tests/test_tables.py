from pathlib import Path

import pandas as pd
import pytest

from tunescope.errors import InputError
from tunescope.tables import (
    blocks_of,
    family,
    kind_of_run,
    layer_number,
    of_encoder,
    read_published,
    read_table,
)

REFERENCE = Path(__file__).parents[1] / "reference"


def test_none_is_a_name_and_an_empty_cell_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("initialisation,task,value\nnone,,0.5\n")
    table = read_table(path, ["initialisation"])
    assert table["initialisation"].tolist() == ["none"]
    assert table["task"].isna().all()


def test_published_tables_are_found_by_name() -> None:
    table = read_published(REFERENCE, "kovaleva2019_table1", ["task", "initialisation"])
    assert set(table["initialisation"]) == {"none", "random", "pretrained"}


@pytest.mark.parametrize("content", ["", "a,b\n1,2,3\n4,5,6,7\n"])
def test_what_is_no_table_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=r"table\.csv"):
        read_table(path, ["value"])


def test_missing_file_and_column_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_table(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="no column pattern"):
        read_published(REFERENCE, "kovaleva2019_table1", ["pattern"])


def test_layers_count_from_the_embeddings() -> None:
    assert [layer_number(layer) for layer in ("embeddings", 0, "11", 3.0)] == [-1, 0, 11, 3]
    assert blocks_of(["embeddings", "0", "1", "2"]) == 3
    assert blocks_of([]) == 0
    with pytest.raises(InputError, match="'top'"):
        layer_number("top")


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        ("mnli-s0", "mnli"),
        ("mnli-scratch-s12", "mnli-scratch"),
        ("sts-b-s0", "sts-b"),
        ("sts-b", "sts-b"),
        ("sst-2-s2", "sst-2"),
        ("base", "base"),
        ("mnli-untrained", "mnli-untrained"),
    ],
)
def test_kind_of_run_is_its_name_without_the_seed(run: str, kind: str) -> None:
    assert kind_of_run(run) == kind


def test_a_family_is_named_without_the_pretraining_seed() -> None:
    names = ["lab-p0", "multiberts-p12", "minilm", "lab-prose", "bert-base-uncased"]
    assert [family(name) for name in names] == [
        "lab",
        "multiberts",
        "minilm",
        "lab-prose",
        "bert-base-uncased",
    ]


def test_rows_of_an_encoder_or_a_family() -> None:
    table = pd.DataFrame({"encoder": ["lab-p0", "lab-p1", "minilm", "lab"], "value": range(4)})
    assert of_encoder(table, "lab")["value"].tolist() == [0, 1, 3]
    assert of_encoder(table, "lab-p1")["value"].tolist() == [1]
    assert of_encoder(table, "other").empty
