"""Settings of control tasks (`control_tasks:`)."""

from pydantic import Field

from tunescope.config.base import Settings


class ControlTaskSettings(Settings):
    """Control tasks of Hewitt and Liang (2019): random labels that a probe can only memorise."""

    seed: int = Field(0, ge=0)
    """Seed of the random labels."""
    lowercase: bool = True
    """Give words that differ by case alone the same label, as an uncased encoder sees them."""
