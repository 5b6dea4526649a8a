"""Settings of description lengths by online codes (`online_codes:`)."""

from itertools import pairwise
from typing import Literal

from pydantic import Field, field_validator

from tunescope.config.base import Settings


class OnlineCodeSettings(Settings):
    """Online (prequential) codes of Voita and Titov (2020)."""

    portions: tuple[float, ...] = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.25, 12.5, 25, 50, 100)
    """Percent of the training sentences where a new probe is trained; the last is 100."""
    stopping: Literal["next", "validation"] = "next"
    """What stops the training of a probe: the sentences that it codes next, as the authors'
    program has it, or the development split, so that no probe has seen what it codes."""
    learning_rate: float = Field(1e-3, gt=0)
    """Of Adam, at the start."""
    batch_size: int = Field(20, ge=1)
    """Sentences a step."""
    epochs: int = Field(40, ge=1)
    """Passes over a probe's training sentences at most; each is followed by a validation."""
    halve_after: int = Field(1, ge=1)
    """Halve the learning rate after so many validations without a shorter code."""
    stop_after: int = Field(4, ge=1)
    """Stop after so many validations without a shorter code."""
    seeds: tuple[int, ...] = Field((0,), min_length=1)
    """Seeds of the order of the sentences and of the probes."""

    @field_validator("portions")
    @classmethod
    def _rise_to_the_whole(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if not value or value[0] <= 0 or value[-1] != 100:
            raise ValueError("portions start above 0 and end at 100")
        if any(first >= second for first, second in pairwise(value)):
            raise ValueError("portions must rise")
        return value
