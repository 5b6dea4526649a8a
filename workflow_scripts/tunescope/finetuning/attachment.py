"""Attachment scores of parses.

All words count, punctuation too, as in the CoNLL 2018 shared task; unlike there, a relation is
right with its subtype only. Words that got no head, since their sentence was cut, are wrong.
"""

import numpy as np
import numpy.typing as npt

from tunescope.config.finetuning import Metric
from tunescope.finetuning.parses import NOTHING, Parses
from tunescope.finetuning.ratio import RatioScorer

#: Metrics of parses: unlabelled and labelled attachment score, accuracy of the label whatever the
#: head, and the labelled score in which a word counts as often as it has pieces (a guess at how
#: merchant2020 counted, whose scores lie above all others').
ATTACHMENT: tuple[Metric, ...] = ("uas", "las", "label_accuracy", "las_pieces")


def attachment_scorer(metric: Metric, parses: Parses, parser: int) -> RatioScorer:
    """Scorer of one parser's attachment.

    Args:
        metric: one of `ATTACHMENT`.
        parses: of a split; an example is a sentence.
        parser: which of the heads that parsed it.
    """
    if metric not in ATTACHMENT:
        raise ValueError(f"no metric of parses: {metric}")
    heads, labels = parses.heads[parser], parses.head_labels[parser]
    attached = heads == parses.gold_heads
    labelled = labels == parses.gold_labels
    right = {"uas": attached, "label_accuracy": labelled}.get(metric, attached & labelled)
    weights = parses.pieces if metric == "las_pieces" else np.ones(len(heads), dtype=np.int64)
    given = labels[labels != NOTHING]
    return RatioScorer(
        metric,
        _of_sentences(right * weights, parses),
        _of_sentences(weights, parses),
        constant=bool((given == given[0]).all()),
    )


def _of_sentences(values: npt.NDArray[np.int64], parses: Parses) -> npt.NDArray[np.int64]:
    sums: npt.NDArray[np.int64] = np.add.reduceat(values, parses.offsets[:-1])
    return sums
