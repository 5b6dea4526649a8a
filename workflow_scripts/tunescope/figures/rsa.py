"""How far fine-tuning moves each layer: RSA against the pre-trained encoder.

The layouts are those of merchant2020: Figure 2 (one line a task, on text outside the tasks'
domain) and Figure 5 (one panel a task, its own domain against text outside it).
"""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from tunescope.errors import InputError
from tunescope.figures.style import panels, spread_labels, styled, task_look
from tunescope.names import task_name, task_order
from tunescope.tables import RSA_SUMMARY, blocks_of, layer_number, require_columns

_MEASURES: Mapping[str, str] = {"rsa": "RSA similarity", "cka": "CKA similarity"}
_DOMAINS: Mapping[str, tuple[str, str, str]] = {
    # colour, style of the line, fill of the marker
    "in": ("#D55E00", "-", "full"),
    "out": ("#0072B2", "--", "none"),
}


def published_lines(
    summary: pd.DataFrame, published: pd.DataFrame | None, encoder: str, task: str, domain: str
) -> pd.DataFrame | None:
    """Published values that stand on the same axis as ours, or None.

    Layers are compared by number, so a published curve is shown only beside an encoder with as many
    blocks, and only for a task and domain that were published.

    Args:
        summary: our values.
        published: `merchant2020_figure2` or `merchant2020_figure5` of the reference, or None.
        encoder: our encoder.
        task: the task.
        domain: `in` or `out`.

    Returns:
        The published rows by layer, or None.
    """
    if published is None:
        return None
    ours = summary[summary["encoder"] == encoder]
    if blocks_of(ours["layer"]) != blocks_of(published["layer"]):
        return None
    rows = published[(published["task"] == task) & (published["domain"] == domain)]
    return rows.sort_values("layer") if len(rows) else None


def draw_rsa_by_layer(
    summary: pd.DataFrame, published: pd.DataFrame | None = None, *, measure: str = "rsa"
) -> Figure:
    """One line a task: similarity to the pre-trained encoder on text outside the tasks' domain.

    The layout of merchant2020's Figure 2, with the embeddings at the left of layer 0. One panel for
    each encoder and corpus; bands are the intervals of the summary.

    Args:
        summary: rows with `RSA_SUMMARY`; those of domain `out` are drawn.
        published: `merchant2020_figure2` of the reference, drawn faintly where the encoder has as
            many layers; None for no comparison (CKA was not published).
        measure: value of the column `measure` to draw.

    Raises:
        InputError: a column is missing or nothing is there to draw.
    """
    rows = _rows(summary, measure, domains=("out",))
    kinds = sorted(set(zip(rows["encoder"], rows["corpus"], strict=True)))
    tasks = task_order(list(rows["task"]))
    with styled():
        figure, axes = panels(len(kinds), height=3.1, width=4.6 if len(kinds) == 1 else 3.6)
        for axis, (encoder, corpus) in zip(axes, kinds, strict=True):
            part = rows[(rows["encoder"] == encoder) & (rows["corpus"] == corpus)]
            ends: dict[str, float] = {}
            for task in (task for task in tasks if task in set(part["task"])):
                colour, marker = task_look(task, tasks)
                lines = part[part["task"] == task].sort_values("position")
                shown = published_lines(summary, published, encoder, task, "out")
                _draw_published(axis, shown, colour)
                _draw_line(axis, lines, color=colour, marker=marker)
                ends[task] = float(lines["value"].iloc[-1])
            _finish(
                axis,
                part,
                f"{encoder} on {corpus}",
                measure,
                lowest=_lowest(rows),
                dense=len(kinds) > 1,
            )
            _legend(axis)
            _label_ends(axis, ends, {task: task_look(task, tasks)[0] for task in ends})
        _outer_labels(axes)
        return figure


