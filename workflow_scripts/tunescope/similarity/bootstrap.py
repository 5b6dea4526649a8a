"""Bootstrap of RSA and CKA over inputs, exact for all resamples at once.

Tokens of one input depend on each other, so inputs are resampled, not tokens (token draws
understate the interval). Sums over the pairs of a resample with weights w are quadratic forms
w'Sw, where S holds the sums over the tokens of each two inputs; S is found once, block by block,
in O(N^2 d) time, and serves every resample. The tokens of an input are compared with each other
once for each time it is drawn, and copies of an input are not compared with one another: their
pairs would be of tokens with themselves, or count an input's own pairs twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunescope.similarity.cka import LEAST_CRITERION, CentredRows, unbiased_criterion
from tunescope.similarity.gram import Array, Rows, check_pair, swapped
from tunescope.similarity.rsa import LEAST_VARIANCE, UnitRows

_BLOCK = 256  # tokens whose similarities to all others are held at once
_AT_ONCE = 64  # resamples whose row sums are held at once


@dataclass(frozen=True, eq=False)
class _Groups:
    """Tokens sorted by input and how often each input is drawn.

    Attributes:
        order: positions of the tokens, input by input.
        starts: first token of each input in that order.
        sizes: tokens of each input.
        weights: draws of each input in each resample, shape [resamples, inputs].
    """

    order: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    sizes: Array
    weights: Array

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """Input of each token in that order."""
        return np.repeat(np.arange(len(self.starts)), self.sizes.astype(np.int64))

    def sums(self, tokens: Array) -> Array:
        """Sum over the tokens of each input, along the first axis."""
        return np.asarray(np.add.reduceat(tokens, self.starts, axis=0))

    def over_pairs(self, between: Array, own: Array, within: Array) -> Array:
        """Sums over the pairs of each resample.

        Args:
            between: sums over all pairs of drawn tokens, copies included, shape [resamples].
            own: sums over the pairs of each input's tokens with all of its own, [inputs].
            within: the same without a token's pair with itself, [inputs].
        """
        return between - self.weights**2 @ own + self.weights @ within


def _groups(inputs: npt.ArrayLike, weights: npt.ArrayLike) -> _Groups:
    owners, draws = np.asarray(inputs, dtype=np.int64), np.asarray(weights, dtype=np.float64)
    if owners.ndim != 1 or draws.ndim != 2:
        raise ValueError(f"one input a token and a matrix of weights needed, found {draws.shape}")
    if owners.min() < 0 or owners.max() >= draws.shape[1]:
        raise ValueError(f"inputs {owners.min()} to {owners.max()}, {draws.shape[1]} weights")
    order = np.argsort(owners, kind="stable")
    present, starts, sizes = np.unique(owners[order], return_index=True, return_counts=True)
    return _Groups(order, starts, sizes.astype(np.float64), draws[:, present])


def rsa_replicates(
    x: npt.NDArray[np.generic],
    y: npt.NDArray[np.generic],
    inputs: npt.ArrayLike,
    weights: npt.ArrayLike,
) -> Array:
    """RSA in each resample of the inputs.

    Args:
        x: states of one model, shape [tokens, width of x].
        y: states of the other of the same tokens, shape [tokens, width of y].
        inputs: input of each token, shape [tokens].
        weights: how often each input is drawn, shape [resamples, inputs]; see
            `statistics.resample_weights`. Weights of one give the value itself.

    Returns:
        Correlations, shape [resamples].

    Raises:
        ValueError: as `rsa`, or a resample has too few pairs for a correlation.
    """
    check_pair(x, y)
    groups = _groups(inputs, weights)
    rows_x, rows_y = UnitRows()(x)[groups.order], UnitRows()(y)[groups.order]
    left_x, left_y = swapped(rows_x), swapped(rows_y)
    own_x, own_y = _row_products(rows_x, left_x), _row_products(rows_y, left_y)
    forms = _quadratic_forms((rows_x, left_x, own_x), (rows_y, left_y, own_y), groups)
    drawn = groups.weights @ groups.sizes
    count = groups.over_pairs(drawn**2, groups.sizes**2, groups.sizes**2 - groups.sizes)
    if (count < 3).any():
        raise ValueError("a resample has fewer than 3 pairs of tokens: use more inputs")
    mean_x = _totals(rows_x, left_x, own_x, groups) / count
    mean_y = _totals(rows_y, left_y, own_y, groups) / count
    variance_x = forms[0] / count - mean_x**2
    variance_y = forms[2] / count - mean_y**2
    covariance = forms[1] / count - mean_x * mean_y
    return _ratio(covariance, variance_x, variance_y, least=LEAST_VARIANCE)


def cka_replicates(
    x: npt.NDArray[np.generic],
    y: npt.NDArray[np.generic],
    inputs: npt.ArrayLike,
    weights: npt.ArrayLike,
) -> Array:
    """Debiased linear CKA in each resample of the inputs; arguments as for `rsa_replicates`."""
    check_pair(x, y)
    groups = _groups(inputs, weights)
    extended_x, extended_y = CentredRows()(x)[groups.order], CentredRows()(y)[groups.order]
    rows_x, rows_y = extended_x[:, :-2], extended_y[:, :-2]
    own_x, own_y = (rows[:, -2].astype(np.float64) for rows in (extended_x, extended_y))
    forms = _quadratic_forms((rows_x, rows_x, own_x), (rows_y, rows_y, own_y), groups)
    count = groups.weights @ groups.sizes
    if (count < 4).any():
        raise ValueError("a resample has fewer than 4 tokens: use more inputs")
    totals = _chained_totals(rows_x, rows_y, own_x, own_y, groups)
    total_x, total_y, chained_xx, chained_xy, chained_yy = totals
    criteria = [
        unbiased_criterion(form, first, second, chained, count)
        for form, first, second, chained in (
            (forms[0], total_x, total_x, chained_xx),
            (forms[1], total_x, total_y, chained_xy),
            (forms[2], total_y, total_y, chained_yy),
        )
    ]
    least = LEAST_CRITERION * float(count.min()) ** 2
    return _ratio(criteria[1], criteria[0], criteria[2], least=least)


def _row_products(left: Rows, right: Rows) -> Array:
    return np.asarray(np.einsum("ij,ij->i", left, right, dtype=np.float64))


def _ratio(covariance: Array, variance_x: Array, variance_y: Array, *, least: float) -> Array:
    undefined = np.count_nonzero((variance_x <= least) | (variance_y <= least))
    if undefined:
        raise ValueError(f"{undefined} resamples hold no variation: use more inputs")
    return np.asarray(np.minimum(covariance / np.sqrt(variance_x * variance_y), 1.0))


def _totals(rows: Rows, left: Rows, own: Array, groups: _Groups) -> Array:
    """Sums of the similarities of all pairs of each resample."""
    sums, left_sums = groups.sums(rows.astype(np.float64)), groups.sums(left.astype(np.float64))
    between = np.einsum("ij,ij->i", groups.weights @ sums, groups.weights @ left_sums)
    inside = np.einsum("ij,ij->i", sums, left_sums)
    return groups.over_pairs(between, inside, inside - groups.sums(own))


def _blocks(starts: npt.NDArray[np.int64], tokens: int) -> Iterator[tuple[int, int]]:
    """Ranges of inputs with about `_BLOCK` tokens each."""
    first = 0
    while first < len(starts):
        last = int(np.searchsorted(starts, starts[first] + _BLOCK))
        last = max(last, first + 1)
        yield first, last
        first = last


def _quadratic_forms(
    side_x: tuple[Rows, Rows, Array], side_y: tuple[Rows, Rows, Array], groups: _Groups
) -> tuple[Array, Array, Array]:
    """Sums of K*K, K*L and L*L over the pairs of each resample.

    Each side has rows p and q with k_ij = p_i . q_j, and the k_ii.
    """
    (rows_x, left_x, own_x), (rows_y, left_y, own_y) = side_x, side_y
    diagonals = [
        groups.sums(first * second)
        for first, second in ((own_x, own_x), (own_x, own_y), (own_y, own_y))
    ]
    forms = [np.zeros(len(groups.weights)) for _ in range(3)]
    ends = np.append(groups.starts, len(rows_x))
    for first, last in _blocks(groups.starts, len(rows_x)):
        begin, end = ends[first], ends[last]
        x = left_x[begin:] @ rows_x[begin:end].T  # tokens from this block on, by its own
        y = left_y[begin:] @ rows_y[begin:end].T
        product = np.empty_like(x)
        drawn, later = groups.weights[:, first:last], groups.weights[:, last:]
        for which, (one, other) in enumerate(((x, x), (x, y), (y, y))):
            np.multiply(one, other, out=product)
            columns = np.add.reduceat(product, groups.starts[first:] - begin, axis=0)
            sums = np.add.reduceat(
                columns, groups.starts[first:last] - begin, axis=1, dtype=np.float64
            )
            inside = sums[: last - first]
            between = drawn @ inside + 2 * (later @ sums[last - first :])
            own = np.diagonal(inside)
            forms[which] += np.einsum("ij,ij->i", between, drawn)
            forms[which] -= drawn**2 @ own - drawn @ (own - diagonals[which][first:last])
    return forms[0], forms[1], forms[2]


def _chained_totals(
    rows_x: Rows, rows_y: Rows, own_x: Array, own_y: Array, groups: _Groups
) -> tuple[Array, Array, Array, Array, Array]:
    """Sums over K, over L, and of K_ij K_jk, K_ij L_jk, L_ij L_jk in each resample."""
    owners = groups.owners
    sides = []
    for rows, own in ((rows_x, own_x), (rows_y, own_y)):
        sums = groups.sums(rows.astype(np.float64)).astype(rows.dtype)
        sides.append(
            (rows, sums, np.einsum("ij,ij->i", rows, sums[owners]), own.astype(rows.dtype))
        )
    totals = np.empty((5, len(groups.weights)))
    for start in range(0, len(groups.weights), _AT_ONCE):
        weights = groups.weights[start : start + _AT_ONCE].astype(rows_x.dtype)
        drawn = np.ascontiguousarray(weights.T[owners])  # [tokens, resamples]
        x, y = (
            rows @ (weights @ sums).T - (drawn - 1) * inside[:, None] - own[:, None]
            for rows, sums, inside, own in sides
        )
        part = slice(start, start + _AT_ONCE)
        for row, (one, other) in enumerate(((x, None), (y, None), (x, x), (x, y), (y, y))):
            terms = drawn * one if other is None else drawn * one * other
            totals[row, part] = terms.sum(axis=0, dtype=np.float64)
    return totals[0], totals[1], totals[2], totals[3], totals[4]
