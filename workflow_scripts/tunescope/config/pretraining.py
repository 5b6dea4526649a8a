"""Settings of masked language modelling (`pretraining:`)."""

from pydantic import Field

from tunescope.config.base import Settings


class PretrainingSettings(Settings):
    """Architecture and schedule of the encoders that are pre-trained here."""

    layers: int = Field(4, ge=1)
    """Transformer blocks."""
    heads: int = Field(4, ge=1)
    """Attention heads a block."""
    hidden: int = Field(128, ge=8)
    """Width of the hidden states; a multiple of `heads`."""
    intermediate: int = Field(512, ge=8)
    """Width of the feed-forward layer."""
    max_length: int = Field(128, ge=16)
    """Longest input in word pieces."""
    vocabulary: int = Field(2_000, ge=100)
    """Word pieces at most; the tokenizer is trained on the pre-training text."""
    initializer_range: float = Field(0.05, gt=0)
    """Standard deviation of initial weights: BERT's .02 suits its width of 768, less width needs
    more."""
    dropout: float = Field(0.0, ge=0, lt=1)
    """Dropout on hidden states and attention. Few passes over the text need none."""
    epochs: int = Field(5, ge=1)
    """Passes over the pre-training text."""
    batch_size: int = Field(16, ge=1)
    """Inputs a step."""
    learning_rate: float = Field(1e-3, gt=0)
    """Peak learning rate, reached after `warmup` of the steps, then falling to zero."""
    warmup: float = Field(0.1, ge=0, le=1)
    """Share of the steps in which the learning rate rises."""
    weight_decay: float = Field(0.01, ge=0)
    """Decoupled weight decay, not applied to biases and LayerNorm."""
    masking: float = Field(0.3, gt=0, lt=1)
    """Share of word pieces chosen: 80 % masked, 10 % replaced, 10 % kept. Devlin et al. (2019)
    choose 15 %; small encoders on a small text learn faster from more (Wettig et al. 2023)."""
    next_sentence: float = Field(0.5, ge=0, lt=1)
    """Share of inputs of two parts whose second part is another's (Devlin et al. 2019); 0 leaves
    next-sentence prediction out."""
    max_gradient_norm: float = Field(1.0, gt=0)
    """Largest norm of the gradient of all weights together."""
    checkpoint_seconds: float = Field(300, ge=0)
    """Seconds between checkpoints from which a killed job goes on."""
    bf16: bool = True
    """Train in bfloat16 where the hardware has it; CPUs train in float32."""
