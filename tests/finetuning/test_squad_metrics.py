import json
import os
from pathlib import Path

import numpy as np
import pytest

from tunescope.finetuning.answers import Answers
from tunescope.finetuning.squad_metrics import (
    answer_scorer,
    best_over_golds,
    exact_match,
    normalised,
    token_f1,
)

FOLDER = os.environ.get("TUNESCOPE_DATA")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Red-Tree, a STONE!", "redtree stone"),
        ("a", ""),
        ("than another theory", "than another theory"),
        ("an\u00a0apple\n(the)", "apple"),
        ("caf\u00e9 \u201cthe\u201d", "caf\u00e9 \u201c \u201d"),  # other quotes stay
        ("10,000.5", "100005"),
    ],
)
def test_texts_are_compared_bare(text, expected):
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("predicted", "gold", "em", "f1"),
    [
        ("the red tree", "Red tree.", 1, 1),
        ("red tree", "red stone", 0, 0.5),
        ("tree tree red", "tree blue", 0, 0.4),  # the second tree is not shared
        ("blue", "red", 0, 0),
        ("", "red", 0, 0),
        ("the", "a", 1, 0),  # nothing left of either: the official rules share no word
    ],
)
def test_scores_are_those_of_the_official_rules(predicted, gold, em, f1):
    assert exact_match(predicted, gold) == em
    assert token_f1(predicted, gold) == pytest.approx(f1)


def test_the_best_gold_answer_counts():
    assert best_over_golds("squad_f1", "red tree", ["blue", "red", "red tree stone"]) == 0.8


def answers(*texts):
    golds = (("red",), ("blue", "the blue tree"), ("stone",))
    shape = (len(texts), 3)
    ids = ("a", "b", "c")
    return Answers(
        np.arange(3), ids, golds, texts, np.zeros(shape, np.int64), np.zeros(shape, np.float32), {}
    )


def test_a_run_is_scored_over_questions():
    found = answers(("red", "blue tree", "red"), ("red", "red", "red"))
    assert answer_scorer("em", found, 0).value() == pytest.approx(2 / 3)
    assert answer_scorer("squad_f1", found, 0).value(np.array([0, 0, 2])) == pytest.approx(2 / 3)
    assert not answer_scorer("em", found, 0).constant
    assert answer_scorer("em", found, 1).constant


@pytest.mark.real_data
@pytest.mark.skipif(not FOLDER, reason="TUNESCOPE_DATA names no folder of official files")
def test_the_published_ensemble_scores_what_was_published():
    """BERT's ensemble of Devlin et al. (2019), Table 2: 86.2 / 92.2 on the development set."""
    folder = Path(str(FOLDER)) / "squad-v1.1"
    golds = {}
    for name in ("dev-v1.1.json", "dev-v1.1.no-offset.json"):
        for article in json.loads((folder / name).read_text(encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                for one in paragraph["qas"]:
                    golds[one["id"]] = tuple(answer["text"] for answer in one["answers"])
    file = folder / "predictions.bert-ensemble.dev-v1.1.json"
    predicted = json.loads(file.read_text(encoding="utf-8"))
    assert len(golds) == 10_570
    texts = (tuple(predicted[one] for one in golds),)
    shape = (1, len(golds))
    found = Answers(
        np.arange(len(golds)),
        tuple(golds),
        tuple(golds.values()),
        texts,
        np.zeros(shape, np.int64),
        np.zeros(shape, np.float32),
        {},
    )
    assert round(100 * answer_scorer("em", found, 0).value(), 3) == 86.206
    assert round(100 * answer_scorer("squad_f1", found, 0).value(), 3) == 92.196
