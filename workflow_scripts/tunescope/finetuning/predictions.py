"""What a run predicted for each example, on disk: one HDF5 file a run."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import h5py
import numpy as np
import numpy.typing as npt

from tunescope.errors import InputError
from tunescope.provenance.digests import fsync_folder

FORMAT = 1
REMEDY = "Delete it; the workflow makes it again"


class Stored(Protocol):
    """Predictions of some kind of task that can be written."""

    @property
    def kind(self) -> str:
        """Kind of corpus."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the labels whose numbers the arrays hold."""

    @property
    def origin(self) -> Mapping[str, Any]:
        """Hashes of weights and corpus, and what was counted on the way."""

    def arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        """What the file holds, by name."""


@dataclass(frozen=True)
class Predictions:
    """Predictions of a run on a split.

    Attributes:
        kind: `classification` or `regression`.
        labels: names of the classes in the order of the outputs; empty for regression.
        rows: number of each example's record in the source, shape [examples].
        gold: gold class or score, shape [examples]; int64 or float32.
        scores: logits or predicted scores, float32, shape [examples, outputs], or
            [heads, examples, outputs] for heads that were not trained.
        origin: hashes of weights and corpus, number of inputs cut, seeds of untrained heads.
    """

    kind: str
    labels: tuple[str, ...]
    rows: npt.NDArray[np.int64]
    gold: npt.NDArray[Any]
    scores: npt.NDArray[np.float32]
    origin: Mapping[str, Any]

    def arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        """Rows, gold and scores."""
        return {"row": self.rows, "gold": self.gold, "scores": self.scores}


def write_predictions(predictions: Stored, path: Path) -> None:
    """Write predictions, all of them or nothing.

    Raises:
        FloatingPointError: a score is not finite.
    """
    arrays = predictions.arrays()
    for values in arrays.values():
        if values.dtype.kind == "f" and (bad := np.count_nonzero(~np.isfinite(values))):
            raise FloatingPointError(f"{path}: {bad} of the scores to write are not finite")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with h5py.File(temporary, "w", libver="latest") as file:
        for name, values in arrays.items():
            file[name] = values
        for key, value in predictions.origin.items():
            file.attrs[key] = value
        file.attrs["kind"] = predictions.kind
        file.attrs["labels"] = np.array(predictions.labels, dtype=h5py.string_dtype())
        file.attrs["format"] = FORMAT
        file.attrs["complete"] = True
    with temporary.open("rb") as done:
        os.fsync(done.fileno())
    temporary.replace(path)
    fsync_folder(path.parent)


def read_arrays(path: Path) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Read a file of predictions: its arrays and attributes, `kind` and `labels` among these.

    Raises:
        InputError: the file is not complete, damaged, or of another format.
    """
    try:
        with h5py.File(path, "r", locking=False) as file:
            attributes = dict(file.attrs)
            arrays = {name: file[name][()] for name in file}
    except (OSError, KeyError) as error:
        raise InputError(path, f"cannot be read as predictions ({error})", REMEDY) from error
    if not attributes.pop("complete", False) or attributes.pop("format", None) != FORMAT:
        raise InputError(path, "is not complete or of another format", REMEDY)
    attributes["kind"] = str(attributes["kind"])
    attributes["labels"] = tuple(str(label) for label in attributes["labels"])
    return arrays, attributes


def read_predictions(path: Path) -> Predictions:
    """Read predictions for sentences or pairs.

    Raises:
        InputError: the file is not complete, damaged, of another format or kind of task.
    """
    arrays, attributes = read_arrays(path)
    kind, labels = attributes.pop("kind"), attributes.pop("labels")
    try:
        rows, gold, scores = (arrays[name] for name in ("row", "gold", "scores"))
    except KeyError as error:
        raise InputError(path, f"of kind {kind}, holds no {error}", REMEDY) from error
    if not np.isfinite(scores).all() or not len(rows) == len(gold) == scores.shape[-2]:
        raise InputError(path, "holds scores that are not finite or lacks some", REMEDY)
    return Predictions(kind, labels, rows, gold, scores, attributes)
