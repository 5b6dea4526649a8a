import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel, BertTokenizerFast

from tunescope.activations.inputs import Inputs
from tunescope.encoders.load import Encoder

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "dog", "##s", "run", "##ning"]


@pytest.fixture(scope="session")
def tokenizer() -> BertTokenizerFast:
    return BertTokenizerFast(vocab={piece: index for index, piece in enumerate(VOCABULARY)})


@pytest.fixture(scope="session")
def encoder(tokenizer) -> Encoder:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
    )
    return Encoder(BertModel(config).eval(), tokenizer, 3, 2, 16, 24)


@pytest.fixture
def inputs() -> Inputs:
    return make_random_inputs(30, seed=0)


def make_random_inputs(count: int, *, seed: int, longest: int = 12) -> Inputs:
    generator = np.random.default_rng(seed)
    lengths = generator.integers(3, longest + 1, count)
    ids, words, segments = [], [], []
    for length in lengths:
        ids += [2, *generator.integers(5, len(VOCABULARY), length - 2), 3]
        words += [-1, *np.cumsum(generator.integers(0, 2, length - 2)), -1]
        segments += [0] * (length // 2) + [1] * (length - length // 2)
    return Inputs(
        rows=np.sort(generator.choice(1_000, count, replace=False)),
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
        piece_ids=np.asarray(ids, np.int32),
        segments=np.asarray(segments, np.int8),
        word_ids=np.asarray(words, np.int32),
        cut=np.zeros(count, np.bool_),
        replaced_words=0,
        empty=0,
    )
