from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunescope.figures.style import panels, save_figure, spread_labels, styled, task_look
from tunescope.names import TASK_NAMES, task_order


def test_every_task_of_the_papers_has_its_own_look() -> None:
    looks = [task_look(task, list(TASK_NAMES)) for task in TASK_NAMES]
    assert len({colour for colour, _ in looks}) == len(TASK_NAMES)
    assert len({marker for _, marker in looks}) == len(TASK_NAMES)


def test_look_of_a_task_does_not_depend_on_its_company() -> None:
    assert task_look("mnli", ["mnli"]) == task_look("mnli", ["rte", "mnli", "own"])
    assert task_look("own", ["own", "other"]) != task_look("other", ["own", "other"])


def test_tasks_stand_in_the_papers_order() -> None:
    assert task_order(["own", "rte", "mnli", "dep", "rte"]) == ["mnli", "dep", "rte", "own"]


@pytest.mark.parametrize(("count", "rows", "columns"), [(1, 1, 1), (3, 1, 3), (4, 2, 3), (7, 3, 3)])
def test_panels_fill_rows(count: int, rows: int, columns: int) -> None:
    figure, axes = panels(count, height=2.0, width=3.0)
    assert len(axes) == count == len(figure.axes)
    assert tuple(figure.get_size_inches()) == (3.0 * columns, 2.0 * rows)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_labels_are_apart_in_order_and_inside(positions: list[float]) -> None:
    placed = spread_labels(positions, gap=0.05, low=0.0, high=1.0)
    order = np.argsort(positions, kind="stable")
    assert (np.diff(np.array(placed)[order]) >= 0.05 - 1e-9).all()
    assert min(placed) >= -1e-9
    assert max(placed) <= 1 + 1e-9


def test_labels_that_fit_stay_where_they_belong() -> None:
    assert spread_labels([0.8, 0.2, 0.5], gap=0.1, low=0, high=1) == [0.8, 0.2, 0.5]


def test_labels_that_touch_share_the_move() -> None:
    assert spread_labels([0.5, 0.5], gap=0.1, low=0, high=1) == pytest.approx([0.45, 0.55])


def test_same_figure_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        with styled():
            figure, (axis,) = panels(1, height=2.0)
            axis.plot([0, 1], [0.2, 0.7], marker="o")
            axis.set_title("title")
        save_figure(figure, tmp_path / f"{name}.pdf", tmp_path / f"{name}.png")
    for ending in ("pdf", "png"):
        content = (tmp_path / f"first.{ending}").read_bytes()
        assert content == (tmp_path / f"second.{ending}").read_bytes()
        assert b"CreationDate" not in content
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "first.pdf",
        "first.png",
        "second.pdf",
        "second.png",
    ]
