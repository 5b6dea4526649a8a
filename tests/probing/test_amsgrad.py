import torch
from torch import nn

from tunescope.probing.amsgrad import FlatParameters


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)).double()


def test_steps_are_those_of_torch():
    ours, theirs = network(), network()
    flat = FlatParameters(ours)
    optimizer = torch.optim.Adam(theirs.parameters(), lr=0.05, amsgrad=True)
    inputs = torch.randn(20, 16, 4, dtype=torch.float64)
    for step, batch in enumerate(inputs):
        rate = 0.05 if step < 10 else 0.025
        scale = 100 if step % 3 == 0 else 1  # some gradients are clipped, others are not
        torch.autograd.backward(scale * ours(batch).square().mean())
        flat.step(rate, 1.0)
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        torch.autograd.backward(scale * theirs(batch).square().mean())
        nn.utils.clip_grad_norm_(theirs.parameters(), 1.0)
        optimizer.step()
        for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
            torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)


def test_the_vector_is_the_network():
    net = network()
    flat = FlatParameters(net)
    flat.values.zero_()
    assert all(not parameter.any() for parameter in net.parameters())
    assert flat.values.numel() == sum(parameter.numel() for parameter in net.parameters())
