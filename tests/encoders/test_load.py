import pytest
import torch

from small_encoder import save_small_encoder, small_config
from tunescope.encoders.architecture import random_encoder, read_config
from tunescope.encoders.load import load_encoder, save_encoder, weights_sha256
from tunescope.encoders.origin import Origin, read_origin
from tunescope.encoders.randomise import randomise_encoder
from tunescope.errors import InputError


def test_what_was_saved_is_loaded(tmp_path):
    folder = save_small_encoder(tmp_path / "one", seed=3)
    encoder = load_encoder(folder)
    expected = random_encoder(small_config(), seed=3).state_dict()
    state = encoder.model.state_dict()
    assert state.keys() == expected.keys()
    assert all(torch.equal(state[name], expected[name]) for name in expected)
    assert encoder.tokenizer.tokenize("Running trees") == ["run", "##ning", "tree", "##s"]
    assert read_origin(folder).seed == 3


def test_the_same_encoder_gives_the_same_bytes(tmp_path):
    first = save_small_encoder(tmp_path / "one")
    encoder = load_encoder(first)
    save_encoder(encoder.model, encoder.tokenizer, read_origin(first), tmp_path / "two")
    for path in first.iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name
    assert [path.name for path in tmp_path.iterdir() if "partial" in path.name] == []


def test_a_folder_is_replaced_as_a_whole(tmp_path):
    folder = save_small_encoder(tmp_path / "one")
    (folder / "left-over.txt").write_text("of an earlier run")
    (tmp_path / ".one.99.partial").mkdir()  # of a process that was killed
    encoder = load_encoder(folder)
    save_encoder(encoder.model, encoder.tokenizer, Origin("random", "test"), folder)
    assert not (folder / "left-over.txt").exists()
    assert not (tmp_path / ".one.99.partial").exists()


def test_loaded_attention_is_the_one_asked_for(tmp_path):
    folder = save_small_encoder(tmp_path / "one")
    ids = torch.tensor([[2, 5, 6, 7, 3]])
    eager = load_encoder(folder, attention="eager").model
    fast = load_encoder(folder).model
    with torch.no_grad():
        maps = eager(ids, output_attentions=True).attentions
        states = [model(ids).last_hidden_state for model in (eager, fast)]
    assert maps[1].shape == (1, 2, 5, 5)
    torch.testing.assert_close(*states)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_folder_without_one_of_its_files_is_refused(tmp_path, name):
    folder = save_small_encoder(tmp_path / "one")
    (folder / name).unlink()
    with pytest.raises(InputError):
        load_encoder(folder)


def test_an_origin_of_another_form_is_refused(tmp_path):
    (tmp_path / "origin.json").write_text('{"kind": "hub"}')
    with pytest.raises(InputError, match=r"origin\.json"):
        read_origin(tmp_path)


def test_random_weights_follow_berts_initialiser(tmp_path):
    source = save_small_encoder(tmp_path / "base", seed=1)
    for seed in (0, 1):
        randomise_encoder(source, tmp_path / f"random-s{seed}", seed=seed)
    randomise_encoder(source, tmp_path / "again", seed=0)
    hashes = [weights_sha256(tmp_path / name) for name in ("random-s0", "random-s1", "again")]
    assert hashes[0] == hashes[2] != hashes[1]
    random = load_encoder(tmp_path / "random-s0")
    assert read_config(source).to_dict() == read_config(tmp_path / "random-s0").to_dict()
    assert random.tokenizer.get_vocab() == load_encoder(source).tokenizer.get_vocab()
    assert read_origin(tmp_path / "random-s0").kind == "random"
    drawn = []
    for name, parameter in random.model.named_parameters():
        if name.endswith("bias"):
            assert not parameter.any(), name
        elif "LayerNorm" in name:
            assert (parameter == 1).all(), name
        else:
            drawn.append(parameter.detach().flatten())
    values = torch.cat(drawn)
    assert values.std().item() == pytest.approx(0.02, rel=0.03)
    assert abs(values.mean().item()) < 0.001
