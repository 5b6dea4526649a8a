"""Questions on passages longer than an input: windows that together cover the passage.

Devlin et al. (2019, released code): an input is [CLS] question [SEP] window [SEP]; windows are as
long as fits, each starting `stride` pieces after the one before, until one reaches the end of the
passage.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding
from transformers import PreTrainedTokenizerFast

from tunescope.corpora.canonical import Split
from tunescope.encoders.inputs import Inputs
from tunescope.errors import InputError

_AT_ONCE = 1_000  # passages given to the tokenizer at a time
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Windows:
    """Windows of all questions, those of a question one after the other.

    Attributes:
        inputs: of the encoder, one a window.
        questions: number of each window's question, ascending, shape [windows].
        firsts: piece of the passage with which each window starts, shape [windows].
        places: position of that piece in the input, shape [windows].
        counts: pieces of the passage in each window, shape [windows].
        spans: for each question the passage's pieces as code points of it, start and end,
            shape [pieces, 2] each.
        cut_questions: how many questions were longer than allowed.
        long_passages: how many questions have their passage in several windows.
    """

    inputs: Inputs
    questions: IntArray
    firsts: IntArray
    places: IntArray
    counts: IntArray
    spans: Sequence[IntArray]
    cut_questions: int
    long_passages: int


def make_windows(
    split: Split,
    tokenizer: PreTrainedTokenizerFast,
    *,
    max_length: int,
    stride: int,
    max_query: int,
) -> Windows:
    """Cut passages into windows.

    Args:
        split: questions on passages.
        tokenizer: of the encoder.
        max_length: longest input in pieces.
        stride: pieces between the starts of two windows.
        max_query: longest question in pieces; longer ones lose pieces at their end.

    Raises:
        InputError: a passage without words, or a question that leaves no room for one.
    """
    rows = split.table["row"].to_pylist()
    asked = split.table["question"].to_pylist()
    passages = split.table["context"].to_pylist()
    encoded_questions = _encode(tokenizer, asked)
    encoded_passages = _encode(tokenizer, passages)
    spans_of = {text: piece_spans(text, one) for text, one in encoded_passages.items()}
    start, separator = tokenizer.cls_token_id, tokenizer.sep_token_id
    pieces: list[int] = []
    segments: list[int] = []
    offsets = [0]
    questions, firsts, places, counts = [], [], [], []
    cut_questions = cut_windows = 0
    for number, (row, question, passage) in enumerate(zip(rows, asked, passages, strict=True)):
        where = f"{split.accounting.source}, row {row}"
        ids = encoded_passages[passage].ids
        if not ids:
            raise InputError(where, "a passage without words", "Remove the question")
        query = encoded_questions[question].ids[:max_query]
        is_cut = len(query) < len(encoded_questions[question].ids)
        cut_questions += is_cut
        room = max_length - len(query) - 3
        if room < 1:
            raise InputError(
                where,
                f"a question of {len(query)} pieces leaves no room for its passage in inputs of "
                f"{max_length}",
                "Raise finetuning.max_length or lower finetuning.max_query",
            )
        for first in window_starts(len(ids), room=room, stride=stride):
            part = ids[first : first + room]
            pieces += [start, *query, separator, *part, separator]
            segments += [0] * (len(query) + 2) + [1] * (len(part) + 1)
            offsets.append(len(pieces))
            questions.append(number)
            firsts.append(first)
            places.append(len(query) + 2)
            counts.append(len(part))
            cut_windows += is_cut
    return Windows(
        inputs=Inputs(
            pieces=np.array(pieces, dtype=np.int32),
            segments=np.array(segments, dtype=np.int8),
            offsets=np.array(offsets, dtype=np.int64),
            truncated=cut_windows,
            padding=tokenizer.pad_token_id,
        ),
        questions=np.array(questions, dtype=np.int64),
        firsts=np.array(firsts, dtype=np.int64),
        places=np.array(places, dtype=np.int64),
        counts=np.array(counts, dtype=np.int64),
        spans=[spans_of[passage] for passage in passages],
        cut_questions=cut_questions,
        long_passages=int(np.count_nonzero(np.bincount(questions) > 1)),
    )


def window_starts(length: int, *, room: int, stride: int) -> list[int]:
    """Where the windows of a passage start.

    A stride longer than a window would leave pieces out, so windows then follow each other closely.
    """
    starts = [0]
    while starts[-1] + room < length:
        starts.append(starts[-1] + min(stride, room))
    return starts


def piece_spans(text: str, encoding: Encoding) -> IntArray:
    """Start and end of each piece in code points of the text, shape [pieces, 2].

    Uncased tokenizers drop combining marks, and with them the marks' place; those that follow a
    piece are counted to it, so that a word's pieces give the word back.
    """
    spans = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    if text.isascii() or not len(spans):
        return spans
    following = [*spans[1:, 0], len(text)]
    for place, ((_, end), limit) in enumerate(zip(spans.tolist(), following, strict=True)):
        while end < limit and unicodedata.category(text[end]).startswith("M"):
            end += 1
        spans[place, 1] = end
    return spans


def pieces_of_answer(spans: IntArray, start: int, end: int) -> tuple[int, int] | None:
    """First and last piece that an answer touches; None if it touches none.

    Args:
        spans: pieces of the passage, shape [pieces, 2].
        start: code point where the answer starts.
        end: code point after its last.
    """
    touched = np.flatnonzero((spans[:, 0] < end) & (spans[:, 1] > start))
    return (int(touched[0]), int(touched[-1])) if len(touched) else None


def _encode(tokenizer: PreTrainedTokenizerFast, texts: Sequence[str]) -> Mapping[str, Encoding]:
    """Encode each text once; many questions share a passage."""
    distinct = list(dict.fromkeys(texts))
    found: dict[str, Encoding] = {}
    for start in range(0, len(distinct), _AT_ONCE):
        part = distinct[start : start + _AT_ONCE]
        encoded = tokenizer.backend_tokenizer.encode_batch(part, add_special_tokens=False)
        found.update(zip(part, encoded, strict=True))
    return found
