import numpy as np
import torch

from tunescope.pretraining.masking import mask_pieces

SPECIAL = np.arange(5)
MASK = 4


def masked(ids, *, share=0.15, seed=0, vocabulary=50):
    return mask_pieces(
        ids,
        share=share,
        mask=MASK,
        special=SPECIAL,
        vocabulary=vocabulary,
        generator=np.random.default_rng(seed),
    )


def batch(seed=0):
    ids = torch.from_numpy(np.random.default_rng(seed).integers(5, 50, (400, 50)))
    ids[:, 0], ids[:, -1] = 2, 3
    ids[::2, 40:] = 0
    return ids


def test_shares_are_those_of_the_paper():
    ids = batch()
    result = masked(ids)
    eligible = ~np.isin(ids.numpy(), SPECIAL)
    assert abs(len(result.chosen) / eligible.sum() - 0.15) < 0.01
    seen = result.input_ids.flatten()[result.chosen]
    hidden = (seen == MASK).float().mean().item()
    kept = (seen == result.pieces).float().mean().item()
    assert abs(hidden - 0.8) < 0.03
    assert abs(kept - 0.1) < 0.02 + 1 / 45
    assert abs(1 - hidden - kept - 0.1) < 0.02


def test_only_chosen_pieces_change_and_special_ones_are_never_chosen():
    ids = batch()
    result = masked(ids)
    changed = torch.nonzero((result.input_ids != ids).flatten()).flatten()
    assert set(changed.tolist()) <= set(result.chosen.tolist())
    assert torch.equal(ids.flatten()[result.chosen], result.pieces)
    assert not np.isin(result.pieces.numpy(), SPECIAL).any()
    seen = result.input_ids.flatten()[result.chosen].numpy()
    assert not np.isin(seen, [0, 1, 2, 3]).any()
    assert torch.equal(ids, batch()), "the batch itself must stay as it is"


def test_at_least_one_piece_is_chosen():
    result = masked(torch.tensor([[2, 7, 3]]), share=1e-9)
    assert result.chosen.tolist() == [1]
    assert result.pieces.tolist() == [7]


def test_the_generator_determines_the_choice():
    ids = batch()
    one, same, other = (masked(ids, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(one.input_ids, same.input_ids)
    assert not torch.equal(one.input_ids, other.input_ids)
