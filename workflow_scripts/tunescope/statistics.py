"""Intervals, paired tests and corrections for several tests.

Every random draw takes an explicit seed: the same seed gives the same numbers. Bootstrap intervals
are percentile intervals (Efron and Tibshirani 1993, chapter 13). What is resampled is the unit that
was drawn independently (a sentence, a document, a seed), which `groups` names where an observation
is smaller than that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_SUMS_AT_ONCE = 4_000_000  # random numbers held at once by the sign-flip test


@dataclass(frozen=True)
class Estimate:
    """A value with its interval.

    Attributes:
        value: the statistic on the data themselves.
        low: lower end of the interval.
        high: upper end of the interval.
        confidence: level of the interval.
    """

    value: float
    low: float
    high: float
    confidence: float


def bootstrap_interval(
    replicates: npt.ArrayLike, *, confidence: float = 0.95, axis: int = -1
) -> tuple[FloatArray, FloatArray]:
    """Percentile interval from bootstrap replicates.

    Args:
        replicates: statistics of the resamples, along `axis`.
        confidence: level, such as 0.95.
        axis: axis of the resamples; the others are kept.

    Returns:
        Lower and upper ends, each shaped as `replicates` without `axis`.

    Raises:
        ValueError: a replicate is not finite, or there are none.
    """
    values = np.asarray(replicates, dtype=np.float64)
    if values.shape[axis] == 0:
        raise ValueError("no bootstrap replicates")
    if not np.isfinite(values).all():
        raise ValueError(f"{np.count_nonzero(~np.isfinite(values))} replicates are not finite")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, found {confidence}")
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail], axis=axis)
    return np.asarray(low), np.asarray(high)


def resample_weights(units: int, resamples: int, *, seed: int | list[int]) -> IntArray:
    """How often each unit is drawn in each resample of as many units with replacement.

    Returns:
        Counts, shape [resamples, units]; each row sums to `units`.
    """
    if units < 1:
        raise ValueError("nothing to resample")
    generator = np.random.default_rng(seed)
    return generator.multinomial(units, np.full(units, 1 / units), size=resamples)


def _group_sums(values: FloatArray, groups: npt.ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Sum and number of the values of each group; a value is its own group if none are given."""
    if groups is None:
        return values, np.ones(len(values))
    names = np.asarray(groups)
    if names.shape != values.shape:
        raise ValueError(f"{len(values)} values, but groups of shape {names.shape}")
    _, index = np.unique(names, return_inverse=True)
    sums = np.bincount(index, weights=values).astype(np.float64)
    return sums, np.bincount(index).astype(np.float64)


