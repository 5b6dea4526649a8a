import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similarity.plain import plain_biased_cka, plain_debiased_cka
from similarity.synthetic import related, rotation, states
from tunescope.similarity import gram
from tunescope.similarity.cka import CkaSums, cka


@pytest.mark.parametrize("mean_cosine", [0.0, 0.9975, 0.999])
@pytest.mark.parametrize("double_below", [1_000, 0])  # products in float64, in float32
def test_equals_the_whole_matrices(mean_cosine, double_below, monkeypatch):
    monkeypatch.setattr(gram, "_DOUBLE_BELOW", double_below)
    x = states(600, 48, mean_cosine=mean_cosine)
    y = related(x, share=0.4, mean_cosine=mean_cosine)
    assert cka(x, y) == pytest.approx(plain_debiased_cka(x, y), abs=1e-6)
    assert cka(x, y, debiased=False) == pytest.approx(plain_biased_cka(x, y), abs=1e-6)


@given(
    tokens=st.integers(5, 40),
    width_x=st.integers(2, 12),
    width_y=st.integers(2, 12),
    block_rows=st.integers(1, 50),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=60, deadline=None)
def test_any_shapes_and_any_blocks(tokens, width_x, width_y, block_rows, seed):
    generator = np.random.default_rng(seed)
    x = generator.normal(size=(tokens, width_x)) + generator.normal(size=width_x)
    y = generator.normal(size=(tokens, width_y)) * generator.lognormal(size=(tokens, 1))
    expected = min(plain_debiased_cka(x, y), 1.0)
    assert cka(x, y, block_rows=block_rows) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    biased = cka(x, y, debiased=False, block_rows=block_rows)
    assert biased == pytest.approx(plain_biased_cka(x, y), abs=1e-6)


@given(seed=st.integers(0, 10_000), scale=st.floats(1e-3, 1e3), mean_cosine=st.floats(0, 0.99))
@settings(max_examples=40, deadline=None)
def test_rotation_scale_and_shift_change_nothing(seed, scale, mean_cosine):
    x = states(60, 8, mean_cosine=mean_cosine, seed=seed)
    y = related(x, share=0.5, seed=seed + 1)
    shift = np.random.default_rng(seed).normal(size=8)
    assert cka(scale * (x @ rotation(8, seed) + shift), y) == pytest.approx(cka(x, y), abs=1e-9)
    assert cka(y, x) == pytest.approx(cka(x, y), abs=1e-12)


@pytest.mark.parametrize("tokens", [50, 5_000])
def test_identical_states_give_exactly_one(tokens):
    x = states(tokens, 16, mean_cosine=0.9)
    assert cka(x, x.copy()) == 1.0
    assert cka(x, x.copy(), debiased=False) == 1.0


def test_only_the_debiased_one_is_near_zero_for_unrelated_states_with_few_tokens():
    generator = np.random.default_rng(0)
    pairs = [generator.normal(size=(2, 60, 200)) for _ in range(20)]
    assert abs(np.mean([cka(x, y) for x, y in pairs])) < 0.02
    assert np.mean([cka(x, y, debiased=False) for x, y in pairs]) > 0.5


def test_a_stream_equals_the_whole():
    x = states(9_000, 24, mean_cosine=0.9)
    y = related(x, share=0.7)
    sums = CkaSums()
    for start in range(0, 9_000, 700):
        sums.update(x[start : start + 700], y[start : start + 700])
    assert sums.value() == pytest.approx(cka(x, y), abs=1e-6)


def test_what_has_no_cka_is_refused():
    x = states(20, 4)
    with pytest.raises(ValueError, match="second model do not differ"):
        cka(x, np.ones((20, 4)))
    with pytest.raises(ValueError, match="second model do not differ"):
        cka(x, np.tile(np.random.default_rng(0).normal(size=4), (20, 1)))
    with pytest.raises(ValueError, match="not finite"):
        cka(np.full((20, 4), np.inf), x)
    with pytest.raises(ValueError, match="at least 4"):
        cka(x[:3], x[:3])
    with pytest.raises(ValueError, match="as many rows"):
        cka(x, x[:4])
