import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tunescope.pretraining.vocabulary import learn_pieces, train_tokenizer

TEXTS = ["The red dog barks at the cat.", "A cat sees the Dogs!", "dogs bark, cats run"] * 3


def test_it_is_a_tokenizer_of_bert():
    tokenizer = train_tokenizer(TEXTS, vocabulary=100, max_length=16)
    assert tokenizer.convert_ids_to_tokens(range(5)) == (
        ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    )
    assert tokenizer.tokenize("THE CAT") == ["the", "cat"]
    encoded = tokenizer("the cat", "dogs")
    assert encoded["token_type_ids"] == [0, 0, 0, 0, 1, 1]
    assert tokenizer.model_max_length == 16


def test_the_vocabulary_has_at_most_the_pieces_asked_for():
    texts = [" ".join(f"{a}{b}{c}" for a in "abcdef" for b in "aeiou" for c in "xyz")] * 4
    assert len(train_tokenizer(texts, vocabulary=60, max_length=16)) == 60
    assert len(train_tokenizer(TEXTS, vocabulary=2_000, max_length=16)) < 100


def test_frequent_pairs_are_joined_first_and_ties_go_by_the_alphabet():
    words = Counter({"aab": 3, "ab": 2, "b": 9, "cd": 1})
    letters = ["##a", "##b", "##d", "a", "b", "c"]
    assert learn_pieces(words, 5) == letters
    # ##a ##b and a ##a occur 3 times each, a ##b twice, c ##d once
    assert learn_pieces(words, 20) == [*letters, "##ab", "aab", "ab"]
    assert learn_pieces(words, 7) == [*letters, "##ab"]


def plain_learn_pieces(words, count):
    """The same with all pairs counted anew at each step."""
    spelled = {word: [word[0], *("##" + letter for letter in word[1:])] for word in words}
    pieces = sorted({piece for parts in spelled.values() for piece in parts})
    while len(pieces) < count:
        counts = Counter()
        for word, parts in spelled.items():
            for pair in pairwise(parts):
                counts[pair] += words[word]
        best = min(counts, key=lambda pair: (-counts[pair], pair), default=None)
        if best is None or counts[best] < 2:
            break
        joined = best[0] + best[1][2:]
        if joined not in pieces:
            pieces.append(joined)
        for word, parts in spelled.items():
            merged, place = [], 0
            while place < len(parts):
                both = tuple(parts[place : place + 2]) == best
                merged.append(joined if both else parts[place])
                place += 2 if both else 1
            spelled[word] = merged
    return pieces


@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=8), st.integers(1, 9), min_size=1),
    st.integers(1, 60),
)
def test_counting_by_differences_is_counting_anew(words, count):
    assert learn_pieces(Counter(words), count) == plain_learn_pieces(words, count)


def test_a_text_gives_the_same_pieces_in_every_process():
    code = (
        "import hashlib; from tunescope.pretraining.vocabulary import train_tokenizer;"
        "texts = [f'{a}{b} {b}{a}{b} {b}{b}' for a in 'abcdefgh' for b in 'klmnop'] * 2;"
        "pieces = train_tokenizer(texts, vocabulary=80, max_length=16).backend_tokenizer.to_str();"
        "print(hashlib.sha256(pieces.encode()).hexdigest())"
    )
    library = Path(__file__).parents[2] / "workflow_scripts"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(library), "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    first, second = (run.communicate()[0] for run in runs)
    assert first == second
    assert len(first.strip()) == 64
