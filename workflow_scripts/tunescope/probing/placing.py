"""Where the targets of probes stand in a store of hidden states."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from tunescope.activations.store import HiddenStates
from tunescope.corpora.canonical import Split
from tunescope.errors import InputError
from tunescope.probing.targets import IntArray, Targets

Units = Literal["words", "pieces"]

BEYOND = "targets beyond the cut of their sentence"
NOT_DRAWN = "targets in sentences that were not drawn"


@dataclass(frozen=True, eq=False)
class Placed:
    """Targets among the units (words or pieces) of a store.

    Attributes:
        targets: those that the store holds whole, by sentence; `counts` says what was left out.
        sentences: sentence of each target: its number among the store's inputs, shape [targets].
        spans: units of each target, counted through the store, shape [targets, spans, 2].
    """

    targets: Targets
    sentences: IntArray
    spans: IntArray


@dataclass(frozen=True, eq=False)
class StoreUnits:
    """The units of a store.

    Attributes:
        kind: words (the mean of their pieces) or pieces; special tokens are neither.
        word_starts: first unit of each word of the store, shape [words].
        word_stops: the one after its last, shape [words].
        first_words: first word of each input, shape [inputs + 1].
        units: number of units; of pieces, special tokens are counted along.
    """

    kind: Units
    word_starts: IntArray
    word_stops: IntArray
    first_words: IntArray
    units: int


def store_units(store: HiddenStates, kind: Units) -> StoreUnits:
    """Number the words or pieces of a store."""
    inputs = len(store.offsets) - 1
    words = len(store.word_spans)
    first = np.concatenate([[0], np.cumsum(np.bincount(store.word_inputs, minlength=inputs))])
    if kind == "pieces":
        starts, stops = store.word_spans[:, 0], store.word_spans[:, 1]
        return StoreUnits(kind, starts, stops, first, store.pieces)
    numbers = np.arange(words)
    return StoreUnits(kind, numbers, numbers + 1, first, words)


def check_words(split: Split, store: HiddenStates, units: StoreUnits) -> Mapping[str, int]:
    """Check that a store holds the sentences of a split, word by word.

    Returns:
        How many sentences are there, and how many of them were cut.

    Raises:
        InputError: the store has a sentence that the split lacks or another number of words.
    """
    lengths = {
        int(row): len(words)
        for row, words in zip(
            split.table["row"].to_pylist(), split.table["words"].to_pylist(), strict=True
        )
    }
    found = np.diff(units.first_words)
    for row, words, cut in zip(store.row_ids, found, store.cut, strict=True):
        expected = lengths.get(int(row))
        if expected is None or words > expected or (words < expected and not cut):
            told = (
                "is not in it" if expected is None else f"has {expected} words there, not {words}"
            )
            raise InputError(
                store.path,
                f"not the states of {split.accounting.source}: record {row} {told}",
                "Delete it; the workflow dumps it again",
            )
    return {"sentences": len(found), "cut": int(store.cut.sum())}


def place_targets(targets: Targets, store: HiddenStates, units: StoreUnits) -> Placed:
    """Find targets in a store.

    Targets in sentences that the store does not hold are left out and counted, and so are those
    that reach beyond the cut of a sentence that was too long for the encoder. The last word left of
    such a sentence counts as cut, since it may have lost pieces.
    """
    order = np.argsort(store.row_ids, kind="stable")
    place = np.searchsorted(store.row_ids[order], targets.rows)
    place = np.minimum(place, len(order) - 1)
    inputs = order[place]
    drawn = store.row_ids[inputs] == targets.rows
    whole = np.diff(units.first_words) - store.cut.astype(np.int64)
    fits = drawn & (targets.spans[..., 1] <= whole[inputs][:, None]).all(axis=1)
    kept = np.flatnonzero(fits)
    kept = kept[np.argsort(inputs[kept], kind="stable")]
    counts = {
        **targets.counts,
        NOT_DRAWN: int(np.count_nonzero(~drawn)),
        BEYOND: int(np.count_nonzero(drawn & ~fits)),
    }
    chosen = targets.take(kept)
    words = chosen.spans + units.first_words[inputs[kept]][:, None, None]
    spans = np.stack(
        [units.word_starts[words[..., 0]], units.word_stops[words[..., 1] - 1]], axis=-1
    )
    return Placed(replace(chosen, counts=counts), inputs[kept], spans)


def needed_units(units: int, placed: list[Placed]) -> npt.NDArray[np.bool_]:
    """Which units lie in a span of any of the targets, shape [units]."""
    change = np.zeros(units + 1, np.int64)
    for one in placed:
        np.add.at(change, one.spans[..., 0].ravel(), 1)
        np.add.at(change, one.spans[..., 1].ravel(), -1)
    return np.asarray(np.cumsum(change)[:-1] > 0)
