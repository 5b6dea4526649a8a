"""Fine-tuning scores in the layout of kovaleva2019's Table 1, drawn.

Each task and metric is a row; the three columns of the table (untuned, fine-tuned from random
weights, fine-tuned from pre-trained ones) are three marks in it, the published scores hollow ones.
"""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tunescope.errors import InputError
from tunescope.figures.style import panels, styled
from tunescope.names import METRIC_NAMES, STARTS, score_rows, task_name
from tunescope.tables import FINETUNING_SCORES, FINETUNING_SUMMARY, of_encoder, require_columns

_LOOKS: Mapping[str, tuple[str, str]] = {
    "none": ("#777777", "s"),
    "random": ("#D55E00", "^"),
    "pretrained": ("#0072B2", "o"),
}


def draw_finetuning_scores(
    summary: pd.DataFrame,
    published: pd.DataFrame | None = None,
    scores: pd.DataFrame | None = None,
) -> Figure:
    """Scores of the three starts, task by task; one panel an encoder.

    Args:
        summary: rows with `FINETUNING_SUMMARY`: mean over seeds and its interval.
        published: `kovaleva2019_table1` of the reference, drawn hollow, or None.
        scores: rows with `FINETUNING_SCORES`, one a seed: drawn as faint dots; a start with a
            constant predictor among its seeds is crossed out. None for neither.

    Raises:
        InputError: a column is missing or there is no row.
    """
    require_columns(summary, FINETUNING_SUMMARY, where="summary of fine-tuning scores")
    if scores is not None:
        require_columns(scores, FINETUNING_SCORES, where="fine-tuning scores")
    if summary.empty:
        raise InputError(
            "summary of fine-tuning scores", "it has no row", "Fine-tune at least one task first"
        )
    encoders = sorted(set(summary["encoder"]))
    lines = score_rows(summary)
    with styled():
        height = 1.25 + 0.36 * len(lines)
        figure, axes = panels(
            len(encoders), height=height, width=6.0 if len(encoders) == 1 else 3.9
        )
        for axis, encoder in zip(axes, encoders, strict=True):
            for row, (task, metric) in enumerate(lines):
                for place, start in enumerate(STARTS):
                    _draw_start(
                        axis,
                        row + (place - 1) * 0.24,
                        start,
                        _of(summary, encoder, task, start, metric),
                        None if published is None else _of(published, None, task, start, metric),
                        None if scores is None else _of(scores, encoder, task, start, metric),
                    )
            _finish(axis, encoder, lines)
        figure.legend(
            handles=_handles(published is not None, scores is not None),
            loc="outside lower center",
            ncols=3,
        )
        return figure


def _of(
    table: pd.DataFrame, encoder: str | None, task: str, start: str, metric: str
) -> pd.DataFrame:
    """Rows of one mark; any encoder where none is given (the published table has one)."""
    chosen = (
        (table["task"] == task) & (table["initialisation"] == start) & (table["metric"] == metric)
    )
    return table[chosen] if encoder is None else of_encoder(table[chosen], encoder)


def _draw_start(
    axis: Axes,
    height: float,
    start: str,
    mean: pd.DataFrame,
    published: pd.DataFrame | None,
    single: pd.DataFrame | None,
) -> None:
    colour, marker = _LOOKS[start]
    if published is not None and len(published):
        axis.plot(
            published["value"],
            [height] * len(published),
            marker=marker,
            color=colour,
            fillstyle="none",
            linestyle="none",
            alpha=0.55,
            markersize=6.5,
            zorder=2,
        )
    if single is not None and len(single):
        axis.plot(
            single["value"], [height] * len(single), ".", color=colour, alpha=0.35, ms=3.5, mew=0
        )
    for value, low, high in mean[["value", "low", "high"]].to_numpy(dtype=float):
        if low <= high:  # false where there is no interval
            axis.plot([low, high], [height, height], color=colour, lw=1.4, solid_capstyle="butt")
        axis.plot([value], [height], marker=marker, color=colour, ms=4.6, zorder=3)
        if single is not None and single["constant"].astype(bool).any():
            axis.plot([value], [height], marker="x", color="black", ms=6.5, mew=1.1, zorder=4)


def _finish(axis: Axes, encoder: str, lines: list[tuple[str, str]]) -> None:
    names = [f"{task_name(task)}  {METRIC_NAMES.get(metric, metric)}" for task, metric in lines]
    axis.set_yticks(range(len(lines)), names)
    axis.set_ylim(len(lines) - 0.5, -0.5)
    axis.tick_params(axis="y", length=0)
    axis.grid(visible=False, axis="y")
    for border in range(1, len(lines)):
        axis.axhline(border - 0.5, color="#E3E3E3", lw=0.6, zorder=0)
    low = min(0.0, axis.dataLim.x0)
    axis.set_xlim(low - 0.03 if low < 0 else -0.02, 1.02)
    axis.set_xlabel("score on the development set")
    axis.set_title(encoder)


def _handles(published: bool, scores: bool) -> list[Line2D]:
    marks = [
        Line2D([], [], color=_LOOKS[start][0], marker=_LOOKS[start][1], ms=4.6, label=name, lw=1.4)
        for start, name in STARTS.items()
    ]
    if published:
        marks.append(
            Line2D(
                [], [], color="#555555", marker="o", fillstyle="none", ls="none", label="published"
            )
        )
    if scores:
        marks.append(
            Line2D([], [], color="#555555", marker=".", ls="none", alpha=0.5, label="one seed")
        )
        marks.append(
            Line2D([], [], color="black", marker="x", ls="none", label="a seed gives one answer")
        )
    return marks
