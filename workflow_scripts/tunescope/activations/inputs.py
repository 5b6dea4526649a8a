"""Inputs on which encoders are compared: drawn once from a corpus, then cut into word pieces.

The draw depends on the corpus and the settings alone, so that every encoder and run sees the same
examples; word pieces depend on the tokenizer too, and `Inputs.content_hash` tells them apart.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding
from transformers import PreTrainedTokenizerBase

from tunescope.config.similarity import StimuliSettings
from tunescope.corpora.canonical import Split
from tunescope.errors import InputError

SPECIAL = -1  # word id of [CLS] and [SEP]

_PARTS = {
    "classification": ("text_a", "text_b"),
    "regression": ("text_a", "text_b"),
    "question_answering": ("question", "context"),
    "treebank": ("words", None),
    "text": ("text", None),
}
_AT_ONCE = 1_000  # inputs given to the tokenizer at a time


@dataclass(frozen=True, eq=False)
class Inputs:
    """Inputs in word pieces, one after the other without padding.

    Attributes:
        rows: row of each input in its corpus' source, shape [inputs].
        offsets: input i has the pieces offsets[i] to offsets[i + 1] - 1, shape [inputs + 1].
        piece_ids: vocabulary index of each piece, special tokens included, shape [pieces].
        segments: 0 for the first part, 1 for the second, shape [pieces].
        word_ids: number of each piece's word within its input, counted on through both parts, -1
            for special tokens, shape [pieces]. Words are the treebank's where the corpus has them,
            else the tokenizer's (split at blanks and punctuation).
        cut: whether an input was too long and lost pieces at its end, shape [inputs].
        replaced_words: words of a treebank for which the tokenizer has no piece (control
            characters, for example); each stands as one unknown token, so that words stay aligned.
        empty: inputs without a piece of their own: nothing but special tokens.
    """

    rows: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    piece_ids: npt.NDArray[np.int32]
    segments: npt.NDArray[np.int8]
    word_ids: npt.NDArray[np.int32]
    cut: npt.NDArray[np.bool_]
    replaced_words: int
    empty: int

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def counts(self) -> dict[str, int]:
        """What the inputs hold and how the rules for odd ones applied."""
        return {
            "inputs": len(self),
            "pieces": len(self.piece_ids),
            "cut": int(self.cut.sum()),
            "replaced_words": self.replaced_words,
            "empty": self.empty,
        }

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of all that reaches a model, and of the words: the corpus hash of stores."""
        digest = hashlib.sha256()
        for array in (self.rows, self.offsets, self.piece_ids, self.segments, self.word_ids):
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def draw_rows(split: Split, settings: StimuliSettings) -> npt.NDArray[np.int64]:
    """Positions in the split's table of the inputs to use, ascending; all if it has no more."""
    available = split.table.num_rows
    if settings.inputs >= available:
        return np.arange(available)
    generator = np.random.default_rng(settings.seed)
    return np.sort(generator.choice(available, settings.inputs, replace=False))


def make_inputs(
    split: Split,
    settings: StimuliSettings,
    tokenizer: PreTrainedTokenizerBase,
    *,
    max_length: int,
) -> Inputs:
    """Draw inputs from a corpus and cut them into word pieces.

    An input longer than the limit is cut to it: pieces are taken off the end, of the longer part
    first if there are two (a question stays whole while its passage is longer). A word at the cut
    keeps the pieces before it.

    Args:
        split: the corpus' split.
        settings: which part, how many inputs, seed of the draw, length limit.
        tokenizer: a fast tokenizer, since only these know each piece's word.
        max_length: longest input that the encoder takes, in pieces with special tokens; the lower
            of this and the settings' limit counts.

    Raises:
        InputError: the split has no rows, lacks the part asked for, or the tokenizer is not fast.
    """
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            type(tokenizer).__name__,
            "no fast tokenizer, so words and pieces cannot be matched",
            "Give the encoder a tokenizer.json",
        )
    if split.table.num_rows == 0:
        raise InputError(split.accounting.source, "no rows to draw inputs from", "Check the corpus")
    table = split.table.take(draw_rows(split, settings))
    first, second = _parts(split, table, settings)
    replaced = 0
    if split.kind == "treebank":
        first, replaced = _replace_words_without_pieces(first, tokenizer)
    encodings = _encode(
        first,
        second,
        tokenizer,
        max_length=min(settings.max_length, max_length),
        words=split.kind == "treebank",
    )
    rows = np.asarray(table["row"].to_pylist(), dtype=np.int64)
    return _flatten(encodings, rows, replaced)


