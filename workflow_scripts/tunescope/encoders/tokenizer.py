"""Read the tokenizer of a checkpoint, from tokenizer.json or a plain vocabulary."""

import json
from collections.abc import Mapping
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer
from transformers import PreTrainedTokenizerFast

from tunescope.errors import InputError

SPECIAL_TOKENS = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def read_tokenizer(folder: Path, *, vocabulary: int, max_length: int) -> PreTrainedTokenizerFast:
    """Read a folder's tokenizer: `tokenizer.json` as it is, else `vocab.txt`.

    The truncation and padding that a tokenizer.json may carry are switched off.

    Args:
        folder: the checkpoint's folder.
        vocabulary: rows of the encoder's word embeddings.
        max_length: positions of the encoder.

    Raises:
        InputError: there is no tokenizer, it lacks one of BERT's special tokens, or it has pieces
            for which the encoder has no embedding.
    """
    path = folder / "tokenizer.json"
    if path.is_file():
        try:
            backend = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises plain Exception
            raise InputError(path, f"no tokenizer ({error})", "Get the file again") from error
    elif (path := folder / "vocab.txt").is_file():
        backend = _from_vocabulary(path)
    else:
        raise InputError(
            folder, "no tokenizer.json and no vocab.txt", "Add the tokenizer of the checkpoint"
        )
    backend.no_truncation()
    backend.no_padding()
    pieces = backend.get_vocab(with_added_tokens=True)
    _require_special(pieces, path)
    if (largest := max(pieces.values())) >= vocabulary:
        raise InputError(
            path,
            f"has pieces numbered up to {largest}, the encoder embeddings for {vocabulary}",
            "Give the tokenizer that the weights were trained with",
        )
    return wrap_tokenizer(backend, max_length=max_length)


def wrap_tokenizer(backend: Tokenizer, *, max_length: int) -> PreTrainedTokenizerFast:
    """Wrap a tokenizer with BERT's special tokens."""
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=max_length,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **SPECIAL_TOKENS,
    )


def _from_vocabulary(path: Path) -> Tokenizer:
    options = path.with_name("tokenizer_config.json")
    try:
        config = json.loads(options.read_text(encoding="utf-8")) if options.is_file() else {}
        lowercase = config.get("do_lower_case", True)
        # pieces are lines that may hold any separator but the newline
        pieces = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, ValueError) as error:
        raise InputError(path, f"not readable ({error})", "Get the file again") from error
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    if len(vocabulary) < len(pieces):
        raise InputError(path, "has a piece twice", "Get the file again")
    _require_special(vocabulary, path)
    tokenizer = BertWordPieceTokenizer(
        vocabulary,
        lowercase=lowercase,
        strip_accents=config.get("strip_accents"),
        handle_chinese_chars=config.get("tokenize_chinese_chars", True),
    )
    return Tokenizer.from_str(tokenizer.to_str())


def _require_special(pieces: Mapping[str, int], path: Path) -> None:
    lacking = [token for token in SPECIAL_TOKENS.values() if token not in pieces]
    if lacking:
        raise InputError(
            path, f"has no {', '.join(lacking)}", "Give a tokenizer with BERT's special tokens"
        )
