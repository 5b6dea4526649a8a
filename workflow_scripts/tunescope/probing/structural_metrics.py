"""Metrics of structural probes, sentence by sentence (Hewitt and Manning 2019)."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from tunescope.config.structural import StructuralProbeSettings
from tunescope.probing.structural import StructuralProbes, predict
from tunescope.probing.structural_data import TreeStates

Array: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_AT_ONCE = 64  # sentences of one length


@dataclass(frozen=True, eq=False)
class DistanceScores:
    """How well distances are predicted, by sentence.

    Attributes:
        spearman: mean over words of the correlation of their distances to all words, shape
            [layers, sentences]; 0 where a prediction does not vary.
        edges_found: edges of the predicted minimum spanning tree that are in the gold one, words
            of punctuation left out of both, [layers, sentences].
        edges: edges of the gold one, [sentences].
        lengths: words of each sentence.
    """

    spearman: Array
    edges_found: IntArray
    edges: IntArray
    lengths: IntArray


@dataclass(frozen=True, eq=False)
class DepthScores:
    """How well depths are predicted, by sentence.

    Attributes:
        spearman: correlation of the depths of all words, shape [layers, sentences]; 0 where a
            prediction does not vary.
        root_found: whether the word with the least depth, punctuation left out, is the root.
        has_words: sentences with more than punctuation, which alone count for the root.
        lengths: words of each sentence.
    """

    spearman: Array
    root_found: npt.NDArray[np.bool_]
    has_words: npt.NDArray[np.bool_]
    lengths: IntArray


def score_distances(probes: StructuralProbes, data: TreeStates) -> DistanceScores:
    """Score distance probes on every sentence."""
    shape = len(probes.layers), len(data)
    spearman, found = np.zeros(shape), np.zeros(shape, np.int64)
    edges = np.zeros(len(data), np.int64)
    for sentences in _by_length(data):
        predicted = predict(probes, data, sentences)
        gold = np.stack([data.distances[one] for one in sentences]).astype(np.float64)
        spearman[:, sentences] = _rank_correlations(predicted, gold).mean(axis=-1)
        for place, sentence in enumerate(sentences):
            start, stop = data.offsets[sentence], data.offsets[sentence + 1]
            words = np.flatnonzero(~data.punctuation[start:stop])
            if len(words) < 2:
                continue
            among = np.ix_(words, words)
            truth = spanning_trees(gold[place][among][None])[0]
            edges[sentence] = len(words) - 1
            trees = spanning_trees(predicted[:, place][:, among[0], among[1]])
            found[:, sentence] = np.triu(trees & truth).sum(axis=(1, 2))
    return DistanceScores(spearman, found, edges, data.lengths)


def score_depths(probes: StructuralProbes, data: TreeStates) -> DepthScores:
    """Score depth probes on every sentence."""
    shape = len(probes.layers), len(data)
    spearman, found = np.zeros(shape), np.zeros(shape, np.bool_)
    has_words = np.zeros(len(data), np.bool_)
    for sentences in _by_length(data):
        predicted = predict(probes, data, sentences)
        places = data.offsets[sentences][:, None] + np.arange(predicted.shape[-1])
        gold = data.depths[places].astype(np.float64)
        spearman[:, sentences] = _rank_correlations(predicted, gold)
        marks = data.punctuation[places]
        has_words[sentences] = ~marks.all(axis=1)
        least = np.where(marks, np.inf, predicted).argmin(axis=-1)
        found[:, sentences] = (least == gold.argmin(axis=-1)) & has_words[sentences]
    return DepthScores(spearman, found, has_words, data.lengths)


def unlabelled_attachment(scores: DistanceScores, weights: npt.ArrayLike | None = None) -> Array:
    """UUAS: found edges over all edges, shape [layers].

    Args:
        scores: of the sentences.
        weights: how often each sentence counts, once if not given.
    """
    counts = np.ones(len(scores.edges)) if weights is None else np.asarray(weights, np.float64)
    return np.asarray(scores.edges_found @ counts / (scores.edges @ counts))


def root_accuracy(scores: DepthScores, weights: npt.ArrayLike | None = None) -> Array:
    """Share of sentences whose root was found, shape [layers]."""
    counts = np.ones(len(scores.has_words)) if weights is None else np.asarray(weights, np.float64)
    return np.asarray(scores.root_found @ counts / (scores.has_words @ counts))


def spearman_by_length(
    scores: DistanceScores | DepthScores,
    settings: StructuralProbeSettings,
    weights: npt.ArrayLike | None = None,
) -> Array:
    """Mean over sentence lengths of the mean correlation at that length, shape [layers].

    Raises:
        ValueError: no sentence has a length that counts.
    """
    counts = np.ones(len(scores.lengths)) if weights is None else np.asarray(weights, np.float64)
    counted = (scores.lengths >= settings.shortest) & (scores.lengths <= settings.longest)
    counted &= counts > 0
    if not counted.any():
        raise ValueError(f"no sentence of {settings.shortest} to {settings.longest} words")
    means = [
        scores.spearman[:, chosen] @ counts[chosen] / counts[chosen].sum()
        for length in np.unique(scores.lengths[counted])
        for chosen in [np.flatnonzero(counted & (scores.lengths == length))]
    ]
    return np.asarray(np.mean(means, axis=0))


def spanning_trees(distances: Array) -> npt.NDArray[np.bool_]:
    """Minimum spanning trees; of edges of equal length the first one counts as shorter.

    Distances between words that only punctuation connects are often equal; the order is that of the
    published code, which sorts the edges (by first, then second word) and takes them one by one.

    Args:
        distances: symmetric, shape [trees, words, words].

    Returns:
        Symmetric adjacency, same shape.
    """
    count, words, _ = distances.shape
    first, second = np.triu_indices(words, k=1)
    ranks = np.argsort(np.argsort(distances[:, first, second], axis=1, kind="stable"), axis=1)
    order = np.zeros(distances.shape, np.int64)  # ranks leave no ties, so there is one tree
    order[:, first, second] = order[:, second, first] = ranks
    trees = np.zeros(distances.shape, np.bool_)
    each = np.arange(count)
    outside = np.ones((count, words), np.bool_)
    outside[:, 0] = False
    nearest = np.zeros((count, words), np.int64)  # inside word that is nearest to each word
    gap = order[:, 0].copy()
    for _ in range(words - 1):
        new = np.where(outside, gap, len(first)).argmin(axis=1)  # Prim's algorithm from word 0
        old = nearest[each, new]
        trees[each, new, old] = trees[each, old, new] = True
        outside[each, new] = False
        closer = order[each, new] < gap
        gap = np.where(closer, order[each, new], gap)
        nearest = np.where(closer, new[:, None], nearest)
    return trees


def _by_length(data: TreeStates) -> list[IntArray]:
    """Sentences of one length, some at a time."""
    parts = []
    for length in np.unique(data.lengths):
        chosen = np.flatnonzero(data.lengths == length)
        parts += [chosen[start : start + _AT_ONCE] for start in range(0, len(chosen), _AT_ONCE)]
    return parts


def _rank_correlations(predicted: Array, gold: Array) -> Array:
    """Spearman correlation along the last axis; 0 where one side does not vary."""
    first, second = (rankdata(side, axis=-1) for side in (predicted, gold))
    first = first - first.mean(axis=-1, keepdims=True)
    second = second - second.mean(axis=-1, keepdims=True)
    scale = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    products = (first * second).sum(axis=-1)
    return np.asarray(np.divide(products, scale, out=np.zeros_like(products), where=scale > 0))
