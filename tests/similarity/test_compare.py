import numpy as np
import pytest

from similarity.conftest import base_states, make_inputs, moved
from similarity.plain import plain_debiased_cka, plain_rsa
from tunescope.config.similarity import SimilaritySettings
from tunescope.errors import InputError
from tunescope.similarity import compare as compare_module
from tunescope.similarity.compare import MEASURES, compare
from tunescope.similarity.results import read_comparison, write_comparison
from tunescope.statistics import bootstrap_interval

INPUTS = make_inputs(60)
STATES = base_states(INPUTS)


def settings(**changes):
    return SimilaritySettings(**{"tokens": 150, "draws": 2, "resamples": 100, **changes})


def run(base, tuned, **changes):
    return compare(base, tuned, settings(**changes), progress=False)


def test_all_tokens_give_the_plain_values(store):
    base, tuned = store("base", INPUTS, STATES), store("a-s0", INPUTS, moved(STATES, 1.0, seed=1))
    real = INPUTS.word_ids >= 0
    for special, kept in ((False, real), (True, np.ones(len(real), bool))):
        result = run(base, tuned, tokens=10_000, special_tokens=special)
        assert result.tokens == kept.sum()
        for number, layer in enumerate(base.layers):
            x, y = base.read(layer)[kept], tuned.read(layer)[kept]
            expected = plain_rsa(x, y), plain_debiased_cka(x, y)
            np.testing.assert_allclose(result.values[0, :, number], expected, atol=1e-6)
        np.testing.assert_array_equal(result.values[0], result.values[1])


def test_all_words_give_the_plain_values(store):
    base, tuned = store("base", INPUTS, STATES), store("a-s0", INPUTS, moved(STATES, 1.0, seed=1))
    result = run(base, tuned, tokens=10_000, units="words")
    x, y = base.words("02"), tuned.words("02")
    assert result.tokens == len(x) < (INPUTS.word_ids >= 0).sum()
    assert result.values[0, 0, -1] == pytest.approx(plain_rsa(x, y), abs=1e-6)


@pytest.mark.parametrize("units", ["pieces", "words"])
def test_reading_in_parts_changes_nothing(store, units, monkeypatch):
    base, tuned = store("base", INPUTS, STATES), store("a-s0", INPUTS, moved(STATES, 1.0, seed=1))
    whole = run(base, tuned, units=units)
    monkeypatch.setattr(compare_module, "_READ_ROWS", 7)
    monkeypatch.setattr(compare_module, "BLOCK_ROWS", 40)
    parts = run(base, tuned, units=units)
    np.testing.assert_allclose(whole.values, parts.values, atol=1e-9)
    np.testing.assert_array_equal(whole.replicates, parts.replicates)


def test_base_compared_with_itself_is_exactly_one(store):
    result = run(store("base", INPUTS, STATES), store("copy", INPUTS, STATES))
    assert (result.values == 1).all()
    np.testing.assert_allclose(result.replicates, 1, atol=1e-12)


def test_a_change_shows_from_its_layer_on_and_not_before(store):
    changed = STATES.copy()
    changed[2:] = moved(STATES, 3.0, seed=1)[2:]
    result = run(store("base", INPUTS, STATES), store("a-s0", INPUTS, changed))
    assert (result.values[:, :, :2] == 1).all()
    assert (result.values[:, :, 2:] < 0.9).all()


def test_intervals_hold_the_value_and_draws_differ(store):
    base, tuned = store("base", INPUTS, STATES), store("a-s0", INPUTS, moved(STATES, 1.5, seed=1))
    result = run(base, tuned, resamples=300)
    low, high = bootstrap_interval(result.replicates)
    assert (low[:, 1:] < result.values[0, :, 1:]).all()
    assert (high[:, 1:] > result.values[0, :, 1:]).all()
    assert (result.values[0, :, 1:] != result.values[1, :, 1:]).all()


def test_tokens_and_resamples_follow_inputs_and_seed_not_the_run(store):
    base = store("base", INPUTS, STATES)
    one = run(base, store("a-s0", INPUTS, moved(STATES, 1.0, seed=1)))
    same = run(base, store("a-s1", INPUTS, moved(STATES, 1.0, seed=1)))
    other = run(base, store("a-s2", INPUTS, moved(STATES, 1.0, seed=1)), seed=1)
    np.testing.assert_array_equal(one.replicates, same.replicates)
    assert (one.values[:, :, 1:] != other.values[:, :, 1:]).all()
    elsewhere = [
        store(name, INPUTS, states, corpus="other")
        for name, states in (("base", STATES), ("a-s0", moved(STATES, 1.0, seed=1)))
    ]
    moved_on = run(*elsewhere)
    np.testing.assert_array_equal(one.values, moved_on.values)
    assert (one.replicates[:, 1:] != moved_on.replicates[:, 1:]).any()


def test_a_run_with_fewer_blocks_is_compared_where_it_has_layers(store):
    base = store("base", INPUTS, STATES)
    result = run(base, store("a-truncated01-s0", INPUTS, STATES[:3]))
    assert result.layers == ("embeddings", "00", "01")


def test_what_cannot_be_compared_is_refused(store):
    base = store("base", INPUTS, STATES)
    others = make_inputs(60, seed=1)
    with pytest.raises(InputError, match="another corpus than"):
        run(base, store("a-s0", others, base_states(others)))
    with pytest.raises(ValueError, match="belong to no word"):
        settings(units="words", special_tokens=True)
    few = make_inputs(1)
    with pytest.raises(InputError, match="pieces in all inputs"):
        run(*[store("base", few, base_states(few), corpus="few")] * 2)


def test_a_collapsed_run_names_file_and_layer(store):
    base = store("base", INPUTS, STATES)
    flat = STATES.copy()
    flat[3] = flat[3, 0]
    with pytest.raises(InputError, match=r"b-s0-c\.h5 \(second\), layer 02: all pairs are equally"):
        run(base, store("b-s0", INPUTS, flat))
    zero = STATES.copy()
    zero[1, 5:9] = 0
    with pytest.raises(InputError, match=r"layer 00: a row is zero or not finite"):
        run(base, store("z-s0", INPUTS, zero), tokens=10_000)


def test_a_comparison_is_read_as_written(store, tmp_path):
    result = run(store("base", INPUTS, STATES), store("a-s0", INPUTS, moved(STATES, 1.0, seed=1)))
    write_comparison(result, tmp_path / "one.h5")
    write_comparison(result, tmp_path / "two.h5")
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()
    found = read_comparison(tmp_path / "one.h5")
    for name, value in vars(result).items():
        np.testing.assert_array_equal(getattr(found, name), value, err_msg=name)
    assert found.values.shape == (2, len(MEASURES), 4)
    with pytest.raises(InputError, match="'tunescope hidden states 1'"):
        read_comparison(store("base", INPUTS, STATES).path)
