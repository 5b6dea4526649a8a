import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tunescope.training.batches import epoch_batches, length_batches

lengths = st.lists(st.integers(3, 100), min_size=1, max_size=300).map(np.array)


@given(lengths, st.integers(1, 7), st.integers(0, 3), st.integers(0, 2))
def test_an_epoch_holds_each_example_once(lengths, batch_size, seed, epoch):
    batches = epoch_batches(lengths, batch_size=batch_size, seed=seed, epoch=epoch)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(lengths)))
    assert len(batches) == -(-len(lengths) // batch_size)
    assert max(len(batch) for batch in batches) <= batch_size
    assert sum(len(batch) < batch_size for batch in batches) <= 1


def test_the_order_depends_on_seed_and_epoch_alone():
    lengths = np.random.default_rng(0).integers(5, 60, 500)

    def order(seed, epoch):
        batches = epoch_batches(lengths, batch_size=8, seed=seed, epoch=epoch)
        return np.concatenate(batches).tolist()

    assert order(0, 1) == order(0, 1)
    assert order(0, 1) != order(0, 2)
    assert order(0, 1) != order(1, 1)


def test_batches_by_length_save_most_of_the_padding():
    lengths = np.random.default_rng(0).integers(5, 60, 2_000)
    batches = epoch_batches(lengths, batch_size=32, seed=0, epoch=0)

    def padded(parts):
        return sum(len(part) * lengths[part].max() for part in parts)

    shuffled = np.array_split(np.random.default_rng(0).permutation(2_000), 63)
    assert padded(batches) - lengths.sum() < 0.1 * (padded(shuffled) - lengths.sum())


@given(lengths, st.integers(1, 7))
def test_evaluation_goes_from_long_to_short(lengths, batch_size):
    batches = length_batches(lengths, batch_size=batch_size)
    order = np.concatenate(batches)
    assert sorted(order.tolist()) == list(range(len(lengths)))
    assert (np.diff(lengths[order]) <= 0).all()
