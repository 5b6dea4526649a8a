"""Depths and distances in dependency trees."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

#: Tags of the Penn Treebank that Hewitt and Manning (2019) leave out of trees and roots.
PUNCTUATION_TAGS = frozenset({"''", ",", ".", ":", "``", "-LRB-", "-RRB-"})


def ancestors(heads: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Which words stand above each word, itself among them.

    Args:
        heads: head of each word, counted from 1; 0 for the root.

    Returns:
        Shape [words, words]; row i marks the path from word i to the root.

    Raises:
        ValueError: a head is out of range, or there is not one root that all words lead to.
    """
    words = len(heads)
    parents = np.asarray(heads, dtype=np.int64) - 1
    if words == 0 or parents.min() < -1 or parents.max() >= words:
        raise ValueError(f"heads {list(heads)} of {words} words are out of range")
    if np.count_nonzero(parents == -1) != 1:
        raise ValueError(f"heads {list(heads)} have {np.count_nonzero(parents == -1)} roots, not 1")
    above = np.eye(words, dtype=np.bool_)
    place = parents.copy()
    for _ in range(words):
        rows = np.flatnonzero(place >= 0)
        if len(rows) == 0:
            return above
        above[rows, place[rows]] = True
        place[rows] = parents[place[rows]]
    raise ValueError(f"heads {list(heads)} have a cycle")


def depths(heads: Sequence[int]) -> npt.NDArray[np.int64]:
    """Edges between each word and the root, shape [words]."""
    return np.asarray(ancestors(heads).sum(axis=1) - 1, dtype=np.int64)


def distances(heads: Sequence[int]) -> npt.NDArray[np.int64]:
    """Edges on the path between each two words, shape [words, words]."""
    above = ancestors(heads).astype(np.int64)
    shared = above @ above.T  # the path from their lowest common ancestor to the root
    height = np.diagonal(shared)
    return np.asarray(height[:, None] + height - 2 * shared, dtype=np.int64)


def punctuation(
    xpos: Sequence[str] | None, upos: Sequence[str] | None, *, by: Literal["xpos", "upos"]
) -> npt.NDArray[np.bool_]:
    """Which words are punctuation.

    Args:
        xpos: Penn Treebank tags.
        upos: universal tags.
        by: which of the two tell.

    Raises:
        ValueError: the tags asked for are not there.
    """
    tags = xpos if by == "xpos" else upos
    if tags is None or any(tag is None for tag in tags):
        raise ValueError(f"no {by} tags to tell punctuation by")
    marks = PUNCTUATION_TAGS if by == "xpos" else {"PUNCT"}
    return np.array([tag in marks for tag in tags], dtype=np.bool_)
