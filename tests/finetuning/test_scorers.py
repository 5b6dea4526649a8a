from dataclasses import replace

import h5py
import numpy as np
import pytest

from tunescope.errors import InputError
from tunescope.finetuning.answers import Answers, read_answers
from tunescope.finetuning.parses import Parses, read_parses
from tunescope.finetuning.predictions import Predictions, read_predictions, write_predictions
from tunescope.finetuning.scorers import read_any, scorers_of
from tunescope.finetuning.scores import (
    PRETRAINED_MINUS_RANDOM,
    ScoredRun,
    TaskMetrics,
    tabulate_scores,
)

TASKS = {"dep": TaskMetrics(("las", "uas")), "squad": TaskMetrics(("squad_f1", "em"))}


def parses(right, *, sentences=40, parsers=1, labels=("a", "b")):
    """Sentences of one to three words; the first `right` words of all are right."""
    generator = np.random.default_rng(0)
    offsets = np.concatenate([[0], np.cumsum(generator.integers(1, 4, sentences))])
    words = int(offsets[-1])
    gold = np.zeros(words, np.int32)
    said = np.where(np.arange(words) < right, 0, 1).astype(np.int32)
    return Parses(
        labels=labels,
        known=2,
        rows=np.arange(sentences),
        offsets=offsets,
        pieces=generator.integers(1, 3, words),
        gold_heads=gold,
        gold_labels=gold.copy(),
        heads=np.stack([said] * parsers),
        head_labels=np.stack([said] * parsers),
        origin={"weights_sha256": "abc"},
    )


def answers(right, *, count=40, heads=1):
    texts = tuple("red" if row < right else "blue\x00\U0001f600" for row in range(count))
    shape = (heads, count)
    return Answers(
        rows=np.arange(count),
        ids=tuple(f"q{row}" for row in range(count)),
        golds=(("red", "a re\u0301d tree"),) * count,
        texts=(texts,) * heads,
        starts=np.ones(shape, np.int64),
        scores=np.full(shape, 0.5, np.float32),
        origin={"weights_sha256": "abc"},
    )


def test_parses_that_were_written_are_read(tmp_path):
    written = parses(30, parsers=2)
    write_predictions(written, tmp_path / "one.h5")
    write_predictions(written, tmp_path / "two.h5")
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()
    found = read_parses(tmp_path / "one.h5")
    assert (found.labels, found.known, found.origin) == (("a", "b"), 2, {"weights_sha256": "abc"})
    for name, values in written.arrays().items():
        np.testing.assert_array_equal(found.arrays()[name], values)


def test_answers_that_were_written_are_read(tmp_path):
    written = answers(30, heads=2)
    write_predictions(written, tmp_path / "one.h5")
    write_predictions(written, tmp_path / "two.h5")
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()
    found = read_answers(tmp_path / "one.h5")
    assert (found.ids, found.golds, found.texts) == (written.ids, written.golds, written.texts)
    np.testing.assert_array_equal(found.scores, written.scores)
    np.testing.assert_array_equal(found.starts, written.starts)
    assert found.origin == {"weights_sha256": "abc"}


def test_each_kind_is_read_as_what_it_is(tmp_path):
    gold = np.array([0, 1])
    sentences = Predictions("classification", ("n", "y"), gold, gold, np.eye(2, dtype="f"), {})
    for written in (parses(3), answers(3), sentences):
        write_predictions(written, tmp_path / "run.h5")
        assert type(read_any(tmp_path / "run.h5")) is type(written)


def test_another_kind_of_file_is_refused(tmp_path):
    write_predictions(parses(3), tmp_path / "parses.h5")
    write_predictions(answers(3), tmp_path / "answers.h5")
    for read, name in (
        (read_answers, "parses"),
        (read_parses, "answers"),
        (read_predictions, "parses"),
    ):
        with pytest.raises(InputError, match=r"of kind .*, holds no"):
            read(tmp_path / f"{name}.h5")


def shorten(name):
    def damage(file):
        values = file[name][()]
        del file[name]
        file[name] = values[..., :-1]

    return damage


def incomplete(file):
    del file.attrs["complete"]


def with_nan(file):
    file["score"][0, 0] = np.nan


