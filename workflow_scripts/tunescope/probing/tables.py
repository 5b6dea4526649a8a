"""Tables of edge probing (merchant2020, Table 1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from tunescope.config.probing import Probe, View
from tunescope.errors import InputError
from tunescope.probing.edge_data import multi_hot
from tunescope.probing.edge_predictions import (
    EdgePredictions,
    ProbeOutcome,
    ProbePredictions,
    read_edge_predictions,
)
from tunescope.probing.metrics import METRICS, counted_labels, decision_counts, f1
from tunescope.probing.resampling import drawn_weights, mean_weights
from tunescope.statistics import FloatArray, IntArray, bootstrap_interval, resample_weights
from tunescope.tables import EMBEDDINGS, family, kind_of_run

RUN_COLUMNS = ["encoder", "pretraining", "run", "task", "seed", "probe_seed", "corpus", "probe"]
VALUE_COLUMNS = [*RUN_COLUMNS, "view", "metric", "value", "targets", "sentences", "unseen"]
MIX_COLUMNS = [*RUN_COLUMNS, "layer", "weight", "gamma"]
SUMMARY_COLUMNS = [
    "encoder", "run", "task", "corpus", "probe", "view", "metric", "value", "low", "high",
    "difference", "difference_low", "difference_high", "encoders", "runs", "probe_seeds",
    "targets", "sentences",
]  # fmt: skip

BASE = "base"


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


class _Key(NamedTuple):
    """Runs that are averaged: those of a family of encoders that differ by seeds."""

    family: str
    kind: str
    task: str | None
    corpus: str
    probe: Probe
    view: View
    metric: str


@dataclass(frozen=True, eq=False)
class _Scored:
    """A trained probe by one metric: its decisions in each sentence, shape [sentences, 3]."""

    run: ProbedRun
    seed: int
    counts: IntArray
    targets: int
    unseen: int


def tabulate_edge_probing(
    runs: Sequence[ProbedRun],
    *,
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Score probes, and summarise the scores over runs and probe seeds.

    The summary has a row for each family of encoders (see `tables.family`), kind of run, corpus,
    probe, view and metric: the mean over encoders of the mean over fine-tuning and probe seeds, and
    its difference to the pre-trained encoder in the same view. The pre-trained encoder's own views
    `top` and `lexical` are compared with its mix. Intervals are a percentile bootstrap that draws
    test sentences (the same for all, which saw the same), encoders with their fine-tuning seeds,
    and probe seeds; differences are paired. With a single run and seed they cover the sentences
    alone.

    Args:
        runs: what to score.
        resamples: resamples of the bootstrap.
        confidence: level of the intervals.
        seed: seed of the resamples.

    Returns:
        Tables with `VALUE_COLUMNS` (a row a trained probe and metric), `SUMMARY_COLUMNS`, and
        `MIX_COLUMNS` (a row a trained mix and layer; layers are `embeddings` and numbers from 0).

    Raises:
        InputError: a file cannot be used, or runs that belong together were tested on different
            targets.
    """
    values: list[list[object]] = []
    mixes: list[list[object]] = []
    groups: dict[_Key, list[_Scored]] = {}
    first: dict[tuple[str, str, str], tuple[ProbedRun, ProbePredictions]] = {}
    for run in runs:
        found = read_edge_predictions(run.predictions)
        for probe in found.probes:
            known = first.setdefault((family(run.encoder), run.corpus, probe.probe), (run, probe))
            _same_targets(run, probe, *known)
            mixes += _mix_rows(run, found, probe)
            for metric in METRICS:
                for view, one in _score(run, probe, metric):
                    names = [
                        run.encoder, run.pretraining, run.run, run.task, run.seed, one.seed,
                        run.corpus, probe.probe,
                    ]  # fmt: skip
                    value = float(f1(one.counts.sum(axis=0)))
                    sizes = [one.targets, len(one.counts), one.unseen]
                    values.append([*names, view, metric, value, *sizes])
                    key = _Key(
                        family(run.encoder), kind_of_run(run.run), run.task, run.corpus,
                        probe.probe, view, metric,
                    )  # fmt: skip
                    groups.setdefault(key, []).append(one)
    bootstrap = _Bootstrap(resamples, seed)
    summary = [_summary_row(key, groups, bootstrap, confidence) for key in groups]
    return (
        _whole_numbers(pd.DataFrame(values, columns=VALUE_COLUMNS)),
        pd.DataFrame(summary, columns=SUMMARY_COLUMNS),
        _whole_numbers(pd.DataFrame(mixes, columns=MIX_COLUMNS)),
    )


