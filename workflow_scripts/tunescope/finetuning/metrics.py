"""The tasks' metrics, each defined for every prediction, constant ones too."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from tunescope.config.finetuning import Metric
from tunescope.errors import InputError
from tunescope.finetuning.predictions import Predictions

#: Regression counts as constant if its scores vary less than this share of what the gold ones do.
CONSTANT_SHARE = 0.01
_ROUNDING = 1e-6


class Scorer:
    """One metric of one run: on all examples, or on any of them.

    Correlations with something constant, which have no value, are 0; so is the F1 of a label that
    neither gold nor prediction has.
    """

    def __init__(
        self,
        metric: Metric,
        gold: npt.NDArray[Any],
        scores: npt.NDArray[np.float32],
        *,
        positive: int | None = None,
    ) -> None:
        """Prepare what resamples share.

        Args:
            metric: `accuracy` and `f1` for classes, `pearson` and `spearman` for scores.
            gold: gold class or score, shape [examples].
            scores: logits or predicted scores, shape [examples, outputs].
            positive: number of the class whose F1 is meant.
        """
        self.metric = metric
        if metric in ("accuracy", "f1"):
            predicted = scores.argmax(axis=1)
            self.constant = bool((predicted == predicted[0]).all())
            if metric == "accuracy":
                self._right = (predicted == gold).astype(np.float64)
            else:
                if positive is None:
                    raise ValueError("f1 needs the number of the positive class")
                self._gold_positive, self._found = gold == positive, predicted == positive
        else:
            self._gold = np.asarray(gold, dtype=np.float64)
            self._scores = np.asarray(scores[:, 0], dtype=np.float64)
            spread = self._scores.std()
            self.constant = bool(spread <= CONSTANT_SHARE * self._gold.std())

    def value(self, examples: npt.NDArray[np.int64] | slice = slice(None)) -> float:
        """The metric on these examples, which may repeat; on all by default."""
        if self.metric == "accuracy":
            return float(self._right[examples].mean())
        if self.metric == "f1":
            gold, found = self._gold_positive[examples], self._found[examples]
            both = np.count_nonzero(gold & found)
            total = np.count_nonzero(gold) + np.count_nonzero(found)
            return 2 * both / total if total else 0.0
        gold, scores = self._gold[examples], self._scores[examples]
        if self.metric == "spearman":
            return _correlation(rankdata(gold), rankdata(scores))
        return _correlation(gold, scores)


def scorer_of(
    metric: Metric,
    predictions: Predictions,
    scores: npt.NDArray[np.float32],
    *,
    positive_label: str | None,
    where: str,
) -> Scorer:
    """Scorer of a run's predictions, or of one of its heads.

    Args:
        metric: name of the metric.
        predictions: gold, kind and labels.
        scores: shape [examples, outputs].
        positive_label: label whose F1 is meant.
        where: the task's key, for messages.

    Raises:
        InputError: the metric does not fit the kind of task, or the label is none of its labels.
    """
    kind = "classification" if metric in ("accuracy", "f1") else "regression"
    if predictions.kind != kind:
        raise InputError(
            f"{where}.metrics", f"{metric} of a {predictions.kind}", f"It is a metric of {kind}"
        )
    positive = None
    if metric == "f1":
        if positive_label not in predictions.labels:
            raise InputError(
                f"{where}.positive_label",
                f"is {positive_label!r}",
                f"Name the label whose F1 is meant: {', '.join(predictions.labels)}",
            )
        positive = predictions.labels.index(positive_label)
    return Scorer(metric, predictions.gold, scores, positive=positive)


def _correlation(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """Pearson correlation; 0 where one side is constant up to rounding of float32."""
    a, b = first - first.mean(), second - second.mean()
    for values, centred in ((first, a), (second, b)):
        if np.abs(centred).max() <= _ROUNDING * max(1.0, np.abs(values).max()):
            return 0.0
    value = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    return min(1.0, max(-1.0, value))
