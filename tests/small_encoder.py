"""A BERT so small that tests can train it, and small corpora for it."""

from pathlib import Path

import numpy as np
from transformers import BertConfig, PreTrainedTokenizerFast

from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.encoders.architecture import random_encoder
from tunescope.encoders.load import save_encoder
from tunescope.encoders.origin import Origin
from tunescope.encoders.tokenizer import read_tokenizer

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["red", "blue", "green", "good", "bad", "tree", "stone", "run", "##ning", "##s"]
VOCABULARY = [*SPECIAL, *WORDS]
LONGEST = 32


def small_config(**changes) -> BertConfig:
    settings = {
        "vocab_size": len(VOCABULARY),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": LONGEST,
    }
    return BertConfig(**{**settings, **changes})


def small_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    return read_tokenizer(folder, vocabulary=len(VOCABULARY), max_length=LONGEST)


def save_small_encoder(folder: Path, *, seed: int = 0) -> Path:
    """Write an encoder folder with random weights."""
    model = random_encoder(small_config(), seed=seed)
    scratch = folder.with_name(f"{folder.name}-vocabulary")
    scratch.mkdir(parents=True)
    save_encoder(model, small_tokenizer(scratch), Origin("random", "test", seed=seed), folder)
    return folder


def sentiment(count: int, *, seed: int = 0, labels: tuple[str, ...] = ("no", "yes")) -> Split:
    """Sentences that are `yes` if they hold the word good, and `no` if they hold bad."""
    generator = np.random.default_rng(seed)
    rows = []
    for row in range(count):
        words = list(generator.choice(["red", "blue", "green", "tree", "stone"], 6))
        number = int(generator.integers(2))
        text = " ".join([*words[: int(generator.integers(3, 7))], ("bad", "good")[number]])
        rows.append({"row": row, "text_a": text, "label": ("no", "yes")[number]})
    return make_split("classification", rows, labels, Accounting("toy", "", count, count))


def similarity(count: int, *, seed: int = 0) -> Split:
    """Pairs whose score counts the words good in the first part."""
    generator = np.random.default_rng(seed)
    rows = []
    for row in range(count):
        goods = int(generator.integers(5))
        words = ["good"] * goods + ["stone"] * (4 - goods)
        rows.append(
            {"row": row, "text_a": " ".join(words), "text_b": "red tree", "score": goods / 4}
        )
    return make_split("regression", rows, (), Accounting("toy", "", count, count))
