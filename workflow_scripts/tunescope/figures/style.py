"""One look for all figures: colours, marks, sizes, and files that are the same bytes every time."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tunescope.names import TASK_NAMES, task_order

# Okabe and Ito's colours for the three tasks that share most figures; Tol's muted ones fill up.
_TASK_COLOURS: Mapping[str, str] = {
    "mnli": "#0072B2",
    "squad": "#D55E00",
    "dep": "#009E73",
    "mrpc": "#CC79A7",
    "sts-b": "#B58900",
    "sst-2": "#56B4E9",
    "qqp": "#882255",
    "rte": "#332288",
    "qnli": "#7A7A00",
}
_OTHER_COLOURS = ("#444444", "#AA4499", "#117733", "#661100", "#6699CC")
_MARKERS = "osD^vPX<>hd*"

#: Settings of matplotlib under which everything is drawn.
STYLE: Mapping[str, Any] = {
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same everywhere
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 7,
    "axes.labelsize": 8.5,
    "axes.labelcolor": "#222222",
    "axes.edgecolor": "#666666",
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.6,
    "xtick.color": "#666666",
    "ytick.color": "#666666",
    "xtick.labelcolor": "#222222",
    "ytick.labelcolor": "#222222",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.2,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "pdf.fonttype": 42,  # text stays text
    "svg.hashsalt": "tunescope",
}

#: Width in inches of one panel of a figure, and the most panels in a row (a printed page's width).
PANEL_WIDTH = 3.3
PANELS_IN_A_ROW = 3


@contextmanager
def styled() -> Iterator[None]:
    """Draw under `STYLE`, whatever the user's matplotlibrc says."""
    with style.context(dict(STYLE), after_reset=True):
        yield


def task_look(task: str, tasks: list[str]) -> tuple[str, str]:
    """Colour and marker of a task: fixed for the papers' tasks, by position for others.

    Args:
        task: the task.
        tasks: all tasks of the figure, so that unknown ones get different looks.
    """
    known = list(TASK_NAMES)
    if task in known:
        return _TASK_COLOURS[task], _MARKERS[known.index(task)]
    rank = [other for other in task_order(tasks) if other not in known].index(task)
    return (
        _OTHER_COLOURS[rank % len(_OTHER_COLOURS)],
        _MARKERS[(len(known) + rank) % len(_MARKERS)],
    )


def panels(count: int, *, height: float, width: float = PANEL_WIDTH) -> tuple[Figure, list[Axes]]:
    """A figure with `count` panels in rows of up to `PANELS_IN_A_ROW`, sharing both axes.

    Args:
        count: number of panels.
        height: height of one row in inches.
        width: width of one panel in inches.
    """
    columns = min(count, PANELS_IN_A_ROW)
    rows = -(-count // columns)
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, columns, squeeze=False, sharex=False, sharey=True)
    axes = list(grid.flat)
    for unused in axes[count:]:
        unused.remove()
    return figure, axes[:count]


def spread_labels(positions: list[float], *, gap: float, low: float, high: float) -> list[float]:
    """Move labels apart so that neighbours are at least `gap` away, each near where it belongs.

    Args:
        positions: wanted positions, in any order.
        gap: smallest distance between two labels.
        low: lowest position allowed.
        high: highest position allowed, where the labels fit between the two.

    Returns:
        The new positions, in the order of `positions`.
    """
    order = sorted(range(len(positions)), key=lambda index: (positions[index], index))
    # Labels that touch are merged into blocks, each centred on the mean of its members' wishes.
    blocks: list[list[int]] = []

    def start(block: list[int]) -> float:
        centre = sum(positions[index] for index in block) / len(block)
        first = centre - gap * (len(block) - 1) / 2
        return min(max(first, low), max(low, high - gap * (len(block) - 1)))

    for index in order:
        blocks.append([index])
        while len(blocks) > 1 and start(blocks[-1]) - start(blocks[-2]) < gap * len(blocks[-2]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    placed = [0.0] * len(positions)
    for block in blocks:
        for step, index in enumerate(block):
            placed[index] = start(block) + gap * step
    return placed


def save_figure(figure: Figure, pdf: Path, png: Path) -> None:
    """Write a figure as vector and as picture, without dates: the same figure, the same bytes.

    Args:
        figure: what to write.
        pdf: path of the vector file.
        png: path of the picture, 200 dots an inch.
    """
    with styled():
        for path, options in (
            (pdf, {"metadata": {"CreationDate": None, "Creator": "tunescope", "Producer": None}}),
            (png, {"metadata": {"Software": None}, "dpi": 200}),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.partial")
            figure.savefig(temporary, format=path.suffix.lstrip("."), **options)
            temporary.replace(path)
