"""Table of control tasks: score on the task, on its control task, and selectivity."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from tunescope.errors import InputError
from tunescope.probing.edge_predictions import read_edge_predictions
from tunescope.probing.metrics import MICRO_F1, f1
from tunescope.probing.summaries import (
    RUN_COLUMNS,
    ProbedRun,
    Scored,
    summarise,
    whole_numbers,
)
from tunescope.probing.tables import score
from tunescope.statistics import FloatArray

COLUMNS = (*RUN_COLUMNS, "view", "metric", "value", "targets", "sentences")
#: Metrics of the table; the score is micro F1 over all labels.
TASK, CONTROL, SELECTIVITY = "task_f1", "control_f1", "selectivity"


def tabulate_control_tasks(
    runs: Sequence[ProbedRun],
    controls: Sequence[Path],
    *,
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Pair probes with the same probes of control tasks.

    Args:
        runs: probes of the tasks.
        controls: predictions of the control tasks, in the order of the runs. What a control has no
            counterpart of (a probe, view or seed) is left out.
        resamples: resamples of the bootstrap.
        confidence: level of the intervals.
        seed: seed of the resamples.

    Returns:
        Tables with `COLUMNS` (a row a trained probe and metric) and `summaries.SUMMARY_COLUMNS`.

    Raises:
        InputError: a file cannot be used, a control was tested on other targets than its task, or
            nothing pairs.
    """
    scored = [one for run, path in zip(runs, controls, strict=True) for one in _pairs(run, path)]
    values = [one.row() for one in scored]
    return (
        whole_numbers(pd.DataFrame(values, columns=list(COLUMNS))),
        summarise(scored, resamples=resamples, confidence=confidence, seed=seed),
    )


def _pairs(run: ProbedRun, path: Path) -> Iterator[Scored]:
    tasks = {one.probe: one for one in read_edge_predictions(run.predictions).probes}
    found = False
    for control in read_edge_predictions(path).probes:
        task = tasks.get(control.probe)
        if task is None:
            continue
        if not np.array_equal(task.targets.spans, control.targets.spans) or not np.array_equal(
            task.targets.rows, control.targets.rows
        ):
            raise InputError(
                path,
                f"its {control.probe} targets are not those of {run.predictions}",
                "Delete both; the workflow makes them again",
            )
        ours = {(one.view, one.seed): one for one in score(run, task, MICRO_F1)[1]}
        for other in score(run, control, MICRO_F1)[1]:
            one = ours.get((other.view, other.seed))
            if one is None:
                continue
            found = True
            sums = np.concatenate([one.sums, other.sums], axis=1)
            for metric, statistic in (
                (TASK, _task),
                (CONTROL, _control),
                (SELECTIVITY, _selectivity),
            ):
                yield Scored(
                    run, one.probe, one.view, one.seed, metric, sums, statistic, one.targets
                )
    if not found:
        raise InputError(
            path,
            f"has no probe, view and seed in common with {run.predictions}",
            "Delete both; the workflow makes them again",
        )


def _task(sums: FloatArray) -> FloatArray:
    return f1(sums[..., :3])


def _control(sums: FloatArray) -> FloatArray:
    return f1(sums[..., 3:])


def _selectivity(sums: FloatArray) -> FloatArray:
    return _task(sums) - _control(sums)
