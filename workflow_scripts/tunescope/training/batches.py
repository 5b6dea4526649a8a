"""The order in which training meets its examples."""

import numpy as np
import numpy.typing as npt

#: Batches drawn together and sorted by length before they are cut.
POOL = 32


def epoch_batches(
    lengths: npt.NDArray[np.int64], *, batch_size: int, seed: int, epoch: int
) -> list[npt.NDArray[np.int64]]:
    """Cut one epoch into batches of inputs of similar length, which saves padding.

    The examples are shuffled, pools of `POOL` batches are sorted by length and cut into batches,
    and the batches are shuffled. The seed and the number of the epoch alone determine the order,
    so that a resumed run finds its place.

    Args:
        lengths: pieces of each example, shape [examples].
        batch_size: examples a batch; the last one cut may be smaller.
        seed: of the run.
        epoch: counted from 0.

    Returns:
        Example numbers of each batch; each example occurs once.
    """
    generator = np.random.default_rng([seed, epoch])
    order = generator.permutation(len(lengths))
    pool = POOL * batch_size
    pieces = [order[start : start + pool] for start in range(0, len(order), pool)]
    ordered = [piece[np.argsort(lengths[piece], kind="stable")] for piece in pieces]
    batches = [
        piece[start : start + batch_size]
        for piece in ordered
        for start in range(0, len(piece), batch_size)
    ]
    return [batches[number] for number in generator.permutation(len(batches))]


def length_batches(
    lengths: npt.NDArray[np.int64], *, batch_size: int
) -> list[npt.NDArray[np.int64]]:
    """Cut examples, sorted by length, into batches for evaluation; longest first."""
    order = np.argsort(-lengths, kind="stable")
    return [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
