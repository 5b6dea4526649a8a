import json

import h5py
import numpy as np
import pytest

from activations.conftest import make_random_inputs
from tunescope.activations.store import HiddenStates, StoreAttributes, layer_names, write_store
from tunescope.errors import InputError

HIDDEN = 6
LAYERS = layer_names(2)


def attributes_of(inputs):
    return StoreAttributes("lab", "mnli-s0", "w" * 64, inputs.content_hash, {"inputs": 30})


def states_of(inputs, seed=0):
    shape = (len(LAYERS), len(inputs.piece_ids), HIDDEN)
    return np.random.default_rng(seed).normal(size=shape).astype(np.float16)


def write(path, inputs, states, parts=3):
    with write_store(path, inputs, attributes_of(inputs), layers=LAYERS, hidden=HIDDEN) as store:
        for part in np.array_split(np.arange(states.shape[1]), parts):
            store.append(states[:, part])


def test_layer_names_count_blocks_from_zero():
    assert layer_names(12)[:2] == ("embeddings", "00")
    assert layer_names(12)[-1] == "11"


def test_what_is_written_is_read(tmp_path, inputs):
    states = states_of(inputs)
    write(tmp_path / "s.h5", inputs, states)
    with HiddenStates(tmp_path / "s.h5", corpus_hash=inputs.content_hash) as store:
        assert store.attributes == attributes_of(inputs)
        assert store.layers == LAYERS
        assert store.counts == inputs.counts
        for number, layer in enumerate(LAYERS):
            assert (store.read(layer) == states[number]).all()
            blocks = dict(store.blocks(layer, rows=50))
            assert (np.concatenate(list(blocks.values())) == states[number]).all()
            assert list(blocks) == list(range(0, len(inputs.piece_ids), 50))
        assert store.read("01", 7, 9).shape == (2, HIDDEN)
        for name, expected in (
            ("offsets", inputs.offsets),
            ("word_ids", inputs.word_ids),
            ("row_ids", inputs.rows),
            ("piece_ids", inputs.piece_ids),
            ("segments", inputs.segments),
            ("cut", inputs.cut),
        ):
            assert (getattr(store, name) == expected).all(), name


def test_the_layout_is_the_documented_one(tmp_path, inputs):
    write(tmp_path / "s.h5", inputs, states_of(inputs))
    with h5py.File(tmp_path / "s.h5") as file:
        dataset = file["layers/embeddings"]
        assert dataset.dtype == np.float16
        assert dataset.compression is None
        assert dataset.chunks is not None
        assert file.attrs["complete"]
        assert json.loads(file.attrs["settings"]) == {"inputs": 30}


def test_chunks_have_about_one_mebibyte(tmp_path):
    inputs = make_random_inputs(400, seed=0)
    with write_store(
        tmp_path / "s.h5", inputs, attributes_of(inputs), layers=("embeddings",), hidden=768
    ) as store:
        store.append(np.zeros((1, len(inputs.piece_ids), 768), np.float16))
    with h5py.File(tmp_path / "s.h5") as file:
        rows, hidden = file["layers/embeddings"].chunks
        assert hidden == 768
        assert 0.9 * 2**20 < rows * hidden * 2 <= 2**20


def test_the_same_states_give_the_same_bytes(tmp_path, inputs):
    write(tmp_path / "one.h5", inputs, states_of(inputs), parts=2)
    write(tmp_path / "two.h5", inputs, states_of(inputs), parts=2)
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()


def test_words_are_the_mean_of_their_pieces(tmp_path, inputs):
    states = states_of(inputs)
    write(tmp_path / "s.h5", inputs, states)
    store = HiddenStates(tmp_path / "s.h5")
    plain, owners = [], []
    for one, (start, stop) in enumerate(zip(inputs.offsets, inputs.offsets[1:], strict=False)):
        numbers = inputs.word_ids[start:stop]
        for word in sorted(set(numbers.tolist()) - {-1}):
            plain.append(states[1, start:stop][numbers == word].astype(np.float64).mean(axis=0))
            owners.append(one)
    np.testing.assert_allclose(store.words("00"), plain, atol=1e-6)
    np.testing.assert_allclose(store.words("00", 5, 21), plain[5:21], atol=1e-6)
    assert store.words("00", 3, 3).shape == (0, HIDDEN)
    assert store.word_inputs.tolist() == owners


