"""The corpora of the generated language."""

import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, get_args

import pytest

from tunescope.config.corpora import GeneratedPart
from tunescope.config.language import LanguageSettings, WordOrder
from tunescope.corpora.canonical import SPAN_ANNOTATIONS
from tunescope.corpora.language.generate import generate
from tunescope.corpora.language.lexicon import BLAME, PRAISE

ORDERS: tuple[WordOrder, ...] = get_args(WordOrder)
PARTS: tuple[GeneratedPart, ...] = get_args(GeneratedPart)
TASKS: tuple[GeneratedPart, ...] = ("mnli", "mrpc", "qnli", "qqp", "rte", "sst-2", "sts-b")
LABELS = {
    "mnli": ("entailment", "neutral", "contradiction"),
    "mrpc": ("not_equivalent", "equivalent"),
    "qnli": ("entailment", "not_entailment"),
    "qqp": ("not_duplicate", "duplicate"),
    "rte": ("entailment", "not_entailment"),
    "sst-2": ("negative", "positive"),
    "sts-b": (),
}


def small(order: WordOrder = "subject-verb-object", seed: int = 0) -> LanguageSettings:
    return LanguageSettings(
        seed=seed,
        word_order=order,
        pretraining_sentences=800,
        treebank_sentences=100,
        train_examples=240,
        dev_examples=120,
        out_of_domain_sentences=60,
    )


