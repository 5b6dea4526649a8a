"""The best dependency tree of a matrix of arc scores (Dozat and Manning 2017, section 3.2)."""

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def best_tree(scores: npt.ArrayLike) -> IntArray:
    """Heads of the tree with one root whose arcs have the highest sum of scores.

    Exact: the maximum spanning arborescence (Chu and Liu 1965, Edmonds 1967) among those in which
    one word alone hangs on the root. Where each word's best head gives such a tree already, it is
    the answer.

    Args:
        scores: score of head h for word d, shape [words, words + 1]; head 0 is the root, head h
            word h, counted from 1. A word's score for itself takes no part.

    Returns:
        Head of each word, 0 for the root, shape [words].

    Raises:
        ValueError: another shape, no words, or scores that are not finite.
    """
    arcs = np.array(scores, dtype=np.float64)
    words = len(arcs)
    if arcs.ndim != 2 or words == 0 or arcs.shape[1] != words + 1:
        raise ValueError(f"scores of shape {arcs.shape}, not [words, words + 1]")
    if not np.isfinite(arcs).all():
        raise ValueError("scores of arcs are not finite")
    # Node 0 is the root; its own row is never read.
    full = np.vstack([np.zeros(words + 1), arcs])
    np.fill_diagonal(full, -np.inf)
    heads = _arborescence(full)
    if np.count_nonzero(heads[1:] == 0) > 1:
        # So high a price that no gain elsewhere pays for a second arc from the root.
        full[1:, 0] -= (words + 1) * (np.ptp(arcs) + 1)
        heads = _arborescence(full)
    return heads[1:]


def _arborescence(scores: FloatArray) -> IntArray:
    """Head of each node in the best arborescence from node 0; scores[d, h], diagonal -inf."""
    heads: IntArray = scores.argmax(axis=1)
    heads[0] = 0
    cycle = _cycle(heads)
    if cycle is None:
        return heads
    inside = np.zeros(len(heads), dtype=bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    # The cycle becomes one node: entering it at a word loses the arc that led to that word.
    losses = scores[cycle, heads[cycle]]
    entering = scores[np.ix_(cycle, outside)] - losses[:, None]
    leaving = scores[np.ix_(outside, cycle)]
    size = len(outside) + 1
    reduced = np.full((size, size), -np.inf)
    reduced[:-1, :-1] = scores[np.ix_(outside, outside)]
    reduced[-1, :-1] = entering.max(axis=0)
    reduced[:-1, -1] = leaving.max(axis=1)
    found = _arborescence(reduced)
    for place in range(1, size - 1):
        head = found[place]
        node = outside[place]
        heads[node] = cycle[int(leaving[place].argmax())] if head == size - 1 else outside[head]
    head = found[-1]
    heads[cycle[int(entering[:, head].argmax())]] = outside[head]
    return heads


def _cycle(heads: IntArray) -> IntArray | None:
    """Nodes of one cycle, ascending; None if all nodes lead to node 0."""
    seen = np.zeros(len(heads), dtype=np.int64)  # number of the walk that came by
    seen[0] = -1
    for start in range(1, len(heads)):
        node = start
        while seen[node] == 0:
            seen[node] = start
            node = int(heads[node])
        if seen[node] == start:
            cycle = [node]
            while (node := int(heads[node])) != cycle[0]:
                cycle.append(node)
            return np.sort(np.array(cycle, dtype=np.int64))
    return None
