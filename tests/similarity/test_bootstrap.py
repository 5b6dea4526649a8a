import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similarity.plain import plain_cka_replicate, plain_rsa_replicate
from tunescope.similarity import gram
from tunescope.similarity.bootstrap import cka_replicates, rsa_replicates
from tunescope.similarity.cka import cka
from tunescope.similarity.rsa import rsa
from tunescope.statistics import bootstrap_interval, resample_weights

PLAIN = {rsa_replicates: plain_rsa_replicate, cka_replicates: plain_cka_replicate}
VALUE = {rsa_replicates: rsa, cka_replicates: cka}
BOTH = pytest.mark.parametrize("replicates", [rsa_replicates, cka_replicates])


def draw(inputs, seed, *, per_input=6, width=10):
    """States of tokens that share what their input has in common, in both models."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, per_input + 1, inputs)
    owners = np.repeat(np.arange(inputs), sizes)
    topic = generator.normal(size=(inputs, width)) * np.linspace(0.3, 1.5, width)
    x = 1 + topic[owners] + 0.7 * generator.normal(size=(len(owners), width))
    faithful = generator.uniform(0.2, 1.2, size=(inputs, 1))[owners]
    return x, faithful * x + 0.8 * generator.normal(size=x.shape), owners


@BOTH
@given(inputs=st.integers(6, 25), seed=st.integers(0, 10_000), shuffle=st.booleans())
@settings(max_examples=40, deadline=None)
def test_each_replicate_equals_the_resample_written_out(replicates, inputs, seed, shuffle):
    x, y, owners = draw(inputs, seed)
    if shuffle:  # tokens may come in any order
        order = np.random.default_rng(seed).permutation(len(x))
        x, y, owners = x[order], y[order], owners[order]
    weights = resample_weights(inputs, 3, seed=seed)
    found = replicates(x, y, owners, weights)
    expected = [PLAIN[replicates](x, y, owners, one) for one in weights]
    np.testing.assert_allclose(found, expected, atol=1e-6)


@BOTH
def test_float32_products_equal_the_resample_written_out(replicates, monkeypatch):
    monkeypatch.setattr(gram, "_DOUBLE_BELOW", 0)
    x, y, owners = draw(200, 1)
    x, y = x + 15, y + 15  # a high mean cosine
    weights = resample_weights(200, 3, seed=0)
    expected = [PLAIN[replicates](x, y, owners, one) for one in weights]
    np.testing.assert_allclose(replicates(x, y, owners, weights), expected, atol=2e-6)


@BOTH
def test_weights_of_one_give_the_value(replicates):
    x, y, owners = draw(40, 2)
    found = replicates(x, y, owners, np.ones((1, 40)))
    assert found[0] == pytest.approx(VALUE[replicates](x, y), abs=1e-6)


@BOTH
def test_inputs_without_a_token_may_be_drawn(replicates):
    x, y, owners = draw(30, 3)
    weights = resample_weights(31, 5, seed=0)
    without_last = replicates(x, y, owners, weights)
    np.testing.assert_allclose(without_last, replicates(x, y, owners, weights[:, :30]))


@BOTH
def test_identical_states_give_one_in_every_resample(replicates):
    x, _, owners = draw(30, 4)
    found = replicates(x, x, owners, resample_weights(30, 50, seed=0))
    np.testing.assert_allclose(found, 1, atol=1e-12)


@BOTH
def test_spread_is_that_of_new_inputs_and_wider_than_of_new_tokens(replicates):
    inputs, trials = 80, 120
    values = [VALUE[replicates](*draw(inputs, 100 + trial)[:2]) for trial in range(trials)]
    spreads, offsets, token_spreads = [], [], []
    for trial in range(12):
        x, y, owners = draw(inputs, 100 + trial)
        found = replicates(x, y, owners, resample_weights(inputs, 200, seed=trial))
        spreads.append(found.std())
        offsets.append(found.mean() - VALUE[replicates](x, y))
        tokens = np.arange(len(x))
        naive = replicates(x, y, tokens, resample_weights(len(x), 200, seed=trial))
        token_spreads.append(naive.std())
    assert np.mean(spreads) == pytest.approx(np.std(values), rel=0.25)
    assert abs(np.mean(offsets)) < 0.5 * np.mean(spreads)
    assert np.mean(token_spreads) < 0.8 * np.mean(spreads)


def test_interval_covers_what_many_inputs_give():
    truth = rsa(*draw(4_000, 0)[:2])
    hits = 0
    for trial in range(100):
        x, y, owners = draw(80, 1_000 + trial)
        found = rsa_replicates(x, y, owners, resample_weights(80, 200, seed=trial))
        low, high = bootstrap_interval(found)
        hits += low <= truth <= high
    assert 86 <= hits <= 100


def test_what_cannot_be_resampled_is_refused():
    x, y, owners = draw(12, 0)
    with pytest.raises(ValueError, match="fewer than 3 pairs"):
        rsa_replicates(x[:2], y[:2], [0, 1], [[2, 0]])
    with pytest.raises(ValueError, match="weights"):
        rsa_replicates(x, y, owners, np.ones((1, 5)))
    with pytest.raises(ValueError, match="no variation"):
        rsa_replicates(np.ones_like(x), y, owners, np.ones((1, 12)))
