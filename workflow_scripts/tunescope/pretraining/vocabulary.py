"""Train the tokenizer of encoders that are pre-trained here."""

from collections.abc import Iterable

from tokenizers import Tokenizer
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer
from tokenizers.trainers import WordPieceTrainer
from transformers import PreTrainedTokenizerFast

from tunescope.encoders.tokenizer import SPECIAL_TOKENS, wrap_tokenizer


def train_tokenizer(
    texts: Iterable[str], *, vocabulary: int, max_length: int
) -> PreTrainedTokenizerFast:
    """Train BERT's tokenizer, in lower case, on a text.

    The text alone determines the pieces: encoders of several pre-training seeds share them. Pieces
    that occur once are left out. The special tokens are numbered 0 to 4.

    Args:
        texts: lines of the text.
        vocabulary: pieces at most, special tokens included.
        max_length: longest input of the encoder.
    """
    trainer = WordPieceTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=list(SPECIAL_TOKENS.values()),
        continuing_subword_prefix="##",
        show_progress=False,
    )
    trained = Tokenizer.from_str(BertWordPieceTokenizer(lowercase=True).to_str())
    trained.train_from_iterator(texts, trainer)
    # the post-processor of BERT is added only to a tokenizer that is made with its vocabulary
    finished = BertWordPieceTokenizer(trained.get_vocab(), lowercase=True)
    return wrap_tokenizer(Tokenizer.from_str(finished.to_str()), max_length=max_length)
