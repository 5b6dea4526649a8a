from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from probing.planted import treebank
from tunescope.errors import InputError
from tunescope.probing.edge_predictions import (
    EdgePredictions,
    ProbeOutcome,
    ProbePredictions,
    with_outputs_first,
    write_edge_predictions,
)
from tunescope.probing.summaries import SUMMARY_COLUMNS, ProbedRun
from tunescope.probing.tables import MIX_COLUMNS, VALUE_COLUMNS, tabulate_edge_probing
from tunescope.probing.targets import read_targets

LABELS = ("Cause", "Other")
GOLD = ["Cause", "Other", "Other", "Cause", "Effect"]  # training never saw Effect


def targets(gold=GOLD):
    spans = {"span1": {"start": 0, "end": 1}, "span2": {"start": 1, "end": 2}}
    rows = [{"words": ["a", "b"], "relations": [{**spans, "labels": [label]}]} for label in gold]
    return with_outputs_first(read_targets(treebank(rows), "relations"), LABELS)


def outcome(said, view="mix", seed=0):
    """A probe that says one label of each target, or none."""
    logits = np.array([[1.0 if label == one else -1.0 for label in LABELS] for one in said])
    return ProbeOutcome(
        view=view,
        seed=seed,
        logits=logits.astype(np.float32),
        mix=np.array([0.5, 0.3, 0.2]) if view == "mix" else np.zeros(0),
        gamma=1.5 if view == "mix" else 1.0,
        history=np.zeros((1, 4)),
        stopped="longest training",
        best_step=1,
    )


def write(path: Path, *outcomes, gold=GOLD):
    probe = ProbePredictions("relations", targets(gold), len(LABELS), outcomes)
    layers = ("embeddings", "00", "01")
    write_edge_predictions(EdgePredictions("e", "r", "w", "c", layers, (probe,)), path)
    return path


def probed(path, encoder="lab-p0", run="base", task=None, seed=None):
    return ProbedRun(encoder, int(encoder[-1]), run, task, seed, "semeval", path)


def cell(summary, run, view="mix", metric="micro_f1"):
    found = summary[
        (summary["run"] == run) & (summary["view"] == view) & (summary["metric"] == metric)
    ]
    assert len(found) == 1
    return found.iloc[0]


def test_scores_counted_by_hand(tmp_path):
    path = write(
        tmp_path / "base.h5",
        outcome(["Cause", "Other", "Cause", "Other", "Cause"]),
        outcome(GOLD, "top", 3),
    )
    values, summary, mixes = tabulate_edge_probing([probed(path)], resamples=200)
    assert tuple(values) == VALUE_COLUMNS
    assert tuple(summary) == SUMMARY_COLUMNS
    assert tuple(mixes) == MIX_COLUMNS
    value = values.set_index(["view", "metric"])["value"]
    # All labels: 2 right, 3 wrong, 3 missed (Effect among them).
    assert value["mix", "micro_f1"] == pytest.approx(2 * 2 / (2 * 2 + 3 + 3))
    # Without Other: 1 right, 2 wrong, 2 missed.
    assert value["mix", "tenney_f1"] == pytest.approx(2 / (2 + 2 + 2))
    assert value["top", "micro_f1"] == pytest.approx(8 / (8 + 1))
    assert set(values["unseen"]) == {1}
    assert set(values["targets"]) == {5}
    assert values["probe_seed"].tolist() == [0, 3, 0, 3]
    assert mixes["layer"].tolist() == ["embeddings", "0", "1"]
    assert mixes["weight"].tolist() == [0.5, 0.3, 0.2]
    assert set(mixes["gamma"]) == {1.5}
    top = cell(summary, "base", "top")
    assert top["difference"] == pytest.approx(8 / 9 - 0.4)
    assert np.isnan(cell(summary, "base")["difference"])


