from pathlib import Path

import pytest

from tunescope.corpora.annotations import target
from tunescope.corpora.semeval2010 import GLUED, RELATIONS, read_semeval2010
from tunescope.errors import InputError


def record(number: int, sentence: str, label: str, comment: str = "") -> list[str]:
    return [f'{number}\t"{sentence}"', label, f"Comment: {comment}", ""]


def write(folder: Path, lines: list[str], end: str = "\n") -> Path:
    path = folder / "x.txt"
    path.write_text(end.join([*lines, ""]), newline="")
    return path


def test_words_spans_and_labels(tmp_path: Path) -> None:
    lines = [
        *record(1, "The <e1>old oak</e1> is in a <e2>wood</e2>.", "Component-Whole(e1,e2)"),
        *record(2, 'He said "<e1>moles</e1>" and pigeon<e2>voles</e2> ran', "Other", "hm"),
    ]
    for end in ("\n", "\r\n"):
        split = read_semeval2010(write(tmp_path, lines, end))
        one, two = split.table.to_pylist()
        assert one["text"] == "The old oak is in a wood."
        assert one["words"] == ["The", "old", "oak", "is", "in", "a", "wood."]
        assert one["relations"] == [target((1, 3), (6, 7), ["Component-Whole(e1,e2)"])]
        assert two["words"] == ["He", "said", '"moles"', "and", "pigeonvoles", "ran"]
        assert two["relations"] == [target((2, 3), (4, 5), ["Other"])]
        assert two["id"] == "2"
        assert split.accounting.notes[GLUED] == 3


def test_there_are_19_classes() -> None:
    assert len(set(RELATIONS)) == 19


@pytest.mark.parametrize(
    ("lines", "line", "found"),
    [
        (record(1, "<e1>a</e1> <e2>b</e2>", "Part-Whole"), 2, "none of the task's 19"),
        (record(1, "<e1>a</e1> b", "Other"), 1, "lacks <e1>"),
        (record(1, "<e1> </e1> <e2>b</e2>", "Other"), 1, "lacks <e1>"),
        (["one two"], 1, "begins no record"),
        (record(1, "<e1>a</e1> <e2>b</e2>", "Other")[:1], 1, "the file ends before a label"),
    ],
)
def test_other_records_are_refused(tmp_path: Path, lines: list[str], line: int, found: str) -> None:
    path = write(tmp_path, lines)
    with pytest.raises(InputError) as caught:
        read_semeval2010(path)
    assert caught.value.where == f"{path}:{line}"
    assert found in caught.value.found
