import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tunescope.probing.edge import EdgeProbe, ScalarMix, SpanPooling, make_spans


def plain_pooling(pooling: SpanPooling, units: torch.Tensor, spans: list[tuple[int, int]]):
    """As published: project every unit, score it, and sum the projections by a softmax."""
    projected = pooling.projection(units)
    scores = pooling.score(projected).squeeze(1)
    return torch.stack(
        [scores[a:b].softmax(0) @ projected[a:b] for a, b in spans],
    )


@given(
    spans=st.lists(
        st.integers(0, 8).flatmap(
            lambda start: st.tuples(st.just(start), st.integers(start + 1, 9))
        ),
        min_size=1,
        max_size=7,
    ),
    seed=st.integers(0, 100),
)
def test_pooling_before_projection_is_pooling_after_it(spans, seed):
    torch.manual_seed(seed)
    pooling = SpanPooling(6, 4).double()
    units = torch.randn(9, 6, dtype=torch.float64, requires_grad=True)
    starts, stops = np.asarray(spans, np.int64).T
    ours = pooling(units, make_spans(starts, stops - starts))
    plain = plain_pooling(pooling, units, spans)
    torch.testing.assert_close(ours, plain)
    weights = torch.randn_like(ours)
    wanted = [units, pooling.projection.weight, pooling.projection.bias, pooling.score.weight]
    gradients = [
        torch.autograd.grad((one * weights).sum(), wanted, allow_unused=True, retain_graph=True)
        for one in (ours, plain)
    ]
    for one, other in zip(*gradients, strict=True):
        zero = torch.zeros(()) if other is None else torch.zeros_like(other)
        torch.testing.assert_close(zero if one is None else one, other)


def test_a_mix_starts_as_the_mean_of_the_layers():
    mix = ScalarMix(3)
    states = torch.randn(3, 5, 4)
    torch.testing.assert_close(mix(states), states.mean(0))
    with torch.no_grad():
        mix.scores.copy_(torch.tensor([0.0, 100.0, 0.0]))
        mix.gamma.fill_(2)
    torch.testing.assert_close(mix(states), 2 * states[1])
    assert mix.weights.sum().item() == pytest.approx(1)


def test_two_spans_have_weights_of_their_own():
    settings = {"hidden": 6, "labels": 3, "projection": 4, "width": 5, "dropout": 0.0}
    probe = EdgeProbe(layers=2, spans=2, **settings)
    first, second = (make_spans(np.array([n, 1]), np.array([1, 2])) for n in (0, 2))
    states = torch.randn(2, 4, 6)
    logits = probe(states, [first, second])
    assert logits.shape == (2, 3)
    swapped = probe(states, [second, first])
    assert not torch.allclose(logits[0], swapped[0])
    torch.testing.assert_close(logits[1], swapped[1])
    count = 2 * (6 * 4 + 4 + 4) + (8 * 5 + 5) + 2 * 5 + (5 * 3 + 3) + (2 + 1)
    assert sum(parameter.numel() for parameter in probe.parameters()) == count
    assert EdgeProbe(layers=1, spans=1, **settings).mix is None
