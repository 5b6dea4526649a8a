"""Checks that a list of heads is a dependency tree."""

from collections.abc import Sequence


def tree_problem(heads: Sequence[int]) -> tuple[int, str] | None:
    """Say what keeps a list of heads from being a tree with one root.

    Args:
        heads: head of each word, 1-based; 0 marks the root.

    Returns:
        The 0-based word at fault and what is wrong, or none for a tree.
    """
    for word, head in enumerate(heads):
        if not 0 <= head <= len(heads):
            return word, f"head {head} of word {word + 1} is out of range 0 to {len(heads)}"
    roots = [word for word, head in enumerate(heads) if head == 0]
    if len(roots) > 1:
        return roots[1], f"two roots, words {roots[0] + 1} and {roots[1] + 1}"
    # Words known to lead to the root, so that each is walked once.
    rooted: set[int] = set()
    for start in range(len(heads)):
        path: list[int] = []
        word = start
        while word not in rooted and word not in path:
            path.append(word)
            if heads[word] == 0:
                break
            word = heads[word] - 1
        else:
            if word in path:
                cycle = path[path.index(word) :]
                return min(cycle), "cycle " + " -> ".join(str(w + 1) for w in [*cycle, word])
        rooted.update(path)
    return None
