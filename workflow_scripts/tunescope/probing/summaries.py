"""Means of probes over runs and seeds, with paired intervals, whatever is measured of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from tunescope.config.probing import Probe, View
from tunescope.errors import InputError
from tunescope.probing.resampling import drawn_weights, mean_weights
from tunescope.statistics import FloatArray, bootstrap_interval, resample_weights
from tunescope.tables import family, kind_of_run

#: What tables of probes begin with.
RUN_COLUMNS = ("encoder", "pretraining", "run", "task", "seed", "probe_seed", "corpus", "probe")
SUMMARY_COLUMNS = (
    "encoder", "run", "task", "corpus", "probe", "view", "metric", "value", "low", "high",
    "difference", "difference_low", "difference_high", "encoders", "runs", "probe_seeds",
    "targets", "sentences",
)  # fmt: skip

BASE = "base"

#: A value from sums over sentences along the last axis.
Statistic = Callable[[npt.NDArray[np.float64]], FloatArray]


@dataclass(frozen=True)
class ProbedRun:
    """The probes of a run on a corpus, with what tables say about it.

    Attributes:
        encoder: name of the encoder.
        pretraining: its pre-training seed, or None.
        run: name of the run.
        task: task it was fine-tuned on; None for the encoder itself and for random weights.
        seed: fine-tuning seed (of random weights: theirs), or None.
        corpus: name of the corpus.
        predictions: the file.
    """

    encoder: str
    pretraining: int | None
    run: str
    task: str | None
    seed: int | None
    corpus: str
    predictions: Path


@dataclass(frozen=True, eq=False)
class Scored:
    """One trained probe by one metric.

    Attributes:
        run: the run it was trained on.
        probe: name of the probe.
        view: what it saw.
        seed: its probe seed.
        metric: name of the metric.
        sums: what the metric is computed from, summed over each sentence, shape [sentences, parts].
        statistic: from sums to the metric.
        targets: number of targets.
    """

    run: ProbedRun
    probe: Probe
    view: View
    seed: int
    metric: str
    sums: npt.NDArray[np.float64]
    statistic: Statistic
    targets: int

    @property
    def value(self) -> float:
        """The metric on all sentences."""
        return float(self.statistic(self.sums.sum(axis=0)))

    def row(self, *more: object) -> list[object]:
        """A row of a table: run, probe, view, metric, value, targets, sentences, and more."""
        run = self.run
        return [
            run.encoder, run.pretraining, run.run, run.task, run.seed, self.seed, run.corpus,
            self.probe, self.view, self.metric, self.value, self.targets, len(self.sums), *more,
        ]  # fmt: skip


class _Key(NamedTuple):
    """Runs that are averaged: those of a family of encoders that differ by seeds."""

    family: str
    kind: str
    task: str | None
    corpus: str
    probe: Probe
    view: View
    metric: str


def summarise(
    scored: Sequence[Scored], *, resamples: int = 1_000, confidence: float = 0.95, seed: int = 0
) -> pd.DataFrame:
    """Average probes over runs and seeds and compare them with the pre-trained encoder's.

    There is a row for each family of encoders (see `tables.family`), kind of run, corpus, probe,
    view and metric: the mean over encoders of the mean over fine-tuning and probe seeds, and its
    difference to the pre-trained encoder in the same view. The pre-trained encoder's own views
    `top` and `lexical` are compared with its mix. Intervals are a percentile bootstrap that draws
    sentences (the same for all probes, which must have been tested on the same), encoders with
    their fine-tuning seeds, and probe seeds; differences are paired. With a single run and probe
    seed they cover the sentences alone.

    Returns:
        A table with `SUMMARY_COLUMNS`.

    Raises:
        InputError: probes that are averaged have different seeds.
    """
    groups: dict[_Key, list[Scored]] = {}
    for one in scored:
        run = one.run
        key = _Key(
            family(run.encoder), kind_of_run(run.run), run.task, run.corpus, one.probe, one.view,
            one.metric,
        )  # fmt: skip
        groups.setdefault(key, []).append(one)
    bootstrap = _Bootstrap(resamples, seed)
    rows = [_summary_row(key, groups, bootstrap, confidence) for key in groups]
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def sentence_sums(
    values: npt.NDArray[np.integer] | FloatArray, rows: npt.NDArray[np.int64]
) -> FloatArray:
    """Sum values of targets, shape [targets, parts], over their sentences, by ascending row."""
    _, sentences = np.unique(rows, return_inverse=True)
    sums = np.zeros((int(sentences.max()) + 1, values.shape[1]))
    np.add.at(sums, sentences, values)
    return sums


def whole_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Keep seeds whole numbers where some are missing."""
    return table.astype(dict.fromkeys(("pretraining", "seed", "probe_seed"), "Int64"))


