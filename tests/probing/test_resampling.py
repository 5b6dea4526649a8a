import numpy as np
import pytest

from tunescope.probing.resampling import drawn_weights, mean_weights

MEMBERS = [("a", 0), ("a", 1), ("b", 0)]


def test_the_mean_is_over_encoders_of_the_mean_over_seeds():
    assert mean_weights(MEMBERS, 2).tolist() == [[0.125] * 2, [0.125] * 2, [0.25] * 2]


def test_draws_sum_to_one_and_average_to_the_mean():
    weights = drawn_weights(MEMBERS, 2, resamples=20_000, seed=0)
    np.testing.assert_allclose(weights.sum(axis=(1, 2)), 1)
    np.testing.assert_allclose(weights.mean(axis=0), mean_weights(MEMBERS, 2), atol=0.005)


def test_groups_of_the_same_encoders_are_drawn_together():
    tuned = drawn_weights(MEMBERS, 2, resamples=50, seed=1)
    base = drawn_weights([("a", None), ("b", None)], 2, resamples=50, seed=1)
    np.testing.assert_allclose(tuned[:, :2].sum(axis=1), base[:, 0])
    np.testing.assert_allclose(tuned[:, 2], base[:, 1])


@pytest.mark.parametrize("probe_seeds", [1, 3])
def test_one_run_leaves_only_the_probe_seeds_to_draw(probe_seeds):
    weights = drawn_weights([("a", None)], probe_seeds, resamples=50, seed=0)
    assert (np.unique(weights).size == 1) == (probe_seeds == 1)
