"""Build BERT encoders from their configuration, empty or with random weights."""

import json
from pathlib import Path

import torch
from torch import nn
from transformers import BertConfig, BertModel
from transformers.initialization import no_init_weights

from tunescope.errors import InputError


def read_config(folder: Path) -> BertConfig:
    """Read a folder's `config.json`.

    Raises:
        InputError: it is missing or damaged, of another architecture than BERT's, or asks for code
            that comes with the checkpoint.
    """
    path = folder / "config.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(
            path, "no such file", "Give a folder that holds config.json beside the weights"
        ) from error
    except (OSError, ValueError) as error:
        raise InputError(path, f"not readable as JSON ({error})", "Get the file again") from error
    if not isinstance(content, dict) or content.get("model_type") != "bert":
        found = content.get("model_type") if isinstance(content, dict) else content
        raise InputError(
            path, f"model_type is {found!r}", "Give an encoder of the BERT architecture ('bert')"
        )
    if "auto_map" in content:
        raise InputError(
            path,
            "asks for code of its own (auto_map), which is never run",
            "Give a checkpoint of the standard BERT architecture",
        )
    if content.get("position_embedding_type", "absolute") != "absolute" or content.get(
        "is_decoder"
    ):
        raise InputError(
            path,
            "asks for relative positions or a decoder",
            "Give an encoder with absolute position embeddings",
        )
    try:
        return BertConfig.from_dict(content)
    except (ValueError, TypeError) as error:
        raise InputError(path, f"refused: {error}", "Get the file again") from error


def empty_encoder(config: BertConfig) -> BertModel:
    """Build an encoder with its pooler whose weights are still to be filled in."""
    if config.hidden_size % config.num_attention_heads:
        raise ValueError(
            f"hidden size {config.hidden_size} is no multiple of {config.num_attention_heads} heads"
        )
    with no_init_weights():
        model = BertModel(config, add_pooling_layer=True)
    model.eval()
    return model


def initialise(module: nn.Module, deviation: float, generator: torch.Generator) -> None:
    """Draw a module's weights as BERT's initialiser does (Devlin et al. 2019, released code).

    Linear and embedding weights from a normal distribution of the given deviation around 0, biases
    0, LayerNorm weights 1.

    Args:
        module: changed in place; its parameters are drawn in the order of their names.
        deviation: standard deviation (`initializer_range`, .02).
        generator: of the draws, on the CPU.
    """
    with torch.no_grad():
        for name, parameter in sorted(module.named_parameters()):
            if name.endswith("bias"):
                parameter.zero_()
            elif "LayerNorm" in name:
                parameter.fill_(1.0)
            else:
                parameter.normal_(0.0, deviation, generator=generator)


def random_encoder(config: BertConfig, *, seed: int) -> BertModel:
    """Build an encoder with random weights; the seed alone determines them."""
    model = empty_encoder(config)
    initialise(model, config.initializer_range, torch.Generator().manual_seed(seed))
    return model
