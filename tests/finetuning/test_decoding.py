from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tunescope.corpora.trees import tree_problem
from tunescope.finetuning.decoding import best_tree


def matrices(smallest, largest, elements):
    return st.integers(smallest, largest).flatmap(
        lambda words: arrays(np.float64, (words, words + 1), elements=elements)
    )


whole = st.integers(-3, 3).map(float)  # many ties
any_number = st.floats(-1e3, 1e3, width=32)


def total(scores, heads):
    return scores[np.arange(len(heads)), heads].sum()


def all_trees(words):
    return [
        heads for heads in product(range(words + 1), repeat=words) if tree_problem(heads) is None
    ]


TREES = {words: np.array(all_trees(words)) for words in range(1, 6)}


def test_all_trees_are_counted_as_cayley_does():
    assert {words: len(trees) for words, trees in TREES.items()} == {
        words: words ** (words - 1) for words in TREES
    }


@given(matrices(1, 5, whole | any_number))
def test_no_tree_is_better(scores):
    found = best_tree(scores)
    trees = TREES[len(scores)]
    best = scores[np.arange(len(scores)), trees].sum(axis=1).max()
    assert total(scores, found) == pytest.approx(best, abs=1e-6)


@given(matrices(1, 14, whole | any_number))
def test_it_is_always_one_tree_with_one_root(scores):
    found = best_tree(scores)
    assert tree_problem(found.tolist()) is None
    assert np.count_nonzero(found == 0) == 1


@pytest.mark.parametrize("words", [2, 7, 15, 24])
def test_networkx_finds_the_same_tree(words):
    """Each word tried as the only root, under an exact algorithm of another library."""
    scores = np.random.default_rng(words).normal(size=(words, words + 1))
    arcs = nx.DiGraph()
    for word, head in product(range(1, words + 1), range(1, words + 1)):
        if word != head:
            arcs.add_edge(head, word, weight=scores[word - 1, head])
    found = best_tree(scores)
    root = int(np.flatnonzero(found == 0)[0]) + 1
    for only in {root, 1, words}:
        hung = arcs.copy()
        hung.add_edge(0, only, weight=scores[only - 1, 0])
        tree = nx.maximum_spanning_arborescence(hung)
        value = tree.size(weight="weight")
        if only == root:
            assert {word: head for head, word in tree.edges} == {
                word + 1: head for word, head in enumerate(found.tolist())
            }
        assert value <= total(scores, found) + 1e-9


def test_a_second_root_is_given_up_for_the_smallest_loss():
    """Both words want the root; word 2 loses less by hanging on word 1 than the other way round."""
    scores = np.array([[9.0, 0.0, 1.0], [9.0, 3.0, 0.0]])
    assert best_tree(scores).tolist() == [0, 1]


def test_the_diagonal_takes_no_part():
    scores = np.array([[0.0, 99.0, 1.0], [5.0, 0.0, 99.0]])
    assert best_tree(scores).tolist() == [2, 0]


@pytest.mark.parametrize(
    "scores", [np.zeros((0, 1)), np.zeros((2, 2)), np.zeros(3), np.array([[0.0, np.nan]])]
)
def test_what_is_no_matrix_of_scores_is_refused(scores):
    with pytest.raises(ValueError, match=r"scores"):
        best_tree(scores)
