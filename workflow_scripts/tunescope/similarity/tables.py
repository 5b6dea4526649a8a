"""Tables of representational similarity (merchant2020, Figures 2 and 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from tunescope.errors import InputError
from tunescope.similarity.compare import MEASURES, Comparison
from tunescope.similarity.results import read_comparison
from tunescope.statistics import bootstrap_interval
from tunescope.tables import EMBEDDINGS, family

VALUE_COLUMNS = [
    "encoder", "pretraining", "run", "task", "seed", "corpus", "domain", "layer", "measure",
    "value", "tokens", "draw",
]  # fmt: skip
SUMMARY_COLUMNS = [
    "encoder", "task", "corpus", "domain", "layer", "measure", "value", "low", "high",
    "encoders", "runs", "inputs", "cut", "tokens", "draw_deviation",
]  # fmt: skip

#: Domain of the rows that are differences of two corpora.
IN_MINUS_OUT = "in minus out"
#: Ending of the measures that are a layer's fall from the one below it.
FALL = " fall"

Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ComparedRun:
    """A comparison with what tables say about it.

    Attributes:
        encoder: name of the encoder.
        pretraining: its pre-training seed, or None.
        run: name of the run.
        task: name of the task.
        seed: fine-tuning seed.
        corpus: name of the stimuli.
        domain: `in` or `out` of the task's domain.
        comparison: the file.
    """

    encoder: str
    pretraining: int | None
    run: str
    task: str
    seed: int
    corpus: str
    domain: str
    comparison: Path


@dataclass(frozen=True, eq=False)
class _Group:
    """All runs of a family of encoders on one task, compared on one corpus."""

    family: str
    task: str
    corpus: str
    domain: str
    members: dict[tuple[str, int], Comparison]  # by encoder and seed, sorted

    @property
    def layers(self) -> tuple[str, ...]:
        return next(iter(self.members.values())).layers


def tabulate_similarity(
    runs: Sequence[ComparedRun], *, confidence: float = 0.95, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The values of every comparison, and their means with intervals.

    The summary has a row for each family of encoders (those that differ by their pre-training seed
    alone, see `tables.family`), task, corpus, layer and measure. `value` is the mean over encoders
    of the mean over fine-tuning seeds, for the first draw of tokens; `draw_deviation` is the
    standard deviation of that mean over the draws. The interval is a percentile bootstrap over
    inputs and runs: each resample draws the inputs (the same draw for all runs, which saw the same
    inputs), the encoders, and of each drawn encoder its seeds. With a single run it covers the
    inputs alone; with three, the part that is the runs' comes out a third too small in variance.

    Differences have rows of their own: domain `in minus out` for each pair of an in-domain and an
    out-of-domain corpus, over the runs that were compared on both (runs drawn in pairs, inputs of
    both corpora apart), and measures that end in ` fall` for the layer below minus this layer.

    Args:
        runs: the comparisons.
        confidence: level of the intervals.
        seed: seed of the draws of encoders and seeds.

    Returns:
        Tables with `VALUE_COLUMNS` (a row a run, layer, measure and draw) and `SUMMARY_COLUMNS`.
        Layers are `embeddings` and numbers from 0.

    Raises:
        InputError: a file cannot be used, or comparisons that belong together do not match.
    """
    loaded = [(run, read_comparison(run.comparison)) for run in runs]
    values = [row for run, comparison in loaded for row in _value_rows(run, comparison)]
    groups = _groups(loaded)
    summary = [row for group in groups for row in _mean_rows(group, confidence, seed)]
    for inside in groups:
        for outside in groups:
            same = (inside.family, inside.task) == (outside.family, outside.task)
            if same and inside.domain == "in" and outside.domain == "out":
                summary += _difference_rows(inside, outside, confidence, seed)
    return (
        pd.DataFrame(values, columns=VALUE_COLUMNS).astype({"pretraining": "Int64"}),
        pd.DataFrame(summary, columns=SUMMARY_COLUMNS),
    )


def _layer(name: str) -> str:
    """A layer's name in tables."""
    return name if name == EMBEDDINGS else str(int(name))


def _value_rows(run: ComparedRun, comparison: Comparison) -> list[list[object]]:
    labels = [run.encoder, run.pretraining, run.run, run.task, run.seed, run.corpus, run.domain]
    return [
        [*labels, _layer(layer), measure, float(value), comparison.tokens, draw]
        for number, layer in enumerate(comparison.layers)
        for which, measure in enumerate(MEASURES)
        for draw, value in enumerate(comparison.values[:, which, number])
    ]


