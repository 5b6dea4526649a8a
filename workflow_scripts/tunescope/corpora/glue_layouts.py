"""Columns and label names of the GLUE tasks, in their official files and on the hub."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class GlueLayout:
    """Where one task keeps its texts and label.

    Attributes:
        kind: `classification` or `regression`.
        text_a: column of the first text, in the official file.
        text_b: column of the second text; none for a task of single sentences.
        target: column of the label or score, in the official file.
        hub_text_a: column of the first text on the hub.
        hub_text_b: column of the second text on the hub.
        labels: name of each value of the official label column, in the order of the hub's label
            ids. The official files write words in some tasks and numbers in others.
        unlabelled: values that mean "annotators did not agree"; such rows are dropped and counted.
        target_is_last: the target is the last field of a line, whatever the header says.
        extra_fields: how many fields a line may have beyond the header.
        may_drop_broken: lines with too few fields are dropped and counted instead of refused.
    """

    kind: Literal["classification", "regression"]
    text_a: str
    text_b: str | None
    target: str
    hub_text_a: str
    hub_text_b: str | None
    labels: Mapping[str, str]
    unlabelled: tuple[str, ...] = ()
    target_is_last: bool = False
    extra_fields: int = 0
    may_drop_broken: bool = False

    @property
    def label_names(self) -> tuple[str, ...]:
        """Label names in the order of their ids."""
        return tuple(self.labels.values())


_NLI = {name: name for name in ("entailment", "neutral", "contradiction")}
_TWO_WAY = {name: name for name in ("entailment", "not_entailment")}

#: STS-B's scale (Cer et al. 2017).
SCORE_RANGE = (0.0, 5.0)

GLUE_LAYOUTS: Mapping[str, GlueLayout] = {
    "glue-mnli": GlueLayout(
        "classification",
        "sentence1",
        "sentence2",
        "gold_label",
        "premise",
        "hypothesis",
        _NLI,
        unlabelled=("-",),
    ),
    "glue-mrpc": GlueLayout(
        "classification",
        "#1 String",
        "#2 String",
        "Quality",
        "sentence1",
        "sentence2",
        {"0": "not_equivalent", "1": "equivalent"},
    ),
    "glue-qnli": GlueLayout(
        "classification", "question", "sentence", "label", "question", "sentence", _TWO_WAY
    ),
    # The official train file has a few records cut in two by a line break inside a question.
    "glue-qqp": GlueLayout(
        "classification",
        "question1",
        "question2",
        "is_duplicate",
        "question1",
        "question2",
        {"0": "not_duplicate", "1": "duplicate"},
        may_drop_broken=True,
    ),
    "glue-rte": GlueLayout(
        "classification", "sentence1", "sentence2", "label", "sentence1", "sentence2", _TWO_WAY
    ),
    "glue-sst-2": GlueLayout(
        "classification",
        "sentence",
        None,
        "label",
        "sentence",
        None,
        {"0": "negative", "1": "positive"},
    ),
    "glue-sts-b": GlueLayout(
        "regression", "sentence1", "sentence2", "score", "sentence1", "sentence2", {}
    ),
    # Rows that five annotators judged have label2 to label5 too, which the header lacks.
    "glue-snli": GlueLayout(
        "classification",
        "sentence1",
        "sentence2",
        "gold_label",
        "premise",
        "hypothesis",
        _NLI,
        unlabelled=("-",),
        target_is_last=True,
        extra_fields=4,
    ),
}
