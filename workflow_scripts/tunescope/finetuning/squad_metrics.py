"""Exact match and F1 of answers by the rules of SQuAD v1.1 (Rajpurkar et al. 2016, section 6.1).

Texts are compared in lower case, without ASCII punctuation, without the words a, an and the, and
with single blanks; a question's score is the best over its gold answers.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from tunescope.config.finetuning import Metric
from tunescope.finetuning.answers import Answers
from tunescope.finetuning.ratio import RatioScorer

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(text: str) -> str:
    """A text as it is compared."""
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(predicted: str, gold: str) -> float:
    """1 if both texts are the same once normalised, else 0."""
    return float(normalised(predicted) == normalised(gold))


def token_f1(predicted: str, gold: str) -> float:
    """F1 of the words that both texts share, repeated ones counted; 0 if they share none."""
    found, wanted = normalised(predicted).split(), normalised(gold).split()
    shared = sum((Counter(found) & Counter(wanted)).values())
    return 2 * shared / (len(found) + len(wanted)) if shared else 0.0


#: Metrics of answers.
ANSWERING: dict[Metric, Callable[[str, str], float]] = {"em": exact_match, "squad_f1": token_f1}


def best_over_golds(metric: Metric, predicted: str, golds: Sequence[str]) -> float:
    """Score of an answer to a question with several gold answers."""
    return max(ANSWERING[metric](predicted, gold) for gold in golds)


def answer_scorer(metric: Metric, answers: Answers, head: int) -> RatioScorer:
    """Scorer of one head's answers.

    Args:
        metric: one of `ANSWERING`.
        answers: to a split's questions; an example is a question.
        head: which of the heads that answered them.
    """
    texts = answers.texts[head]
    values = [
        best_over_golds(metric, text, golds)
        for text, golds in zip(texts, answers.golds, strict=True)
    ]
    return RatioScorer(
        metric,
        np.array(values),
        np.ones(len(values), dtype=np.int64),
        constant=len(set(texts)) == 1,
    )
