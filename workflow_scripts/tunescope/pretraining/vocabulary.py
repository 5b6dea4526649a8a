"""Train the tokenizer of encoders that are pre-trained here."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise

from tokenizers import Tokenizer
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer
from transformers import PreTrainedTokenizerFast

from tunescope.encoders.tokenizer import SPECIAL_TOKENS, wrap_tokenizer

_CONTINUED = "##"
_Pair = tuple[str, str]


def train_tokenizer(
    texts: Iterable[str], *, vocabulary: int, max_length: int
) -> PreTrainedTokenizerFast:
    """Train BERT's tokenizer, in lower case, on a text.

    The text alone determines the pieces: encoders of several pre-training seeds share them. The
    special tokens are numbered 0 to 4. (The trainer of the tokenizers library numbers letters, and
    so breaks ties, in another order in each process.)

    Args:
        texts: lines of the text.
        vocabulary: pieces at most, special tokens included; letters are kept even beyond it.
        max_length: longest input of the encoder.
    """
    untrained = Tokenizer.from_str(BertWordPieceTokenizer(lowercase=True).to_str())
    words: Counter[str] = Counter()
    for text in texts:
        normal = untrained.normalizer.normalize_str(text)
        words.update(word for word, _ in untrained.pre_tokenizer.pre_tokenize_str(normal))
    special = list(SPECIAL_TOKENS.values())
    pieces = special + learn_pieces(words, vocabulary - len(special))
    numbered = {piece: number for number, piece in enumerate(pieces)}
    finished = BertWordPieceTokenizer(numbered, lowercase=True)
    return wrap_tokenizer(Tokenizer.from_str(finished.to_str()), max_length=max_length)


def learn_pieces(words: Counter[str], count: int) -> list[str]:
    """Learn word pieces by joining the most frequent pair of neighbours, again and again.

    Pairs that occur once are not joined; of equally frequent pairs the alphabetically first is.

    Args:
        words: how often each word occurs.
        count: pieces at most; letters are kept even beyond it.

    Returns:
        Letters in alphabetic order (`##` before those inside a word), then joined pieces in the
        order in which they were found.
    """
    spelled = {
        word: [word[0], *(_CONTINUED + letter for letter in word[1:])] for word in sorted(words)
    }
    pieces = dict.fromkeys(sorted({piece for parts in spelled.values() for piece in parts}))
    counts: Counter[_Pair] = Counter()
    holders: defaultdict[_Pair, set[str]] = defaultdict(set)

    def recount(word: str, sign: int) -> None:
        for pair in pairwise(spelled[word]):
            counts[pair] += sign * words[word]
            (holders[pair].add if sign > 0 else holders[pair].discard)(word)
            if not counts[pair]:
                del counts[pair], holders[pair]

    for word in spelled:
        recount(word, 1)
    while len(pieces) < count and counts:
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        if counts[best] < 2:
            break
        joined = best[0] + best[1].removeprefix(_CONTINUED)
        pieces[joined] = None
        for word in list(holders[best]):
            recount(word, -1)
            spelled[word] = _join(spelled[word], best, joined)
            recount(word, 1)
    return list(pieces)


def _join(parts: list[str], pair: _Pair, joined: str) -> list[str]:
    result: list[str] = []
    place = 0
    while place < len(parts):
        if tuple(parts[place : place + 2]) == pair:
            result.append(joined)
            place += 2
        else:
            result.append(parts[place])
            place += 1
    return result
