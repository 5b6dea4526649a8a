"""Random trees with states that hold them."""

import numpy as np

from probing.plain_structural import random_heads
from tunescope.probing.structural_data import TreeStates, make_tree_states
from tunescope.probing.trees import ancestors

LONGEST = 9


def tree_states(
    sentences: int,
    *,
    seed: int,
    layers: int = 3,
    noise: float = 0.3,
    shortest: int = 1,
    spoiled: float = 0,
) -> TreeStates:
    """States that mark the path from the root, mapped at random, with more noise a layer."""
    generator = np.random.default_rng(seed)
    records, states = [], []
    for _ in range(sentences):
        words = int(generator.integers(shortest, LONGEST + 1))
        heads = random_heads(words, generator)
        inner = set(heads)
        chosen = generator.random(words) < 0.3  # punctuation heads no word, as in treebanks
        leaf = np.array([word + 1 not in inner for word in range(words)]) & (words > 1)
        tags = np.where(chosen & (leaf | (generator.random(words) < spoiled)), ".", "NN").tolist()
        records.append({"heads": heads, "xpos": tags, "upos": ["X"] * words})
        states.append(path_marks(heads))
    marks = np.concatenate(states)
    found = marks @ layer_maps(layers) + noise * np.arange(layers)[
        :, None, None
    ] * generator.normal(size=(layers, *marks.shape))
    return make_tree_states([f"layer {n}" for n in range(layers)], found, records)


def layer_maps(layers: int) -> np.ndarray:
    generator = np.random.default_rng(99)
    return generator.normal(size=(layers, LONGEST, LONGEST)) / 3 + np.eye(LONGEST)


def path_marks(heads: list[int]) -> np.ndarray:
    """A column an edge, named by its lower word: 1 on the path from the root, [words, LONGEST]."""
    marks = np.zeros((len(heads), LONGEST))
    marks[:, : len(heads)] = ancestors(heads)
    marks[:, heads.index(0)] = 0  # no edge above the root
    return marks