def draw_rsa_by_domain(
    summary: pd.DataFrame, published: pd.DataFrame | None = None, *, measure: str = "rsa"
) -> Figure:
    """One panel a task: similarity on the task's own inputs against text outside its domain.

    The layout of merchant2020's Figure 5, with the embeddings at the left of layer 0.

    Args:
        summary: rows with `RSA_SUMMARY`; tasks without values in their own domain are left out.
        published: `merchant2020_figure5` of the reference, drawn faintly where the encoder has as
            many layers, or None.
        measure: value of the column `measure` to draw.

    Raises:
        InputError: a column is missing or no task has values in its own domain.
    """
    rows = _rows(summary, measure, domains=("in", "out"))
    own = rows[rows["domain"] == "in"]
    known = set(zip(own["encoder"], own["task"], strict=True))
    kinds = [
        (encoder, task)
        for encoder in sorted(set(rows["encoder"]))
        for task in task_order(list(rows["task"]))
        if (encoder, task) in known
    ]
    if not kinds:
        raise InputError(
            "summary of RSA",
            "no task has values in its own domain",
            "Give tasks stimuli of their own corpus",
        )
    encoders = {encoder for encoder, _ in kinds}
    with styled():
        figure, axes = panels(len(kinds), height=2.6, width=2.9 if len(kinds) > 1 else 4.6)
        for axis, (encoder, task) in zip(axes, kinds, strict=True):
            part = rows[(rows["encoder"] == encoder) & (rows["task"] == task)]
            for domain, (colour, style, fill) in _DOMAINS.items():
                _draw_published(
                    axis, published_lines(summary, published, encoder, task, domain), colour
                )
                corpora = sorted(set(part[part["domain"] == domain]["corpus"]))
                for corpus, marker in zip(corpora, "osD^v", strict=False):
                    _draw_line(
                        axis,
                        part[part["corpus"] == corpus].sort_values("position"),
                        color=colour,
                        linestyle=style,
                        marker=marker,
                        fillstyle=fill,
                        label=corpus,
                    )
            title = task_name(task) if len(encoders) == 1 else f"{encoder}, {task_name(task)}"
            _finish(axis, part, title, measure, lowest=_lowest(rows), dense=len(kinds) > 1)
            _legend(axis)
        _outer_labels(axes)
        return figure


def _rows(summary: pd.DataFrame, measure: str, domains: tuple[str, ...]) -> pd.DataFrame:
    require_columns(summary, RSA_SUMMARY, where="summary of RSA")
    rows = summary[(summary["measure"] == measure) & summary["domain"].isin(domains)]
    if rows.empty:
        raise InputError(
            "summary of RSA",
            f"no row of measure {measure} and domain {' or '.join(domains)}",
            "Compare representations on such a corpus first",
        )
    return rows.assign(position=[layer_number(layer) for layer in rows["layer"]])


def _draw_line(axis: Axes, lines: pd.DataFrame, **look: Any) -> None:
    known = lines.dropna(subset=["low", "high"])
    axis.fill_between(
        known["position"], known["low"], known["high"], color=look["color"], alpha=0.18, lw=0
    )
    axis.plot(lines["position"], lines["value"], markeredgewidth=1.0, zorder=3, **look)


def _draw_published(axis: Axes, rows: pd.DataFrame | None, colour: str) -> None:
    if rows is not None:
        axis.plot(
            rows["layer"], rows["value"], color=colour, alpha=0.55, lw=1.2, ls=":", gid="published"
        )


def _finish(
    axis: Axes, part: pd.DataFrame, title: str, measure: str, *, lowest: float, dense: bool
) -> None:
    last = int(part["position"].max())
    first = int(part["position"].min())
    ticks = list(range(first, last + 1))
    if dense and len(ticks) > 9:  # "emb." needs the room of two ticks
        ticks = [first, *sorted(range(last, first + 1, -2))]
    axis.set_xticks(ticks, ["emb." if tick < 0 else str(tick) for tick in ticks])
    axis.set_xlim(first - 0.3, last + 0.3)
    axis.set_ylim(lowest, 1.02)
    axis.yaxis.set_major_locator(MultipleLocator(0.2))
    axis.set_title(title)
    axis.set_xlabel("layer")
    axis.set_ylabel(_MEASURES.get(measure, measure))


def _label_ends(axis: Axes, ends: Mapping[str, float], colours: Mapping[str, str]) -> None:
    """Name each line at its right end instead of in a legend."""
    low, high = axis.get_ylim()
    wanted = [min(max(value, low), high) for value in ends.values()]
    placed = spread_labels(wanted, gap=0.058 * (high - low), low=low + 0.02, high=high - 0.02)
    right = axis.get_xlim()[1]
    for (task, value), height in zip(ends.items(), placed, strict=True):
        axis.annotate(
            task_name(task),
            xy=(right - 0.22, value),
            xytext=(right + 0.12, height),
            color=colours[task],
            fontweight="bold",
            fontsize=7.5,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colours[task],
                "lw": 0.6,
                "alpha": 0.6,
                "relpos": (0, 0.5),
            },
        )


def _lowest(rows: pd.DataFrame) -> float:
    """Lower end of the axis: 0 unless a similarity is below it."""
    return min(0.0, 0.2 * math.floor(float(rows["value"].min()) / 0.2))


def _legend(axis: Axes) -> None:
    """Explain named lines, and dotted ones where there are any."""
    handles, _ = axis.get_legend_handles_labels()
    if any(line.get_gid() == "published" for line in axis.lines):
        handles.append(
            Line2D([], [], color="#555555", lw=1.2, ls=":", label="published, BERT-base")
        )
    if handles:
        axis.legend(handles=handles, loc="lower left", handlelength=2.6, borderaxespad=0.2)


def _outer_labels(axes: list[Axes]) -> None:
    """Label the vertical axis once a row."""
    for axis in axes:
        place = axis.get_subplotspec()
        if place is not None and not place.is_first_col():
            axis.set_ylabel("")
