import numpy as np
import pandas as pd
import pytest

from tunescope.errors import InputError
from tunescope.finetuning.predictions import Predictions, write_predictions
from tunescope.finetuning.scores import (
    PRETRAINED_MINUS_MAJORITY,
    PRETRAINED_MINUS_RANDOM,
    SCORE_COLUMNS,
    ScoredRun,
    TaskMetrics,
    tabulate_scores,
)

TASKS = {"toy": TaskMetrics(("accuracy", "f1"), "yes"), "rating": TaskMetrics(("pearson",))}
GOLD = np.array([1, 1, 1, 0] * 25)


def write(path, right, *, gold=GOLD, heads=None):
    """Predictions that are right on the first `right` examples alone."""
    predicted = np.where(np.arange(len(gold)) < right, gold, 1 - gold)
    scores = np.eye(2, dtype=np.float32)[predicted]
    origin = {}
    if heads:
        scores, origin = np.stack([scores] * heads), {"head_seeds": np.arange(heads)}
    rows = np.arange(len(gold))
    write_predictions(
        Predictions("classification", ("no", "yes"), rows, gold, scores, origin), path
    )


def run(path, *, seed=0, initialisation="pretrained", task="toy"):
    name = f"{task}-{initialisation}-s{seed}"
    return ScoredRun("lab", 0, name, task, seed, initialisation, path)


@pytest.fixture
def runs(tmp_path):
    found = []
    for initialisation, rights in (("pretrained", (90, 80)), ("random", (60, 70))):
        for seed, right in enumerate(rights):
            path = tmp_path / f"{initialisation}-{seed}.h5"
            write(path, right)
            found.append(run(path, seed=seed, initialisation=initialisation))
    write(tmp_path / "none.h5", 30, heads=3)
    found.append(run(tmp_path / "none.h5", seed=None, initialisation="none"))
    return found


def chosen(table, **values):
    for name, value in values.items():
        table = table[table[name] == value]
    return table


def test_each_run_head_and_metric_is_a_row(runs):
    scores, _ = tabulate_scores(runs, TASKS)
    assert list(scores.columns) == SCORE_COLUMNS
    assert len(scores) == (4 + 3) * 2
    tuned = chosen(scores, initialisation="pretrained", metric="accuracy")
    assert tuned["value"].tolist() == [0.9, 0.8]
    assert tuned["seed"].tolist() == [0, 1]
    assert tuned["examples"].tolist() == [100, 100]
    untrained = chosen(scores, initialisation="none", metric="accuracy")
    assert untrained["head_seed"].tolist() == [0, 1, 2]
    assert untrained["seed"].isna().all()
    assert not scores["constant"].any()


def test_the_summary_has_means_intervals_and_differences(runs):
    _, summary = tabulate_scores(runs, TASKS)
    accuracy = chosen(summary, metric="accuracy").set_index("initialisation")
    assert accuracy["value"].to_dict() == pytest.approx(
        {
            "pretrained": 0.85,
            "random": 0.65,
            "none": 0.3,
            PRETRAINED_MINUS_RANDOM: 0.2,
            PRETRAINED_MINUS_MAJORITY: 0.1,
        }
    )
    assert (accuracy["low"] < accuracy["value"]).all()
    assert (accuracy["value"] < accuracy["high"]).all()
    assert accuracy.loc["pretrained", "low"] > accuracy.loc["random", "value"]
    assert accuracy["seeds"].to_dict() == {
        "pretrained": 2,
        "random": 2,
        "none": 3,
        PRETRAINED_MINUS_RANDOM: 2,
        PRETRAINED_MINUS_MAJORITY: 2,
    }
    f1 = chosen(summary, metric="f1")
    assert PRETRAINED_MINUS_MAJORITY not in set(f1["initialisation"])


def test_differences_are_paired_by_seed_and_example(tmp_path):
    """Two runs of a seed that always agree differ by exactly 0, however they vary with the seed."""
    runs = []
    for seed, right in enumerate((60, 75, 90)):
        path = tmp_path / f"{seed}.h5"
        write(path, right)
        runs += [run(path, seed=seed, initialisation=name) for name in ("pretrained", "random")]
    _, summary = tabulate_scores(runs, TASKS)
    difference = chosen(summary, initialisation=PRETRAINED_MINUS_RANDOM)
    assert (difference[["value", "low", "high"]].to_numpy() == 0).all()


def test_the_interval_of_one_seed_is_the_examples_part(tmp_path):
    write(tmp_path / "one.h5", 80)
    _, summary = tabulate_scores([run(tmp_path / "one.h5")], TASKS, resamples=4_000)
    row = chosen(summary, initialisation="pretrained", metric="accuracy").iloc[0]
    deviation = np.sqrt(0.8 * 0.2 / 100)
    assert row["low"] == pytest.approx(0.8 - 1.96 * deviation, abs=0.02)
    assert row["high"] == pytest.approx(0.8 + 1.96 * deviation, abs=0.02)


def test_constant_predictors_are_marked_and_counted(tmp_path):
    write(tmp_path / "one.h5", 0, gold=np.zeros(10, dtype=np.int64))
    scores, summary = tabulate_scores([run(tmp_path / "one.h5")], TASKS)
    assert scores["constant"].all()
    assert chosen(summary, initialisation="pretrained")["constant"].tolist() == [1, 1]


def test_a_regression_is_scored_by_correlation(tmp_path):
    gold = np.linspace(0, 1, 30, dtype=np.float32)
    path = tmp_path / "rating.h5"
    write_predictions(
        Predictions("regression", (), np.arange(30), gold, gold[:, None] * 2, {}), path
    )
    scores, summary = tabulate_scores([run(path, task="rating")], TASKS)
    assert scores["value"].tolist() == [pytest.approx(1.0)]
    assert summary["initialisation"].tolist() == ["pretrained"]


def test_tables_are_repeatable_and_can_be_written(runs, tmp_path):
    first, second = (tabulate_scores(runs, TASKS, seed=4)[1] for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    first.to_csv(tmp_path / "summary.csv", index=False)
    assert "lab,toy,pretrained,accuracy,0.85" in (tmp_path / "summary.csv").read_text()


def test_runs_scored_on_other_examples_are_refused(tmp_path):
    write(tmp_path / "one.h5", 80)
    write(tmp_path / "two.h5", 80, gold=1 - GOLD)
    runs = [run(tmp_path / "one.h5"), run(tmp_path / "two.h5", seed=1)]
    with pytest.raises(InputError, match="scored on other examples"):
        tabulate_scores(runs, TASKS)


def test_the_summary_pools_pre_trainings_and_pairs_each_with_its_own_random_start(tmp_path):
    runs = []
    for number, (tuned, random) in enumerate([(90, 70), (80, 60)]):
        for initialisation, right in (("pretrained", tuned), ("random", random)):
            path = tmp_path / f"{number}-{initialisation}.h5"
            write(path, right)
            name = f"toy-{initialisation}-s0"
            runs.append(ScoredRun(f"lab-p{number}", number, name, "toy", 0, initialisation, path))
    scores, summary = tabulate_scores(runs, TASKS)
    assert scores["encoder"].unique().tolist() == ["lab-p0", "lab-p1"]
    accuracy = chosen(summary, metric="accuracy").set_index("initialisation")
    assert set(accuracy["encoder"]) == {"lab"}
    assert accuracy.loc["pretrained", "value"] == pytest.approx(0.85)
    assert accuracy.loc[PRETRAINED_MINUS_RANDOM, "value"] == pytest.approx(0.2)
    assert accuracy.loc[PRETRAINED_MINUS_RANDOM, "seeds"] == 2
