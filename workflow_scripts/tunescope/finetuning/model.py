"""An encoder with a task's head, and the run folder that holds both."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import BertModel

from tunescope.encoders.load import Encoder, load_encoder
from tunescope.encoders.weights import read_tensors
from tunescope.errors import InputError
from tunescope.finetuning.forward import run_encoder, run_head
from tunescope.finetuning.protocol import Task
from tunescope.finetuning.tasks import task_of_description

HEAD_WEIGHTS = "head.safetensors"
HEAD = "head.json"


class FineTuned(nn.Module):
    """An encoder with a head on top."""

    def __init__(self, encoder: BertModel, head: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = head

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Scores of the head for a batch of `encoders.inputs.Inputs`."""
        return run_head(self.head, run_encoder(self.encoder, batch), batch)


@dataclass(frozen=True)
class Run:
    """A fine-tuned encoder, ready to predict.

    Attributes:
        encoder: its body.
        head: its head, in evaluation mode.
        task: what it was fine-tuned on.
        max_length: longest input it was fine-tuned with, in pieces.
    """

    encoder: Encoder
    head: nn.Module
    task: Task
    max_length: int

    @property
    def model(self) -> FineTuned:
        """Body and head as one module."""
        return FineTuned(self.encoder.model, self.head).eval()


def set_dropout(module: nn.Module, dropout: float) -> None:
    """Set all dropout of a module; the attention takes its own from such a layer too."""
    for part in module.modules():
        if isinstance(part, nn.Dropout):
            part.p = dropout


def load_run(folder: Path, *, attention: str = "sdpa") -> Run:
    """Load a run folder.

    Raises:
        InputError: a file is missing, damaged or does not fit the others.
    """
    path = folder / HEAD
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        task = task_of_description(content["task"])
        dropout, max_length = float(content["dropout"]), int(content["max_length"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            path, f"no description of a head ({error})", "Give the folder of a fine-tuned encoder"
        ) from error
    encoder = load_encoder(folder, attention=attention)
    head = task.head(encoder.hidden, dropout).eval()
    weights = folder / HEAD_WEIGHTS
    try:
        head.load_state_dict(read_tensors(weights))
    except RuntimeError as error:
        raise InputError(
            weights,
            f"does not fit {HEAD} ({' '.join(str(error).split())})",
            "Make the run folder again",
        ) from error
    return Run(encoder, head, task, max_length)