def _groups(loaded: Sequence[tuple[ComparedRun, Comparison]]) -> list[_Group]:
    """Comparisons that are averaged, in the order of their first."""
    found: dict[tuple[str, str, str, str], dict[tuple[str, int], Comparison]] = {}
    paths: dict[int, Path] = {}
    for run, comparison in loaded:
        key = (family(run.encoder), run.task, run.corpus, run.domain)
        found.setdefault(key, {})[run.encoder, run.seed] = comparison
        paths[id(comparison)] = run.comparison
    groups = [_Group(*key, dict(sorted(members.items()))) for key, members in found.items()]
    for group in groups:
        first, *others = group.members.values()
        for other in others:
            for name in ("layers", "settings"):
                if getattr(other, name) != getattr(first, name):
                    raise InputError(
                        paths[id(other)],
                        f"other {name} than {paths[id(first)]}, with which it is averaged",
                        "Give encoders of different kinds names of different families",
                    )
    return groups


def _run_weights(members: Sequence[tuple[str, int]], resamples: int, seed: int) -> Array:
    """Weight of each run in each resample of encoders and, within them, seeds.

    Args:
        members: encoder and seed of each run, sorted.
        resamples: number of resamples.
        seed: seed of the draw.

    Returns:
        Shape [resamples, runs]; each row sums to 1.
    """
    generator = np.random.default_rng(seed)
    encoders = sorted({encoder for encoder, _ in members})
    weights = np.zeros((resamples, len(members)))
    for _ in encoders:  # as many are drawn, and the seeds of each apart
        drawn = generator.integers(len(encoders), size=resamples)
        for number, encoder in enumerate(encoders):
            runs = [place for place, (name, _) in enumerate(members) if name == encoder]
            counts = generator.multinomial(len(runs), np.full(len(runs), 1 / len(runs)), resamples)
            share = (drawn == number)[:, None] / (len(runs) * len(encoders))
            weights[:, runs] += share * counts
    return weights


def _mean_weights(members: Sequence[tuple[str, int]]) -> Array:
    """Weight of each run in the mean over encoders of the mean over seeds."""
    encoders = [encoder for encoder, _ in members]
    return np.array([1 / (len(set(encoders)) * encoders.count(name)) for name in encoders])


def _averages(
    comparisons: Sequence[Comparison], members: Sequence[tuple[str, int]], seed: int
) -> tuple[Array, Array]:
    """Mean of the runs [draws, measures, layers], replicates [measures, layers, resamples]."""
    mean = np.tensordot(_mean_weights(members), np.stack([c.values for c in comparisons]), axes=1)
    resamples = comparisons[0].replicates.shape[-1]
    weights = _run_weights(members, resamples, seed)
    stacked = np.stack([c.replicates for c in comparisons])
    return mean, np.einsum("ru,umlr->mlr", weights, stacked)


def _mean_rows(group: _Group, confidence: float, seed: int) -> list[list[object]]:
    members = list(group.members)
    comparisons = list(group.members.values())
    mean, replicates = _averages(comparisons, members, seed)
    labels = [group.family, group.task, group.corpus, group.domain]
    rows = _rows(labels, group, members, mean, replicates, confidence)
    fall = mean[:, :, :-1] - mean[:, :, 1:], replicates[:, :-1] - replicates[:, 1:]
    return rows + _rows(labels, group, members, *fall, confidence, ending=FALL)


def _difference_rows(
    inside: _Group, outside: _Group, confidence: float, seed: int
) -> list[list[object]]:
    members = [member for member in inside.members if member in outside.members]
    if not members:
        return []
    means, replicates = zip(
        *(
            _averages([group.members[m] for m in members], members, seed)
            for group in (inside, outside)
        ),
        strict=True,
    )
    shared = min(part.shape[-1] for part in replicates)
    draws = min(len(part) for part in means)
    labels = [
        inside.family, inside.task, f"{inside.corpus} minus {outside.corpus}", IN_MINUS_OUT,
    ]  # fmt: skip
    return _rows(
        labels,
        inside,
        members,
        means[0][:draws] - means[1][:draws],
        replicates[0][..., :shared] - replicates[1][..., :shared],
        confidence,
    )


def _rows(
    labels: list[str],
    group: _Group,
    members: Sequence[tuple[str, int]],
    mean: Array,
    replicates: Array,
    confidence: float,
    *,
    ending: str = "",
) -> list[list[object]]:
    """Summary rows; the layers given are the group's last ones."""
    low, high = bootstrap_interval(replicates, confidence=confidence)
    spread = mean.std(axis=0, ddof=1) if len(mean) > 1 else np.full(mean.shape[1:], np.nan)
    first = next(iter(group.members.values()))
    runs = [len({encoder for encoder, _ in members}), len(members)]
    counts = [*runs, first.counts["inputs"], first.counts["cut"], first.tokens]
    return [
        [
            *labels,
            _layer(layer),
            measure + ending,
            *(float(part[which, number]) for part in (mean[0], low, high)),
            *counts,
            float(spread[which, number]),
        ]
        for number, layer in enumerate(group.layers[-mean.shape[2] :])
        for which, measure in enumerate(MEASURES)
    ]
