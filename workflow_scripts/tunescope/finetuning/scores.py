"""Tables of fine-tuning scores from stored predictions (kovaleva2019, Table 1)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tunescope.config.finetuning import Metric
from tunescope.errors import InputError
from tunescope.finetuning.metrics import Scorer
from tunescope.finetuning.predictions import Predictions
from tunescope.finetuning.scorers import AnyPredictions, AnyScorer, read_any, scorers_of
from tunescope.statistics import IntArray, bootstrap_interval, two_level_bootstrap
from tunescope.tables import family

SCORE_COLUMNS = [
    "encoder", "pretraining", "run", "task", "seed", "initialisation", "head_seed", "metric",
    "value", "examples", "constant",
]  # fmt: skip
SUMMARY_COLUMNS = [
    "encoder", "task", "initialisation", "metric", "value", "low", "high", "seeds", "examples",
    "constant",
]  # fmt: skip

#: Rows of the summary that are differences of two others.
PRETRAINED_MINUS_RANDOM = "pretrained minus random"
PRETRAINED_MINUS_MAJORITY = "pretrained minus majority"


@dataclass(frozen=True)
class ScoredRun:
    """A run whose predictions are scored, with what tables say about it.

    Attributes:
        encoder: name of the encoder.
        pretraining: its pre-training seed, or None.
        run: name of the run.
        task: name of the task.
        seed: fine-tuning seed; None for untrained heads.
        initialisation: `pretrained`, `random`, or `none` for untrained heads.
        predictions: the file.
    """

    encoder: str
    pretraining: int | None
    run: str
    task: str
    seed: int | None
    initialisation: str
    predictions: Path


@dataclass(frozen=True)
class TaskMetrics:
    """How a task is scored: its metrics, and the label whose F1 is meant."""

    metrics: tuple[Metric, ...]
    positive_label: str | None = None


@dataclass(frozen=True)
class _Scored:
    """One metric of one set of predictions."""

    run: ScoredRun
    head_seed: int | None
    metric: Metric
    scorer: AnyScorer
    predictions: AnyPredictions


def tabulate_scores(
    runs: Sequence[ScoredRun],
    tasks: Mapping[str, TaskMetrics],
    *,
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Score runs and summarise them over seeds.

    The summary pools encoders that differ by their pre-training seed alone (`tables.family`): a
    seed is then a pre-training with a fine-tuning, the independent chain of merchant2020. Its
    value is the mean over seeds (over head seeds for untrained heads). Its interval
    is a percentile bootstrap that draws seeds and examples, both with replacement; one draw of
    examples serves all seeds of a resample, and both runs of a difference. With one seed it shows
    the examples' part alone. Differences are taken seed by seed on the same examples: pre-trained
    minus random initialisation, and, for accuracy, pre-trained minus always the majority class of
    the scored split.

    Args:
        runs: what to score.
        tasks: metrics of each task.
        resamples: resamples of the bootstrap.
        confidence: level of the intervals.
        seed: seed of the resamples.

    Returns:
        The tables `finetuning` (one row a run, head and metric) and `summary_finetuning`.

    Raises:
        InputError: a file cannot be read, a metric does not fit its task, or runs of a task were
            scored on different examples.
    """
    scored = [one for run in runs for one in _score(run, tasks[run.task])]
    table = pd.DataFrame([_row(one) for one in scored], columns=SCORE_COLUMNS)
    groups: dict[tuple[Any, ...], list[_Scored]] = {}
    for one in scored:
        key = (family(one.run.encoder), one.run.task, one.metric)
        groups.setdefault(key, []).append(one)
    options = {"resamples": resamples, "seed": seed}
    rows = []
    for (encoder, task, metric), members in groups.items():
        _same_examples(members)
        for name, parts, statistic in _statistics(members):
            count = len(parts[0].predictions.rows)
            replicates = two_level_bootstrap(statistic, seeds=len(parts), examples=count, **options)
            low, high = bootstrap_interval(replicates, confidence=confidence)
            everything = np.arange(count)
            rows.append(
                {
                    "encoder": encoder,
                    "task": task,
                    "initialisation": name,
                    "metric": metric,
                    "value": np.mean([statistic(k, everything) for k in range(len(parts))]),
                    "low": float(low),
                    "high": float(high),
                    "seeds": len(parts),
                    "examples": count,
                    "constant": sum(part.scorer.constant for part in parts),
                }
            )
    return _whole_numbers(table), _whole_numbers(pd.DataFrame(rows, columns=SUMMARY_COLUMNS))


