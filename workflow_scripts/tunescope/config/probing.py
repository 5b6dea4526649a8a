"""Settings of the edge probes (`probing:`)."""

from typing import Literal, Self

from pydantic import Field, model_validator

from tunescope.config.base import Settings
from tunescope.config.similarity import StimuliSettings

#: Probes, by the annotation of a treebank that their targets come from.
Probe = Literal[
    "pos",
    "constituents",
    "dependencies",
    "entities",
    "semantic_roles",
    "coreference",
    "proto_roles",
    "relations",
]
#: What a probe sees: all layers mixed by learned weights, the top one alone, the embeddings alone.
View = Literal["mix", "top", "lexical"]

_WHOLE = 2**31 - 1  # sentences: more than any split has


class EdgeProbeSettings(Settings):
    """Probe and schedule of Tenney et al. (2019), with the width of merchant2020."""

    projection: int = Field(512, ge=1)
    """Width that span vectors are projected to (merchant2020: 512; Tenney et al.: 256)."""
    hidden: int = Field(512, ge=1)
    """Width of the classifier's hidden layer (not stated by merchant2020; Tenney et al.: 256)."""
    dropout: float = Field(0.3, ge=0, lt=1)
    """Dropout in the classifier."""
    units: Literal["words", "pieces"] = "words"
    """What a span pools over: words as the mean of their pieces (merchant2020), or the pieces
    themselves (Tenney et al.)."""
    learning_rate: float = Field(1e-4, gt=0)
    """Of Adam in its AMSGrad variant, at the start."""
    batch_size: int = Field(32, ge=1)
    """Sentences a step, with all their targets."""
    max_gradient_norm: float = Field(5.0, gt=0)
    """Largest norm of the gradient of all weights together."""
    validation_interval: int = Field(1_000, ge=1)
    """Steps between validations (Tenney et al.: 1000, and 100 for proto-roles and relations)."""
    max_validations: int = Field(250, ge=1)
    """Stop after so many (Tenney et al.: 250, and 100 for proto-roles and relations)."""
    validation_sentences: int = Field(5_000, ge=1)
    """Sentences of the development split that a validation looks at, the first ones."""
    halve_after: int = Field(5, ge=1)
    """Halve the learning rate after so many validations without a better F1."""
    stop_after: int = Field(20, ge=1)
    """Stop after so many validations without a better F1."""
    min_learning_rate: float = Field(1e-6, ge=0)
    """Stop when the learning rate falls below this."""
    seeds: tuple[int, ...] = Field((0, 1, 2), min_length=1)
    """Probe seeds: initial weights, order of the sentences, dropout."""
    memory_gib: float = Field(8.0, gt=0)
    """States held in memory; more than this goes to a temporary file. No effect on results."""


class ProbedCorpus(Settings):
    """A treebank that probes are trained and tested on."""

    probes: tuple[Probe, ...] = Field(min_length=1)
    """Annotations to probe for."""
    train: str = "train"
    """Split to train on."""
    validation: str | None = "dev"
    """Split that decides learning rate and stopping; null: a part of the training split."""
    test: str = "test"
    """Split that scores are from."""
    hold_out: float = Field(0.15, gt=0, lt=1)
    """Share of the training split's sentences held out where `validation` is none."""
    hold_out_by: Literal["document", "sentence"] = "document"
    """What is held out as a whole; documents are told by the sentences' names (`NAME-0001`)."""
    hold_out_seed: int = Field(42, ge=0)
    """Seed of the hold-out."""
    sentences: dict[str, int] = Field(default_factory=dict)
    """At most so many sentences of a split, drawn by a fixed seed; all if a split is not named."""
    max_length: int = Field(512, ge=8)
    """Longest sentence in word pieces; longer ones are cut, and targets beyond the cut dropped."""
    edge: dict[str, object] = Field(default_factory=dict)
    """Settings of `probing.edge` that differ for this corpus."""

    @model_validator(mode="after")
    def _splits_differ(self) -> Self:
        splits = self.splits
        if len(set(splits)) < len(splits):
            raise ValueError(f"train, validation and test must be different splits: {splits}")
        unknown = sorted(set(self.sentences) - set(splits))
        if unknown:
            raise ValueError(f"sentences: {unknown[0]!r} is none of the splits used: {splits}")
        return self

    @property
    def splits(self) -> tuple[str, ...]:
        """Splits whose states the probes read."""
        return tuple(name for name in (self.train, self.validation, self.test) if name is not None)

    def stimuli(self, corpus: str) -> dict[str, StimuliSettings]:
        """Inputs to dump the states of, one set a split, named `{corpus}.{split}`."""
        return {
            f"{corpus}.{split}": StimuliSettings(
                corpus=corpus,
                split=split,
                inputs=max(2, self.sentences.get(split, _WHOLE)),
                max_length=self.max_length,
            )
            for split in self.splits
        }


class ProbingSettings(Settings):
    """Edge probes (Tenney et al. 2019; merchant2020, section 4)."""

    corpora: dict[str, ProbedCorpus] = Field(default_factory=dict)
    """What is probed, by the corpus's name under `corpora`."""
    edge: EdgeProbeSettings = EdgeProbeSettings()
    """Probe and schedule, for all corpora that say nothing else."""
    resamples: int = Field(1_000, ge=100)
    """Bootstrap resamples of test sentences, runs and probe seeds, for the intervals."""
    confidence: float = Field(0.95, gt=0, lt=1)
    """Level of the intervals."""
    seed: int = Field(0, ge=0)
    """Seed of the resamples."""

    def edge_of(self, corpus: str) -> EdgeProbeSettings:
        """Settings of `edge` with what the corpus changes."""
        changed = {**self.edge.model_dump(), **self.corpora[corpus].edge}
        return EdgeProbeSettings.model_validate(changed)
