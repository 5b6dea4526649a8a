"""The states that probes of one run need, read once from the store for all of them."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from tunescope.activations.store import HiddenStates
from tunescope.probing.placing import Units

_AT_ONCE = 8_192  # units read at a time


def gather_states(
    store: HiddenStates,
    layers: Sequence[str],
    needed: npt.NDArray[np.bool_],
    *,
    units: Units,
    memory_gib: float,
    scratch: Path | None = None,
    progress: bool = True,
) -> npt.NDArray[np.float16]:
    """Read the states of some words or pieces, one layer after the other.

    They stay float16, as they are stored (words: the mean in float32, rounded), and are widened
    batch by batch.

    Args:
        store: where the states are.
        layers: which of its layers.
        needed: which units to read, shape [units of the store].
        units: words (the mean of their pieces) or pieces.
        memory_gib: more than this goes to a file without a name instead of memory.
        scratch: folder of that file; the system's folder for temporary files if None.
        progress: whether to show a bar on standard error.

    Returns:
        Shape [layers, units needed, hidden].
    """
    shape = (len(layers), int(np.count_nonzero(needed)), store.hidden)
    if 2 * int(np.prod(shape)) <= memory_gib * 2**30:
        states: npt.NDArray[np.float16] = np.empty(shape, np.float16)
    else:
        with tempfile.TemporaryFile(dir=scratch) as file:
            states = np.memmap(file, np.float16, "w+", shape=shape)
    read = store.words if units == "words" else store.read
    title = f"{store.attributes.run} on {store.path.stem}"
    bar = tqdm(total=len(layers) * len(needed), desc=title, unit=units, disable=not progress)
    for number, layer in enumerate(layers):
        done = 0
        for start in range(0, len(needed), _AT_ONCE):
            chosen = needed[start : start + _AT_ONCE]
            if count := int(np.count_nonzero(chosen)):
                values = read(layer, start, start + len(chosen))[chosen]
                states[number, done : done + count] = values
                done += count
            bar.update(len(chosen))
    bar.close()
    return states
