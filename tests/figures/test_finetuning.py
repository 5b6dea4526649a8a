from pathlib import Path

import pytest
from matplotlib.axes import Axes

from figures.synthetic import finetuning_scores, finetuning_summary
from tunescope.errors import InputError
from tunescope.figures.finetuning import draw_finetuning_scores
from tunescope.names import score_rows
from tunescope.tables import read_published

REFERENCE = Path(__file__).parents[2] / "reference"


def marks(axis: Axes, marker: str, *, hollow: bool = False) -> list[tuple[float, float]]:
    return [
        (float(x), float(y))
        for line in axis.lines
        if line.get_marker() == marker and (line.get_fillstyle() == "none") is hollow
        for x, y in zip(*line.get_data(), strict=True)
    ]


def test_rows_are_those_of_the_published_table() -> None:
    summary = finetuning_summary(finetuning_scores())
    assert score_rows(summary) == [
        ("mrpc", "f1"),
        ("mrpc", "accuracy"),
        ("sts-b", "pearson"),
        ("rte", "accuracy"),
    ]
    (axis,) = draw_finetuning_scores(summary).axes
    assert [label.get_text() for label in axis.get_yticklabels()] == [
        "MRPC  F1",
        "MRPC  accuracy",
        "STS-B  Pearson r",
        "RTE  accuracy",
    ]


def test_every_mean_has_its_mark() -> None:
    summary = finetuning_summary(finetuning_scores())
    (axis,) = draw_finetuning_scores(summary).axes
    for start, marker in (("none", "s"), ("random", "^"), ("pretrained", "o")):
        expected = sorted(summary[summary["initialisation"] == start]["value"])
        assert sorted(x for x, _ in marks(axis, marker)) == pytest.approx(expected)


def test_published_scores_stand_in_the_same_row() -> None:
    summary = finetuning_summary(finetuning_scores())
    published = read_published(REFERENCE, "kovaleva2019_table1")
    (axis,) = draw_finetuning_scores(summary, published).axes
    ours = {round(y, 6): x for x, y in marks(axis, "o")}
    theirs = {round(y, 6): x for x, y in marks(axis, "o", hollow=True)}
    assert ours.keys() == theirs.keys()
    assert sorted(theirs.values()) == [0.646, 0.823, 0.827, 0.879]


def test_constant_predictors_are_crossed_out() -> None:
    scores = finetuning_scores()
    summary = finetuning_summary(scores)
    (axis,) = draw_finetuning_scores(summary, None, scores).axes
    crossed = marks(axis, "x")
    assert len(crossed) == 2  # both metrics of the first task, from random weights
    assert set(crossed) <= set(marks(axis, "^"))
    (plain,) = draw_finetuning_scores(summary, None, scores.assign(constant=False)).axes
    assert marks(plain, "x") == []


def test_one_faint_dot_a_seed() -> None:
    scores = finetuning_scores()
    (axis,) = draw_finetuning_scores(finetuning_summary(scores), None, scores).axes
    assert sorted(x for x, _ in marks(axis, ".")) == pytest.approx(sorted(scores["value"]))


def test_means_without_an_interval() -> None:
    summary = finetuning_summary(finetuning_scores()).assign(low=float("nan"), high=float("nan"))
    (axis,) = draw_finetuning_scores(summary).axes
    assert len(marks(axis, "o")) == 4


def test_negative_correlations_stay_in_view() -> None:
    summary = finetuning_summary(finetuning_scores())
    below = summary.assign(value=summary["value"] - 0.6, low=float("nan"), high=float("nan"))
    (axis,) = draw_finetuning_scores(below).axes
    starts = below[below["initialisation"].isin(["none", "random", "pretrained"])]
    assert axis.get_xlim()[0] < starts["value"].min() < 0


def test_a_panel_an_encoder() -> None:
    scores = finetuning_scores(encoders=("lab", "minilm"))
    figure = draw_finetuning_scores(finetuning_summary(scores))
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["lab", "minilm"]


def test_bad_input_is_named() -> None:
    summary = finetuning_summary(finetuning_scores())
    with pytest.raises(InputError, match="no column low"):
        draw_finetuning_scores(summary.drop(columns="low"))
    with pytest.raises(InputError, match="no row"):
        draw_finetuning_scores(summary[:0])
    with pytest.raises(InputError, match="no column constant"):
        draw_finetuning_scores(summary, None, summary.drop(columns="constant"))
