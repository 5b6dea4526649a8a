import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from activations.conftest import make_random_inputs
from tunescope.activations import dump as dump_module
from tunescope.activations.dump import dump_hidden_states, length_batches, windows
from tunescope.activations.inputs import Inputs
from tunescope.activations.store import HiddenStates, StoreAttributes
from tunescope.errors import InputError

TESTS = Path(__file__).parents[1]


def attributes_of(inputs: Inputs) -> StoreAttributes:
    return StoreAttributes("tiny", "base", "w", inputs.content_hash, {})


def dump(encoder, inputs, path, **options):
    dump_hidden_states(encoder, inputs, path, attributes_of(inputs), progress=False, **options)
    return HiddenStates(path)


def one_by_one(encoder, inputs):
    """The plain way: every input alone, without padding."""
    layers = []
    for start, stop in zip(inputs.offsets, inputs.offsets[1:], strict=False):
        with torch.inference_mode():
            output = encoder.model(
                input_ids=torch.from_numpy(inputs.piece_ids[start:stop].astype(np.int64))[None],
                token_type_ids=torch.from_numpy(inputs.segments[start:stop].astype(np.int64))[None],
                output_hidden_states=True,
            )
        layers.append(torch.stack([state[0] for state in output.hidden_states]).numpy())
    return np.concatenate(layers, axis=1)


@settings(max_examples=15, deadline=None)
@given(count=st.integers(1, 12), seed=st.integers(0, 1_000), batch_pieces=st.integers(1, 80))
def test_states_do_not_depend_on_the_batch(encoder, tmp_path_factory, count, seed, batch_pieces):
    inputs = make_random_inputs(count, seed=seed)
    path = tmp_path_factory.mktemp("dump") / "s.h5"
    with dump(encoder, inputs, path, batch_pieces=batch_pieces) as store:
        expected = one_by_one(encoder, inputs)
        for number, layer in enumerate(store.layers):
            np.testing.assert_allclose(store.read(layer), expected[number], rtol=2e-3, atol=1e-3)


def test_several_windows_give_the_states_of_one(encoder, inputs, tmp_path, monkeypatch):
    whole = dump(encoder, inputs, tmp_path / "one.h5", batch_pieces=40)
    monkeypatch.setattr(dump_module, "_WINDOW_BYTES", 1)
    parts = dump(encoder, inputs, tmp_path / "two.h5", batch_pieces=40)
    for layer in whole.layers:
        np.testing.assert_allclose(whole.read(layer), parts.read(layer), rtol=2e-3, atol=1e-3)


def test_the_same_dump_gives_the_same_bytes(encoder, inputs, tmp_path):
    dump(encoder, inputs, tmp_path / "one.h5")
    dump(encoder, inputs, tmp_path / "two.h5")
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()


def test_dropout_is_off_for_the_dump_alone(encoder, inputs, tmp_path):
    encoder.model.train()
    try:
        store = dump(encoder, inputs, tmp_path / "s.h5")
        assert encoder.model.training
    finally:
        encoder.model.eval()
    np.testing.assert_allclose(
        store.read("02"), one_by_one(encoder, inputs)[3], rtol=2e-3, atol=1e-3
    )


def test_states_beyond_float16_are_refused(encoder, inputs, tmp_path):
    norm = encoder.model.encoder.layer[1].output.LayerNorm
    scale = norm.weight.detach().clone()
    try:
        with torch.no_grad():
            norm.weight.mul_(1e6)
        with pytest.raises(InputError, match=r"layer 01 .* beyond float16"):
            dump(encoder, inputs, tmp_path / "s.h5")
    finally:
        with torch.no_grad():
            norm.weight.copy_(scale)
    assert list(tmp_path.iterdir()) == []


def test_attributes_of_other_inputs_are_refused(encoder, inputs, tmp_path):
    with pytest.raises(ValueError, match="attributes name corpus"):
        dump_hidden_states(
            encoder, inputs, tmp_path / "s.h5", StoreAttributes("tiny", "base", "w", "other", {})
        )


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=60),
    st.integers(1, 100),
)
def test_batches_and_windows_hold_every_input_once_and_keep_their_limits(lengths, pieces):
    sizes = np.asarray(lengths)
    batches = length_batches(sizes, pieces)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(sizes)))
    assert all(len(b) == 1 or len(b) * sizes[b].max() <= pieces for b in batches)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    ranges = list(windows(offsets, pieces))
    assert [start for start, _ in ranges] == [0, *(stop for _, stop in ranges[:-1])]
    assert ranges[-1][1] == len(sizes)
    assert all(b == a + 1 or offsets[b] - offsets[a] <= pieces for a, b in ranges)


SLOW_DUMP = """
import sys, time
from pathlib import Path
import torch
from transformers import BertConfig, BertModel
from activations.conftest import make_random_inputs
from tunescope.activations import dump
from tunescope.activations.store import StoreAttributes
from tunescope.encoders.load import Encoder

config = BertConfig(vocab_size=10, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
                    intermediate_size=32, max_position_embeddings=24)
model = BertModel(config)
model.register_forward_pre_hook(lambda module, arguments: time.sleep(0.05))
dump._WINDOW_BYTES = 1
inputs = make_random_inputs(400, seed=0)
attributes = StoreAttributes("tiny", "base", "w", inputs.content_hash, {})
dump.dump_hidden_states(Encoder(model, None, 2, 2, 16, 24), inputs, Path(sys.argv[1]), attributes,
                        batch_pieces=40, progress=False)
"""


def test_a_killed_dump_leaves_nothing_that_a_reader_accepts(encoder, inputs, tmp_path):
    path = tmp_path / "s.h5"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent / "workflow_scripts")]),
        "OMP_NUM_THREADS": "1",
    }
    process = subprocess.Popen([sys.executable, "-c", SLOW_DUMP, str(path)], env=environment)
    try:
        leftovers: list[Path] = []
        while not leftovers and process.poll() is None:
            time.sleep(0.05)
            leftovers = list(tmp_path.glob(".s.h5.*.partial"))
        time.sleep(0.5)  # some windows later
        assert process.poll() is None, "the dump ended before it was killed"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL
    assert not path.exists()
    with pytest.raises(InputError, match="no such file"):
        HiddenStates(path)
    with pytest.raises(InputError, match=r"cannot be read|not finished"):
        HiddenStates(leftovers[0])
    dump(encoder, inputs, path)
    assert [file.name for file in tmp_path.iterdir()] == ["s.h5"]
