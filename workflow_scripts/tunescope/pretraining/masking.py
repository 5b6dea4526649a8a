"""Which pieces are hidden from the model, and what it sees instead."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch


@dataclass(frozen=True)
class Masked:
    """A batch with hidden pieces.

    Attributes:
        input_ids: what the model sees, shape [inputs, length].
        chosen: places of the hidden pieces in the flattened batch, shape [chosen].
        pieces: the hidden pieces, shape [chosen].
    """

    input_ids: torch.Tensor
    chosen: torch.Tensor
    pieces: torch.Tensor


def mask_pieces(
    input_ids: torch.Tensor,
    *,
    share: float,
    mask: int,
    special: npt.NDArray[np.int64],
    vocabulary: int,
    generator: np.random.Generator,
) -> Masked:
    """Choose pieces at random and hide them (Devlin et al. 2019, appendix A.1).

    Of the chosen pieces 80 % become [MASK], 10 % a random piece and 10 % stay as they are. Each
    piece is chosen by itself; at least one of the batch is.

    Args:
        input_ids: pieces, shape [inputs, length].
        share: chance that a piece is chosen.
        mask: id of [MASK].
        special: ids that are never chosen nor put in, padding among them.
        vocabulary: number of pieces.
        generator: of all draws.
    """
    ids = input_ids.numpy()
    eligible = np.flatnonzero(~np.isin(ids, special))
    chosen = eligible[generator.random(len(eligible)) < share]
    if not len(chosen) and len(eligible):
        chosen = generator.choice(eligible, 1)
    seen = ids.reshape(-1).copy()
    pieces = seen[chosen]
    fate = generator.random(len(chosen))
    seen[chosen[fate < 0.8]] = mask
    swapped = chosen[(fate >= 0.8) & (fate < 0.9)]
    ordinary = np.setdiff1d(np.arange(vocabulary), special)
    seen[swapped] = generator.choice(ordinary, len(swapped))
    return Masked(
        torch.from_numpy(seen.reshape(ids.shape)),
        torch.from_numpy(chosen),
        torch.from_numpy(pieces),
    )
