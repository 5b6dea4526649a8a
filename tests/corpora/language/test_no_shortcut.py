"""No shortcut through words: n-grams of the parts do not tell the labels.

The measure: logistic regression on counts of words and pairs of words, of each part alone, of both
side by side, and of both as one text; trained on the training split, scored on the development
split, against the share of its largest class.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from tunescope.config.corpora import GeneratedPart
from tunescope.config.language import LanguageSettings
from tunescope.corpora.language.generate import generate

SETTINGS = LanguageSettings()
#: Points above the majority class that n-grams may reach.
MARGINS: dict[GeneratedPart, float] = {
    "mnli": 0.05,
    "mrpc": 0.05,
    "qnli": 0.05,
    "qqp": 0.05,
    "rte": 0.05,
    "sst-2": 0.15,
    "sts-b": 0.05,  # halves above and below the median score
}


def counts(train: list[str], dev: list[str]) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    vectorizer = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w+|[^\w\s]")
    return vectorizer.fit_transform(train), vectorizer.transform(dev)


@pytest.mark.parametrize("part", MARGINS)
def test_n_grams_do_not_tell_the_label(part: GeneratedPart) -> None:
    splits = generate(SETTINGS, part)
    tables = {name: split.table.to_pylist() for name, split in splits.items()}
    if part == "sts-b":
        median = np.median([row["score"] for row in tables["train"]])
        labels = {name: [row["score"] > median for row in rows] for name, rows in tables.items()}
    else:
        labels = {name: [row["label"] for row in rows] for name, rows in tables.items()}
    first, second, joined = (
        {name: [spell(row) for row in rows] for name, rows in tables.items()}
        for spell in (
            lambda row: row["text_a"],
            lambda row: row["text_b"] or "",
            lambda row: f"{row['text_a']} {row['text_b'] or ''}",
        )
    )
    views = {"first": counts(first["train"], first["dev"])}
    if tables["dev"][0]["text_b"] is not None:
        views["second"] = counts(second["train"], second["dev"])
        views["joined"] = counts(joined["train"], joined["dev"])
        sides = zip(views["first"], views["second"], strict=True)
        views["both"] = tuple(sp.hstack(pair).tocsr() for pair in sides)  # type: ignore[assignment]
    values, shares = np.unique(labels["dev"], return_counts=True)
    majority = shares.max() / shares.sum()
    assert len(values) > 1
    for name, (train, dev) in views.items():
        model = LogisticRegression(max_iter=300).fit(train, labels["train"])
        accuracy = model.score(dev, labels["dev"])
        assert accuracy <= majority + MARGINS[part], (name, accuracy, majority)


def test_neither_a_place_nor_words_of_the_question_point_to_the_answer() -> None:
    """A fixed place, and the sentence most like the question, find few of SQuAD's answers."""
    rows = generate(SETTINGS, "squad")["dev"].table.to_pylist()
    place, overlap = 0, 0
    for row in rows:
        answer = row["answers"][0]
        before = row["context"][: answer["start"]]
        place += before.count(".") == 0 and len(before.split()) == 0
        sentences = row["context"].rstrip(".").lower().split(". ")
        asked = set(row["question"].lower().rstrip("?").split())
        best = max(range(len(sentences)), key=lambda one: len(asked & set(sentences[one].split())))
        # the first words of that sentence that the question lacks
        rest = [word for word in sentences[best].split() if word not in asked]
        overlap += " ".join(rest[: len(answer["text"].split())]) == answer["text"].lower()
    assert place / len(rows) < 0.2
    assert overlap / len(rows) < 0.35
