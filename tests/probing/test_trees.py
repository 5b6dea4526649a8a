import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probing.plain_structural import graph_of, random_heads
from tunescope.probing.trees import depths, distances, punctuation


def test_a_small_tree_counted_by_hand():
    heads = [2, 0, 2, 5, 3]  # 2 is the root, 3 and 1 below it, 5 below 3, 4 below 5
    assert depths(heads).tolist() == [1, 0, 1, 3, 2]
    assert distances(heads)[0].tolist() == [0, 1, 2, 4, 3]


@given(words=st.integers(1, 25), seed=st.integers(0, 10_000))
def test_depths_and_distances_are_those_of_the_graph(words, seed):
    heads = random_heads(words, np.random.default_rng(seed))
    lengths = dict(networkx.all_pairs_shortest_path_length(graph_of(heads)))
    expected = [[lengths[i][j] for j in range(words)] for i in range(words)]
    assert distances(heads).tolist() == expected
    assert depths(heads).tolist() == expected[heads.index(0)]


@pytest.mark.parametrize(
    ("heads", "reason"),
    [
        ([0, 0], "2 roots"),
        ([2, 1], "0 roots"),
        ([0, 3, 2], "cycle"),
        ([0, 4], "out of range"),
        ([0, -1], "out of range"),
        ([], "out of range"),
    ],
)
def test_what_is_no_tree_is_refused(heads, reason):
    with pytest.raises(ValueError, match=reason):
        depths(heads)


def test_punctuation_by_either_tag():
    xpos, upos = ["NN", ",", "HYPH", "''"], ["NOUN", "PUNCT", "PUNCT", "PUNCT"]
    assert punctuation(xpos, upos, by="xpos").tolist() == [False, True, False, True]
    assert punctuation(xpos, upos, by="upos").tolist() == [False, True, True, True]
    with pytest.raises(ValueError, match="no xpos tags"):
        punctuation(None, upos, by="xpos")
