"""What parsers predicted for each word, and what of it is right."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunescope.errors import InputError
from tunescope.finetuning.predictions import REMEDY, read_arrays

#: Head and label of a word that got none.
NOTHING = -1
KIND = "treebank"


@dataclass(frozen=True)
class Parses:
    """Parses of a split by one or several heads on the same encoder.

    Words of all sentences stand one after the other; heads count words of their sentence from 1, 0
    is the root.

    Attributes:
        labels: relations; the first `known` are those that the heads can give.
        known: how many relations the heads can give.
        rows: number of each sentence's record in the source, shape [sentences].
        offsets: words of sentence i are offsets[i] to offsets[i + 1] - 1, shape [sentences + 1].
        pieces: word pieces of each word, shape [words].
        gold_heads: shape [words].
        gold_labels: numbers of relations, shape [words].
        heads: predicted heads, shape [parsers, words]; NOTHING beyond the cut of a long sentence.
        head_labels: numbers of the predicted relations, shape [parsers, words]; likewise.
        origin: hashes of weights and corpus; counts of sentences cut, words cut, words without a
            piece and labels unseen in training; seeds of untrained heads.
    """

    labels: tuple[str, ...]
    known: int
    rows: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    pieces: npt.NDArray[np.int64]
    gold_heads: npt.NDArray[np.int32]
    gold_labels: npt.NDArray[np.int32]
    heads: npt.NDArray[np.int32]
    head_labels: npt.NDArray[np.int32]
    origin: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Kind of corpus."""
        return KIND

    @property
    def gold(self) -> npt.NDArray[Any]:
        """Gold head and name of the gold relation of each word, shape [2, words], as text."""
        names = np.array(self.labels)
        return np.stack([self.gold_heads.astype(names.dtype), names[self.gold_labels]])

    def arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        """What the file holds."""
        return {
            "row": self.rows,
            "word_offset": self.offsets,
            "pieces": self.pieces,
            "gold_head": self.gold_heads,
            "gold_label": self.gold_labels,
            "head": self.heads,
            "label": self.head_labels,
            "known_labels": np.array(self.known),
        }


def read_parses(path: Path) -> Parses:
    """Read parses.

    Raises:
        InputError: the file is not complete, damaged, of another format or kind of task.
    """
    arrays, attributes = read_arrays(path)
    kind, labels = attributes.pop("kind"), attributes.pop("labels")
    try:
        found = Parses(
            labels=labels,
            known=int(arrays["known_labels"]),
            rows=arrays["row"],
            offsets=arrays["word_offset"],
            pieces=arrays["pieces"],
            gold_heads=arrays["gold_head"],
            gold_labels=arrays["gold_label"],
            heads=arrays["head"],
            head_labels=arrays["label"],
            origin=attributes,
        )
    except KeyError as error:
        raise InputError(path, f"of kind {kind}, holds no {error}", REMEDY) from error
    words = int(found.offsets[-1])
    sizes = {len(found.pieces), len(found.gold_heads), len(found.gold_labels)}
    sizes |= {found.heads.shape[-1], found.head_labels.shape[-1]}
    if sizes != {words} or len(found.offsets) != len(found.rows) + 1:
        raise InputError(path, "lacks some of its words or sentences", REMEDY)
    return found
