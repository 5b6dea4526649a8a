from pathlib import Path

import pytest

from tunescope.corpora.annotations import UNESCAPED, target
from tunescope.corpora.gum import ACROSS, OTHER_WORD, read_gum
from tunescope.corpora.ptb import parse_trees
from tunescope.corpora.source import read_source
from tunescope.errors import InputError

TREES = """(ROOT
  (S
    (NP-SBJ (DT The)
      (NN cat))
    (VP (VBZ
      likes) (NP=1 (PRP itself)) (NP (-NONE- *T*)))))

( (NP (-LRB- -LRB-) (NN cat)))
"""
WORDS = ["The\t(1", "cat\t1)", "likes\t_", "itself\t(1)(2", "(\t_", "cats\t2)"]


def write(folder: Path, trees: str, words: list[str]) -> tuple[Path, Path]:
    for name in ("const", "coref"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "const" / "doc.ptb").write_text(trees)
    lines = ["# begin document doc", *(f"{n}\t{w}" for n, w in enumerate(words)), "# end document"]
    (folder / "coref" / "doc.conll").write_text("\n".join([*lines, ""]))
    return folder / "const", folder / "coref"


def test_constituents_and_coreference_of_a_sentence(tmp_path: Path) -> None:
    split = read_gum(*write(tmp_path, TREES, WORDS))
    first, second = split.table.to_pylist()
    assert first["words"] == ["The", "cat", "likes", "itself"]
    assert first["xpos"] == ["DT", "NN", "VBZ", "PRP"]
    assert first["constituents"] == [
        target((0, 4), None, ["ROOT"]),
        target((0, 4), None, ["S"]),
        target((0, 2), None, ["NP"]),
        target((2, 4), None, ["VP"]),
        target((3, 4), None, ["NP"]),
    ]
    assert first["coreference"] == [target((0, 2), (3, 4), ["1"])]
    assert second["words"] == ["(", "cat"]
    assert second["constituents"] == [target((0, 2), None, ["NP"])]
    assert second["coreference"] == []
    assert (first["id"], second["id"]) == ("doc-1", "doc-2")
    # The tree has "cat" where the other file has "cats"; mention 2 begins in the first sentence.
    assert split.accounting.notes == {UNESCAPED: 1, OTHER_WORD: 1, ACROSS: 1}


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"5 words, but the trees of .* have 6"):
        read_gum(*write(tmp_path, TREES, WORDS[:5]))
    with pytest.raises(InputError, match=r"doc\.conll:2: mention 1 is not closed"):
        read_gum(*write(tmp_path, TREES, [*WORDS[:1], "cat\t_", *WORDS[2:]]))
    trees, coreference = write(tmp_path, TREES, WORDS)
    (coreference / "doc.conll").unlink()
    with pytest.raises(InputError, match=r"doc\.conll: no such file"):
        read_gum(trees, coreference)
    with pytest.raises(InputError, match=r"no \*\.ptb file"):
        read_gum(coreference, coreference)


@pytest.mark.parametrize(
    ("trees", "line", "found"),
    [
        ("(S (NN a)\n(NN b)", 1, "is not closed"),
        ("(S (NN a))\n)", 2, "stands outside a tree"),
        ("(S (NN a))\nword", 2, "stands outside a tree"),
        ("(S\n(NN))", 2, "node 'NN' has no word"),
        ("(S (NN a)\nb)", 2, "stands beside another child"),
        ("(S (NN a\nb))", 2, "stands beside another child"),
    ],
)
def test_trees_that_are_none_are_refused(tmp_path: Path, trees: str, line: int, found: str) -> None:
    path = tmp_path / "x.ptb"
    path.write_text(trees)
    with pytest.raises(InputError) as caught:
        list(parse_trees(read_source(path)))
    assert caught.value.where == f"{path}:{line}"
    assert found in caught.value.found
