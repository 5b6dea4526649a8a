"""Draws of runs and probe seeds for the intervals of probing tables."""

from collections.abc import Sequence

import numpy as np

from tunescope.statistics import FloatArray

#: A run among those that are averaged: its encoder, and its fine-tuning seed if it has one.
Member = tuple[str, int | None]


def mean_weights(members: Sequence[Member], probe_seeds: int) -> FloatArray:
    """Weights of the mean over encoders of the mean over fine-tuning seeds and probe seeds.

    Returns:
        Shape [runs, probe seeds]; they sum to 1.
    """
    encoders = [encoder for encoder, _ in members]
    runs = np.array([1 / (len(set(encoders)) * encoders.count(name)) for name in encoders])
    return np.repeat(runs[:, None] / probe_seeds, probe_seeds, axis=1)


def drawn_weights(
    members: Sequence[Member], probe_seeds: int, *, resamples: int, seed: int
) -> FloatArray:
    """Weights of each run and probe seed in each resample.

    Encoders are drawn, of each drawn encoder its fine-tuning seeds, and across all of them the
    probe seeds, which are the same for every run. The draws of encoders and of probe seeds depend
    on their numbers and the seed alone, so that two groups of runs of the same encoders are drawn
    together and their difference is paired.

    Args:
        members: runs, by encoder.
        probe_seeds: number of probe seeds.
        resamples: number of resamples.
        seed: seed of the draws.

    Returns:
        Shape [resamples, runs, probe seeds]; each resample sums to 1.
    """
    encoders = sorted({encoder for encoder, _ in members})
    shares = _draws(len(encoders), resamples, [seed, 0])
    probes = _draws(probe_seeds, resamples, [seed, 1])
    runs = np.zeros((resamples, len(members)))
    for number, encoder in enumerate(encoders):
        places = [place for place, (name, _) in enumerate(members) if name == encoder]
        within = _draws(len(places), resamples, [seed, 2, number])
        runs[:, places] = shares[:, [number]] * within
    return np.asarray(runs[:, :, None] * probes[:, None, :])


def _draws(units: int, resamples: int, seed: list[int]) -> FloatArray:
    """Share of each unit in as many draws with replacement, shape [resamples, units]."""
    generator = np.random.default_rng(seed)
    counts = generator.multinomial(units, np.full(units, 1 / units), size=resamples)
    return counts / units
