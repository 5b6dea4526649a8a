"""Metrics that are a sum over examples divided by another."""

import numpy as np
import numpy.typing as npt

from tunescope.config.finetuning import Metric


class RatioScorer:
    """What is right of all there is, on all examples or on any of them.

    An example is what was drawn independently (a sentence, a question); an answer counts once, a
    sentence as often as it has words.
    """

    def __init__(
        self,
        metric: Metric,
        right: npt.NDArray[np.floating | np.integer],
        total: npt.NDArray[np.integer],
        *,
        constant: bool,
    ) -> None:
        """Keep the sums of each example.

        Args:
            metric: its name.
            right: what is right of each example, shape [examples].
            total: what there is of each, at least 1, shape [examples].
            constant: whether the model gives one answer for all.
        """
        self.metric, self.constant = metric, constant
        self._right = right.astype(np.float64)
        self._total = total.astype(np.float64)

    def value(self, examples: npt.NDArray[np.int64] | slice = slice(None)) -> float:
        """The metric on these examples, which may repeat; on all by default."""
        return float(self._right[examples].sum() / self._total[examples].sum())
