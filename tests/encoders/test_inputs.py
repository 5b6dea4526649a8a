import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from small_encoder import LONGEST, small_tokenizer
from tunescope.encoders.inputs import keep_of_pair, make_inputs


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return small_tokenizer(tmp_path_factory.mktemp("vocabulary"))


def drop_one_by_one(first, second, room):
    while first + second > room:
        if first > second:
            first -= 1
        else:
            second -= 1
    return first, second


@given(st.integers(0, 60), st.integers(0, 60), st.integers(2, 60))
def test_truncation_is_dropping_one_by_one_from_the_longer(first, second, room):
    assert keep_of_pair(first, second, room) == drop_one_by_one(first, second, room)


texts = st.lists(st.sampled_from(["red", "running", "trees", "good", "zebra"]), max_size=9).map(
    " ".join
)


@given(st.lists(st.tuples(texts, st.none() | texts.filter(bool)), min_size=1, max_size=5))
def test_inputs_are_those_of_the_tokenizer(tokenizer, pairs):
    inputs = make_inputs(
        tokenizer, [a for a, _ in pairs], [b for _, b in pairs], max_length=LONGEST * 2
    )
    assert inputs.truncated == 0
    for number, (a, b) in enumerate(pairs):
        expected = tokenizer(a, b, return_tensors="pt")
        batch = inputs.batch(np.array([number]))
        for name, values in expected.items():
            assert torch.equal(batch[name], values), name


def test_long_inputs_are_cut_and_counted(tokenizer):
    inputs = make_inputs(
        tokenizer,
        ["red " * 20, "red " * 20, "red", "red " * 6],
        [None, "blue blue", "blue", None],
        max_length=10,
    )
    assert inputs.lengths.tolist() == [10, 10, 5, 8]
    assert inputs.truncated == 2
    second = inputs.batch(np.array([1]))
    assert second["token_type_ids"].tolist() == [[0] * 7 + [1] * 3]
    assert tokenizer.decode(second["input_ids"][0]).endswith("[SEP] blue blue [SEP]")


def test_a_batch_is_padded_on_the_right(tokenizer):
    inputs = make_inputs(tokenizer, ["red blue", "red"], [None, None], max_length=8)
    batch = inputs.batch(np.array([1, 0]))
    assert batch["attention_mask"].tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert batch["input_ids"][0, 3] == tokenizer.pad_token_id
    assert batch["token_type_ids"].sum() == 0


def test_the_hash_tells_inputs_apart(tokenizer):
    one = make_inputs(tokenizer, ["red blue"], [None], max_length=8)
    same = make_inputs(tokenizer, ["Red  blue"], [None], max_length=8)
    pair = make_inputs(tokenizer, ["red"], ["blue"], max_length=8)
    assert one.sha256() == same.sha256() != pair.sha256()
