"""Turn sentences that are split into words into inputs of an encoder: [CLS] words [SEP]."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from transformers import PreTrainedTokenizerFast

from tunescope.encoders.inputs import NO_WORD, Inputs


@dataclass(frozen=True)
class WordInputs:
    """Inputs whose pieces know their word.

    Attributes:
        inputs: with `words`.
        offsets: words of sentence i are offsets[i] to offsets[i + 1] - 1, shape [sentences + 1].
        pieces: pieces of each word before anything was cut, shape [words].
        kept: pieces of each word that its input has, shape [words]; 0 beyond the cut.
        unknown: words for which the tokenizer has no piece at all (control characters, for
            example); each stands as one unknown token.
    """

    inputs: Inputs
    offsets: npt.NDArray[np.int64]
    pieces: npt.NDArray[np.int64]
    kept: npt.NDArray[np.int64]
    unknown: int


def make_word_inputs(
    tokenizer: PreTrainedTokenizerFast, sentences: Sequence[Sequence[str]], *, max_length: int
) -> WordInputs:
    """Tokenize sentences word by word.

    A sentence longer than the limit loses pieces at its end; a word at the cut keeps the pieces
    before it.

    Args:
        tokenizer: of the encoder.
        sentences: words of each sentence, at least one.
        max_length: longest input in pieces, [CLS] and [SEP] included.
    """
    start, separator = tokenizer.cls_token_id, tokenizer.sep_token_id
    vocabulary = sorted(set(chain.from_iterable(sentences)))
    encoded = tokenizer.backend_tokenizer.encode_batch_fast(vocabulary, add_special_tokens=False)
    unknown_token = tokenizer.unk_token_id
    ids = {word: one.ids for word, one in zip(vocabulary, encoded, strict=True)}
    unknown = 0
    pieces: list[int] = []
    words: list[int] = []
    input_offsets, word_offsets, lengths, kept = [0], [0], [], []
    truncated = 0
    for sentence in sentences:
        room = max_length - 2
        pieces.append(start)
        words.append(NO_WORD)
        for number, word in enumerate(sentence):
            unknown += not ids[word]
            found = ids[word] or [unknown_token]
            part = found[:room]
            room -= len(part)
            pieces += part
            words += [number] * len(part)
            lengths.append(len(found))
            kept.append(len(part))
        pieces.append(separator)
        words.append(NO_WORD)
        input_offsets.append(len(pieces))
        word_offsets.append(len(lengths))
        first = word_offsets[-2]
        truncated += lengths[first:] != kept[first:]
    inputs = Inputs(
        pieces=np.array(pieces, dtype=np.int32),
        segments=np.zeros(len(pieces), dtype=np.int8),
        offsets=np.array(input_offsets, dtype=np.int64),
        truncated=truncated,
        padding=tokenizer.pad_token_id,
        words=np.array(words, dtype=np.int32),
    )
    return WordInputs(
        inputs=inputs,
        offsets=np.array(word_offsets, dtype=np.int64),
        pieces=np.array(lengths, dtype=np.int64),
        kept=np.array(kept, dtype=np.int64),
        unknown=unknown,
    )
