"""Treebanks and stores of hidden states in which everything is known."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tunescope.activations.inputs import Inputs
from tunescope.activations.store import HiddenStates, StoreAttributes, write_store
from tunescope.config.probing import EdgeProbeSettings
from tunescope.corpora.canonical import Accounting, Split, make_split

LAYERS = ("embeddings", "00", "01")
TAGS = ("A", "B", "C")

#: A probe that learns what is planted within a second.
QUICK = EdgeProbeSettings(
    projection=16,
    hidden=16,
    dropout=0.1,
    learning_rate=0.01,
    batch_size=16,
    validation_interval=15,
    max_validations=8,
    seeds=(0,),
)


def treebank(rows: Sequence[dict[str, object]], source: str = "planted") -> Split:
    numbered = [{"row": row, "id": f"doc{row // 4}-{row}", **one} for row, one in enumerate(rows)]
    return make_split("treebank", numbered, (), Accounting(source, "", len(rows), len(rows)))


def tagged(sentences: int, *, seed: int) -> Split:
    """Sentences of tagged words; a pair of words is `1` if the first has the later tag."""
    generator = np.random.default_rng(seed)
    rows = []
    for _ in range(sentences):
        size = int(generator.integers(2, 7))
        tags = [TAGS[number] for number in generator.integers(3, size=size)]
        first, second = (int(one) for one in generator.choice(size, 2, replace=False))
        pair = {
            "span1": {"start": first, "end": first + 1},
            "span2": {"start": second, "end": second + 1},
            "labels": ["1" if tags[first] > tags[second] else "0"],
        }
        start = int(generator.integers(size - 1))
        phrase = {
            "span1": {"start": start, "end": start + 2},
            "span2": None,
            "labels": [tags[start]],
        }
        rows.append(
            {
                "words": [f"w{number}" for number in range(size)],
                "xpos": tags,
                "coreference": [pair],
                "entities": [phrase],
            }
        )
    return treebank(rows)


def planted_states(split: Split, *, hidden: int = 12, noise: float = 0.3, seed: int = 0):
    """States of words by layer: tags stand in both blocks, and nothing in the embeddings."""
    generator = np.random.default_rng(seed)
    tags = [TAGS.index(tag) for row in split.table["xpos"].to_pylist() for tag in row]
    found = {}
    for layer in LAYERS:
        states = noise * generator.standard_normal((len(tags), hidden))
        if layer != "embeddings":
            states[np.arange(len(tags)), tags] += 1
        found[layer] = states
    return found


def make_store(
    path: Path,
    split: Split,
    states: Mapping[str, np.ndarray],
    *,
    pieces: Sequence[int] = (1, 2, 1, 3),
    cut: Mapping[int, int] | None = None,
    chosen: Sequence[int] | None = None,
    weights: str = "weights",
    run: str = "base",
) -> HiddenStates:
    """Write a store whose words have pieces of these numbers in turn, around the word's state.

    Args:
        path: the store's file.
        split: its sentences.
        states: of all words of the split, by layer.
        pieces: pieces of the first word, the second, and so on, again and again.
        cut: words kept of the sentences that are cut.
        chosen: sentences to store; all if None.
        weights: hash of the weights.
        run: name of the run.
    """
    lengths = [len(words) for words in split.table["words"].to_pylist()]
    first = np.concatenate([[0], np.cumsum(lengths)])
    rows = list(range(len(lengths))) if chosen is None else list(chosen)
    word_ids: list[int] = []
    source: list[int] = []
    offsets = [0]
    for row in rows:
        kept = (cut or {}).get(row, lengths[row])
        word_ids.append(-1)
        source.append(-1)
        for word in range(kept):
            count = pieces[(first[row] + word) % len(pieces)]
            word_ids += [word] * count
            source += [int(first[row]) + word] * count
        word_ids.append(-1)
        source.append(-1)
        offsets.append(len(word_ids))
    inputs = Inputs(
        rows=np.asarray(rows, np.int64),
        offsets=np.asarray(offsets, np.int64),
        piece_ids=np.asarray(source, np.int32) + 1,
        segments=np.zeros(len(source), np.int8),
        word_ids=np.asarray(word_ids, np.int32),
        cut=np.asarray([row in (cut or {}) for row in rows]),
        replaced_words=0,
        empty=0,
    )
    hidden = next(iter(states.values())).shape[1]
    values = np.stack([np.vstack([states[layer], np.zeros(hidden)])[source] for layer in LAYERS])
    attributes = StoreAttributes("planted", run, weights, inputs.content_hash, {})
    with write_store(path, inputs, attributes, layers=LAYERS, hidden=hidden) as store:
        store.append(values.astype(np.float16))
    return HiddenStates(path)
