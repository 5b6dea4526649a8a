"""Stores of hidden states: one HDF5 file a run and set of inputs.

A dataset a layer, `layers/embeddings`, `layers/00` and so on, each [pieces, hidden] in float16, so
that one layer is read without the others; beside them the inputs' `offsets`, `word_ids`, `row_ids`,
`piece_ids`, `segments` and `cut`. Only real pieces are stored, no padding. Layers count from 0, the
first block's output (merchant2020); `embeddings` is what enters it.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

import h5py
import numpy as np
import numpy.typing as npt

from tunescope.activations.inputs import SPECIAL, Inputs
from tunescope.activations.whole_file import open_whole, write_whole
from tunescope.errors import InputError

FORMAT = "tunescope hidden states 1"
_CHUNK_BYTES = 1 << 20
_EXPONENT = np.uint16(0x7C00)  # all exponent bits set: infinite or not a number
_REMEDY = "Delete it; the workflow dumps it again"

HalfArray = npt.NDArray[np.float16]


def layer_names(blocks: int) -> tuple[str, ...]:
    """Names of an encoder's layers from the bottom: embeddings, 00, 01, ..."""
    return ("embeddings", *(f"{block:02d}" for block in range(blocks)))


@dataclass(frozen=True)
class StoreAttributes:
    """Where a store's states come from.

    Attributes:
        encoder: the encoder's name.
        run: the run's name (`base`, `mnli-s0`).
        weights_hash: SHA-256 of the run's weights.
        corpus_hash: `Inputs.content_hash` of the inputs.
        settings: what the inputs were made with, for the reader's information.
    """

    encoder: str
    run: str
    weights_hash: str
    corpus_hash: str
    settings: Mapping[str, object]


class StoreWriter:
    """Takes the states of the inputs in order; made by `write_store`."""

    def __init__(self, file: h5py.File, path: Path, inputs: Inputs, layers: tuple[str, ...]):
        self._datasets = [file[f"layers/{layer}"] for layer in layers]
        self._path, self._inputs, self._layers = path, inputs, layers
        self.rows = 0

    def append(self, states: HalfArray) -> None:
        """Add the states of the next pieces.

        Args:
            states: shape [layers, pieces, hidden], layers from the embeddings up.

        Raises:
            InputError: a state is not finite as float16.
        """
        stop = self.rows + states.shape[1]
        infinite = (states.view(np.uint16) & _EXPONENT) == _EXPONENT
        if infinite.any():
            layer, piece, _ = np.argwhere(infinite)[0]
            one = int(np.searchsorted(self._inputs.offsets, self.rows + piece, side="right")) - 1
            raise InputError(
                self._path,
                f"a state of layer {self._layers[layer]} in input {one} (row "
                f"{self._inputs.rows[one]}) is not a number or beyond float16 (65504)",
                "The model has diverged: check its training, or leave the run out",
            )
        for dataset, values in zip(self._datasets, states, strict=True):
            dataset[self.rows : stop] = values
        self.rows = stop


