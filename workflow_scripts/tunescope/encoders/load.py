"""Encoder folders: what every later stage reads, and how one is written."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from glob import escape
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import BertModel, PreTrainedTokenizerFast

from tunescope.encoders.architecture import empty_encoder, read_config
from tunescope.encoders.origin import ORIGIN_FILE, Origin, write_origin
from tunescope.encoders.tokenizer import read_tokenizer
from tunescope.encoders.weights import encoder_weights, read_tensors
from tunescope.errors import InputError
from tunescope.provenance.digests import file_sha256, fsync_folder

WEIGHTS = "model.safetensors"


@dataclass(frozen=True)
class Encoder:
    """An encoder ready for use.

    Attributes:
        model: in evaluation mode, in float32, on the CPU.
        tokenizer: without truncation and padding of its own.
        layers: number of blocks.
        heads: attention heads a block.
        hidden: width of the hidden states.
        max_length: longest input in word pieces, special tokens included.
    """

    model: BertModel
    tokenizer: PreTrainedTokenizerFast
    layers: int
    heads: int
    hidden: int
    max_length: int


def load_encoder(folder: Path, *, attention: str = "sdpa") -> Encoder:
    """Load an encoder folder.

    Args:
        folder: as written by `save_encoder`.
        attention: implementation: `sdpa` is fast, `eager` can return attention maps, and any name
            registered with transformers' AttentionInterface is allowed.

    Raises:
        InputError: a file is missing, damaged or does not fit the others.
    """
    if not (folder / ORIGIN_FILE).is_file():
        raise InputError(
            folder,
            f"no encoder folder: no {ORIGIN_FILE}",
            "Let the workflow make it (fetch_encoder)",
        )
    config = read_config(folder)
    model = empty_encoder(config)
    path = folder / WEIGHTS
    weights = encoder_weights(read_tensors(path), model.state_dict(), path)
    if weights.missing_pooler:
        raise InputError(path, "has no pooler", "Make the encoder folder again")
    model.load_state_dict(dict(weights.state), strict=True)
    model.set_attn_implementation(attention)
    return Encoder(
        model=model,
        tokenizer=read_tokenizer(
            folder, vocabulary=config.vocab_size, max_length=config.max_position_embeddings
        ),
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        hidden=config.hidden_size,
        max_length=config.max_position_embeddings,
    )


def save_encoder(
    model: BertModel, tokenizer: PreTrainedTokenizerFast, origin: Origin, folder: Path
) -> None:
    """Write an encoder folder, all of it or nothing; a folder of that name is replaced.

    The same weights give the same bytes.
    """
    temporary = new_folder(folder)
    write_encoder_files(model, tokenizer, origin, temporary)
    publish_folder(temporary, folder)


def write_encoder_files(
    model: BertModel, tokenizer: PreTrainedTokenizerFast, origin: Origin, folder: Path
) -> None:
    """Write the files of an encoder into a folder that is there."""
    state = {
        name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()
    }
    save_file(state, folder / WEIGHTS, metadata={"format": "pt"})
    model.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    write_origin(origin, folder)


def save_tensors(tensors: Mapping[str, torch.Tensor], path: Path) -> None:
    """Write tensors as safetensors; the same tensors give the same bytes."""
    content = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    save_file(content, path, metadata={"format": "pt"})
    path.chmod(0o644)  # the library makes it readable for its owner alone


def new_folder(folder: Path) -> Path:
    """Make an empty folder beside the one that is to be published.

    What killed processes left there goes.
    """
    for left_over in folder.parent.glob(f".{escape(folder.name)}.*.partial"):
        shutil.rmtree(left_over, ignore_errors=True)
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    temporary.mkdir(parents=True)
    return temporary


def publish_folder(temporary: Path, folder: Path) -> None:
    """Give a finished folder its name, once its files are on the disk."""
    for path in temporary.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    fsync_folder(temporary)
    shutil.rmtree(folder, ignore_errors=True)
    temporary.rename(folder)
    fsync_folder(folder.parent)


def weights_sha256(folder: Path) -> str:
    """Hash of an encoder folder's weights: what stores and predictions say they were made with."""
    return file_sha256(folder / WEIGHTS)
