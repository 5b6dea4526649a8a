"""Tables of edge probing (merchant2020, Table 1)."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from tunescope.errors import InputError
from tunescope.probing.edge_data import multi_hot
from tunescope.probing.edge_predictions import (
    EdgePredictions,
    ProbePredictions,
    read_edge_predictions,
)
from tunescope.probing.metrics import METRICS, counted_labels, decision_counts, f1
from tunescope.probing.summaries import (
    RUN_COLUMNS,
    ProbedRun,
    Scored,
    sentence_sums,
    summarise,
    whole_numbers,
)
from tunescope.tables import EMBEDDINGS, family

VALUE_COLUMNS = (*RUN_COLUMNS, "view", "metric", "value", "targets", "sentences", "unseen")
MIX_COLUMNS = (*RUN_COLUMNS, "layer", "weight", "gamma")

#: Probes that runs share, by family of encoders, corpus and probe: the first run that had them.
_Known = dict[tuple[str, str, str], tuple[ProbedRun, ProbePredictions]]


def tabulate_edge_probing(
    runs: Sequence[ProbedRun],
    *,
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Score probes, and summarise the scores over runs and probe seeds.

    Args:
        runs: what to score.
        resamples: resamples of the bootstrap.
        confidence: level of the intervals.
        seed: seed of the resamples.

    Returns:
        Tables with `VALUE_COLUMNS` (a row a trained probe and metric; `unseen` counts labels that
        training did not have, which are missed), `summaries.SUMMARY_COLUMNS` (see `summarise`), and
        `MIX_COLUMNS` (a row a trained mix and layer; layers are `embeddings` and numbers from 0).

    Raises:
        InputError: a file cannot be used, or runs that belong together were tested on different
            targets.
    """
    values: list[list[object]] = []
    mixes: list[list[object]] = []
    scored: list[Scored] = []
    known: _Known = {}
    for run in runs:
        found = read_edge_predictions(run.predictions)
        for probe in found.probes:
            check_same_targets(run, probe, known)
            mixes += _mix_rows(run, found, probe)
            for metric in METRICS:
                missed, rows = score(run, probe, metric)
                scored += rows
                values += [one.row(missed) for one in rows]
    return (
        whole_numbers(pd.DataFrame(values, columns=list(VALUE_COLUMNS))),
        summarise(scored, resamples=resamples, confidence=confidence, seed=seed),
        whole_numbers(pd.DataFrame(mixes, columns=list(MIX_COLUMNS))),
    )


def score(run: ProbedRun, probe: ProbePredictions, metric: str) -> tuple[int, list[Scored]]:
    """Score every outcome of a probe; also the number of labels that no output stands for."""
    targets = probe.targets
    counted = counted_labels(probe.probe, metric, targets.labels)
    gold, _ = multi_hot(targets.labels, targets.label_ids, targets.label_offsets, targets.labels)
    gold &= counted
    missed = gold[:, probe.outputs :].sum(axis=1)
    return int(missed.sum()), [
        Scored(
            run=run,
            probe=probe.probe,
            view=one.view,
            seed=one.seed,
            metric=metric,
            sums=sentence_sums(
                decision_counts(
                    one.logits, gold[:, : probe.outputs], missed, counted=counted[: probe.outputs]
                ),
                targets.rows,
            ),
            statistic=f1,
            targets=len(targets),
        )
        for one in probe.outcomes
    ]


def check_same_targets(run: ProbedRun, probe: ProbePredictions, known: _Known) -> None:
    """Check that a run was tested on the targets of those before it, and remember it if first.

    Raises:
        InputError: it was not.
    """
    key = family(run.encoder), run.corpus, probe.probe
    first_run, first = known.setdefault(key, (run, probe))
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


def _mix_rows(
    run: ProbedRun, found: EdgePredictions, probe: ProbePredictions
) -> Iterator[list[object]]:
    for one in probe.outcomes:
        if not len(one.mix):
            continue
        for layer, weight in zip(found.layers, one.mix, strict=True):
            name = layer if layer == EMBEDDINGS else str(int(layer))
            yield [
                run.encoder, run.pretraining, run.run, run.task, run.seed, one.seed, run.corpus,
                probe.probe, name, float(weight), one.gamma,
            ]  # fmt: skip
