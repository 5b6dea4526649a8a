"""Settings of the stimuli (`stimuli:`), their activations and RSA (`similarity:`)."""

from typing import Literal, Self

from pydantic import Field, model_validator

from tunescope.config.base import Settings


class StimuliSettings(Settings):
    """Inputs on which encoders are compared."""

    corpus: str
    """A name under `corpora`."""
    split: str = "dev"
    """Split the inputs are drawn from."""
    part: Literal["pair", "first", "second"] = "pair"
    """Both parts as one input, or one alone (premise-only, question-only)."""
    inputs: int = Field(1_000, ge=2)
    """Inputs drawn, all if the split has fewer."""
    seed: int = Field(0, ge=0)
    """Seed of the draw; one draw serves every run, so that states can be compared."""
    max_length: int = Field(128, ge=8)
    """Longest input in word pieces; longer ones are cut and counted."""


class SimilaritySettings(Settings):
    """Representational similarity analysis (merchant2020, section 5)."""

    tokens: int = Field(5_000, ge=10)
    """Tokens compared, drawn once from the tokens of all inputs."""
    draws: int = Field(3, ge=1)
    """Draws of tokens, to show how much the draw matters."""
    units: Literal["pieces", "words"] = "pieces"
    """Word pieces, or words as the mean of their pieces."""
    special_tokens: bool = False
    """Whether [CLS] and [SEP] are among the tokens."""
    resamples: int = Field(1_000, ge=100)
    """Bootstrap resamples of inputs, for the interval."""
    confidence: float = Field(0.95, gt=0, lt=1)
    """Level of the interval."""
    seed: int = Field(0, ge=0)
    """Seed of draws and resamples."""

    @model_validator(mode="after")
    def _special_tokens_are_no_words(self) -> Self:
        if self.special_tokens and self.units == "words":
            raise ValueError("special_tokens: true needs units: pieces; they belong to no word")
        return self
