from pathlib import Path

import pytest

from tunescope.corpora.annotations import UNESCAPED, target
from tunescope.corpora.conll2012 import BARE_PREDICATES, PREDICATES, read_conll2012
from tunescope.errors import InputError


def row(n: int, word: str, tag: str, parse: str, entity: str, roles: str, coref: str) -> str:
    return f"d 0 {n} {word} {tag} {parse} - - - - {entity} {roles} {coref}"


SENTENCE = [
    "#begin document (d); part 000",
    row(0, "Ada", "NNP", "(TOP(S(NP-SBJ*)", "(PERSON)", "(ARG0*) *", "(1)"),
    row(1, "says", "VBZ", "(VP*", "*", "(V*) *", "-"),
    row(2, "she", "PRP", "(S(NP*)", "*", "(ARG1* *", "(1)"),
    row(3, "is", "VBZ", "(VP*)))", "*", "*) (V*)", "-"),
    row(4, "-RRB-", "-RRB-", "*))", "*", "* *", "(2)"),
    "",
    "#end document",
]


def write(folder: Path, lines: list[str]) -> Path:
    path = folder / "x.gold_conll"
    path.write_text("\n".join([*lines, ""]))
    return path


def test_all_layers(tmp_path: Path) -> None:
    split = read_conll2012(write(tmp_path, SENTENCE))
    [found] = split.table.to_pylist()
    assert found["words"] == ["Ada", "says", "she", "is", ")"]
    assert found["xpos"] == ["NNP", "VBZ", "PRP", "VBZ", "-RRB-"]
    assert found["constituents"] == [
        target((0, 5), None, ["TOP"]),
        target((0, 5), None, ["S"]),
        target((0, 1), None, ["NP"]),
        target((1, 4), None, ["VP"]),
        target((2, 4), None, ["S"]),
        target((2, 3), None, ["NP"]),
        target((3, 4), None, ["VP"]),
    ]
    assert found["entities"] == [target((0, 1), None, ["PERSON"])]
    assert found["semantic_roles"] == [
        target((1, 2), (0, 1), ["ARG0"]),
        target((1, 2), (2, 4), ["ARG1"]),
    ]
    assert found["coreference"] == [
        target((0, 1), (2, 3), ["1"]),
        target((0, 1), (4, 5), ["0"]),
        target((2, 3), (4, 5), ["0"]),
    ]
    assert split.accounting.notes == {UNESCAPED: 1, PREDICATES: 2, BARE_PREDICATES: 1}


def test_layers_that_nobody_annotated_are_null(tmp_path: Path) -> None:
    lines = ["d 0 0 Go VB (TOP(S(VP*))) - - - - * -", "", "d 0 0 Hi UH (TOP(INTJ*)) - - - - * -"]
    table = read_conll2012(write(tmp_path, lines)).table
    assert table["entities"].null_count == table["coreference"].null_count == 2
    assert table["semantic_roles"].to_pylist() == [[], []]


@pytest.mark.parametrize(
    ("line", "at", "found"),
    [
        ("d 0 0 Go VB (TOP*) - - - - *", 9, "11 columns, but CoNLL-2012 has 12"),
        ("d 0 1 Go VB (TOP*) - - - - * -", 9, "word number '1' where 0 was due"),
        ("d 0 0 Go VB (TOP* - - - - * -", 9, "parse column: the bracket of TOP is not closed"),
        ("d 0 0 Go VB (TOP*) - - - - *) -", 9, "entity column: '*)' closes"),
        ("d 0 0 Go VB (TOP*) - - - - * 1)", 9, "coreference column: '1)' closes"),
        ("d 0 0 Go VB (TOP*) - - - - * (V*", 9, "coreference column"),
        ("d 0 0 Go VB (TOP*) - - - - * (ARG0*) -", 9, "column 12 (roles): 0 spans are labelled V"),
    ],
)
def test_a_damaged_sentence_is_refused(tmp_path: Path, line: str, at: int, found: str) -> None:
    path = write(tmp_path, [*SENTENCE, line])
    with pytest.raises(InputError) as caught:
        read_conll2012(path)
    assert caught.value.where == f"{path}:{at}"
    assert found in caught.value.found


def test_sentences_of_different_width_need_a_blank_line(tmp_path: Path) -> None:
    lines = [line for line in SENTENCE[:6] if line]
    path = write(tmp_path, [*lines, "d 0 5 Go VB (TOP*) - - - - * -"])
    with pytest.raises(InputError, match="12 columns, but the sentence began with 14") as caught:
        read_conll2012(path)
    assert caught.value.where == f"{path}:7"
