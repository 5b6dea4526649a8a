"""Scores of edge probes: F1 over all decisions, and the variant of the method's authors.

A decision is a pair of target and label; it is positive where the logit is 0 or more. merchant2020
counts all decisions (its numbers fit no other reading), Tenney et al. (2019) leave some labels out:
coreference counts the label 1 alone, relations all but Other, semantic roles all but continued and
referring ones (C-, R-).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunescope.config.probing import Probe
from tunescope.statistics import FloatArray, IntArray

#: Metrics of the tables.
MICRO_F1, TENNEY_F1 = "micro_f1", "tenney_f1"
METRICS = (MICRO_F1, TENNEY_F1)


def counted_labels(probe: Probe, metric: str, labels: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which labels a metric counts, shape [labels]."""
    if metric == MICRO_F1:
        return np.ones(len(labels), dtype=np.bool_)
    if metric != TENNEY_F1:
        raise ValueError(f"{metric!r} is none of {METRICS}")
    if probe == "coreference":
        kept = [label == "1" for label in labels]
    elif probe == "relations":
        kept = [label != "Other" for label in labels]
    elif probe == "semantic_roles":
        kept = [not label.startswith(("C-", "R-")) for label in labels]
    else:
        kept = [True] * len(labels)
    return np.asarray(kept, dtype=np.bool_)


def decision_counts(
    logits: npt.NDArray[np.float32],
    gold: npt.NDArray[np.bool_],
    missed: IntArray | None = None,
    *,
    counted: npt.NDArray[np.bool_] | None = None,
) -> IntArray:
    """True positives, false positives and false negatives of each target.

    Args:
        logits: shape [targets, labels].
        gold: which labels hold, shape [targets, labels].
        missed: labels of each target that the probe cannot give, shape [targets]; each is a false
            negative.
        counted: which labels count; all if None.

    Returns:
        Shape [targets, 3].
    """
    predicted = logits >= 0
    if counted is not None:
        predicted, gold = predicted[:, counted], gold[:, counted]
    right = (predicted & gold).sum(axis=1)
    wrong = predicted.sum(axis=1) - right
    absent = gold.sum(axis=1) - right
    if missed is not None:
        absent = absent + missed
    return np.stack([right, wrong, absent], axis=1).astype(np.int64)


def f1(counts: npt.ArrayLike) -> FloatArray:
    """F1 from true positives, false positives and false negatives along the last axis.

    0 where there is nothing to find and nothing was found.
    """
    right, wrong, absent = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    whole = 2 * right + wrong + absent
    return np.asarray(np.divide(2 * right, whole, out=np.zeros_like(whole), where=whole > 0))
