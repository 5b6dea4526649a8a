"""What the training loop and the run folder know of a task."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from transformers import PreTrainedTokenizerFast

from tunescope.corpora.canonical import Split
from tunescope.encoders.inputs import Inputs


@dataclass(frozen=True)
class Examples:
    """The examples of a split as a model takes them.

    Attributes:
        inputs: of the encoder.
        targets: what the head is to predict; arrays whose first axis is the example.
        rows: number of each example's record in the source, shape [examples]; a record that takes
            several inputs (a long passage's windows) is there several times.
    """

    inputs: Inputs
    targets: Mapping[str, npt.NDArray[Any]]
    rows: npt.NDArray[np.int64]


class Task(Protocol):
    """A task that encoders are fine-tuned on; the loop knows no more of it than this."""

    @property
    def kind(self) -> str:
        """Kind of corpus, a key of `corpora.canonical.SCHEMAS`."""

    def examples(
        self, split: Split, tokenizer: PreTrainedTokenizerFast, *, max_length: int
    ) -> Examples:
        """Turn a split into examples; raises InputError where it does not fit the task."""

    def head(self, hidden: int, dropout: float) -> nn.Module:
        """Make the head.

        It takes states [inputs, length, hidden], pooled states and the attention mask, and by name
        what else the inputs' batches hold (`words`).
        """

    def loss(self, scores: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Mean loss of a batch."""

    def describe(self) -> dict[str, Any]:
        """All that `task_of_description` needs to make the task again."""
