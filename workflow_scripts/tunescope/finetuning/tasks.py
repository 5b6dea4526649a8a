"""What a task adds to an encoder: its inputs, its head and its loss."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from transformers import PreTrainedTokenizerFast

from tunescope.config.finetuning import FinetuningSettings
from tunescope.corpora.canonical import Split
from tunescope.encoders.inputs import make_inputs
from tunescope.errors import InputError
from tunescope.finetuning.answering import AnsweringTask
from tunescope.finetuning.parsing import ParsingTask, relations_of
from tunescope.finetuning.protocol import Examples, Task


class PooledHead(nn.Module):
    """Dropout and one linear layer on the pooled [CLS] state (Devlin et al. 2019, section 4.1)."""

    def __init__(self, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.linear = nn.Linear(hidden, outputs)

    def forward(
        self, states: torch.Tensor, pooled: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """Scores, shape [inputs, outputs]."""
        scores: torch.Tensor = self.linear(self.dropout(pooled))
        return scores


@dataclass(frozen=True)
class SentenceTask:
    """Classification (cross-entropy) or regression (squared error) of sentences or pairs.

    Attributes:
        kind: `classification` or `regression`.
        labels: names of the classes in the order of the outputs; empty for regression.
    """

    kind: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.kind not in ("classification", "regression"):
            raise ValueError(f"no task of sentences: {self.kind}")
        if self.kind == "classification" and len(self.labels) < 2:
            raise ValueError(f"classification needs two labels, found {self.labels}")

    @property
    def outputs(self) -> int:
        """Numbers that the head gives for an input."""
        return len(self.labels) or 1

    def examples(
        self, split: Split, tokenizer: PreTrainedTokenizerFast, *, max_length: int
    ) -> Examples:
        """Turn a split into inputs and gold labels or scores.

        Raises:
            InputError: another kind of corpus, an empty one, examples without a gold label (the
                -1 of GLUE's test sets), labels that the task does not have, scores not finite.
        """
        source = split.accounting.source
        if split.kind != self.kind or split.table.num_rows == 0:
            raise InputError(
                source,
                f"{split.table.num_rows} rows of kind {split.kind}",
                f"This task needs a corpus of kind {self.kind} with at least one row",
            )
        inputs = make_inputs(
            tokenizer,
            split.table["text_a"].to_pylist(),
            split.table["text_b"].to_pylist(),
            max_length=max_length,
        )
        rows = split.table["row"].to_numpy()
        gold = self._classes(split) if self.labels else self._scores(split)
        return Examples(inputs, {"gold": gold}, rows)

    def _classes(self, split: Split) -> npt.NDArray[np.int64]:
        numbers = {label: number for number, label in enumerate(self.labels)}
        labels = split.table["label"].to_pylist()
        for row, label in zip(split.table["row"].to_pylist(), labels, strict=True):
            if label not in numbers:
                raise InputError(
                    f"{split.accounting.source}, row {row}",
                    "has no gold label" if label in (None, "-1") else f"label {label!r}",
                    f"Give a split whose labels are among {', '.join(self.labels)}",
                )
        return np.array([numbers[label] for label in labels], dtype=np.int64)

    def _scores(self, split: Split) -> npt.NDArray[np.float32]:
        values: npt.NDArray[np.float32] = split.table["score"].to_numpy().astype(np.float32)
        if not (finite := np.isfinite(values)).all():
            row = split.table["row"].to_pylist()[int(np.argmin(finite))]
            raise InputError(
                f"{split.accounting.source}, row {row}",
                "has no finite gold score",
                "Give a split with a gold score for each row",
            )
        return values

    def head(self, hidden: int, dropout: float) -> PooledHead:
        """Make the head."""
        return PooledHead(hidden, self.outputs, dropout)

    def loss(self, scores: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Mean cross-entropy or squared error."""
        gold = targets["gold"]
        if self.labels:
            return nn.functional.cross_entropy(scores.float(), gold)
        return nn.functional.mse_loss(scores.float().squeeze(1), gold)

    def describe(self) -> dict[str, Any]:
        """Kind and labels."""
        return {"kind": self.kind, "labels": list(self.labels)}


def task_of(split: Split, settings: FinetuningSettings | None = None) -> Task:
    """The task that a corpus poses.

    Args:
        split: training examples, whose labels are those of the task.
        settings: widths of the parser, windows of passages; the published ones if None.

    Raises:
        InputError: it poses none that encoders are fine-tuned on.
    """
    chosen = settings or FinetuningSettings()
    if split.kind in ("classification", "regression"):
        return SentenceTask(split.kind, split.labels)
    if split.kind == "treebank":
        return ParsingTask(
            labels=relations_of(split),
            arc=chosen.arc_width,
            label=chosen.label_width,
            dropout=chosen.parser_dropout,
        )
    if split.kind == "question_answering":
        return AnsweringTask(
            stride=chosen.stride, max_query=chosen.max_query, max_answer=chosen.max_answer
        )
    raise InputError(
        split.accounting.source,
        f"is of kind {split.kind}",
        "Fine-tuning takes corpora of kind classification, regression, question_answering or "
        "treebank",
    )


def task_of_description(description: Mapping[str, Any]) -> Task:
    """Make a task again from what `describe` gave."""
    values = dict(description)
    kind = values.pop("kind")
    if kind == "treebank":
        return ParsingTask(**{**values, "labels": tuple(values["labels"])})
    if kind == "question_answering":
        return AnsweringTask(**values)
    return SentenceTask(kind, tuple(values["labels"]))
