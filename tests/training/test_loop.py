from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from tunescope.training.checkpoint import CheckpointFolder
from tunescope.training.loop import Plan, Step, train
from tunescope.training.losses import write_losses

PLAN = Plan(
    epochs=3,
    batch_size=4,
    learning_rate=0.05,
    warmup=0.1,
    weight_decay=0.01,
    optimizer="bert-adam",
    max_gradient_norm=1.0,
    bf16=True,
    checkpoint_seconds=0,
)
LENGTHS = np.random.default_rng(0).integers(3, 9, 30)
INPUTS = torch.randn(30, 4, generator=torch.Generator().manual_seed(1))
GOLD = INPUTS[:, 0] - 2 * INPUTS[:, 1]


def make_model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 1))


def train_it(plan=PLAN, *, checkpoints=None, stop_at=None, seed=5):
    """Train, or break off in the middle of a step as a killed process would."""
    model = make_model()

    def loss_of(indices, step):
        if step == stop_at:
            raise KeyboardInterrupt
        return nn.functional.mse_loss(model(INPUTS[indices]).squeeze(1), GOLD[indices])

    steps = train(model, loss_of, LENGTHS, plan=plan, seed=seed, checkpoints=checkpoints)
    return model.state_dict(), steps


@pytest.mark.parametrize("optimizer", ["bert-adam", "adamw"])
def test_training_lowers_the_loss_and_is_repeatable(optimizer):
    plan = replace(PLAN, optimizer=optimizer, epochs=20)
    first, steps = train_it(plan)
    second, _ = train_it(plan)
    assert np.mean([one.loss for one in steps[-8:]]) < 0.5 * np.mean(
        [one.loss for one in steps[:8]]
    )
    assert all(torch.equal(first[name], second[name]) for name in first)
    other, _ = train_it(plan, seed=6)
    assert not torch.equal(first["0.weight"], other["0.weight"])


def test_each_step_is_recorded(tmp_path):
    _, steps = train_it()
    assert [one.step for one in steps] == list(range(24))
    assert [one.epoch for one in steps] == [0] * 8 + [1] * 8 + [2] * 8
    assert steps[0].learning_rate == 0
    assert max(one.learning_rate for one in steps) == pytest.approx(0.05, rel=0.05)
    write_losses([Step(0, 0, 0.123456789, 5e-5)], tmp_path / "losses.csv")
    assert (tmp_path / "losses.csv").read_text() == (
        "step,epoch,loss,learning_rate\n0,0,0.123457,5e-05\n"
    )


@pytest.mark.parametrize("optimizer", ["bert-adam", "adamw"])
@pytest.mark.parametrize("stops", [[0], [1], [8], [13, 14], [3, 7, 16, 23]])
def test_broken_off_and_resumed_it_ends_as_if_undisturbed(tmp_path, optimizer, stops):
    plan = replace(PLAN, optimizer=optimizer)
    expected, steps = train_it(plan)
    for stop in stops:
        with pytest.raises(KeyboardInterrupt):
            train_it(plan, checkpoints=CheckpointFolder(tmp_path, {}), stop_at=stop)
    weights, log = train_it(plan, checkpoints=CheckpointFolder(tmp_path, {}))
    assert all(torch.equal(weights[name], expected[name]) for name in expected)
    assert log == steps


def test_a_loss_that_is_not_finite_stops_training():
    model = make_model()

    def loss_of(indices, step):
        scale = float("nan") if step == 3 else 1.0
        return model(INPUTS[indices]).square().mean() * scale

    with pytest.raises(FloatingPointError, match="loss is nan at step 3"):
        train(model, loss_of, LENGTHS, plan=PLAN, seed=0)


def test_frozen_weights_stay():
    model = make_model()
    model[0].requires_grad_(False)
    before = model[0].weight.clone()
    train(model, lambda i, _: model(INPUTS[i]).square().mean(), LENGTHS, plan=PLAN, seed=0)
    assert torch.equal(model[0].weight, before)
    assert not torch.equal(model[3].weight, make_model()[3].weight)
