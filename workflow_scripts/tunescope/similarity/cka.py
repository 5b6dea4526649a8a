"""Linear centred kernel alignment, in linear time.

Kornblith et al. (2019) compare two sets of states by the Hilbert-Schmidt independence criterion of
their Gram matrices. Their estimate grows with the width of the states if tokens are few; the one
here takes the unbiased estimate of Song et al. (2012), as Nguyen et al. (2021) do, unless asked for
the first. It is unchanged by rotation, by a common factor and by a shift of all states, but not,
unlike RSA with cosines, by the length of each row.
"""

from collections.abc import Iterable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tunescope.similarity.gram import (
    BLOCK_ROWS,
    Array,
    GramSums,
    Rows,
    check_pair,
    extended_rows,
)

Number = TypeVar("Number", float, Array)

ROUNDING = 100  # criteria below so many rounding errors count as zero
#: Criterion of states that do not differ, a pair of rows.
LEAST_CRITERION = (ROUNDING * float(np.finfo(np.float64).eps)) ** 2


class CentredRows:
    """Turns rows into extended rows [z, |z|^2, 1]; the first block sets the shift and the scale."""

    def __init__(self) -> None:
        self._centre: Array | None = None
        self._scale = 1.0

    def __call__(self, block: npt.NDArray[np.generic]) -> Rows:
        """Extended rows of a block, shape [rows, width + 2].

        Raises:
            ValueError: a state is not finite.
        """
        if not np.isfinite(block).all():
            raise ValueError("some states are not finite")
        if self._centre is None:
            rows = block.astype(np.float64)
            self._centre = rows.mean(axis=0)
            spread = float(np.sqrt(np.mean(np.square(rows - self._centre).sum(axis=1))))
            length = float(np.sqrt(np.mean(np.square(rows).sum(axis=1))))
            self._scale = 1 / max(spread, 1e-9 * length, np.finfo(np.float64).tiny)
        return extended_rows(block, self._extend)

    def _extend(self, rows: Array, extended: Array) -> None:
        assert self._centre is not None
        width = rows.shape[1]
        states = extended[:, :width]
        np.subtract(rows, self._centre, out=states)
        states *= self._scale
        extended[:, width] = np.einsum("ij,ij->i", states, states)
        extended[:, width + 1] = 1


class CkaSums:
    """Linear CKA from a stream of blocks; memory does not grow with the rows."""

    def __init__(self) -> None:
        self._rows_x, self._rows_y = CentredRows(), CentredRows()
        self._sums = GramSums()

    def update(self, x: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> None:
        """Add tokens: states of both models, shapes [tokens, width of x], [tokens, width of y]."""
        check_pair(x, y)
        if len(x):
            self._sums.update(self._rows_x(x), self._rows_y(y))

    def value(self, *, debiased: bool = True) -> float:
        """The alignment over the tokens so far, at most 1; debiased it can fall a little below 0.

        Raises:
            ValueError: all states of a model are equal, or there are fewer than 4 tokens.
        """
        sums = self._sums
        if sums.rows < 4:
            raise ValueError(f"CKA needs at least 4 tokens, found {sums.rows}")
        criterion = _unbiased if debiased else _biased
        own_x, own_y = criterion(sums.xx), criterion(sums.yy)
        for name, own, gram in (("first", own_x, sums.xx), ("second", own_y, sums.yy)):
            whole = float(np.vdot(gram[:-2, :-2], gram[:-2, :-2]))
            least = max(LEAST_CRITERION * sums.rows**2, ROUNDING * sums.resolution * whole)
            if own <= least:
                raise ValueError(f"the states of the {name} model do not differ: no CKA")
        return float(min(criterion(sums.xy) / np.sqrt(own_x * own_y), 1.0))


def _unbiased(gram: Array) -> float:
    """Unbiased criterion of Song et al. (2012), equation 5, times n (n - 3)."""
    states, rows = gram[:-2, :-2], gram[-1, -1]
    sum_x, sum_y = gram[:-2, -1], gram[-1, :-2]
    norms_y_x, norms_x_y = gram[:-2, -2], gram[-2, :-2]  # sums of |y|^2 x and of |x|^2 y
    norms_xy, norms_x, norms_y = gram[-2, -2], gram[-2, -1], gram[-1, -2]
    trace = np.vdot(states, states) - norms_xy
    total_x, total_y = sum_x @ sum_x - norms_x, sum_y @ sum_y - norms_y
    chained = sum_x @ states @ sum_y - norms_x_y @ sum_y - norms_y_x @ sum_x + norms_xy
    return unbiased_criterion(
        float(trace), float(total_x), float(total_y), float(chained), float(rows)
    )


def unbiased_criterion(
    trace: Number, total_x: Number, total_y: Number, chained: Number, rows: Number
) -> Number:
    """Unbiased criterion, times n (n - 3), from sums over Gram matrices K, L with zero diagonals.

    Args:
        trace: sum of K_ij L_ij.
        total_x: sum of K_ij.
        total_y: sum of L_ij.
        chained: sum of K_ij L_jk.
        rows: number of rows.
    """
    return trace + total_x * total_y / ((rows - 1) * (rows - 2)) - 2 * chained / (rows - 2)


def _biased(gram: Array) -> float:
    """Squared norm of the cross-product of centred states (Kornblith et al. 2019)."""
    states = gram[:-2, :-2] - np.outer(gram[:-2, -1], gram[-1, :-2]) / gram[-1, -1]
    return float(np.vdot(states, states))


def cka(
    x: npt.NDArray[np.generic],
    y: npt.NDArray[np.generic],
    *,
    debiased: bool = True,
    block_rows: int = BLOCK_ROWS,
) -> float:
    """Linear CKA of two sets of states of the same tokens.

    Args:
        x: states of one model, shape [tokens, width of x], any float type.
        y: states of the other, shape [tokens, width of y].
        debiased: whether to take the unbiased criterion.
        block_rows: tokens taken at a time.

    Returns:
        The alignment; exactly 1 for identical states.

    Raises:
        ValueError: see `CkaSums`.
    """
    check_pair(x, y)
    sums = CkaSums()
    for start in range(0, len(x), block_rows):
        sums.update(x[start : start + block_rows], y[start : start + block_rows])
    return sums.value(debiased=debiased)


def cka_of_blocks(
    blocks: Iterable[tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]],
) -> float:
    """Debiased CKA from blocks of both models' states; see `cka`."""
    sums = CkaSums()
    for x, y in blocks:
        sums.update(x, y)
    return sums.value()
