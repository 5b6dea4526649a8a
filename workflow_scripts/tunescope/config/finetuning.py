"""Settings of fine-tuning (`finetuning:`) and of the tasks (`tasks:`)."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from tunescope.config.base import Settings

Metric = Literal[
    "accuracy",
    "f1",
    "pearson",
    "spearman",
    "squad_f1",
    "em",
    "las",
    "uas",
    "label_accuracy",
    "las_pieces",
]

#: What the published schedule has otherwise for some corpora, by format or part of a language:
#: merchant2020 (section 3) for parsing, Devlin et al. (2019, released code) for SQuAD.
PUBLISHED: Mapping[str, Mapping[str, object]] = {
    "conllu": {"learning_rate": 3e-5, "epochs": 20},
    "treebank": {"learning_rate": 3e-5, "epochs": 20},
    "squad": {"max_length": 384},
}


class FinetuningSettings(Settings):
    """The published schedule (kovaleva2019, section 3; merchant2020 follows Devlin et al. 2019)."""

    epochs: int = Field(3, ge=1)
    """Passes over the training split."""
    batch_size: int = Field(32, ge=1)
    """Examples a step."""
    learning_rate: float = Field(5e-5, gt=0)
    """Peak learning rate, of encoder and head alike."""
    warmup: float = Field(0.1, ge=0, le=1)
    """Share of the steps in which the learning rate rises; then it falls linearly to zero."""
    weight_decay: float = Field(0.01, ge=0)
    """Decoupled weight decay, not applied to biases and LayerNorm."""
    optimizer: Literal["bert-adam", "adamw"] = "bert-adam"
    """`bert-adam` is the published one: no bias correction, gradients clipped tensor by tensor."""
    max_gradient_norm: float = Field(1.0, gt=0)
    """Largest norm of a gradient: of each tensor with bert-adam, of all together with adamw."""
    dropout: float = Field(0.1, ge=0, lt=1)
    """Dropout on hidden states, attention and the pooled [CLS] state."""
    max_length: int = Field(128, ge=8)
    """Longest input in word pieces; longer pairs lose pieces of their longer part first."""
    stride: int = Field(128, ge=1)
    """Pieces between the starts of two windows of a passage that is longer than an input."""
    max_query: int = Field(64, ge=1)
    """Longest question in word pieces; longer ones lose pieces at their end."""
    max_answer: int = Field(30, ge=1)
    """Longest answer that is predicted, in word pieces."""
    arc_width: int = Field(500, ge=1)
    """Width of the vectors with which the parser scores arcs (Dozat and Manning 2017)."""
    label_width: int = Field(100, ge=1)
    """Width of the vectors with which the parser scores the labels of arcs."""
    parser_dropout: float = Field(0.33, ge=0, lt=1)
    """Dropout on these vectors."""
    evaluation_batch_size: int = Field(64, ge=1)
    """Examples a forward pass in evaluation; no effect on results."""
    checkpoint_seconds: float = Field(300, ge=0)
    """Seconds between checkpoints from which a killed job goes on."""
    bf16: bool = True
    """Train in bfloat16 where the hardware has it; CPUs train in float32."""


class TaskSettings(Settings):
    """One fine-tuning task."""

    corpus: str
    """A name under `corpora`."""
    metrics: tuple[Metric, ...]
    """Metrics of the task; the first is its headline."""
    positive_label: str | None = None
    """Label whose F1 is meant, for tasks scored by F1."""
    evaluation_split: str = "dev"
    """Split that is scored."""
    finetuning: dict[str, object] = Field(default_factory=dict)
    """Settings of `finetuning` that differ for this task."""
