"""Settings of the structural probes (`structural_probing:`)."""

from typing import Literal

from pydantic import Field

from tunescope.config.base import Settings


class StructuralProbeSettings(Settings):
    """Schedule of Hewitt and Manning (2019), with the rank of merchant2020."""

    rank: int = Field(512, ge=1)
    """Rank of the probes; the width of the states if that is less."""
    learning_rate: float = Field(1e-3, gt=0)
    """Adam's learning rate at the start."""
    batch_size: int = Field(20, ge=1)
    """Sentences a step."""
    epochs: int = Field(40, ge=1)
    """Passes over the training sentences at most."""
    decay: float = Field(0.1, gt=0, lt=1)
    """Factor on a layer's learning rate after an epoch without a lower development loss."""
    patience: int = Field(5, ge=1)
    """A layer stops after so many epochs in which its development loss did not fall enough."""
    least_fall: float = Field(1e-4, ge=0)
    """Fall of the development loss that counts for stopping and for keeping the weights."""
    shortest: int = Field(5, ge=2)
    """Shortest sentences in words that the Spearman correlations cover."""
    longest: int = Field(50, ge=2)
    """Longest sentences in words that the Spearman correlations cover."""
    punctuation: Literal["xpos", "upos"] = "xpos"
    """Tags that tell punctuation: the Penn Treebank's (as published) or the universal PUNCT."""
    seed: int = Field(0, ge=0)
    """Seed of the initial weights and of the order of the sentences; all layers share both."""