def _score(run: ScoredRun, task: TaskMetrics) -> Iterator[_Scored]:
    predictions = read_any(run.predictions)
    for metric in task.metrics:
        for head, scorer in scorers_of(
            metric,
            predictions,
            positive_label=task.positive_label,
            where=f"tasks.{run.task}",
        ):
            yield _Scored(run, head, metric, scorer, predictions)


def _row(one: _Scored) -> dict[str, object]:
    run = one.run
    return {
        "encoder": run.encoder,
        "pretraining": run.pretraining,
        "run": run.run,
        "task": run.task,
        "seed": run.seed,
        "initialisation": run.initialisation,
        "head_seed": one.head_seed,
        "metric": one.metric,
        "value": one.scorer.value(),
        "examples": len(one.predictions.rows),
        "constant": one.scorer.constant,
    }


def _same_examples(members: Sequence[_Scored]) -> None:
    first = members[0]
    for one in members:
        same = np.array_equal(one.predictions.rows, first.predictions.rows) and np.array_equal(
            one.predictions.gold, first.predictions.gold
        )
        if not same:
            raise InputError(
                one.run.predictions,
                f"was scored on other examples than {first.run.predictions}",
                "Delete both; the workflow makes them again",
            )


def _statistics(
    members: Sequence[_Scored],
) -> Iterator[tuple[str, list[_Scored], Callable[[int, IntArray], float]]]:
    """What the summary says of one task and metric: name, its seeds, and the value of a seed."""
    by_start: dict[str, list[_Scored]] = {}
    for one in members:
        by_start.setdefault(one.run.initialisation, []).append(one)
    for name, parts in by_start.items():
        yield name, parts, _values([part.scorer for part in parts])
    tuned = by_start.get("pretrained", [])
    random = {(one.run.encoder, one.run.seed): one for one in by_start.get("random", [])}
    paired = [one for one in tuned if (one.run.encoder, one.run.seed) in random]
    if paired:
        difference = _differences(
            [one.scorer for one in paired],
            [random[one.run.encoder, one.run.seed].scorer for one in paired],
        )
        yield PRETRAINED_MINUS_RANDOM, paired, difference
    if tuned and tuned[0].metric == "accuracy" and isinstance(tuned[0].predictions, Predictions):
        majority = _majority(tuned[0].predictions)
        difference = _differences([one.scorer for one in tuned], [majority] * len(tuned))
        yield PRETRAINED_MINUS_MAJORITY, tuned, difference


def _values(scorers: Sequence[AnyScorer]) -> Callable[[int, IntArray], float]:
    return lambda number, examples: scorers[number].value(examples)


def _differences(
    first: Sequence[AnyScorer], second: Sequence[AnyScorer]
) -> Callable[[int, IntArray], float]:
    return lambda number, examples: first[number].value(examples) - second[number].value(examples)


def _majority(predictions: Predictions) -> Scorer:
    """Accuracy of always giving the most frequent label."""
    counts = np.bincount(predictions.gold, minlength=len(predictions.labels))
    scores = np.zeros((len(predictions.gold), len(predictions.labels)), dtype=np.float32)
    scores[:, int(counts.argmax())] = 1
    return Scorer("accuracy", predictions.gold, scores)


def _whole_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Keep seeds whole numbers where some are missing."""
    names = [name for name in ("pretraining", "seed", "head_seed") if name in table]
    return table.astype(dict.fromkeys(names, "Int64"))
