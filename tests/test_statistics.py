import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tunescope.statistics import (
    benjamini_hochberg,
    bootstrap_interval,
    holm,
    mcnemar,
    paired_bootstrap,
    resample_weights,
    sign_flip_test,
    two_level_bootstrap,
)

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_interval_is_the_percentiles_along_the_axis():
    replicates = np.arange(1001.0)[:, None] * np.array([1.0, -2.0])
    low, high = bootstrap_interval(replicates, confidence=0.9, axis=0)
    np.testing.assert_allclose(low, [50, -1900])
    np.testing.assert_allclose(high, [950, -100])


@pytest.mark.parametrize("replicates", [[], [1.0, np.nan], [np.inf]])
def test_interval_refuses_what_is_no_number(replicates):
    with pytest.raises(ValueError, match="replicates"):
        bootstrap_interval(replicates)


def test_weights_draw_as_many_units_as_there_are_and_follow_the_seed():
    weights = resample_weights(7, 50, seed=3)
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert (weights == resample_weights(7, 50, seed=3)).all()
    assert (weights != resample_weights(7, 50, seed=4)).any()


def test_paired_bootstrap_equals_scipy_within_the_noise_of_resampling():
    differences = np.random.default_rng(0).exponential(size=200)
    ours = paired_bootstrap(differences, resamples=20_000, seed=1)
    theirs = stats.bootstrap(
        (differences,), np.mean, n_resamples=20_000, method="percentile", rng=2
    ).confidence_interval
    assert ours.value == pytest.approx(differences.mean())
    assert ours.low == pytest.approx(theirs.low, abs=0.01)
    assert ours.high == pytest.approx(theirs.high, abs=0.01)


def test_groups_that_repeat_an_observation_change_nothing_but_ungrouped_narrows():
    once = np.random.default_rng(0).normal(size=60)
    names = np.arange(60)
    single = paired_bootstrap(once, seed=5)
    grouped = paired_bootstrap(np.tile(once, 4), groups=np.tile(names, 4), seed=5)
    naive = paired_bootstrap(np.tile(once, 4), seed=5)
    assert grouped.low == pytest.approx(single.low)
    assert grouped.high == pytest.approx(single.high)
    assert naive.high - naive.low < 0.7 * (single.high - single.low)


def test_paired_bootstrap_covers_at_its_level():
    generator = np.random.default_rng(11)
    hits = 0
    for trial in range(300):
        estimate = paired_bootstrap(generator.normal(1.0, 1.0, 60), resamples=300, seed=trial)
        hits += estimate.low <= 1.0 <= estimate.high
    assert 0.90 <= hits / 300 <= 0.98


def test_two_level_bootstrap_has_the_variance_of_seeds_and_examples():
    generator = np.random.default_rng(0)
    seeds, examples = 5, 400
    offsets = generator.normal(0, 0.1, seeds)
    values = offsets[:, None] + generator.normal(0, 1, (1, examples))  # same examples for all
    replicates = two_level_bootstrap(
        lambda seed, indices: float(values[seed, indices].mean()),
        seeds=seeds,
        examples=examples,
        resamples=4_000,
    )
    expected = offsets.var() / seeds + values[0].var() / examples
    assert replicates.mean() == pytest.approx(values.mean(), abs=0.01)
    assert replicates.var() == pytest.approx(expected, rel=0.1)


def test_two_level_bootstrap_draws_whole_groups():
    seen = []

    def statistic(_: int, indices: np.ndarray) -> float:
        seen.append(indices)
        return 0.0

    groups = np.array([2, 0, 2, 1, 0])
    two_level_bootstrap(statistic, seeds=1, examples=5, groups=groups, resamples=20)
    for indices in seen:
        counts = np.bincount(indices, minlength=5)
        assert counts[0] == counts[2]
        assert counts[1] == counts[4]
        assert counts[0] + counts[1] + counts[3] == 3


def test_mcnemar_is_the_binomial_test_of_the_disagreements():
    first = np.array([1] * 12 + [0] * 3 + [1] * 50)
    second = np.array([0] * 12 + [1] * 3 + [1] * 50)
    assert mcnemar(first, second) == pytest.approx(stats.binomtest(12, 15).pvalue)
    assert mcnemar(first, first) == 1.0
    with pytest.raises(ValueError, match="one length"):
        mcnemar(first, second[1:])


def test_sign_flips_are_exact_for_few_units_and_agree_with_scipy():
    differences = np.random.default_rng(3).normal(0.5, 1, 12)
    exact = sign_flip_test(differences)
    theirs = stats.permutation_test(
        (differences, np.zeros(12)),
        lambda first, second: np.mean(first - second),
        permutation_type="samples",
        n_resamples=np.inf,
    ).pvalue
    assert exact == pytest.approx(theirs)
    drawn = sign_flip_test(differences, resamples=4_000)
    assert drawn == pytest.approx(exact, abs=0.03)
    assert sign_flip_test(np.full(40, 1.0), resamples=999) == pytest.approx(1 / 1000)


@given(P_VALUES)
@settings(deadline=None)
def test_benjamini_hochberg_equals_scipy(p_values):
    expected = stats.false_discovery_control(p_values)
    np.testing.assert_allclose(benjamini_hochberg(p_values), expected)


def test_holm_on_the_worked_example():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])


@given(P_VALUES)
@settings(deadline=None)
def test_holm_lies_between_the_raw_and_the_bonferroni_value(p_values):
    adjusted = holm(p_values)
    raw = np.asarray(p_values)
    assert (adjusted >= raw).all()
    assert (adjusted <= np.minimum(raw * len(raw), 1) + 1e-15).all()
    assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= 0).all()


@pytest.mark.parametrize("correction", [holm, benjamini_hochberg])
def test_corrections_refuse_what_is_no_p_value(correction):
    with pytest.raises(ValueError, match="p-values"):
        correction([0.2, np.nan])
