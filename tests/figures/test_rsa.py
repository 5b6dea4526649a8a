from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures.synthetic import rsa_summary
from tunescope.errors import InputError
from tunescope.figures.rsa import draw_rsa_by_domain, draw_rsa_by_layer, published_lines
from tunescope.tables import read_published

REFERENCE = Path(__file__).parents[2] / "reference"


@pytest.fixture(scope="module")
def figure2() -> pd.DataFrame:
    return read_published(REFERENCE, "merchant2020_figure2")


@pytest.fixture(scope="module")
def figure5() -> pd.DataFrame:
    return read_published(REFERENCE, "merchant2020_figure5")


def lines(axis: Axes, *, published: bool) -> list[np.ndarray]:
    return [
        np.column_stack(line.get_data())
        for line in axis.lines
        if (line.get_gid() == "published") is published
    ]


def texts(figure: Figure) -> set[str]:
    return {text.get_text() for axis in figure.axes for text in axis.texts}


def test_one_line_a_task_through_the_table_s_values() -> None:
    summary = rsa_summary()
    figure = draw_rsa_by_layer(summary)
    (axis,) = figure.axes
    chosen = summary.query("task == 'squad' and domain == 'out' and measure == 'rsa'")
    expected = np.column_stack([range(-1, 4), chosen["value"]])
    drawn = lines(axis, published=False)
    assert len(drawn) == 3
    assert any(np.allclose(line, expected) for line in drawn)
    assert texts(figure) == {"MNLI", "SQuAD", "Dep"}
    assert [tick.get_text() for tick in axis.get_xticklabels()] == ["emb.", "0", "1", "2", "3"]
    assert axis.get_ylabel() == "RSA similarity"


def test_order_of_the_rows_does_not_matter() -> None:
    summary = rsa_summary(blocks=12)
    shuffled = summary.sample(frac=1, random_state=3)
    for first, second in zip(
        lines(draw_rsa_by_layer(summary).axes[0], published=False),
        lines(draw_rsa_by_layer(shuffled).axes[0], published=False),
        strict=True,
    ):
        assert np.array_equal(first, second)


def test_band_is_the_interval() -> None:
    summary = rsa_summary(("mnli",))
    (axis,) = draw_rsa_by_layer(summary).axes
    (band,) = axis.collections
    rows = summary.query("domain == 'out' and measure == 'rsa'")
    corners = band.get_paths()[0].vertices
    assert corners[:, 1].min() == pytest.approx(rows["low"].min())
    assert corners[:, 1].max() == pytest.approx(rows["high"].max())


def test_published_curve_stands_beside_an_encoder_of_as_many_layers(figure2: pd.DataFrame) -> None:
    (axis,) = draw_rsa_by_layer(rsa_summary(blocks=12), figure2).axes
    drawn = lines(axis, published=True)
    assert len(drawn) == 3
    assert all(len(line) == 12 for line in drawn)
    mnli = figure2.query("task == 'mnli'")
    assert np.allclose(drawn[0], np.column_stack([mnli["layer"], mnli["value"]]))


@pytest.mark.parametrize("blocks", [4, 6, 11, 13])
def test_no_published_curve_on_another_axis(figure2: pd.DataFrame, blocks: int) -> None:
    (axis,) = draw_rsa_by_layer(rsa_summary(blocks=blocks), figure2).axes
    assert lines(axis, published=True) == []


def test_no_published_curve_for_a_task_without_one(figure5: pd.DataFrame) -> None:
    summary = rsa_summary(("rte", "dep"), blocks=12)
    assert published_lines(summary, figure5, "lab", "rte", "in") is None
    assert published_lines(summary, figure5, "lab", "dep", "in") is None
    assert published_lines(rsa_summary(blocks=12), figure5, "lab", "squad", "in") is not None


def test_a_panel_for_each_encoder_and_corpus() -> None:
    figure = draw_rsa_by_layer(rsa_summary(encoders=("lab", "minilm")))
    assert [axis.get_title(loc="left") for axis in figure.axes] == [
        "lab on general",
        "minilm on general",
    ]


def test_domains_share_a_panel_a_task(figure5: pd.DataFrame) -> None:
    figure = draw_rsa_by_domain(rsa_summary(("squad", "mnli"), blocks=12), figure5)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["MNLI", "SQuAD"]
    for axis in figure.axes:
        assert len(lines(axis, published=False)) == 2
        assert len(lines(axis, published=True)) == 2
        legend = axis.get_legend()
        assert legend is not None
        assert [text.get_text() for text in legend.get_texts()][1:] == [
            "general",
            "published, BERT-base",
        ]


def test_tasks_without_their_own_domain_are_left_out() -> None:
    summary = rsa_summary(("mnli", "rte"))
    part = summary[(summary["task"] != "rte") | (summary["domain"] == "out")]
    figure = draw_rsa_by_domain(part)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["MNLI"]
    with pytest.raises(InputError, match="own domain"):
        draw_rsa_by_domain(summary[summary["domain"] == "out"])


def test_another_measure() -> None:
    (axis,) = draw_rsa_by_layer(rsa_summary(), measure="cka").axes
    assert axis.get_ylabel() == "CKA similarity"


def test_negative_similarities_stay_in_view() -> None:
    summary = rsa_summary()
    (axis,) = draw_rsa_by_layer(summary.assign(value=summary["value"] - 0.8)).axes
    lowest = min(line[:, 1].min() for line in lines(axis, published=False))
    assert lowest < 0
    assert axis.get_ylim()[0] <= lowest


def test_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="no column domain"):
        draw_rsa_by_layer(rsa_summary().drop(columns="domain"))


def test_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="no row of measure procrustes"):
        draw_rsa_by_layer(rsa_summary(), measure="procrustes")