def paired_bootstrap(
    differences: npt.ArrayLike,
    *,
    groups: npt.ArrayLike | None = None,
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Mean of paired differences with its bootstrap interval.

    Also the interval of a plain mean: give the values themselves.

    Args:
        differences: one an observation, as second minus first on the same example.
        groups: unit each observation belongs to (a document, a sentence); all observations of a
            unit are drawn together. Each observation is a unit of its own if not given.
        resamples: number of resamples.
        confidence: level of the interval.
        seed: seed of the resamples.
    """
    values = _finite_vector(differences)
    sums, sizes = _group_sums(values, groups)
    weights = resample_weights(len(sums), resamples, seed=seed)
    low, high = bootstrap_interval((weights @ sums) / (weights @ sizes), confidence=confidence)
    return Estimate(float(values.mean()), float(low), float(high), confidence)


def two_level_bootstrap(
    statistic: Callable[[int, IntArray], float],
    *,
    seeds: int,
    examples: int,
    groups: npt.ArrayLike | None = None,
    resamples: int = 1_000,
    seed: int = 0,
) -> FloatArray:
    """Bootstrap of a metric averaged over seeds, resampling seeds and examples.

    All seeds are scored on the same examples, so one draw of examples serves all seeds of a
    resample, and the seeds are drawn independently of it (a crossed design). With few seeds the
    part of the variance that is theirs comes out too small, by (seeds - 1) / seeds.

    Args:
        statistic: metric of a seed (0 to seeds - 1) on the examples with these indices, which may
            repeat; called for every seed that a resample draws.
        seeds: number of runs that differ by their seed.
        examples: number of examples each was scored on.
        groups: unit each example belongs to, drawn as a whole; each its own if not given.
        resamples: number of resamples.
        seed: seed of the resamples.

    Returns:
        Means over seeds, shape [resamples].
    """
    if seeds < 1 or examples < 1:
        raise ValueError(f"nothing to resample: {seeds} seeds, {examples} examples")
    members = _members(examples, groups)
    generator = np.random.default_rng(seed)
    replicates = np.empty(resamples)
    for resample in range(resamples):
        drawn = generator.integers(len(members), size=len(members))
        indices = drawn if groups is None else np.concatenate([members[unit] for unit in drawn])
        counts = np.bincount(generator.integers(seeds, size=seeds), minlength=seeds)
        chosen = np.flatnonzero(counts)
        scores = np.array([statistic(int(one), indices) for one in chosen], dtype=np.float64)
        replicates[resample] = scores @ counts[chosen] / seeds
    return replicates


def _members(examples: int, groups: npt.ArrayLike | None) -> list[IntArray]:
    """Indices of the examples of each unit."""
    if groups is None:
        return list(np.arange(examples)[:, None])
    names = np.asarray(groups)
    if names.shape != (examples,):
        raise ValueError(f"{examples} examples, but groups of shape {names.shape}")
    _, index = np.unique(names, return_inverse=True)
    order = np.argsort(index, kind="stable")
    return np.split(order, np.cumsum(np.bincount(index))[:-1])


def mcnemar(first_right: npt.ArrayLike, second_right: npt.ArrayLike) -> float:
    """Exact McNemar test of two systems on the same examples (McNemar 1947).

    Args:
        first_right: whether the first system is right, one an example.
        second_right: the same of the second.

    Returns:
        Two-sided p-value from the binomial distribution; 1 if they never disagree.
    """
    first, second = np.asarray(first_right, dtype=bool), np.asarray(second_right, dtype=bool)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"two vectors of one length needed, found {first.shape}, {second.shape}")
    only_first = int(np.count_nonzero(first & ~second))
    only_second = int(np.count_nonzero(~first & second))
    if only_first + only_second == 0:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


def sign_flip_test(
    differences: npt.ArrayLike,
    *,
    groups: npt.ArrayLike | None = None,
    resamples: int = 10_000,
    seed: int = 0,
) -> float:
    """Paired permutation test that the mean difference is zero.

    Args:
        differences: one an observation.
        groups: unit each observation belongs to; its differences change sign together.
        resamples: random sign patterns; all patterns are taken instead if they are no more.
        seed: seed of the patterns.

    Returns:
        Two-sided p-value; with random patterns the observed one is counted too, so never 0.
    """
    sums, _ = _group_sums(_finite_vector(differences), groups)
    units = len(sums)
    observed = abs(float(sums.sum()))
    tolerance = 1e-12 * float(np.abs(sums).sum())  # equal sums must count as equal
    if 2.0**units <= resamples:
        patterns = np.arange(2**units)[:, None] >> np.arange(units) & 1
        flipped = np.abs((1 - 2 * patterns) @ sums)
        return float(np.mean(flipped >= observed - tolerance))
    generator = np.random.default_rng(seed)
    extreme, left = 0, resamples
    while left:
        rows = min(left, max(1, _SUMS_AT_ONCE // units))
        signs = 1 - 2 * generator.integers(2, size=(rows, units))
        extreme += int(np.count_nonzero(np.abs(signs @ sums) >= observed - tolerance))
        left -= rows
    return (1 + extreme) / (1 + resamples)


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Adjusted p-values that hold the chance of any false finding (Holm 1979)."""
    values = _p_values(p_values)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def benjamini_hochberg(p_values: npt.ArrayLike) -> FloatArray:
    """Adjusted p-values that hold the share of false findings (Benjamini and Hochberg 1995)."""
    values = _p_values(p_values)
    order = np.argsort(values, kind="stable")[::-1]
    steps = values[order] * len(values) / np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps), 1)
    return adjusted


def _finite_vector(values: npt.ArrayLike) -> FloatArray:
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or len(vector) == 0:
        raise ValueError(f"a vector with at least one value needed, found shape {vector.shape}")
    if not np.isfinite(vector).all():
        raise ValueError(f"{np.count_nonzero(~np.isfinite(vector))} values are not finite")
    return vector


def _p_values(p_values: npt.ArrayLike) -> FloatArray:
    values = np.asarray(p_values, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError("p-values must form a vector and lie between 0 and 1")
    return values