class _Bootstrap:
    """Means of groups with their replicates; what several groups need is computed once."""

    def __init__(self, resamples: int, seed: int) -> None:
        self._resamples, self._seed = resamples, seed
        self._draws: dict[int, FloatArray] = {}
        self._replicates: dict[int, FloatArray] = {}

    def average(self, members: Sequence[_Scored]) -> tuple[float, FloatArray]:
        """Mean over runs and probe seeds, and its replicates, shape [resamples]."""
        runs = sorted({(one.run.encoder, one.run.seed) for one in members}, key=str)
        seeds = sorted({one.seed for one in members})
        values = np.full((len(runs), len(seeds)), np.nan)
        replicates = np.full((len(runs), len(seeds), self._resamples), np.nan)
        for one in members:
            place = runs.index((one.run.encoder, one.run.seed)), seeds.index(one.seed)
            values[place], replicates[place] = f1(one.counts.sum(axis=0)), self._of(one)
        if np.isnan(values).any():
            raise InputError(
                members[0].run.predictions,
                "other probe seeds than another run with which it is averaged",
                "Delete both; the workflow makes them again",
            )
        weights = drawn_weights(runs, len(seeds), resamples=self._resamples, seed=self._seed)
        mean = float((mean_weights(runs, len(seeds)) * values).sum())
        return mean, np.einsum("rnp,npr->r", weights, replicates)

    def _of(self, one: _Scored) -> FloatArray:
        sentences = len(one.counts)
        if sentences not in self._draws:
            drawn = resample_weights(sentences, self._resamples, seed=[self._seed, sentences])
            self._draws[sentences] = drawn.astype(np.float64)
        if id(one) not in self._replicates:
            self._replicates[id(one)] = f1(self._draws[sentences] @ one.counts)
        return self._replicates[id(one)]


def _score(run: ProbedRun, probe: ProbePredictions, metric: str) -> Iterator[tuple[View, _Scored]]:
    targets = probe.targets
    counted = counted_labels(probe.probe, metric, targets.labels)
    gold, _ = multi_hot(targets.labels, targets.label_ids, targets.label_offsets, targets.labels)
    gold &= counted
    missed = gold[:, probe.outputs :].sum(axis=1)
    _, sentences = np.unique(targets.rows, return_inverse=True)
    for one in probe.outcomes:
        counts = decision_counts(
            one.logits, gold[:, : probe.outputs], missed, counted=counted[: probe.outputs]
        )
        yield (
            one.view,
            _Scored(
                run=run,
                seed=one.seed,
                counts=_sums(counts, sentences),
                targets=len(targets),
                unseen=int(missed.sum()),
            ),
        )


def _sums(counts: IntArray, sentences: IntArray) -> IntArray:
    sums = np.zeros((int(sentences.max()) + 1, counts.shape[1]), np.int64)
    np.add.at(sums, sentences, counts)
    return sums


def _mix_rows(
    run: ProbedRun, found: EdgePredictions, probe: ProbePredictions
) -> list[list[object]]:
    names = [run.encoder, run.pretraining, run.run, run.task, run.seed]

    def rows(one: ProbeOutcome) -> Iterator[list[object]]:
        for layer, weight in zip(found.layers, one.mix, strict=True):
            name = layer if layer == EMBEDDINGS else str(int(layer))
            yield [*names, one.seed, run.corpus, probe.probe, name, float(weight), one.gamma]

    return [row for one in probe.outcomes if len(one.mix) for row in rows(one)]


def _same_targets(
    run: ProbedRun, probe: ProbePredictions, first_run: ProbedRun, first: ProbePredictions
) -> None:
    one, other = probe.targets, first.targets
    same = all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("rows", "spans", "labels", "label_offsets", "label_ids")
    )
    if not same:
        raise InputError(
            run.predictions,
            f"its {probe.probe} targets are not those of {first_run.predictions}",
            "Delete both; the workflow makes them again",
        )


def _summary_row(
    key: _Key, groups: dict[_Key, list[_Scored]], bootstrap: _Bootstrap, confidence: float
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
        key.family, key.kind, key.task, key.corpus, key.probe, key.view, key.metric,
        value, float(low), float(high), *difference,
        len({one.run.encoder for one in members}),
        len({(one.run.encoder, one.run.seed) for one in members}),
        len({one.seed for one in members}),
        first.targets, len(first.counts),
    ]  # fmt: skip


def _reference(key: _Key) -> _Key | None:
    """What a group is compared with: the pre-trained encoder, and that itself with its mix."""
    if key.kind != BASE:
        return key._replace(kind=BASE, task=None)
    return key._replace(view="mix") if key.view != "mix" else None


def _whole_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Keep seeds whole numbers where some are missing."""
    return table.astype(dict.fromkeys(("pretraining", "seed", "probe_seed"), "Int64"))