class _Bootstrap:
    """Means of groups with their replicates; what several groups need is computed once."""

    def __init__(self, resamples: int, seed: int) -> None:
        self._resamples, self._seed = resamples, seed
        self._draws: dict[int, FloatArray] = {}
        self._replicates: dict[int, FloatArray] = {}

    def average(self, members: Sequence[Scored]) -> tuple[float, FloatArray]:
        """Mean over runs and probe seeds, and its replicates, shape [resamples]."""
        runs = sorted({(one.run.encoder, one.run.seed) for one in members}, key=str)
        seeds = sorted({one.seed for one in members})
        values = np.full((len(runs), len(seeds)), np.nan)
        replicates = np.full((len(runs), len(seeds), self._resamples), np.nan)
        for one in members:
            place = runs.index((one.run.encoder, one.run.seed)), seeds.index(one.seed)
            values[place], replicates[place] = one.value, self._of(one)
        if np.isnan(values).any():
            raise InputError(
                members[0].run.predictions,
                "other probe seeds than another run with which it is averaged",
                "Delete both; the workflow makes them again",
            )
        weights = drawn_weights(runs, len(seeds), resamples=self._resamples, seed=self._seed)
        mean = float((mean_weights(runs, len(seeds)) * values).sum())
        return mean, np.einsum("rnp,npr->r", weights, replicates)

    def _of(self, one: Scored) -> FloatArray:
        sentences = len(one.sums)
        if sentences not in self._draws:
            drawn = resample_weights(sentences, self._resamples, seed=[self._seed, sentences])
            self._draws[sentences] = drawn.astype(np.float64)
        if id(one) not in self._replicates:
            self._replicates[id(one)] = one.statistic(self._draws[sentences] @ one.sums)
        return self._replicates[id(one)]


def _summary_row(
    key: _Key, groups: Mapping[_Key, list[Scored]], bootstrap: _Bootstrap, confidence: float
) -> list[object]:
    members = groups[key]
    value, replicates = bootstrap.average(members)
    low, high = bootstrap_interval(replicates, confidence=confidence)
    difference: list[float | None] = [None] * 3
    reference = _reference(key)
    others = groups.get(reference, []) if reference else []
    shared = {one.run.encoder for one in members} & {one.run.encoder for one in others}
    if shared:
        (ours, drawn), (theirs, drawn_theirs) = (
            bootstrap.average([one for one in part if one.run.encoder in shared])
            for part in (members, others)
        )
        ends = bootstrap_interval(drawn - drawn_theirs, confidence=confidence)
        difference = [ours - theirs, float(ends[0]), float(ends[1])]
    first = members[0]
    return [
        *key, value, float(low), float(high), *difference,
        len({one.run.encoder for one in members}),
        len({(one.run.encoder, one.run.seed) for one in members}),
        len({one.seed for one in members}),
        first.targets, len(first.sums),
    ]  # fmt: skip


def _reference(key: _Key) -> _Key | None:
    """What a group is compared with: the pre-trained encoder, and that itself with its mix."""
    if key.kind != BASE:
        return key._replace(kind=BASE, task=None)
    return key._replace(view="mix") if key.view != "mix" else None