def test_reading_one_layer_leaves_the_others_alone(tmp_path, inputs):
    write(tmp_path / "s.h5", inputs, states_of(inputs))
    with h5py.File(tmp_path / "s.h5", "r+") as file:
        del file["layers/01"]
        file["layers/01"] = h5py.SoftLink("/gone")
    store = HiddenStates(tmp_path / "s.h5")
    assert store.read("00").shape == (len(inputs.piece_ids), HIDDEN)


def change_attribute(path, name, value):
    with h5py.File(path, "r+") as file:
        if value is None:
            del file.attrs[name]
        else:
            file.attrs[name] = value


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [("complete", None, "not finished"), ("format", "older", "'older'")],
)
def test_a_store_unfinished_or_of_another_format_is_refused(tmp_path, inputs, name, value, reason):
    path = tmp_path / "s.h5"
    write(path, inputs, states_of(inputs))
    change_attribute(path, name, value)
    with pytest.raises(InputError, match=reason) as refusal:
        HiddenStates(path)
    assert refusal.value.where == str(path)


def test_a_store_of_another_corpus_or_other_weights_is_refused(tmp_path, inputs):
    path = tmp_path / "s.h5"
    write(path, inputs, states_of(inputs))
    with pytest.raises(InputError, match=r"s\.h5: holds states of another corpus"):
        HiddenStates(path, corpus_hash="c" * 64)
    with pytest.raises(InputError, match=r"s\.h5: holds states of another weights"):
        HiddenStates(path, weights_hash="v" * 64)
    HiddenStates(path, corpus_hash=inputs.content_hash, weights_hash="w" * 64).close()


def test_what_is_no_store_is_refused(tmp_path, inputs):
    with pytest.raises(InputError, match="no such file"):
        HiddenStates(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("no HDF5")
    with pytest.raises(InputError, match="cannot be read as HDF5"):
        HiddenStates(tmp_path / "text.h5")
    write(tmp_path / "s.h5", inputs, states_of(inputs))
    whole = (tmp_path / "s.h5").read_bytes()
    (tmp_path / "cut.h5").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cannot be read as HDF5"):
        HiddenStates(tmp_path / "cut.h5")


def test_an_unknown_layer_names_the_choices(tmp_path, inputs):
    write(tmp_path / "s.h5", inputs, states_of(inputs))
    with pytest.raises(InputError, match=r"no layer '07'.*embeddings"):
        HiddenStates(tmp_path / "s.h5").read("07")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_state_that_is_not_finite_is_refused_and_leaves_nothing(tmp_path, inputs, bad):
    states = states_of(inputs)
    states[2, inputs.offsets[4] + 1, 3] = bad
    with pytest.raises(InputError, match=rf"layer 01 in input 4 \(row {inputs.rows[4]}\)"):
        write(tmp_path / "s.h5", inputs, states)
    assert list(tmp_path.iterdir()) == []


def test_missing_states_are_refused_and_leave_nothing(tmp_path, inputs):
    with pytest.raises(ValueError, match="expected"):
        write(tmp_path / "s.h5", inputs, states_of(inputs)[:, :-1])
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_store(tmp_path, inputs):
    write(tmp_path / "s.h5", inputs, states_of(inputs))
    before = (tmp_path / "s.h5").read_bytes()
    with pytest.raises(ValueError, match="expected"):
        write(tmp_path / "s.h5", inputs, states_of(inputs, seed=1)[:, :-1])
    assert (tmp_path / "s.h5").read_bytes() == before
