from pathlib import Path

import pytest

from tunescope.corpora.annotations import target
from tunescope.corpora.iob2 import read_iob2
from tunescope.errors import InputError


def write(folder: Path, tags: list[str], *comments: str) -> Path:
    path = folder / "x.iob2"
    words = [f"{n}\tw{n}\t{tag}\t-\t-" for n, tag in enumerate(tags, start=1)]
    path.write_text("\n".join([*comments, *words, "", ""]))
    return path


def test_entities(tmp_path: Path) -> None:
    tags = ["B-PER", "I-PER", "B-PER", "O", "B-LOC", "B-ORG", "I-ORG"]
    [row] = read_iob2(write(tmp_path, tags, "# sent_id = s", "# text = t")).table.to_pylist()
    assert row["entities"] == [
        target((0, 2), None, ["PER"]),
        target((2, 3), None, ["PER"]),
        target((4, 5), None, ["LOC"]),
        target((5, 7), None, ["ORG"]),
    ]
    assert (row["id"], row["text"], row["words"][6]) == ("s", "t", "w7")


@pytest.mark.parametrize(
    ("tags", "line"),
    [
        (["I-PER"], 1),
        (["B-PER", "I-LOC"], 2),
        (["B-PER", "O", "I-PER"], 3),
        (["B-"], 1),
        (["X"], 1),
    ],
)
def test_tags_that_continue_nothing_are_refused(tmp_path: Path, tags: list[str], line: int) -> None:
    path = write(tmp_path, tags)
    with pytest.raises(InputError, match="tag '") as caught:
        read_iob2(path)
    assert caught.value.where == f"{path}:{line}"


def test_a_cut_line_and_a_lost_word_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.iob2"
    path.write_text("1\ta\tO\n2\tb\n\n")
    with pytest.raises(InputError, match=":2: 2 columns"):
        read_iob2(path)
    path.write_text("1\ta\tO\n3\tb\tO\n\n")
    with pytest.raises(InputError, match=":2: word number '3' where 2 was due"):
        read_iob2(path)
