"""The answers that models predicted to questions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunescope.errors import InputError
from tunescope.finetuning.predictions import REMEDY, read_arrays

KIND = "question_answering"


@dataclass(frozen=True)
class Answers:
    """Answers to the questions of a split by one or several heads on the same encoder.

    Attributes:
        rows: number of each question's record in the source, shape [questions].
        ids: of the questions.
        golds: gold answers of each question.
        texts: predicted answers of each head, as they stand in the passage.
        starts: code point of the passage where they start, shape [heads, questions].
        scores: their scores, start plus end, float32, shape [heads, questions].
        origin: hashes of weights and corpus; counts of questions cut, passages in several windows
            and windows; seeds of untrained heads.
    """

    rows: npt.NDArray[np.int64]
    ids: tuple[str, ...]
    golds: tuple[tuple[str, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    starts: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]
    origin: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Kind of corpus."""
        return KIND

    @property
    def labels(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def gold(self) -> npt.NDArray[Any]:
        """Id and gold answers of each question as JSON, shape [questions]."""
        return np.array([json.dumps(pair) for pair in zip(self.ids, self.golds, strict=True)])

    def arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        """What the file holds; texts as UTF-8 one after the other, with where each starts."""
        flat = [text for texts in self.golds for text in texts]
        predicted = [text for texts in self.texts for text in texts]
        counts = [len(texts) for texts in self.golds]
        return {
            "row": self.rows,
            "answer_count": np.array(counts, dtype=np.int64),
            "start": self.starts,
            "score": self.scores,
            **_packed("id", self.ids),
            **_packed("gold", flat),
            **_packed("text", predicted),
        }


def read_answers(path: Path) -> Answers:
    """Read answers.

    Raises:
        InputError: the file is not complete, damaged, of another format or kind of task.
    """
    arrays, attributes = read_arrays(path)
    kind, _ = attributes.pop("kind"), attributes.pop("labels")
    try:
        rows, scores, counts = arrays["row"], arrays["score"], arrays["answer_count"]
        starts = arrays["start"]
        ids, flat, predicted = (_unpacked(name, arrays) for name in ("id", "gold", "text"))
    except KeyError as error:
        raise InputError(path, f"of kind {kind}, holds no {error}", REMEDY) from error
    except ValueError as error:
        raise InputError(path, f"holds damaged texts ({error})", REMEDY) from error
    ends = np.cumsum(counts)
    sizes = {len(ids), len(counts), scores.shape[-1], starts.shape[-1]}
    whole = sizes == {len(rows)} and len(flat) == counts.sum() and len(predicted) == scores.size
    if not whole or not np.isfinite(scores).all():
        raise InputError(path, "holds scores that are not finite or lacks some answers", REMEDY)
    return Answers(
        rows=rows,
        ids=tuple(ids),
        golds=tuple(
            tuple(flat[end - count : end]) for end, count in zip(ends, counts, strict=True)
        ),
        texts=tuple(
            tuple(predicted[head * len(ids) : (head + 1) * len(ids)]) for head in range(len(scores))
        ),
        starts=starts,
        scores=scores,
        origin=attributes,
    )


def _packed(name: str, texts: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Bytes and offsets: HDF5's own strings end at a zero character."""
    encoded = [text.encode() for text in texts]
    offsets = np.cumsum([0, *(len(one) for one in encoded)], dtype=np.int64)
    return {
        f"{name}_bytes": np.frombuffer(b"".join(encoded), dtype=np.uint8),
        f"{name}_offset": offsets,
    }


def _unpacked(name: str, arrays: Mapping[str, npt.NDArray[Any]]) -> list[str]:
    content, offsets = arrays[f"{name}_bytes"].tobytes(), arrays[f"{name}_offset"]
    if offsets[-1] != len(content):
        raise ValueError(f"{name}: {len(content)} bytes, not {offsets[-1]}")
    return [content[start:end].decode() for start, end in pairwise(offsets)]
