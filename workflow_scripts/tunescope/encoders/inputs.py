"""Turn texts into inputs of an encoder: [CLS] a [SEP], or [CLS] a [SEP] b [SEP]."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from transformers import PreTrainedTokenizerFast

#: Number of the word of pieces that belong to none.
NO_WORD = -1
_AT_ONCE = 10_000  # texts tokenized in one call


@dataclass(frozen=True)
class Inputs:
    """Inputs of any length, one after the other.

    Attributes:
        pieces: piece ids of all inputs, special tokens included, shape [pieces], int32.
        segments: 0 up to the first [SEP], then 1, shape [pieces], int8.
        offsets: where each input starts, shape [inputs + 1].
        truncated: how many inputs were cut to the longest length.
        padding: id of the piece that pads a batch.
        words: number of the word in its input that each piece belongs to, NO_WORD for special
            tokens, shape [pieces], int32; None for inputs whose words are not told apart.
    """

    pieces: npt.NDArray[np.int32]
    segments: npt.NDArray[np.int8]
    offsets: npt.NDArray[np.int64]
    truncated: int
    padding: int
    words: npt.NDArray[np.int32] | None = None

    def __len__(self) -> int:
        """Number of inputs."""
        return len(self.offsets) - 1

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Pieces of each input."""
        return np.diff(self.offsets)

    def sha256(self) -> str:
        """Hash of all inputs."""
        digest = hashlib.sha256()
        for array in (self.pieces, self.segments, self.offsets):
            digest.update(array.tobytes())
        if self.words is not None:
            digest.update(self.words.tobytes())
        return digest.hexdigest()

    def batch(self, indices: npt.NDArray[np.int64]) -> dict[str, torch.Tensor]:
        """Pad some inputs on the right to the longest of them.

        Returns:
            `input_ids`, `token_type_ids` and `attention_mask`, each [len(indices), longest], and
            `words` (NO_WORD where padded) if words are told apart.
        """
        starts, lengths = self.offsets[indices], self.lengths[indices]
        columns = np.arange(lengths.max())
        mask = columns < lengths[:, None]
        places = np.where(mask, starts[:, None] + columns, 0)
        pieces = np.where(mask, self.pieces[places], self.padding)
        segments = np.where(mask, self.segments[places], 0)
        batch = {
            "input_ids": torch.from_numpy(pieces.astype(np.int64)),
            "token_type_ids": torch.from_numpy(segments.astype(np.int64)),
            "attention_mask": torch.from_numpy(mask.astype(np.int64)),
        }
        if self.words is not None:
            words = np.where(mask, self.words[places], NO_WORD)
            batch["words"] = torch.from_numpy(words.astype(np.int64))
        return batch


def make_inputs(
    tokenizer: PreTrainedTokenizerFast,
    first: Sequence[str],
    second: Sequence[str | None],
    *,
    max_length: int,
) -> Inputs:
    """Tokenize texts and pairs of texts.

    Args:
        tokenizer: of the encoder.
        first: first text of each input.
        second: second text of each input; None for inputs of one text.
        max_length: longest input in pieces, special tokens included; longer ones lose pieces at
            the end of their longer part, as `keep_of_pair` says (kovaleva2019, released code).
    """
    start, separator = tokenizer.cls_token_id, tokenizer.sep_token_id
    firsts = _tokenize(tokenizer, first)
    pairs = [number for number, text in enumerate(second) if text is not None]
    seconds = dict(
        zip(pairs, _tokenize(tokenizer, [str(second[number]) for number in pairs]), strict=True)
    )
    pieces: list[int] = []
    segments: list[int] = []
    offsets = np.zeros(len(firsts) + 1, dtype=np.int64)
    truncated = 0
    for number, a in enumerate(firsts):
        b = seconds.get(number)
        if b is None:
            kept = a[: max_length - 2]
            truncated += len(kept) < len(a)
            pieces += [start, *kept, separator]
            segments += [0] * (len(kept) + 2)
        else:
            keep_a, keep_b = keep_of_pair(len(a), len(b), max_length - 3)
            truncated += keep_a + keep_b < len(a) + len(b)
            pieces += [start, *a[:keep_a], separator, *b[:keep_b], separator]
            segments += [0] * (keep_a + 2) + [1] * (keep_b + 1)
        offsets[number + 1] = len(pieces)
    return Inputs(
        pieces=np.array(pieces, dtype=np.int32),
        segments=np.array(segments, dtype=np.int8),
        offsets=offsets,
        truncated=truncated,
        padding=tokenizer.pad_token_id,
    )


def keep_of_pair(first: int, second: int, room: int) -> tuple[int, int]:
    """How many pieces of each part of a pair stay, if the longer part loses pieces one by one.

    Where both are as long, the second loses one: the first keeps the odd piece.
    """
    if first + second <= room:
        return first, second
    half = room // 2
    if first <= half:
        return first, room - first
    if second <= half:
        return room - second, second
    return room - half, half


def _tokenize(tokenizer: PreTrainedTokenizerFast, texts: Sequence[str]) -> list[list[int]]:
    backend = tokenizer.backend_tokenizer
    ids: list[list[int]] = []
    for start in range(0, len(texts), _AT_ONCE):
        part = list(texts[start : start + _AT_ONCE])
        ids += [one.ids for one in backend.encode_batch_fast(part, add_special_tokens=False)]
    return ids
