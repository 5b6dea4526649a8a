import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similarity.plain import cosines, plain_rsa
from similarity.synthetic import related, rotation, states
from tunescope.similarity import gram
from tunescope.similarity.rsa import RsaSums, rsa


@pytest.mark.parametrize("mean_cosine", [0.0, 0.5, 0.9975, 0.999])
@pytest.mark.parametrize("share", [0.05, 0.6])
@pytest.mark.parametrize("double_below", [1_000, 0])  # products in float64, in float32
def test_equals_the_whole_matrices(mean_cosine, share, double_below, monkeypatch):
    monkeypatch.setattr(gram, "_DOUBLE_BELOW", double_below)
    x = states(600, 48, mean_cosine=mean_cosine)
    y = related(x, share=share, mean_cosine=mean_cosine)
    assert cosines(x).mean() == pytest.approx(mean_cosine, abs=0.01)
    assert rsa(x, y) == pytest.approx(plain_rsa(x, y), abs=1e-6)


def test_many_tokens_equal_the_whole_matrices():
    x = states(4_400, 64, mean_cosine=0.999)
    y = related(x, share=0.5, mean_cosine=0.999)
    assert rsa(x, y) == pytest.approx(plain_rsa(x, y), abs=1e-6)


@given(
    tokens=st.integers(3, 40),
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
    assert rsa(x, y, block_rows=block_rows) == pytest.approx(plain_rsa(x, y), abs=1e-6)


@given(seed=st.integers(0, 10_000), scale=st.floats(1e-3, 1e3), mean_cosine=st.floats(0, 0.99))
@settings(max_examples=40, deadline=None)
def test_rotation_scale_and_lengths_change_nothing(seed, scale, mean_cosine):
    x = states(60, 8, mean_cosine=mean_cosine, seed=seed)
    y = related(x, share=0.5, seed=seed + 1)
    lengths = np.random.default_rng(seed).lognormal(size=(60, 1))
    expected = rsa(x, y)
    assert rsa(scale * lengths * x @ rotation(8, seed), y) == pytest.approx(expected, abs=1e-9)
    assert rsa(y, x) == pytest.approx(expected, abs=1e-12)
    order = np.random.default_rng(seed).permutation(60)
    assert rsa(x[order], y[order]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("tokens", [50, 5_000])
def test_identical_states_give_exactly_one(tokens):
    x = states(tokens, 16, mean_cosine=0.9)
    assert rsa(x, x) == 1.0
    assert rsa(x, x.copy()) == 1.0
    assert rsa(x.astype(np.float16), x.astype(np.float16)) == 1.0


def test_a_stream_equals_the_whole():
    x = states(9_000, 24, mean_cosine=0.9)
    y = related(x, share=0.7)
    sums = RsaSums()
    for start in range(0, 9_000, 700):
        sums.update(x[start : start + 700], y[start : start + 700])
    sums.update(x[:0], y[:0])
    assert sums.value() == pytest.approx(rsa(x, y), abs=1e-7)


def test_opposed_geometries_correlate_negatively():
    x, y = np.eye(2)[[0, 0, 1, 1]], np.eye(2)[[0, 1, 0, 1]]  # of six pairs two are alike in each
    assert rsa(x, y) == pytest.approx(-0.5)


def test_zero_rows_are_refused():
    x = states(20, 4)
    broken = x.copy()
    broken[[3, 8]] = 0
    with pytest.raises(ValueError, match=r"a row is zero or not finite \(2 of 20"):
        rsa(x, broken)
    broken[3] = np.nan
    with pytest.raises(ValueError, match=r"\(2 of 20"):
        rsa(broken, x)


@pytest.mark.parametrize("tokens", [30, 5_000])
def test_states_all_alike_are_refused(tokens):
    x = states(tokens, 6)
    constant = np.tile(np.random.default_rng(0).normal(size=6), (tokens, 1))
    constant *= np.random.default_rng(1).lognormal(size=(tokens, 1))
    with pytest.raises(ValueError, match="equally similar in the second"):
        rsa(x, constant)
    with pytest.raises(ValueError, match="equally similar in the first"):
        rsa(np.eye(tokens, min(tokens, 30))[:30], x[:30])


def test_too_few_tokens_and_unmatched_rows_are_refused():
    x = states(5, 4)
    with pytest.raises(ValueError, match="at least 3"):
        rsa(x[:2], x[:2])
    with pytest.raises(ValueError, match="as many rows"):
        rsa(x, x[:4])