def test_equal_runs_differ_by_nothing_and_better_ones_by_their_gain(tmp_path):
    half = ["Cause", "Other", "Cause", "Other", "Cause"]
    runs = [
        probed(write(tmp_path / "b.h5", outcome(half))),
        probed(write(tmp_path / "s.h5", outcome(half)), run="same-s0", task="same", seed=0),
        probed(write(tmp_path / "g.h5", outcome(GOLD)), run="good-s0", task="good", seed=0),
    ]
    _, summary, _ = tabulate_edge_probing(runs, resamples=200)
    same, good = cell(summary, "same"), cell(summary, "good")
    assert (same["difference"], same["difference_low"], same["difference_high"]) == (0, 0, 0)
    assert good["difference"] == pytest.approx(8 / 9 - 0.4)
    assert good["difference_low"] <= good["difference"] <= good["difference_high"]
    assert good["low"] <= good["value"] <= good["high"]


def test_families_are_pooled_and_seeds_averaged(tmp_path):
    half = ["Cause", "Other", "Cause", "Other", "Cause"]  # .4
    nothing = [None] * 5  # 0
    runs = [
        probed(write(tmp_path / "0.h5", outcome(GOLD), outcome(GOLD, seed=1)), "lab-p0"),
        probed(write(tmp_path / "1.h5", outcome(half), outcome(GOLD, seed=1)), "lab-p1"),
        probed(write(tmp_path / "2.h5", outcome(half)), "lab-p0", "t-s0", "t", 0),
        probed(write(tmp_path / "3.h5", outcome(nothing)), "lab-p0", "t-s1", "t", 1),
    ]
    values, summary, _ = tabulate_edge_probing(runs, resamples=200)
    base, tuned = cell(summary, "base"), cell(summary, "t")
    whole = 8 / 9
    assert base["value"] == pytest.approx((whole + (0.4 + whole) / 2) / 2)
    assert (base["encoder"], base["encoders"], base["runs"], base["probe_seeds"]) == (
        "lab",
        2,
        2,
        2,
    )
    assert tuned["value"] == pytest.approx(0.2)
    assert (tuned["encoders"], tuned["runs"], tuned["probe_seeds"]) == (1, 2, 1)
    # Only lab-p0 was tuned, so the difference is to its own base.
    assert tuned["difference"] == pytest.approx(0.2 - whole)
    assert values["value"].isna().sum() == 0


def test_random_weights_are_compared_with_the_pretrained_ones(tmp_path):
    runs = [
        probed(write(tmp_path / "0.h5", outcome(GOLD)), "lab-p0"),
        probed(write(tmp_path / "1.h5", outcome([None] * 5)), "lab-p0", "random-s0", None, 0),
    ]
    _, summary, _ = tabulate_edge_probing(runs, resamples=200)
    random = cell(summary, "random")
    assert random["difference"] == pytest.approx(-8 / 9)
    assert random["difference_high"] < 0


def test_runs_on_other_targets_are_refused(tmp_path):
    runs = [
        probed(write(tmp_path / "0.h5", outcome(GOLD))),
        probed(write(tmp_path / "1.h5", outcome(GOLD), gold=GOLD[::-1]), "lab-p1"),
    ]
    with pytest.raises(InputError, match=r"1\.h5: its relations targets are not those of .*0\.h5"):
        tabulate_edge_probing(runs, resamples=200)


def test_runs_with_other_probe_seeds_are_not_averaged(tmp_path):
    runs = [
        probed(write(tmp_path / "0.h5", outcome(GOLD))),
        probed(write(tmp_path / "1.h5", outcome(GOLD, seed=1)), "lab-p1"),
    ]
    with pytest.raises(InputError, match="other probe seeds"):
        tabulate_edge_probing(runs, resamples=200)


def test_the_same_seed_gives_the_same_tables(tmp_path):
    path = write(tmp_path / "0.h5", outcome(["Cause", "Other", None] * 20), gold=GOLD * 12)
    run = probed(path)
    tables = [tabulate_edge_probing([run], resamples=200, seed=seed)[1] for seed in (0, 0, 1)]
    assert tables[0].equals(tables[1])
    assert not tables[0].equals(tables[2])


def test_several_runs_of_one_encoder_are_one_encoder(tmp_path):
    path = write(tmp_path / "0.h5", outcome(GOLD))
    run = probed(path, run="t-s0", task="t", seed=0)
    _, summary, _ = tabulate_edge_probing([run, replace(run, run="t-s1", seed=1)], resamples=200)
    assert (summary["encoders"].unique().tolist(), summary["runs"].unique().tolist()) == ([1], [2])