def _parts(
    split: Split, table: Any, settings: StimuliSettings
) -> tuple[list[Any], list[Any] | None]:
    """The texts (or words) of both parts; no second where one is not asked for or not there."""
    name_a, name_b = _PARTS[split.kind]
    first = table[name_a].to_pylist()
    second = None if name_b is None else table[name_b].to_pylist()
    if second is not None and all(text is None for text in second):
        second = None
    if settings.part == "first" or (settings.part == "pair" and second is None):
        return first, None
    if second is None:
        raise InputError(
            f"stimuli with corpus: {settings.corpus}",
            f"part: {settings.part}, but the corpus ({split.kind}) has one part only",
            "Set part: pair or first",
        )
    missing = sum(text is None for text in second)
    if missing:
        raise InputError(
            split.accounting.source,
            f"{missing} of {len(second)} drawn rows lack their second part",
            "Repair the rows, or set part: first",
        )
    return (second, None) if settings.part == "second" else (first, second)


def _replace_words_without_pieces(
    sentences: list[Any], tokenizer: PreTrainedTokenizerBase
) -> tuple[list[Any], int]:
    """Put the unknown token where a word alone would leave no piece."""
    words = sorted({word for sentence in sentences for word in sentence})
    lengths = [
        len(ids)
        for start in range(0, len(words), _AT_ONCE)
        for ids in tokenizer(words[start : start + _AT_ONCE], add_special_tokens=False).input_ids
    ]
    without = {word for word, length in zip(words, lengths, strict=True) if length == 0}
    replaced = sum(word in without for sentence in sentences for word in sentence)
    unknown = tokenizer.unk_token
    kept = [[unknown if word in without else word for word in sentence] for sentence in sentences]
    return kept, replaced


def _encode(
    first: list[Any],
    second: list[Any] | None,
    tokenizer: PreTrainedTokenizerBase,
    *,
    max_length: int,
    words: bool,
) -> Iterable[Encoding]:
    for start in range(0, len(first), _AT_ONCE):
        chosen = slice(start, start + _AT_ONCE)
        batch = tokenizer(
            first[chosen],
            None if second is None else second[chosen],
            is_split_into_words=words,
            truncation="longest_first",
            max_length=max_length,
            return_token_type_ids=True,
        )
        yield from batch.encodings


def _flatten(encodings: Iterable[Encoding], rows: npt.NDArray[np.int64], replaced: int) -> Inputs:
    piece_ids: list[int] = []
    segments: list[int] = []
    word_ids: list[int] = []
    offsets, cut, empty = [0], [], 0
    for encoding in encodings:
        piece_ids += encoding.ids
        segments += encoding.type_ids
        numbers = _word_numbers(encoding)
        word_ids += numbers
        offsets.append(len(piece_ids))
        cut.append(len(encoding.overflowing) > 0)
        empty += all(number == SPECIAL for number in numbers)
    return Inputs(
        rows=rows,
        offsets=np.asarray(offsets, dtype=np.int64),
        piece_ids=np.asarray(piece_ids, dtype=np.int32),
        segments=np.asarray(segments, dtype=np.int8),
        word_ids=np.asarray(word_ids, dtype=np.int32),
        cut=np.asarray(cut, dtype=np.bool_),
        replaced_words=replaced,
        empty=empty,
    )


def _word_numbers(encoding: Encoding) -> list[int]:
    """Consecutive word numbers through both parts; a tokenizer starts again with the second."""
    numbers, seen, last = [], -1, None
    for part, word in zip(encoding.sequence_ids, encoding.word_ids, strict=True):
        if part is None:
            numbers.append(SPECIAL)
            continue
        if (part, word) != last:
            seen, last = seen + 1, (part, word)
        numbers.append(seen)
    return numbers
