import json
from pathlib import Path
from typing import Any

import pytest

from tunescope.corpora.annotations import target
from tunescope.corpora.edge_probing_jsonl import NO_TARGET, read_edge_probing
from tunescope.errors import InputError


def record(text: str, *targets: tuple[Any, ...]) -> dict[str, Any]:
    found = []
    for span1, span2, label in targets:
        one = {"span1": span1, "label": label}
        found.append(one if span2 is None else {**one, "span2": span2})
    return {"text": text, "targets": found}


def write(folder: Path, *records: object) -> Path:
    path = folder / "x.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


def test_spans_and_labels(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        record("Ada eats", ([1, 2], [0, 1], "A0")),
        record("no target"),
        record("Ada eats", ([1, 2], [0, 1], ["x", "y"]), ([1, 2], [0, 1], [])),
    )
    split = read_edge_probing(path, annotation="proto_roles")
    first, second = split.table.to_pylist()
    assert first["words"] == ["Ada", "eats"]
    assert first["proto_roles"] == [target((1, 2), (0, 1), ["A0"])]
    assert second["proto_roles"] == [
        target((1, 2), (0, 1), ["x", "y"]),
        target((1, 2), (0, 1), []),
    ]
    assert (first["row"], second["row"]) == (0, 2)
    assert split.accounting.dropped == {NO_TARGET: 1}


def test_one_span_leaves_the_second_null(tmp_path: Path) -> None:
    path = write(tmp_path, record("Ada eats", ([0, 2], None, "S")))
    [row] = read_edge_probing(path, annotation="constituents").table.to_pylist()
    assert row["constituents"] == [target((0, 2), None, ["S"])]


def test_parts_of_speech_and_dependencies_become_columns(tmp_path: Path) -> None:
    tags = write(tmp_path, record("Ada eats", ([1, 2], None, "VBZ"), ([0, 1], None, "NNP")))
    [row] = read_edge_probing(tags, annotation="pos").table.to_pylist()
    assert row["xpos"] == ["NNP", "VBZ"]
    arcs = write(tmp_path, record("Ada eats", ([0, 1], [1, 2], "nsubj"), ([1, 2], [1, 2], "root")))
    [row] = read_edge_probing(arcs, annotation="dependencies").table.to_pylist()
    assert (row["heads"], row["deprels"]) == ([2, 0], ["nsubj", "root"])


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        (record("a b", ([1, 1], None, "x")), "span '[1, 1]' is no range of the 2 words"),
        (record("a b", ([0, 3], None, "x")), "span '[0, 3]' is no range"),
        (record("a b", ([-1, 1], None, "x")), "no range"),
        (record("a b", ([0, True], None, "x")), "no range"),
        (record("a b", ([0, 1], [2, 3], "x")), "span '[2, 3]' is no range"),
        (record("a b", ([0, 1], None, 3)), "label '3' is no text"),
        (record("a  b", ([0, 1], None, "x")), "not joined by single blanks"),
        (record(" a", ([0, 1], None, "x")), "not joined by single blanks"),
        ({"text": "a"}, "without text or targets"),
        ([], "without text or targets"),
        ({"text": "a", "targets": [{"label": "x"}]}, "has no span1"),
    ],
)
def test_other_records_are_refused(tmp_path: Path, bad: object, found: str) -> None:
    path = write(tmp_path, record("a b", ([0, 1], None, "x")), bad)
    with pytest.raises(InputError) as caught:
        read_edge_probing(path, annotation="entities")
    assert caught.value.where == f"{path}:2"
    assert found in caught.value.found


@pytest.mark.parametrize(
    ("annotation", "bad", "found"),
    [
        ("pos", record("a b", ([0, 1], None, "x")), "1 targets do not name each of the 2 words"),
        ("pos", record("a", ([0, 1], None, ["x", "y"])), "word 0 has 2 labels"),
        ("dependencies", record("a", ([0, 1], None, "root")), "word 0 has no head word"),
        (
            "dependencies",
            record("a b", ([0, 1], [1, 2], "x"), ([1, 2], [0, 1], "x")),
            "cycle 1 -> 2 -> 1",
        ),
    ],
)
def test_values_a_word_need_one_target_a_word(
    tmp_path: Path, annotation: str, bad: object, found: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_edge_probing(write(tmp_path, bad), annotation=annotation)
    assert found in caught.value.found


def test_a_cut_line_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, record("a", ([0, 1], None, "x")))
    path.write_text(path.read_text()[:-9])
    with pytest.raises(InputError, match=":1: no JSON"):
        read_edge_probing(path, annotation="entities")


def test_a_file_without_targets_and_an_unknown_annotation(tmp_path: Path) -> None:
    path = write(tmp_path, record("a"))
    with pytest.raises(InputError, match="no record has a target"):
        read_edge_probing(path, annotation="entities")
    with pytest.raises(ValueError, match="'frames' is not one of"):
        read_edge_probing(path, annotation="frames")
