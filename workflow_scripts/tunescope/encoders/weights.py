"""Read the weights of a BERT checkpoint, whatever it was saved with, into one form."""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from tunescope.errors import InputError

#: Names of the weights' file, best first.
WEIGHT_FILES = ("model.safetensors", "pytorch_model.bin")
#: What stands on top of the encoder in checkpoints of whole models.
_HEADS = ("cls.", "classifier.", "qa_outputs.")
_BUFFERS = ("embeddings.position_ids", "embeddings.token_type_ids")
_OLD_NAMES = (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias"))
_POOLER = ("pooler.dense.weight", "pooler.dense.bias")
_REMEDY = "Give the complete checkpoint of a BERT encoder with the config.json that belongs to it"


@dataclass(frozen=True)
class Weights:
    """Weights under the names that BertModel gives them, in float32.

    Attributes:
        state: tensors by name.
        missing_pooler: whether the checkpoint has no pooler.
        notes: what was renamed, converted or left out.
    """

    state: Mapping[str, torch.Tensor]
    missing_pooler: bool
    notes: tuple[str, ...]


def find_weights(folder: Path) -> Path:
    """Find the weights' file of a folder, safetensors before a pickled one.

    Raises:
        InputError: there is none.
    """
    for name in WEIGHT_FILES:
        if (folder / name).is_file():
            return folder / name
    found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else "no such folder"
    raise InputError(
        folder,
        f"no weights ({' or '.join(WEIGHT_FILES)}); found {found}",
        "Give a folder that holds the weights in one file",
    )


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read a weights' file; a pickled one only as far as it holds tensors and plain containers.

    Raises:
        InputError: the file is cut short, damaged, or would run code.
    """
    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        content = torch.load(path, map_location="cpu", weights_only=True)
    except (SafetensorError, pickle.UnpicklingError, RuntimeError, EOFError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            path, f"cannot be read as weights ({reason})", "Get the file again; it may be cut short"
        ) from error
    if not isinstance(content, dict) or not all(
        isinstance(value, torch.Tensor) for value in content.values()
    ):
        raise InputError(path, "holds something else than named tensors", _REMEDY)
    return content


def encoder_weights(
    tensors: Mapping[str, torch.Tensor], expected: Mapping[str, torch.Tensor], path: Path
) -> Weights:
    """Bring a checkpoint's tensors into the form of BertModel.

    Removes the prefix `bert.`, renames the LayerNorm weights of old checkpoints, leaves heads and
    position buffers out, and casts to float32. Only the pooler may be missing.

    Args:
        tensors: the checkpoint's tensors by name.
        expected: the state of a BertModel of the checkpoint's configuration.
        path: the weights' file, for messages.

    Raises:
        InputError: tensors are missing, left over, of another shape or not finite.
    """
    state: dict[str, torch.Tensor] = {}
    heads, renamed, cast = [], 0, set()
    for original, tensor in tensors.items():
        name = original.removeprefix("bert.")
        for old, new in _OLD_NAMES:
            if name.endswith(old):
                name, renamed = name.removesuffix(old) + new, renamed + 1
        if name.startswith(_HEADS):
            heads.append(original)
        elif name not in _BUFFERS:
            if tensor.dtype != torch.float32:
                cast.add(str(tensor.dtype).removeprefix("torch."))
            state[name] = tensor.to(torch.float32).contiguous()
    _check(state, expected, path)
    missing_pooler = _POOLER[0] not in state
    notes = []
    if path.suffix != ".safetensors":
        notes.append(f"converted from {path.name}, read as tensors only")
    if renamed:
        notes.append(f"{renamed} LayerNorm weights renamed from gamma and beta")
    if cast:
        notes.append(f"cast from {', '.join(sorted(cast))} to float32")
    if heads:
        notes.append(f"left out {len(heads)} tensors of heads: {', '.join(sorted(heads))}")
    return Weights(state, missing_pooler, tuple(notes))


def _check(
    state: Mapping[str, torch.Tensor], expected: Mapping[str, torch.Tensor], path: Path
) -> None:
    missing = [name for name in expected if name not in state]
    if missing == [name for name in expected if name in _POOLER]:
        missing = []
    unexpected = [name for name in state if name not in expected]
    if missing or unexpected:
        parts = [
            f"{len(names)} tensors {what}, such as {', '.join(names[:3])}"
            for what, names in (("missing", missing), ("not of this architecture", unexpected))
            if names
        ]
        raise InputError(path, "; ".join(parts), _REMEDY)
    for name, tensor in state.items():
        if tensor.shape != expected[name].shape:
            raise InputError(
                path,
                f"{name} is {tuple(tensor.shape)}, config.json asks for "
                f"{tuple(expected[name].shape)}",
                _REMEDY,
            )
        if not torch.isfinite(tensor).all():
            raise InputError(path, f"{name} holds values that are not finite", _REMEDY)
