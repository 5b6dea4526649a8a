import io
from pathlib import Path

import conllu
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tunescope.corpora.conllu import EMPTY_NODE_SENTENCE, EMPTY_NODES, MULTIWORD, read_conllu
from tunescope.errors import InputError


def word(number: object, form: str, head: object, deprel: str = "dep", misc: str = "_") -> str:
    fields = [number, form, form.lower(), "X", "XX", "_", head, deprel, "_", misc]
    return "\t".join(map(str, fields))


PLAIN = [
    "# sent_id = plain-1",
    "# text = Birds sing.",
    word(1, "Birds", 2, "nsubj"),
    word(2, "sing", 0, "root"),
    word(3, ".", 2, "punct"),
    "",
]
SPECIAL = [
    "# newdoc id = d",
    "# sent_id = special-1",
    "# text = We don't, though",
    word(1, "We", 3, "nsubj"),
    word("2-3", "don't", "_", "_", "SpaceAfter=No"),
    word(2, "do", 3, "aux"),
    word(3, "n't", 0, "root"),
    word("3.1", "go", "_", "_"),
    word(4, ",", 3, "punct"),
    word(5, "though", 3, "advmod"),
    "",
]


def write(folder: Path, lines: list[str]) -> Path:
    path = folder / "treebank.conllu"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def test_words_and_trees(tmp_path: Path) -> None:
    split = read_conllu(write(tmp_path, PLAIN))
    [row] = split.table.select(
        ["row", "id", "text", "words", "upos", "xpos", "heads", "deprels"]
    ).to_pylist()
    assert row == {
        "row": 0,
        "id": "plain-1",
        "text": "Birds sing.",
        "words": ["Birds", "sing", "."],
        "upos": ["X"] * 3,
        "xpos": ["XX"] * 3,
        "heads": [2, 0, 2],
        "deprels": ["nsubj", "root", "punct"],
    }
    assert split.kind == "treebank"
    assert split.table["entities"].null_count == 1


def test_multiword_tokens_and_empty_nodes_are_no_words(tmp_path: Path) -> None:
    split = read_conllu(write(tmp_path, [*PLAIN, *SPECIAL]))
    row = split.table.to_pylist()[1]
    assert row["words"] == ["We", "do", "n't", ",", "though"]
    assert row["heads"] == [3, 3, 0, 3, 3]
    assert split.accounting.notes == {MULTIWORD: 1, EMPTY_NODES: 1}
    assert split.accounting.read == 2


def test_sentences_with_an_empty_node_can_be_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, [*SPECIAL, *PLAIN])
    split = read_conllu(path, empty_node_sentences="dropped")
    assert split.table["id"].to_pylist() == ["plain-1"]
    assert split.table["row"].to_pylist() == [1]
    assert split.accounting.dropped == {EMPTY_NODE_SENTENCE: 1}
    assert (split.accounting.read, split.accounting.kept) == (2, 1)


def test_text_is_joined_from_the_words_where_no_comment_gives_it(tmp_path: Path) -> None:
    lines = [text for text in SPECIAL if not text.startswith("#")]
    row = read_conllu(write(tmp_path, lines)).table.to_pylist()[0]
    assert row["text"] == "We don't, though"
    assert row["id"] == "0"


def test_an_empty_node_may_come_first_and_several_may_follow(tmp_path: Path) -> None:
    lines = [
        word("0.1", "Who", "_"),
        word(1, "Runs", 0),
        word("1.1", "he", "_"),
        word("1.2", "she", "_"),
        word(2, "far", 1),
        "",
    ]
    split = read_conllu(write(tmp_path, lines))
    assert split.accounting.notes[EMPTY_NODES] == 3
    assert split.table["words"].to_pylist() == [["Runs", "far"]]


def test_surplus_blank_lines_are_noted(tmp_path: Path) -> None:
    split = read_conllu(write(tmp_path, [*PLAIN, "", "", *SPECIAL, ""]))
    assert split.accounting.read == 2
    assert split.accounting.notes["surplus blank lines"] == 3


