import json
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_encoder import SPECIAL, small_tokenizer
from small_structures import questions_of
from tunescope.corpora.squad import read_squad
from tunescope.encoders.tokenizer import read_tokenizer
from tunescope.errors import InputError
from tunescope.finetuning.windows import (
    make_windows,
    piece_spans,
    pieces_of_answer,
    window_starts,
)

FOLDER = os.environ.get("TUNESCOPE_DATA")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return small_tokenizer(tmp_path_factory.mktemp("vocabulary"))


def letters(folder, texts):
    """A tokenizer whose pieces are single letters."""
    found = sorted({letter for text in texts for letter in text.lower() if letter.isprintable()})
    pieces = [*SPECIAL, *found, *(f"##{letter}" for letter in found)]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    return read_tokenizer(folder, vocabulary=len(pieces), max_length=512)


@given(st.integers(1, 300), st.integers(1, 60), st.integers(1, 80))
def test_windows_cover_every_piece(length, room, stride):
    starts = window_starts(length, room=room, stride=stride)
    covered = {piece for start in starts for piece in range(start, min(start + room, length))}
    assert covered == set(range(length))
    assert all(0 < after - before <= stride for before, after in pairwise(starts))
    assert all(start + room < length for start in starts[:-1])  # none is without need


@given(st.integers(1, 40), st.integers(1, 9), st.integers(8, 20), st.integers(1, 12))
def test_inputs_are_question_and_window(tokenizer, passage, query, max_length, stride):
    words = np.random.default_rng(passage).choice(["red", "blue", "trees"], passage)
    split = questions_of([(" ".join(["green"] * query), " ".join(words), [])])
    found = make_windows(split, tokenizer, max_length=max_length, stride=stride, max_query=4)
    ids = tokenizer(" ".join(words), add_special_tokens=False).input_ids
    seen = set()
    asked = min(query, 4)
    for window in range(len(found.inputs)):
        part = slice(*found.inputs.offsets[window : window + 2])
        pieces, segments = found.inputs.pieces[part], found.inputs.segments[part]
        assert len(pieces) <= max_length
        place, count, first = found.places[window], found.counts[window], found.firsts[window]
        assert tokenizer.convert_ids_to_tokens(pieces[:place].tolist()) == (
            ["[CLS]", *["green"] * asked, "[SEP]"]
        )
        assert pieces[place : place + count].tolist() == ids[first : first + count]
        assert place + count + 1 == len(pieces)
        assert segments.tolist() == [0] * place + [1] * (count + 1)
        seen |= set(range(first, first + count))
    assert seen == set(range(len(ids)))
    assert found.cut_questions == (query > 4)
    assert found.inputs.truncated == (query > 4) * len(found.inputs)
    assert found.long_passages == (len(found.inputs) > 1)


WORDS = [
    "red",
    "Trees",
    "caf\u00e9",  # one code point, two after decomposition
    "re\u0301d\u0301",  # combining marks, the last at the word's end
    "a\u0327\u0301",  # two marks on one letter
    "\U0001f600",  # beyond the basic plane
    "\U0001d400x",
    "\ud55c\uae00",  # each decomposes into three
    "\u00df\u0130",  # length changes in lower case
    "stone,",
]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), st.data())
def test_an_answer_of_whole_words_is_given_back_exactly(tokenizer, words, data):
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    gaps = data.draw(
        st.lists(
            st.sampled_from([" ", "  ", "\n", "\u2003", "\u00a0"]),
            min_size=len(words),
            max_size=len(words),
        )
    )
    passage, bounds = "", []
    for word, gap in zip(words, gaps, strict=True):
        bounds.append((len(passage), len(passage) + len(word)))
        passage += word + gap
    start, end = bounds[first][0], bounds[last][1]
    encoding = tokenizer.backend_tokenizer.encode(passage, add_special_tokens=False)
    spans = piece_spans(passage, encoding)
    touched = pieces_of_answer(spans, start, end)
    assert touched is not None
    assert passage[spans[touched[0], 0] : spans[touched[1], 1]] == passage[start:end]


def test_an_answer_inside_a_word_gets_the_pieces_it_touches(tmp_path):
    passage = "redstone tree"
    encoding = letters(tmp_path, [passage]).backend_tokenizer.encode(
        passage, add_special_tokens=False
    )
    spans = piece_spans(passage, encoding)
    assert pieces_of_answer(spans, 3, 8) == (3, 7)
    assert pieces_of_answer(spans, 8, 9) is None  # the blank


@pytest.mark.parametrize("passage", ["", " \n ", "\u200b\u0301"])
def test_a_passage_without_words_is_refused(tokenizer, passage):
    split = questions_of([("red", "tree", []), ("red", passage, [])])
    with pytest.raises(InputError, match=r"toy\.json, row 1: a passage without words"):
        make_windows(split, tokenizer, max_length=16, stride=4, max_query=8)


def test_a_question_that_leaves_no_room_is_refused(tokenizer):
    split = questions_of([("red " * 13, "tree", [])])
    with pytest.raises(InputError, match=r"row 0: a question of 13 pieces leaves no room"):
        make_windows(split, tokenizer, max_length=16, stride=4, max_query=64)


@pytest.mark.real_data
@pytest.mark.skipif(not FOLDER, reason="TUNESCOPE_DATA names no folder of official files")
def test_every_answer_of_the_official_training_file_is_given_back(tmp_path):
    """With pieces of single letters, also those that start or end inside a word."""
    path = Path(str(FOLDER)) / "squad-v1.1" / "train-v1.1.json"
    split = read_squad(path, need_offsets=True)
    rows = split.table.to_pylist()
    tokenizer = letters(tmp_path, [json.dumps(row, ensure_ascii=False) for row in rows])
    found = make_windows(split, tokenizer, max_length=512, stride=128, max_query=300)
    wrong = []
    for spans, row in zip(found.spans, rows, strict=True):
        (answer,) = row["answers"]
        start, end = answer["start"], answer["start"] + len(answer["text"])
        touched = pieces_of_answer(spans, start, end)
        assert touched is not None
        text = row["context"][spans[touched[0], 0] : spans[touched[1], 1]]
        if text != answer["text"].strip():
            wrong.append((text, answer["text"]))
    assert len(rows) == 4_370
    assert wrong == []
