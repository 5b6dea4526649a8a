"""Which experiments run on what (`experiments:`)."""

from pydantic import Field

from tunescope.config.base import Settings


class FinetuningExperiment(Settings):
    """Scores after fine-tuning: kovaleva2019, Table 1."""

    tasks: tuple[str, ...] = ()
    """Names under `tasks`; all of them if empty."""
    random_initialisation: bool = True
    """Also fine-tune from random initialisation: the paper's second column."""
    untrained_heads: int = Field(10, ge=0)
    """Head seeds of the pre-trained encoder scored untrained: its first column; 0 for none."""


class SimilarityExperiment(Settings):
    """RSA of fine-tuned against pre-trained encoders: merchant2020, Figures 2 and 5."""

    tasks: tuple[str, ...] = ()
    """Names under `tasks`; all of them if empty."""
    stimuli: tuple[str, ...] = ()
    """Names under `stimuli`; all if empty. A task leaves out those on another task's corpus."""


class Experiments(Settings):
    """The experiments to run."""

    finetuning: FinetuningExperiment = FinetuningExperiment()
    """Scores after fine-tuning (kovaleva2019, Table 1)."""
    similarity: SimilarityExperiment = SimilarityExperiment()
    """Similarity of representations (merchant2020, Figures 2 and 5)."""
