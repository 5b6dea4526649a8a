import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.subsample import REASON, subsample


def split_of(rows: int) -> Split:
    texts: list[dict[str, object]] = [{"row": n, "text": f"t{n}"} for n in range(rows)]
    return make_split("text", texts, (), Accounting("s", "", rows + 2, rows, {"blank line": 2}))


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40))
def test_fewer_rows_in_order_counted_and_nested(rows: int, small: int, large: int) -> None:
    small, large = sorted((small, large))
    split = split_of(rows)
    few, many = subsample(split, small), subsample(split, large)
    kept = few.table["row"].to_pylist()
    assert kept == sorted(set(kept))
    assert len(kept) == min(small, rows) == few.accounting.kept
    assert set(kept) <= set(many.table["row"].to_pylist())
    assert few.accounting.dropped.get(REASON, 0) == rows - len(kept)
    assert few.accounting.dropped["blank line"] == 2


def test_the_draw_is_fixed_and_not_the_head_of_the_file() -> None:
    split = split_of(100)
    kept = subsample(split, 10).table["row"].to_pylist()
    assert kept == subsample(split, 10).table["row"].to_pylist()
    assert kept != list(range(10))
    assert kept != subsample(split, 10, seed=1).table["row"].to_pylist()


def test_enough_rows_leave_the_split_alone() -> None:
    split = split_of(3)
    assert subsample(split, 3) is split


@pytest.mark.parametrize("rows", [1, 99])
def test_any_cap_keeps_that_many(rows: int) -> None:
    assert len(subsample(split_of(100), rows).table) == rows