def rows_of(part: GeneratedPart, split: str = "train", **options: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = generate(small(**options), part)[split].table.to_pylist()
    return rows


def sentences_of(row: dict[str, Any]) -> set[str]:
    if "context" in row:
        return {one.lower() for one in re.split(r"(?<=\.) ", row["context"])}
    texts = [row[name] for name in ("text", "text_a", "text_b") if row.get(name)]
    return {text.lower() for text in texts}


def plain(text: str) -> list[str]:
    bare = [re.sub(r"^(yes|no|also), ", "", one.lower()) for one in text.split("\n")]
    return [sentence for one in bare for sentence in re.split(r"(?<=[.?]) ", one)]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("part", PARTS)
def test_splits_share_no_sentence(part: GeneratedPart, order: WordOrder) -> None:
    seen: dict[str, str] = {}
    for name, split in generate(small(order), part).items():
        assert split.table.num_rows == split.accounting.kept > 0
        for row in split.table.to_pylist():
            for sentence in sentences_of(row):
                assert seen.setdefault(sentence, name) == name


def test_held_out_sentences_stay_out_of_the_pretraining_text() -> None:
    text = {one for row in rows_of("pretraining") for one in plain(row["text"])}
    assert len(text) > 700
    for part in PARTS:
        for name, split in generate(small(), part).items():
            if name != "train" or part == "out-of-domain":
                for row in split.table.to_pylist():
                    assert not sentences_of(row) & text


@pytest.mark.parametrize("part", PARTS)
def test_the_same_seed_gives_the_same_corpus(part: GeneratedPart) -> None:
    one, other = generate(small(), part), generate(small(), part)
    assert all(one[name].table.equals(other[name].table) for name in one)
    third = generate(small(seed=1), part)
    assert not any(one[name].table.equals(third[name].table) for name in one)


def test_another_process_with_other_hashes_draws_the_same() -> None:
    code = (
        "import hashlib\n"
        "from tunescope.config.language import LanguageSettings\n"
        "from tunescope.corpora.language.generate import generate\n"
        "s = LanguageSettings(pretraining_sentences=200, treebank_sentences=50,"
        " train_examples=48, dev_examples=48, out_of_domain_sentences=20)\n"
        "rows = [x.table.to_pylist() for p in ('mnli', 'squad', 'treebank', 'pretraining')"
        " for x in generate(s, p).values()]\n"
        "print(hashlib.sha256(repr(rows).encode()).hexdigest())\n"
    )
    folder = Path(__file__).parents[3] / "workflow_scripts"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(folder), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.parametrize("part", TASKS)
def test_labels_are_those_of_the_hub_and_balanced(part: GeneratedPart) -> None:
    for split in generate(small(), part).values():
        assert split.labels == LABELS[part]
        if split.labels:
            counts = Counter(split.table["label"].to_pylist())
            assert set(counts) == set(split.labels)
            assert len(set(counts.values())) == 1


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("part", [one for one in TASKS if one != "sst-2"])
def test_a_part_alone_does_not_tell_the_label(part: GeneratedPart, order: WordOrder) -> None:
    """Every first and every second part stands equally often under every label."""
    for split in ("train", "dev"):
        rows = rows_of(part, split, order=order)
        for side in ("text_a", "text_b"):
            labels = defaultdict(list)
            for row in rows:
                labels[row[side]].append(row["score"] if part == "sts-b" else row["label"])
            for found in labels.values():
                if part == "sts-b":
                    assert sum(found) / len(found) == pytest.approx(2.5)
                else:
                    assert set(Counter(found).values()) == {len(found) // len(LABELS[part])}


def test_sentiment_turns_on_denial() -> None:
    """No word is rarely under one label; those of denial are as often under both."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows_of("sst-2"):
        for word in set(re.findall(r"\w+", row["text_a"].lower())):
            labels[word][row["label"]] += 1
    for word in ("not", "never", "nobody"):
        assert labels[word]["positive"] == labels[word]["negative"] > 0, word
    for word in (*PRAISE, *BLAME):
        share = labels[word]["positive"] / labels[word].total()
        assert 0.2 < share < 0.8, word
        assert (share > 0.45) if word in PRAISE else (share < 0.55), word


def test_sts_b_scores_lie_on_its_scale() -> None:
    scores = [row["score"] for row in rows_of("sts-b")]
    assert 0 <= min(scores) < 1 < 4 < max(scores) <= 5


@pytest.mark.parametrize("order", ORDERS)
def test_squad_answers_stand_where_they_start(order: WordOrder) -> None:
    starts = []
    for row in rows_of("squad", order=order):
        (answer,) = row["answers"]
        end = answer["start"] + len(answer["text"])
        assert row["context"][answer["start"] : end] == answer["text"]
        before = row["context"][answer["start"] - 1] if answer["start"] else " "
        assert before == " "
        assert row["context"][end] in " ."
        starts.append(row["context"][: answer["start"]].count("."))
    places = Counter(starts)
    assert set(places) == {0, 1, 2, 3}  # each sentence of the context
    assert max(places.values()) < 0.4 * len(starts)


def test_every_annotation_occurs_in_the_treebank() -> None:
    rows = rows_of("treebank")
    for name in (*SPAN_ANNOTATIONS, "frames"):
        assert sum(bool(row[name]) for row in rows) > 5, name
    assert {label for row in rows for one in row["coreference"] for label in one["labels"]} == {
        "0",
        "1",
    }


def test_pretraining_rows_have_at_most_two_parts() -> None:
    parts = Counter(row["text"].count("\n") for row in rows_of("pretraining"))
    assert set(parts) == {0, 1}


def test_bulletins_are_another_domain_that_pretraining_covers() -> None:
    def words(texts: list[str]) -> Counter[str]:
        return Counter(word for text in texts for word in re.findall(r"\w+", text.lower()))

    inside = words([row["text_a"] for row in rows_of("mnli")])
    outside = words([row["text"] for row in rows_of("out-of-domain")])
    known = words([row["text"] for row in rows_of("pretraining")])
    shared = sum(count for word, count in outside.items() if word in inside)
    assert shared < 0.35 * outside.total()
    covered = sum(count for word, count in outside.items() if word in known)
    assert covered > 0.9 * outside.total()


def test_a_language_that_is_used_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tunescope.corpora.language.generate._PATIENCE", 2)
    settings = small().model_copy(update={"train_examples": 10**6})
    with pytest.raises(ValueError, match="no new sentence in 2 draws"):
        generate(settings, "sst-2")