@pytest.mark.parametrize(
    "damage",
    [incomplete, *(shorten(one) for one in ("head", "label", "pieces", "gold_head", "row"))],
)
def test_damaged_parses_are_refused(tmp_path, damage):
    write_predictions(parses(3), tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        damage(file)
    with pytest.raises(InputError, match=r"run\.h5"):
        read_any(tmp_path / "run.h5")


@pytest.mark.parametrize(
    "damage",
    [
        incomplete,
        with_nan,
        *(shorten(one) for one in ("score", "start", "row", "text_bytes", "gold_offset")),
    ],
)
def test_damaged_answers_are_refused(tmp_path, damage):
    write_predictions(answers(3), tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        damage(file)
    with pytest.raises(InputError, match=r"run\.h5"):
        read_any(tmp_path / "run.h5")


@pytest.mark.parametrize(
    ("predictions", "metric", "choices"),
    [
        (parses(3), "accuracy", "uas, las, label_accuracy, las_pieces"),
        (parses(3), "em", "uas, las"),
        (answers(3), "f1", "em, squad_f1"),
        (answers(3), "las", "em, squad_f1"),
        (
            Predictions("regression", (), np.arange(2), np.ones(2), np.ones((2, 1), "f"), {}),
            "em",
            "pearson, spearman",
        ),
    ],
)
def test_a_metric_of_another_kind_of_task_is_refused(predictions, metric, choices):
    with pytest.raises(InputError, match=rf"tasks\.x\.metrics: {metric} of a .*{choices}"):
        list(scorers_of(metric, predictions, positive_label=None, where="tasks.x"))


def run(path, task, *, seed=0, initialisation="pretrained"):
    return ScoredRun("lab", 0, f"{task}-{initialisation}", task, seed, initialisation, path)


def test_tables_hold_both_tasks_with_every_start(tmp_path):
    runs = []
    for task, make in (("dep", parses), ("squad", answers)):
        for initialisation, right in (("pretrained", 30), ("random", 20)):
            path = tmp_path / f"{task}-{initialisation}.h5"
            write_predictions(make(right), path)
            runs.append(run(path, task, initialisation=initialisation))
        path = tmp_path / f"{task}-none.h5"
        untrained = parses(10, parsers=3) if task == "dep" else answers(10, heads=3)
        origin = {"head_seeds": np.arange(3)}
        write_predictions(replace(untrained, origin=origin), path)
        runs.append(run(path, task, seed=None, initialisation="none"))
    scores, summary = tabulate_scores(runs, TASKS, resamples=200)
    assert len(scores) == 2 * 2 * (1 + 1 + 3)
    assert (scores["examples"] == 40).all()
    table = summary.set_index(["task", "initialisation", "metric"])
    words = len(parses(0).pieces)
    for (task, metric), total in {("dep", "las"): words, ("squad", "em"): 40}.items():
        values = {
            start: table.loc[(task, start, metric), "value"]
            for start in ("pretrained", "random", "none", PRETRAINED_MINUS_RANDOM)
        }
        expected = {"pretrained": 30, "random": 20, "none": 10, PRETRAINED_MINUS_RANDOM: 10}
        assert values == pytest.approx({name: n / total for name, n in expected.items()})
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()
    assert (table["low"] < table["high"]).all()


def test_the_interval_of_a_ratio_is_over_sentences(tmp_path):
    """Oracle: the same resamples, counted word by word."""
    found = parses(40)
    write_predictions(found, tmp_path / "run.h5")
    _, summary = tabulate_scores([run(tmp_path / "run.h5", "dep")], TASKS, resamples=500, seed=3)
    generator = np.random.default_rng(3)
    replicates = []
    for _ in range(500):
        drawn = generator.integers(40, size=40)
        generator.integers(1, size=1)
        words = np.concatenate([np.arange(*found.offsets[one : one + 2]) for one in drawn])
        replicates.append((found.heads[0, words] == 0).mean())
    row = summary[summary["metric"] == "uas"].iloc[0]
    low, high = np.quantile(replicates, [0.025, 0.975])
    assert (row["low"], row["high"]) == pytest.approx((low, high))


def test_other_relations_known_to_a_head_do_not_make_other_examples(tmp_path):
    """Heads never trained know the relations of the scored split, in numbers of their own."""
    write_predictions(parses(30), tmp_path / "tuned.h5")
    other = parses(30, labels=("0", "a"))
    other = replace(other, gold_labels=other.gold_labels + np.int32(1))
    write_predictions(other, tmp_path / "none.h5")
    runs = [
        run(tmp_path / "tuned.h5", "dep"),
        run(tmp_path / "none.h5", "dep", initialisation="none"),
    ]
    assert len(tabulate_scores(runs, TASKS, resamples=10)[0]) == 4
    write_predictions(parses(30, labels=("z", "a")), tmp_path / "none.h5")
    with pytest.raises(InputError, match="other examples"):
        tabulate_scores(runs, TASKS, resamples=10)
