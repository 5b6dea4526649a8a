import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tunescope.encoders.inputs import Inputs
from tunescope.pretraining.next_sentence import NO_TARGET, exchange_second_parts

PARTS = st.lists(
    st.tuples(st.integers(2, 5), st.integers(0, 4)), min_size=1, max_size=8
)  # pieces of the first and of the second part


def inputs_of(parts):
    """Inputs whose pieces tell which input and part they come from."""
    pieces, segments = [], []
    for number, (first, second) in enumerate(parts):
        pieces += [100 * number + 1] * first + [100 * number + 2] * second
        segments += [0] * first + [1] * second
    offsets = np.concatenate([[0], np.cumsum([sum(part) for part in parts])])
    return Inputs(np.array(pieces, np.int32), np.array(segments, np.int8), offsets, 0, 0)


def exchanged(parts, *, share=0.5, max_length=100, seed=0):
    return exchange_second_parts(
        inputs_of(parts),
        np.arange(len(parts)),
        share=share,
        max_length=max_length,
        generator=np.random.default_rng(seed),
    )


@given(PARTS, st.integers(0, 9), st.integers(3, 9))
def test_first_parts_stay_and_second_parts_are_whole_and_named_rightly(parts, seed, max_length):
    paired = exchanged(parts, seed=seed, max_length=max_length)
    for number, (first, second) in enumerate(parts):
        start, stop = paired.inputs.offsets[number : number + 2]
        pieces, segments = paired.inputs.pieces[start:stop], paired.inputs.segments[start:stop]
        assert (pieces[:first] == 100 * number + 1).all()
        assert (segments == (np.arange(stop - start) >= first)).all()
        if not second:
            assert paired.follows[number] == NO_TARGET
            assert stop - start == first
            continue
        owners = set((pieces[first:] // 100).tolist())
        assert len(owners) == 1
        owner = owners.pop()
        assert stop - start - first == parts[owner][1]
        assert paired.follows[number] == (owner == number)
        assert owner == number or stop - start <= max_length


def test_nothing_is_exchanged_without_a_share():
    parts = [(2, 1), (3, 2), (2, 3)]
    paired = exchanged(parts, share=0)
    assert paired.follows.tolist() == [1, 1, 1]
    assert paired.inputs.sha256() == inputs_of(parts).sha256()


def test_about_the_share_is_exchanged():
    paired = exchanged([(2, 2)] * 400, share=0.5)
    assert 0.4 < np.mean(paired.follows == 0) < 0.6