@contextmanager
def write_store(
    path: Path,
    inputs: Inputs,
    attributes: StoreAttributes,
    *,
    layers: tuple[str, ...],
    hidden: int,
) -> Iterator[StoreWriter]:
    """Write a store; it exists under its name only once it is complete.

    Args:
        path: the store's file.
        inputs: whose states follow.
        attributes: what a reader checks and tells.
        layers: names from the bottom, see `layer_names`.
        hidden: width of the states.

    Raises:
        InputError: a state is not finite as float16.
        ValueError: not as many states were given as there are pieces.
    """
    pieces = len(inputs.piece_ids)
    chunk = (min(max(1, _CHUNK_BYTES // (2 * hidden)), max(1, pieces)), hidden)
    with write_whole(path) as file:
        file.attrs["format"] = FORMAT
        for name, value in asdict(attributes).items():
            text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
            file.attrs[name] = text
        file.attrs["counts"] = json.dumps(inputs.counts, sort_keys=True)
        for layer in layers:
            file.create_dataset(f"layers/{layer}", (pieces, hidden), np.float16, chunks=chunk)
        file["offsets"], file["word_ids"] = inputs.offsets, inputs.word_ids
        file["row_ids"], file["piece_ids"] = inputs.rows, inputs.piece_ids
        file["segments"], file["cut"] = inputs.segments, inputs.cut
        writer = StoreWriter(file, path, inputs, layers)
        yield writer
        if writer.rows != pieces:
            raise ValueError(f"{path}: states of {writer.rows} pieces given, {pieces} expected")


class HiddenStates:
    """A store, opened for reading when something is read, once a process.

    Args:
        path: the store's file.
        corpus_hash: refuse a store of other inputs, if given.
        weights_hash: refuse a store of other weights, if given.

    Raises:
        InputError: the file is missing, unfinished, of another format, corpus or weights.
    """

    def __init__(
        self, path: Path, *, corpus_hash: str | None = None, weights_hash: str | None = None
    ):
        self.path = path
        self._handle: h5py.File | None = None
        self._process = 0
        file = self._file
        if file.attrs.get("format") != FORMAT:
            found = f"format {file.attrs.get('format')!r}, {FORMAT!r} expected"
            raise self._refuse(found)
        self.attributes = StoreAttributes(
            encoder=file.attrs["encoder"],
            run=file.attrs["run"],
            weights_hash=file.attrs["weights_hash"],
            corpus_hash=file.attrs["corpus_hash"],
            settings=json.loads(file.attrs["settings"]),
        )
        for name, expected in (("corpus_hash", corpus_hash), ("weights_hash", weights_hash)):
            found = getattr(self.attributes, name)
            if expected is not None and found != expected:
                what = "corpus" if name == "corpus_hash" else "weights"
                raise self._refuse(f"holds states of another {what}: {found}, not {expected}")
        #: `Inputs.counts` of the inputs: how many were cut, and the like.
        self.counts: Mapping[str, int] = json.loads(file.attrs["counts"])
        blocks = len(file["layers"]) - 1
        self.layers = layer_names(blocks)
        self.pieces, self.hidden = file["layers/embeddings"].shape

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; it is opened again if something is read."""
        if self._handle is not None and self._process == os.getpid():
            self._handle.close()
        self._handle = None

    @property
    def _file(self) -> h5py.File:
        if self._handle is None or self._process != os.getpid():
            self._handle = open_whole(self.path, remedy=_REMEDY)
            self._process = os.getpid()
        return self._handle

    def _refuse(self, found: str) -> InputError:
        self.close()
        return InputError(self.path, found, _REMEDY)

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Input i has the pieces offsets[i] to offsets[i + 1] - 1."""
        return np.asarray(self._file["offsets"][:])

    @cached_property
    def word_ids(self) -> npt.NDArray[np.int32]:
        """Word of each piece within its input, -1 for special tokens."""
        return np.asarray(self._file["word_ids"][:])

    @cached_property
    def row_ids(self) -> npt.NDArray[np.int64]:
        """Row of each input in its corpus' source."""
        return np.asarray(self._file["row_ids"][:])

    @cached_property
    def piece_ids(self) -> npt.NDArray[np.int32]:
        """Vocabulary index of each piece."""
        return np.asarray(self._file["piece_ids"][:])

    @cached_property
    def segments(self) -> npt.NDArray[np.int8]:
        """0 in the first part, 1 in the second."""
        return np.asarray(self._file["segments"][:])

    @cached_property
    def cut(self) -> npt.NDArray[np.bool_]:
        """Whether an input was longer than the limit."""
        return np.asarray(self._file["cut"][:])

    @cached_property
    def piece_inputs(self) -> npt.NDArray[np.int64]:
        """Input of each piece."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @cached_property
    def word_spans(self) -> npt.NDArray[np.int64]:
        """First piece of each word and the one after its last, shape [words, 2]."""
        inputs = self.piece_inputs
        change = np.flatnonzero(
            (self.word_ids[1:] != self.word_ids[:-1]) | (inputs[1:] != inputs[:-1])
        )
        starts = np.concatenate([[0], change + 1]) if self.pieces else np.zeros(0, np.int64)
        stops = np.append(starts[1:], self.pieces)
        real = self.word_ids[starts] != SPECIAL
        return np.stack([starts[real], stops[real]], axis=1)

    @cached_property
    def word_inputs(self) -> npt.NDArray[np.int64]:
        """Input of each word."""
        return self.piece_inputs[self.word_spans[:, 0]]

    def read(self, layer: str, start: int = 0, stop: int | None = None) -> HalfArray:
        """States of some pieces in one layer, shape [stop - start, hidden]; no other is read.

        Raises:
            InputError: the store has no such layer.
        """
        if layer not in self.layers:
            raise InputError(self.path, f"no layer {layer!r}", f"Choose from {self.layers}")
        return np.asarray(self._file[f"layers/{layer}"][start:stop])

    def blocks(self, layer: str, *, rows: int = 8_192) -> Iterator[tuple[int, HalfArray]]:
        """A layer in blocks: first piece and states, at most `rows` pieces at a time."""
        for start in range(0, self.pieces, rows):
            yield start, self.read(layer, start, start + rows)

    def words(self, layer: str, start: int = 0, stop: int | None = None) -> npt.NDArray[np.float32]:
        """States of some words in one layer: the mean of their pieces, shape [words, hidden]."""
        spans = self.word_spans[start:stop]
        if len(spans) == 0:
            return np.zeros((0, self.hidden), np.float32)
        first, last = int(spans[0, 0]), int(spans[-1, 1])
        states = self.read(layer, first, last)
        starts, sizes = spans[:, 0] - first, spans[:, 1] - spans[:, 0]
        sums = states[starts].astype(np.float32)
        for place in range(1, int(sizes.max())):  # few words have many pieces; reduceat is slower
            longer = np.flatnonzero(sizes > place)
            sums[longer] += states[starts[longer] + place]
        return np.asarray(sums / sizes[:, None].astype(np.float32))
