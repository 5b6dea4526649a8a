import networkx
from hypothesis import given
from hypothesis import strategies as st

from tunescope.corpora.trees import tree_problem


def is_tree(heads: list[int]) -> bool:
    """The plain way: every word reachable from the only root, one edge fewer than nodes."""
    if any(not 0 <= head <= len(heads) for head in heads) or heads.count(0) != 1:
        return False
    graph = networkx.DiGraph((head, word) for word, head in enumerate(heads, start=1))
    return bool(networkx.is_arborescence(graph))


@given(st.lists(st.integers(-1, 8), min_size=1, max_size=7))
def test_agrees_with_a_graph_library(heads: list[int]) -> None:
    assert (tree_problem(heads) is None) == is_tree(heads)


def test_says_which_word_and_why() -> None:
    assert tree_problem([0, 1, 5]) == (2, "head 5 of word 3 is out of range 0 to 3")
    assert tree_problem([0, 1, -1]) == (2, "head -1 of word 3 is out of range 0 to 3")
    assert tree_problem([0, 1, 0]) == (2, "two roots, words 1 and 3")
    assert tree_problem([0, 4, 2, 3]) == (1, "cycle 2 -> 4 -> 3 -> 2")
    assert tree_problem([1]) == (0, "cycle 1 -> 1")


def test_a_long_chain_is_a_tree() -> None:
    assert tree_problem(list(range(5000))) is None
