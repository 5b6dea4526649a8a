from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunescope.corpora.text import read_text, read_wikitext, split_sentences
from tunescope.errors import InputError

WIKITEXT = [
    " ",
    " = A heading = ",
    " ",
    " The well @-@ known bird sang 1 @,@ 204 songs in 2 @.@ 5 hours . Then it <unk> a long nap . "
    'It was " quite a feat . " Nobody , however , saw it . ',
    " = = A lower heading = = ",
    " Too short . a = b was the rule of that old school . ",
]


def write(folder: Path, lines: list[str]) -> Path:
    path = folder / "text.txt"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def test_a_sentence_a_line(tmp_path: Path) -> None:
    split = read_text(write(tmp_path, ["One. Two.", "", "  ", "Three\u2028and four "]))
    assert split.table.to_pylist() == [
        {"row": 0, "text": "One. Two."},
        {"row": 3, "text": "Three\u2028and four "},
    ]
    assert split.accounting.dropped == {"blank line": 2}
    assert split.accounting.read == 4


def test_wikitext_becomes_sentences_and_the_rest_is_counted(tmp_path: Path) -> None:
    split = read_wikitext(write(tmp_path, WIKITEXT))
    assert split.table["text"].to_pylist() == [
        "The well-known bird sang 1,204 songs in 2.5 hours .",
        'It was " quite a feat . "',
        "Nobody , however , saw it .",
        "Too short . a = b was the rule of that old school .",
    ]
    assert split.table["row"].to_pylist() == [3, 5, 6, 8]
    assert split.accounting.dropped == {"blank line": 2, "heading": 2, "sentence with <unk>": 1}
    assert split.accounting.notes == {"tokeniser's marks undone": 3}
    assert split.accounting.read == 9


def test_short_sentences_are_dropped(tmp_path: Path) -> None:
    split = read_wikitext(write(tmp_path, [" Too short . This one is long enough . "]))
    assert split.table["text"].to_pylist() == ["This one is long enough ."]
    assert split.accounting.dropped == {"sentence of fewer than 5 tokens": 1}


TOKENS = st.lists(st.sampled_from([".", "?", "!", '"', "Word", "word", ",", "(", ")"]), max_size=20)


@given(TOKENS)
def test_cutting_loses_no_token(tokens: list[str]) -> None:
    sentences = list(split_sentences(tokens))
    assert [token for sentence in sentences for token in sentence] == tokens
    assert all(sentences)


@given(TOKENS)
def test_sentences_do_not_begin_in_lower_case(tokens: list[str]) -> None:
    for sentence in list(split_sentences(tokens))[1:]:
        assert not sentence[0][0].islower()


@pytest.mark.parametrize("lines", [[" = Only = "], [" "] * 3 + [" <unk> and nothing else here . "]])
def test_nothing_left_is_an_error(tmp_path: Path, lines: list[str]) -> None:
    path = write(tmp_path, lines)
    with pytest.raises(InputError, match="no sentence is left") as caught:
        read_wikitext(path)
    assert caught.value.where == str(path)
