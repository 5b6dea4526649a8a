import numpy as np
import pytest

from tunescope.activations.inputs import draw_rows, make_inputs
from tunescope.config.similarity import StimuliSettings
from tunescope.corpora.canonical import Accounting, make_split
from tunescope.errors import InputError


def split_of(kind, rows):
    numbered = [{"row": 10 * number, **row} for number, row in enumerate(rows)]
    labels = ("yes",) if kind == "classification" else ()
    numbered = [{**row, "label": "yes"} if labels else row for row in numbered]
    return make_split(kind, numbered, labels, Accounting("source.tsv", "", len(rows), len(rows)))


def stimuli(**changes):
    return StimuliSettings(corpus="pairs", **changes)


def pieces_of(inputs, tokenizer):
    tokens = tokenizer.convert_ids_to_tokens(inputs.piece_ids.tolist())
    return [
        tokens[start:stop] for start, stop in zip(inputs.offsets, inputs.offsets[1:], strict=False)
    ]


PAIRS = split_of(
    "classification",
    [{"text_a": "the dogs run", "text_b": "running dog"}, {"text_a": "dogs", "text_b": "the"}],
)


def test_a_pair_is_one_input_whose_words_are_counted_on(tokenizer):
    inputs = make_inputs(PAIRS, stimuli(), tokenizer, max_length=24)
    assert pieces_of(inputs, tokenizer)[0] == (
        ["[CLS]", "the", "dog", "##s", "run", "[SEP]", "run", "##ning", "dog", "[SEP]"]
    )
    assert inputs.word_ids[:10].tolist() == [-1, 0, 1, 1, 2, -1, 3, 3, 4, -1]
    assert inputs.segments[:10].tolist() == [0] * 6 + [1] * 4
    assert inputs.rows.tolist() == [0, 10]
    assert not inputs.cut.any()


@pytest.mark.parametrize(
    ("part", "expected"),
    [("first", ["[CLS]", "dog", "##s", "[SEP]"]), ("second", ["[CLS]", "the", "[SEP]"])],
)
def test_one_part_alone(tokenizer, part, expected):
    inputs = make_inputs(PAIRS, stimuli(part=part), tokenizer, max_length=24)
    assert pieces_of(inputs, tokenizer)[1] == expected
    assert not inputs.segments.any()


def test_a_question_stays_whole_while_its_passage_is_cut(tokenizer):
    split = split_of(
        "question_answering", [{"question": "the dog", "context": "run the dogs running dog"}]
    )
    inputs = make_inputs(split, stimuli(max_length=9), tokenizer, max_length=24)
    assert pieces_of(inputs, tokenizer) == [
        ["[CLS]", "the", "dog", "[SEP]", "run", "the", "dog", "##s", "[SEP]"]
    ]
    assert inputs.cut.tolist() == [True]


def test_the_lower_of_both_limits_counts(tokenizer):
    split = split_of("text", [{"text": "dog " * 30}, {"text": "dog"}])
    inputs = make_inputs(split, stimuli(max_length=20), tokenizer, max_length=10)
    assert np.diff(inputs.offsets).tolist() == [10, 3]
    assert inputs.cut.tolist() == [True, False]


def test_words_of_a_treebank_stay_aligned_when_one_has_no_piece(tokenizer):
    split = split_of("treebank", [{"words": ["the", "\u200b", "dogs"]}])
    inputs = make_inputs(split, stimuli(), tokenizer, max_length=24)
    assert pieces_of(inputs, tokenizer) == [["[CLS]", "the", "[UNK]", "dog", "##s", "[SEP]"]]
    assert inputs.word_ids.tolist() == [-1, 0, 1, 2, 2, -1]
    assert inputs.replaced_words == 1


def test_an_input_without_pieces_is_counted(tokenizer):
    split = split_of("text", [{"text": "\u200b"}, {"text": "the dog"}])
    inputs = make_inputs(split, stimuli(), tokenizer, max_length=24)
    assert inputs.counts == ({"inputs": 2, "pieces": 6, "cut": 0, "replaced_words": 0, "empty": 1})
    assert np.diff(inputs.offsets).tolist() == [2, 4]


def test_the_draw_follows_its_seed_and_repeats_no_row(tokenizer):
    split = split_of("text", [{"text": "dog"}] * 50)
    one = draw_rows(split, stimuli(inputs=20, seed=1))
    assert len(np.unique(one)) == 20
    assert (np.diff(one) > 0).all()
    assert one.tolist() == draw_rows(split, stimuli(inputs=20, seed=1)).tolist()
    assert one.tolist() != draw_rows(split, stimuli(inputs=20, seed=2)).tolist()
    assert draw_rows(split, stimuli(inputs=60)).tolist() == list(range(50))
    inputs = make_inputs(split, stimuli(inputs=20, seed=1), tokenizer, max_length=24)
    assert inputs.rows.tolist() == (10 * one).tolist()


def test_the_content_hash_sees_pieces_and_their_inputs(tokenizer):
    def hash_of(*texts):
        split = split_of("text", [{"text": text} for text in texts])
        return make_inputs(split, stimuli(), tokenizer, max_length=24).content_hash

    assert hash_of("the dog", "run") == hash_of("the dog", "run")
    assert len({hash_of("the dog", "run"), hash_of("the", "dog run"), hash_of("the dog")}) == 3


def test_a_second_part_that_is_not_there_is_refused(tokenizer):
    split = split_of("text", [{"text": "the dog"}])
    with pytest.raises(InputError, match="one part only"):
        make_inputs(split, stimuli(part="second"), tokenizer, max_length=24)


def test_rows_that_lack_their_second_part_are_refused(tokenizer):
    split = split_of("classification", [{"text_a": "the", "text_b": "dog"}, {"text_a": "run"}])
    with pytest.raises(InputError, match="1 of 2 drawn rows"):
        make_inputs(split, stimuli(), tokenizer, max_length=24)
    first = make_inputs(split, stimuli(part="first"), tokenizer, max_length=24)
    assert len(first) == 2


def test_an_empty_split_is_refused(tokenizer):
    with pytest.raises(InputError, match="no rows"):
        make_inputs(split_of("text", []), stimuli(), tokenizer, max_length=24)
