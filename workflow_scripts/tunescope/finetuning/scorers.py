"""Scorers of stored predictions, whatever kind of task they belong to."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from tunescope.config.finetuning import Metric
from tunescope.errors import InputError
from tunescope.finetuning.answers import KIND as ANSWERS
from tunescope.finetuning.answers import Answers, read_answers
from tunescope.finetuning.attachment import ATTACHMENT, attachment_scorer
from tunescope.finetuning.metrics import Scorer, scorer_of
from tunescope.finetuning.parses import KIND as PARSES
from tunescope.finetuning.parses import Parses, read_parses
from tunescope.finetuning.predictions import Predictions, read_arrays, read_predictions
from tunescope.finetuning.ratio import RatioScorer
from tunescope.finetuning.squad_metrics import ANSWERING, answer_scorer

AnyPredictions: TypeAlias = Predictions | Parses | Answers
AnyScorer: TypeAlias = Scorer | RatioScorer

_SENTENCES = ("accuracy", "f1", "pearson", "spearman")


def read_any(path: Path) -> AnyPredictions:
    """Read predictions of any kind of task.

    Raises:
        InputError: the file is not complete, damaged, or of another format.
    """
    _, attributes = read_arrays(path)
    if attributes["kind"] == PARSES:
        return read_parses(path)
    if attributes["kind"] == ANSWERS:
        return read_answers(path)
    return read_predictions(path)


def scorers_of(
    metric: Metric, predictions: AnyPredictions, *, positive_label: str | None, where: str
) -> Iterator[tuple[int | None, AnyScorer]]:
    """A scorer for each head that predicted, with its seed if it was not trained.

    Args:
        metric: name of the metric.
        predictions: of any kind.
        positive_label: label whose F1 is meant.
        where: the task's key, for messages.

    Raises:
        InputError: the metric does not fit the kind of task, or the label is none of its labels.
    """
    seeds = predictions.origin.get("head_seeds")
    heads: list[int | None] = [None] if seeds is None else [int(one) for one in seeds]
    if isinstance(predictions, Predictions):
        if metric not in _SENTENCES:
            raise _misfit(metric, predictions, where)
        scores = predictions.scores if predictions.scores.ndim == 3 else predictions.scores[None]
        for head, values in zip(heads, scores, strict=True):
            yield (
                head,
                scorer_of(metric, predictions, values, positive_label=positive_label, where=where),
            )
        return
    allowed = ATTACHMENT if isinstance(predictions, Parses) else ANSWERING
    if metric not in allowed:
        raise _misfit(metric, predictions, where)
    for number, head in enumerate(heads):
        if isinstance(predictions, Parses):
            yield head, attachment_scorer(metric, predictions, number)
        else:
            yield head, answer_scorer(metric, predictions, number)


def _misfit(metric: Metric, predictions: AnyPredictions, where: str) -> InputError:
    if isinstance(predictions, Parses):
        choices = ATTACHMENT
    elif isinstance(predictions, Answers):
        choices = tuple(ANSWERING)
    else:
        choices = ("accuracy", "f1") if predictions.labels else ("pearson", "spearman")
    return InputError(
        f"{where}.metrics",
        f"{metric} of a {predictions.kind}",
        f"Choose from {', '.join(choices)}",
    )
