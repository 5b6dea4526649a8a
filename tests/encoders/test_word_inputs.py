import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_encoder import small_tokenizer
from tunescope.encoders.inputs import NO_WORD
from tunescope.encoders.word_inputs import make_word_inputs


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return small_tokenizer(tmp_path_factory.mktemp("vocabulary"))


words = st.sampled_from(["red", "trees", "running", "stones", "Zebra", "good!", "\u00e9", "\x01"])
sentences = st.lists(st.lists(words, min_size=1, max_size=9), min_size=1, max_size=5)


@given(sentences)
def test_pieces_are_those_of_the_tokenizer_given_words(tokenizer, drawn):
    """Oracle: the library's own way for text that is split into words."""
    found = make_word_inputs(tokenizer, drawn, max_length=64)
    known = [[word if word != "\x01" else "[UNK]" for word in one] for one in drawn]
    plain = tokenizer(known, is_split_into_words=True)
    for place, encoding in enumerate(plain.encodings):
        part = slice(*found.inputs.offsets[place : place + 2])
        assert found.inputs.pieces[part].tolist() == encoding.ids
        numbers = [NO_WORD if word is None else word for word in encoding.word_ids]
        assert found.inputs.words[part].tolist() == numbers
    assert found.unknown == sum(word == "\x01" for one in drawn for word in one)
    assert found.inputs.truncated == 0
    assert (found.pieces == found.kept).all()
    assert (found.pieces > 0).all()


@given(sentences, st.integers(3, 12))
def test_the_cut_takes_pieces_from_the_end(tokenizer, drawn, max_length):
    whole = make_word_inputs(tokenizer, drawn, max_length=64)
    cut = make_word_inputs(tokenizer, drawn, max_length=max_length)
    np.testing.assert_array_equal(cut.pieces, whole.pieces)
    np.testing.assert_array_equal(cut.offsets, whole.offsets)
    lengths = whole.inputs.lengths
    np.testing.assert_array_equal(cut.inputs.lengths, np.minimum(lengths, max_length))
    assert cut.inputs.truncated == np.count_nonzero(lengths > max_length)
    for place in range(len(drawn)):
        part = slice(*cut.offsets[place : place + 2])
        there = cut.inputs.words[slice(*cut.inputs.offsets[place : place + 2])]
        counts = np.bincount(there[there != NO_WORD], minlength=len(drawn[place]))
        np.testing.assert_array_equal(cut.kept[part], counts)


def test_a_batch_knows_the_words_and_not_those_of_padding(tokenizer):
    found = make_word_inputs(tokenizer, [["trees"], ["red", "running", "tree"]], max_length=16)
    batch = found.inputs.batch(np.array([0, 1]))
    assert batch["words"].tolist() == [[-1, 0, 0, -1, -1, -1], [-1, 0, 1, 1, 2, -1]]
    assert batch["attention_mask"].sum(dim=1).tolist() == [4, 6]


def test_words_count_in_the_hash(tokenizer):
    one = make_word_inputs(tokenizer, [["red", "tree"]], max_length=16).inputs
    other = make_word_inputs(tokenizer, [["red tree"]], max_length=16).inputs
    np.testing.assert_array_equal(one.pieces, other.pieces)
    assert one.sha256() != other.sha256()