FORMS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="#"), min_size=1
)


@st.composite
def trees(draw: st.DrawFn) -> list[tuple[str, int]]:
    """Words with heads: each word but the first of an order hangs on an earlier one of it."""
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))] + 1
    return [(draw(FORMS), head) for head in heads]


@given(st.lists(trees(), min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_reads_what_the_conllu_library_reads(
    tmp_path: Path, sentences: list[list[tuple[str, int]]]
) -> None:
    lines = []
    for sentence in sentences:
        lines += [word(n, form, head) for n, (form, head) in enumerate(sentence, start=1)] + [""]
    path = write(tmp_path, lines)
    ours = read_conllu(path).table
    theirs = list(conllu.parse_incr(io.StringIO(path.read_text(encoding="utf-8"), newline="\n")))
    assert ours["words"].to_pylist() == [[t["form"] for t in s] for s in theirs]
    assert ours["heads"].to_pylist() == [[t["head"] for t in s] for s in theirs]


def refusal(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read_conllu(path)
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize(
    ("lines", "at", "found"),
    [
        ([word(1, "a", 0), word(2, "b", 3), word(3, "c", 2), ""], 8, "cycle 2 -> 3 -> 2"),
        ([word(1, "a", 0), word(2, "b", 0), ""], 8, "two roots, words 1 and 2"),
        ([word(1, "a", 0), word(2, "b", 3), ""], 8, "head 3 of word 2 is out of range 0 to 2"),
        ([word(1, "a", 2), word(2, "b", 1), ""], 7, "cycle 1 -> 2 -> 1"),
        ([word(1, "a", 0), word(3, "b", 1), ""], 8, "id '3' where word 2 was due"),
        ([word(1, "a", 0), word(1, "b", 1), ""], 8, "id '1' where word 2 was due"),
        ([word(1, "a", 0), word("x", "b", 1), ""], 8, "id 'x' where word 2 was due"),
        ([word(1, "a", 0), word("3-4", "b", "_"), ""], 8, "id '3-4' where word 2 was due"),
        ([word("1-2", "ab", "_"), word(1, "a", 0), ""], 8, "reaches to word 2"),
        ([word("2.1", "a", "_"), word(1, "b", 0), ""], 7, "id '2.1' where word 1 was due"),
        ([word(1, "a", 0), word("1.2", "b", "_"), ""], 8, "id '1.2' where word 2 was due"),
        ([word(1, "a", "_"), ""], 7, "head '_' is no number"),
        ([word(1, "a", "²"), ""], 7, "head '²' is no number"),
        ([word(1, "", 0), ""], 7, "an empty word form"),
        ([word(1, "a", 0), "2\tb\tb\tX", ""], 8, "4 columns, but CoNLL-U has 10"),
        (["1 a a X XX _ 0 root _ _", ""], 7, "1 columns, but CoNLL-U has 10"),
        ([word(1, "a", 0), "# sent_id = next", word(2, "b", 1), ""], 8, "a comment inside"),
        (["# only a comment", ""], 7, "a sentence without words"),
        ([word(1, "a", 0)], 7, "the file ends inside a sentence"),
    ],
)
def test_a_damaged_sentence_is_refused(
    tmp_path: Path, lines: list[str], at: int, found: str
) -> None:
    path = write(tmp_path, [*PLAIN, *lines])  # PLAIN is lines 1 to 6
    error = refusal(path)
    assert error.where == f"{path}:{at}"
    assert found in error.found


def test_a_file_cut_inside_a_line_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, [*PLAIN, *SPECIAL])
    whole = path.read_bytes()
    for end in range(len(whole) - 2, len("\n".join(PLAIN)) + 2, -1):
        path.write_bytes(whole[:end])
        with pytest.raises(InputError):
            read_conllu(path)


def test_a_tree_error_names_the_sentence(tmp_path: Path) -> None:
    path = write(tmp_path, ["# sent_id = bad-7", word(1, "a", 1), ""])
    assert "(sentence bad-7, from line 1)" in refusal(path).found
