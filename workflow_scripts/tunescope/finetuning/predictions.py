"""What a run predicted for each example, on disk: one HDF5 file a run."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from tunescope.errors import InputError
from tunescope.provenance.digests import fsync_folder

FORMAT = 1


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


def write_predictions(predictions: Predictions, path: Path) -> None:
    """Write predictions, all of them or nothing.

    Raises:
        FloatingPointError: a score is not finite.
    """
    if not np.isfinite(predictions.scores).all():
        bad = int(np.count_nonzero(~np.isfinite(predictions.scores)))
        raise FloatingPointError(f"{path}: {bad} of the scores to write are not finite")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with h5py.File(temporary, "w", libver="latest") as file:
        file["row"], file["gold"] = predictions.rows, predictions.gold
        file["scores"] = predictions.scores
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


def read_predictions(path: Path) -> Predictions:
    """Read predictions.

    Raises:
        InputError: the file is not complete, damaged, or of another format.
    """
    remedy = "Delete it; the workflow makes it again"
    try:
        with h5py.File(path, "r", locking=False) as file:
            attributes = dict(file.attrs)
            rows, gold, scores = (file[name][()] for name in ("row", "gold", "scores"))
    except (OSError, KeyError) as error:
        raise InputError(path, f"cannot be read as predictions ({error})", remedy) from error
    if not attributes.pop("complete", False) or attributes.pop("format", None) != FORMAT:
        raise InputError(path, "is not complete or of another format", remedy)
    if not np.isfinite(scores).all() or not len(rows) == len(gold) == scores.shape[-2]:
        raise InputError(path, "holds scores that are not finite or lacks some", remedy)
    labels = tuple(str(label) for label in attributes.pop("labels"))
    kind = str(attributes.pop("kind"))
    return Predictions(kind, labels, rows, gold, scores, attributes)
