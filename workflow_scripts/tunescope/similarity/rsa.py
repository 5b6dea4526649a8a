"""Representational similarity analysis, exact in linear time.

The score of two sets of states of the same tokens is the Pearson correlation of the strict upper
triangles of their cosine similarity matrices (merchant2020, section 5.1; the diagonal is left out
as in the work it cites). With unit rows split into a common centre m and the rest c, a cosine is
|m|^2 + m.c_i + m.c_j + c_i.c_j; the correlation does not see |m|^2, and the sums over pairs of what
is left follow from products of rows (see `gram`).
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tunescope.similarity.gram import (
    BLOCK_ROWS,
    Array,
    GramSums,
    Rows,
    check_pair,
    extended_rows,
    swapped,
)

_CENTRE_ROWS = 1_024
ROUNDING = 100  # variances below so many rounding errors count as zero
LEAST_VARIANCE = (ROUNDING * float(np.finfo(np.float64).eps)) ** 2  # of cosines


class UnitRows:
    """Turns rows into extended rows [c, m.c, 1] of length-one rows; the first ones set m.

    Any m gives the same sums; one near the mean keeps their digits. The cosine of two rows, less
    |m|^2, is the product of one's extended row with the other's whose last columns are exchanged.
    """

    def __init__(self) -> None:
        self.centre: Array | None = None

    def __call__(self, block: npt.NDArray[np.generic]) -> Rows:
        """Extended rows of a block, shape [rows, width + 2].

        Raises:
            ValueError: a row is zero or not finite.
        """
        if self.centre is None:
            self.centre = self._unit(block[:_CENTRE_ROWS].astype(np.float64)).mean(axis=0)
        return extended_rows(block, self._extend)

    @property
    def self_similarity(self) -> float:
        """A row's cosine with itself, less |m|^2."""
        return 1.0 if self.centre is None else 1.0 - float(self.centre @ self.centre)

    def _extend(self, rows: Array, extended: Array) -> None:
        assert self.centre is not None
        width = rows.shape[1]
        np.subtract(self._unit(rows), self.centre, out=extended[:, :width])
        extended[:, width] = extended[:, :width] @ self.centre
        extended[:, width + 1] = 1

    @staticmethod
    def _unit(rows: Array) -> Array:
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        bad = np.count_nonzero(~((norms > 0) & np.isfinite(norms)))
        if bad:
            found = f"{bad} of {len(rows)} looked at"
            raise ValueError(f"a row is zero or not finite ({found}): it has no cosine")
        rows *= (1 / norms)[:, None]
        return rows


class RsaSums:
    """RSA from a stream of blocks; memory does not grow with the rows."""

    def __init__(self) -> None:
        self._unit_x, self._unit_y = UnitRows(), UnitRows()
        self._sums = GramSums()

    def update(self, x: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> None:
        """Add tokens.

        Args:
            x: states of one model, shape [tokens, width of x].
            y: states of the other of the same tokens, shape [tokens, width of y].

        Raises:
            ValueError: the shapes do not match, or a row is zero or not finite.
        """
        check_pair(x, y)
        if len(x):
            self._sums.update(self._unit_x(x), self._unit_y(y))

    def value(self) -> float:
        """The correlation over all pairs of different tokens so far, from -1 to 1.

        Raises:
            ValueError: a model finds all pairs equally similar, or there are fewer than 3 tokens.
        """
        sums = self._sums
        if sums.rows < 3:
            raise ValueError(f"RSA needs at least 3 tokens, found {sums.rows}")
        diagonal_x, diagonal_y = self._unit_x.self_similarity, self._unit_y.self_similarity
        count = sums.rows * (sums.rows - 1.0)
        mean_x = (_total(sums.xx) - sums.rows * diagonal_x) / count
        mean_y = (_total(sums.yy) - sums.rows * diagonal_y) / count
        whole_x, whole_y = _product(sums.xx), _product(sums.yy)
        variance_x = (whole_x - sums.rows * diagonal_x**2) / count - mean_x**2
        variance_y = (whole_y - sums.rows * diagonal_y**2) / count - mean_y**2
        covariance = (_product(sums.xy) - sums.rows * diagonal_x * diagonal_y) / count
        covariance -= mean_x * mean_y
        for name, variance, whole in (
            ("first", variance_x, whole_x),
            ("second", variance_y, whole_y),
        ):
            if variance <= max(LEAST_VARIANCE, ROUNDING * sums.resolution * whole / count):
                raise ValueError(f"all pairs are equally similar in the {name} model: no RSA")
        return float(np.clip(covariance / np.sqrt(variance_x * variance_y), -1, 1))


def _total(gram: Array) -> float:
    """Sum of the similarities of all pairs, the diagonal included."""
    column = gram[:-2, -1]
    return float(2 * gram[-1, -1] * gram[-2, -1] + column @ column)


def _product(gram: Array) -> float:
    """Sum of the products of both similarities of all pairs, the diagonal included."""
    return float(np.vdot(gram, swapped(swapped(gram).T).T))


def rsa(
    x: npt.NDArray[np.generic], y: npt.NDArray[np.generic], *, block_rows: int = BLOCK_ROWS
) -> float:
    """RSA of two sets of states of the same tokens.

    Args:
        x: states of one model, shape [tokens, width of x], any float type.
        y: states of the other, shape [tokens, width of y].
        block_rows: tokens taken at a time.

    Returns:
        The correlation, from -1 to 1; exactly 1 for identical states.

    Raises:
        ValueError: see `RsaSums`.
    """
    check_pair(x, y)
    return rsa_of_blocks(
        (x[start : start + block_rows], y[start : start + block_rows])
        for start in range(0, len(x), block_rows)
    )


def rsa_of_blocks(
    blocks: Iterable[tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]],
) -> float:
    """RSA from blocks of both models' states; see `rsa`."""
    sums = RsaSums()
    for x, y in blocks:
        sums.update(x, y)
    return sums.value()
