"""Settings of the generated language (`languages:`)."""

from typing import Literal

from pydantic import Field

from tunescope.config.base import Settings

WordOrder = Literal["subject-verb-object", "verb-final", "free"]


class LanguageSettings(Settings):
    """One generated language: an English grammar of which everything is known."""

    seed: int = Field(0, ge=0)
    """Seed of every sentence drawn."""
    word_order: WordOrder = "subject-verb-object"
    """Order of subject, verb and object; `free` marks case, so that relation and position part."""
    pretraining_sentences: int = Field(20_000, ge=100)
    """Sentences of the text that encoders are pre-trained on."""
    treebank_sentences: int = Field(2_000, ge=50)
    """Sentences with gold annotation; a tenth each for development and test, beyond these."""
    train_examples: int = Field(2_000, ge=32)
    """Training examples of each fine-tuning task."""
    dev_examples: int = Field(500, ge=32)
    """Development examples of each fine-tuning task."""
    out_of_domain_sentences: int = Field(1_000, ge=20)
    """Sentences of another topic and style, for comparing representations out of domain."""
