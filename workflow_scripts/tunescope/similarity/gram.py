"""Sums over all pairs of rows, from products of rows with rows, in linear time.

A similarity matrix whose entry is k_ij = p_i . q_j never has to be formed for a sum of products of
two of them: sum_ij k_ij l_ij = <P'R, Q'S> for k = PQ', l = RS', which takes O(N d^2) time and
O(d^2) memory from a stream of rows. Here the rows of each side get two more columns, a scalar of
the row and a one, so that one product holds every sum that RSA and CKA need.

The rows come centred, so that what is left is small where the similarities differ little, and
float32 products keep their digits; sums over blocks are in float64. Blocks with few rows are
multiplied in float64, where it costs little and the diagonal weighs much.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Rows: TypeAlias = npt.NDArray[np.floating]

BLOCK_ROWS = 8_192
_DOUBLE_BELOW = 4_096  # rows of a block
_CHUNK = 128  # rows prepared at a time, to stay in the processor's cache


class GramSums:
    """Products of extended rows, summed over blocks.

    Attributes:
        rows: rows seen.
        xx, xy, yy: E_x'E_x, E_x'E_y, E_y'E_y in float64 for extended rows E = [rows, scalar, 1].
        resolution: relative rounding error of the products.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.xx = self.xy = self.yy = np.zeros((0, 0))
        self.resolution = float(np.finfo(np.float64).eps)

    def update(self, x: Rows, y: Rows) -> None:
        """Add a block of extended rows, shapes [rows, width of x], [rows, width of y]."""
        if self.rows == 0:
            wide_x, wide_y = x.shape[1], y.shape[1]
            self.xx = np.zeros((wide_x, wide_x))
            self.xy = np.zeros((wide_x, wide_y))
            self.yy = np.zeros((wide_y, wide_y))
        self.rows += len(x)
        self.resolution = max(self.resolution, float(np.finfo(x.dtype).eps))
        own = x.T @ x
        self.xx += own
        if x.shape == y.shape and np.array_equal(x, y):  # then all sums agree to the last digit
            self.xy += own
            self.yy += own
        else:
            self.xy += x.T @ y
            self.yy += y.T @ y


def swapped(extended: Rows) -> Rows:
    """Exchange the two last columns: [rows, scalar, 1] to [rows, 1, scalar]."""
    order = np.arange(extended.shape[-1])
    order[-2:] = order[-1], order[-2]
    return np.asarray(extended[..., order])


def extended_rows(block: npt.NDArray[np.generic], prepare: Callable[[Array, Array], None]) -> Rows:
    """Fill extended rows chunk by chunk.

    Args:
        block: rows of any float type, shape [rows, width].
        prepare: takes a chunk of rows in float64 and its extended rows, which it fills.

    Returns:
        Shape [rows, width + 2], in float32 if the block is long.
    """
    dtype = np.float64 if len(block) < _DOUBLE_BELOW else np.float32
    extended = np.empty((len(block), block.shape[1] + 2), dtype)
    buffer = np.empty((_CHUNK, extended.shape[1]))
    for start in range(0, len(block), _CHUNK):
        rows = block[start : start + _CHUNK].astype(np.float64)
        filled = buffer[: len(rows)]
        prepare(rows, filled)
        extended[start : start + _CHUNK] = filled
    return extended


def check_pair(x: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> None:
    """Refuse what is no pair of matrices with matching rows."""
    if x.ndim != 2 or y.ndim != 2 or len(x) != len(y):
        raise ValueError(f"two matrices with as many rows needed, found {x.shape} and {y.shape}")
