"""An encoder of the same architecture and tokenizer with random weights."""

from pathlib import Path

from tunescope.encoders.architecture import random_encoder, read_config
from tunescope.encoders.load import save_encoder
from tunescope.encoders.origin import Origin
from tunescope.encoders.tokenizer import read_tokenizer


def randomise_encoder(source: Path, folder: Path, *, seed: int) -> None:
    """Write an encoder folder with random weights (kovaleva2019's "normal distribution").

    Args:
        source: encoder folder whose architecture and tokenizer are kept.
        folder: the encoder folder to write.
        seed: determines the weights.

    Raises:
        InputError: the source is no encoder folder.
    """
    config = read_config(source)
    tokenizer = read_tokenizer(
        source, vocabulary=config.vocab_size, max_length=config.max_position_embeddings
    )
    origin = Origin(
        kind="random",
        source=f"BERT's initialiser, standard deviation {config.initializer_range}",
        seed=seed,
    )
    save_encoder(random_encoder(config, seed=seed), tokenizer, origin, folder)
