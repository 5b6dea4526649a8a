import math

import pytest
import torch
from torch import nn

from tunescope.training.optimizers import BertAdam, make_optimizer, warmup_linear


def plain_bert_adam(parameters, gradients, rates, *, decay, clip):
    """BertAdam one number at a time, from its description in the papers' code."""
    means = [[0.0] * len(tensor) for tensor in parameters]
    squares = [[0.0] * len(tensor) for tensor in parameters]
    for step, rate in enumerate(rates):
        for number, tensor in enumerate(parameters):
            gradient = gradients[step][number]
            norm = math.sqrt(sum(value * value for value in gradient))
            scale = min(1.0, clip / (norm + 1e-6))
            for place, value in enumerate(gradient):
                g = value * scale
                means[number][place] = 0.9 * means[number][place] + 0.1 * g
                squares[number][place] = 0.999 * squares[number][place] + 0.001 * g * g
                update = means[number][place] / (math.sqrt(squares[number][place]) + 1e-6)
                update += decay[number] * tensor[place]
                tensor[place] -= rate * update
    return parameters


def test_bert_adam_is_the_published_one():
    generator = torch.Generator().manual_seed(0)
    start = [torch.randn(size, generator=generator) for size in (5, 3, 4)]
    scale = (10.0, 0.1, 1.0)  # the first is clipped, the second is not
    gradients = [
        [
            factor * torch.randn(len(one), generator=generator)
            for factor, one in zip(scale, start, strict=True)
        ]
        for _ in range(6)
    ]
    rates = [0.0, 0.05, 0.1, 0.08, 0.04, 0.01]
    expected = plain_bert_adam(
        [one.double().tolist() for one in start],
        [[one.double().tolist() for one in step] for step in gradients],
        rates,
        decay=[0.01, 0.0, 0.01],
        clip=1.0,
    )
    tensors = [nn.Parameter(one.double()) for one in start]
    optimizer = BertAdam(
        [
            {"params": [tensors[0], tensors[2]], "weight_decay": 0.01},
            {"params": [tensors[1]], "weight_decay": 0.0},
        ],
        learning_rate=0.0,
        max_gradient_norm=1.0,
    )
    for step, rate in enumerate(rates):
        for group in optimizer.param_groups:
            group["lr"] = rate
        for tensor, gradient in zip(tensors, gradients[step], strict=True):
            tensor.grad = gradient.double()
        optimizer.step()
    for tensor, values in zip(tensors, expected, strict=True):
        torch.testing.assert_close(tensor.detach(), torch.tensor(values, dtype=torch.float64))


def test_bert_adam_does_not_correct_the_bias():
    """The first step of Adam has the size of the learning rate, of BertAdam .1 / sqrt(.001)."""
    tensor = nn.Parameter(torch.zeros(1))
    optimizer = BertAdam([{"params": [tensor]}], learning_rate=1.0, max_gradient_norm=1.0)
    tensor.grad = torch.full((1,), 0.5)
    optimizer.step()
    assert tensor.item() == pytest.approx(-0.1 / math.sqrt(0.001), rel=1e-3)


def test_parameters_without_a_gradient_stay():
    used, unused = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    optimizer = BertAdam(
        [{"params": [used, unused], "weight_decay": 0.1}], learning_rate=1.0, max_gradient_norm=1.0
    )
    used.grad = torch.ones(2)
    optimizer.step()
    assert torch.equal(unused, torch.ones(2))
    assert not torch.equal(used, torch.ones(2))


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(2, 2)
        self.LayerNorm = nn.LayerNorm(2)
        self.frozen = nn.Linear(2, 2).requires_grad_(False)


@pytest.mark.parametrize("name", ["bert-adam", "adamw"])
def test_biases_and_layer_norm_do_not_decay_and_frozen_parts_take_no_part(name):
    model = Parts()
    optimizer = make_optimizer(
        model, name, learning_rate=1e-3, weight_decay=0.01, max_gradient_norm=1.0
    )
    decaying, plain = optimizer.param_groups
    assert decaying["weight_decay"] == 0.01
    assert plain["weight_decay"] == 0.0
    assert [id(one) for one in decaying["params"]] == [id(model.dense.weight)]
    assert {id(one) for one in plain["params"]} == {
        id(model.dense.bias),
        id(model.LayerNorm.weight),
        id(model.LayerNorm.bias),
    }


@pytest.mark.parametrize(
    ("step", "warmup", "expected"),
    [
        (0, 0.1, 0.0),
        (5, 0.1, 0.5),
        (10, 0.1, 1.0),
        (55, 0.1, 0.5),
        (99, 0.1, 1 / 90),
        (100, 0.1, 0.0),
        (0, 0.0, 1.0),
        (50, 0.0, 0.5),
        (50, 1.0, 0.5),
    ],
)
def test_the_rate_rises_then_falls_linearly(step, warmup, expected):
    assert warmup_linear(step, 100, warmup) == pytest.approx(expected)
