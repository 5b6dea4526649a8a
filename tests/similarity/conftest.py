from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tunescope.activations.inputs import Inputs
from tunescope.activations.store import HiddenStates, StoreAttributes, layer_names, write_store

HIDDEN = 12
BLOCKS = 3


def make_inputs(count: int, *, seed: int = 0) -> Inputs:
    """Inputs of two special tokens around 1 to 6 pieces in 1 to 6 words."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(3, 9, count)
    words: list[int] = []
    for length in lengths:
        words += [-1, *np.cumsum([0, *generator.integers(0, 2, length - 3)]), -1]
    pieces = int(lengths.sum())
    return Inputs(
        rows=np.arange(count) * 2,
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
        piece_ids=generator.integers(5, 50, pieces).astype(np.int32),
        segments=np.zeros(pieces, np.int8),
        word_ids=np.asarray(words, np.int32),
        cut=np.zeros(count, np.bool_),
        replaced_words=0,
        empty=0,
    )


def base_states(inputs: Inputs, *, blocks: int = BLOCKS, seed: int = 0) -> np.ndarray:
    """States that share what their input has in common, shape [layers, pieces, hidden]."""
    generator = np.random.default_rng(seed)
    owners = np.repeat(np.arange(len(inputs)), np.diff(inputs.offsets))
    topic = generator.normal(size=(blocks + 1, len(inputs), HIDDEN))[:, owners]
    return 2 + topic + generator.normal(size=topic.shape)


def moved(states: np.ndarray, distance: float, *, seed: int) -> np.ndarray:
    """States moved by noise that grows with the layer; the lowest stays."""
    noise = np.random.default_rng(seed).normal(size=states.shape)
    depth = np.arange(len(states))[:, None, None] / (len(states) - 1)
    return states + distance * depth * noise


@pytest.fixture
def store(tmp_path: Path) -> Callable[..., HiddenStates]:
    def write(
        run: str, inputs: Inputs, states: np.ndarray, encoder: str = "lab-p0", corpus: str = "c"
    ) -> HiddenStates:
        path = tmp_path / f"{encoder}-{run}-{corpus}.h5"
        attributes = StoreAttributes(
            encoder, run, f"weights of {run}", inputs.content_hash, {"corpus": corpus}
        )
        names = layer_names(len(states) - 1)
        with write_store(path, inputs, attributes, layers=names, hidden=HIDDEN) as writer:
            writer.append(states.astype(np.float16))
        return HiddenStates(path)

    return write
