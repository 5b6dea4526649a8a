from dataclasses import replace

import numpy as np
import pytest
import torch

from small_encoder import save_small_encoder, sentiment, similarity
from tunescope.config.finetuning import FinetuningSettings
from tunescope.encoders.load import load_encoder, weights_sha256
from tunescope.encoders.origin import read_origin
from tunescope.encoders.randomise import randomise_encoder
from tunescope.errors import InputError
from tunescope.finetuning.model import load_run, set_dropout
from tunescope.finetuning.predict import predict, predict_untrained
from tunescope.finetuning.predictions import read_predictions, write_predictions
from tunescope.finetuning.run import finetune

SETTINGS = FinetuningSettings(
    epochs=6, batch_size=16, learning_rate=2e-3, max_length=16, checkpoint_seconds=1e9
)


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    return save_small_encoder(tmp_path_factory.mktemp("encoders") / "base")


@pytest.fixture(scope="module")
def tuned(start):
    folder = start.parent / "sentiment-s0"
    return folder, finetune(start, sentiment(200), folder, settings=SETTINGS, seed=0)


def test_it_learns_a_task_of_single_sentences(tuned):
    folder, steps = tuned
    assert len(steps) == 6 * 13
    predictions = predict(folder, sentiment(100, seed=1), batch_size=32)
    assert (predictions.scores.argmax(axis=1) == predictions.gold).mean() > 0.95


def test_it_learns_a_regression_of_pairs(start):
    folder = start.parent / "similarity-s0"
    finetune(start, similarity(200), folder, settings=SETTINGS, seed=0)
    predictions = predict(folder, similarity(60, seed=1), batch_size=32)
    assert predictions.kind == "regression"
    assert np.corrcoef(predictions.scores[:, 0], predictions.gold)[0, 1] > 0.9


def test_a_run_folder_is_an_encoder_folder_with_a_head(tuned, start):
    folder, steps = tuned
    files = {"model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json"}
    files |= {"origin.json", "head.safetensors", "head.json", "losses.csv"}
    assert {path.name for path in folder.iterdir()} == files
    assert weights_sha256(folder) != weights_sha256(start)
    assert load_encoder(folder).tokenizer.get_vocab() == load_encoder(start).tokenizer.get_vocab()
    run = load_run(folder)
    assert run.task.describe() == {"kind": "classification", "labels": ["no", "yes"]}
    assert run.max_length == 16
    assert weights_sha256(start) in read_origin(folder).source
    assert len((folder / "losses.csv").read_text().splitlines()) == 1 + len(steps)


def test_the_seed_determines_the_run_to_the_last_bit(start, tmp_path):
    settings = SETTINGS.model_copy(update={"epochs": 1})
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        finetune(start, sentiment(50), tmp_path / name, settings=settings, seed=seed)

    def content(name, file):
        return (tmp_path / name / file).read_bytes()

    for file in ("model.safetensors", "head.safetensors", "losses.csv"):
        assert content("one", file) == content("same", file)
        assert content("one", file) != content("other", file)


def test_all_weights_are_trained(tuned, start):
    before = load_encoder(start).model.state_dict()
    after = load_encoder(tuned[0]).model.state_dict()
    unchanged = [name for name in before if torch.equal(before[name], after[name])]
    assert unchanged == []


def test_from_random_initialisation_is_the_same_call(start, tmp_path):
    randomise_encoder(start, tmp_path / "random-s0", seed=0)
    settings = SETTINGS.model_copy(update={"epochs": 1, "optimizer": "adamw"})
    steps = finetune(
        tmp_path / "random-s0", sentiment(50), tmp_path / "run", settings=settings, seed=0
    )
    assert len(steps) == 4
    assert read_origin(tmp_path / "run").kind == "fine-tuned"


def test_dropout_reaches_every_layer_and_the_attention(start):
    encoder = load_encoder(start, attention="eager").model
    set_dropout(encoder, 0.5)
    encoder.train()
    ids = torch.tensor([[2, 5, 6, 7, 8, 9, 3]])
    torch.manual_seed(0)
    maps = encoder(ids, output_attentions=True).attentions
    dropped = [(one == 0).float().mean().item() for one in maps]
    assert all(0.2 < share < 0.8 for share in dropped)
    set_dropout(encoder, 0.0)
    states = [encoder(ids).last_hidden_state for _ in range(2)]
    assert torch.equal(*states)


def test_inputs_longer_than_the_encoder_are_refused(start, tmp_path):
    settings = SETTINGS.model_copy(update={"max_length": 33})
    with pytest.raises(InputError, match=r"finetuning\.max_length: is 33, the encoder takes 32"):
        finetune(start, sentiment(50), tmp_path / "run", settings=settings, seed=0)


def test_the_size_of_batches_does_not_change_predictions(tuned):
    split = sentiment(50, seed=2)
    one, many = (predict(tuned[0], split, batch_size=size).scores for size in (1, 64))
    np.testing.assert_allclose(one, many, atol=1e-5)


def test_a_split_with_other_labels_is_refused(tuned):
    split = sentiment(20)
    names = ["fine" if name == "yes" else name for name in split.table["label"].to_pylist()]
    place = split.table.schema.get_field_index("label")
    other = replace(split, table=split.table.set_column(place, "label", [names]))
    with pytest.raises(InputError, match="label 'fine'"):
        predict(tuned[0], other, batch_size=8)


def test_predictions_name_weights_and_corpus(tuned, tmp_path):
    folder, _ = tuned
    predictions = predict(folder, sentiment(30, seed=3), batch_size=8)
    write_predictions(predictions, tmp_path / "predictions" / "run.h5")
    found = read_predictions(tmp_path / "predictions" / "run.h5")
    assert found.origin["weights_sha256"] == weights_sha256(folder)
    assert found.labels == ("no", "yes")
    np.testing.assert_array_equal(found.scores, predictions.scores)
    np.testing.assert_array_equal(found.gold, predictions.gold)
    np.testing.assert_array_equal(found.rows, np.arange(30))


def test_untrained_heads_are_those_that_a_run_starts_from(start, tmp_path):
    """Oracle: fine-tuning at a learning rate of nearly 0, one full pass a head."""
    split = sentiment(30, seed=4)
    untrained = predict_untrained(start, split, head_seeds=range(10), max_length=16, batch_size=8)
    assert untrained.scores.shape == (10, 30, 2)
    assert untrained.origin["head_seeds"].tolist() == list(range(10))
    assert len({head.tobytes() for head in untrained.scores}) == 10
    settings = SETTINGS.model_copy(update={"epochs": 1, "learning_rate": 1e-12})
    for seed in (0, 7):
        finetune(start, sentiment(16), tmp_path / f"s{seed}", settings=settings, seed=seed)
        plain = predict(tmp_path / f"s{seed}", split, batch_size=1).scores
        np.testing.assert_allclose(untrained.scores[seed], plain, atol=1e-6)


@pytest.mark.parametrize("name", ["head.json", "head.safetensors", "model.safetensors"])
def test_a_run_without_one_of_its_files_is_refused(tuned, tmp_path, name):
    for path in tuned[0].iterdir():
        if path.name != name:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(InputError):
        load_run(tmp_path)


def test_a_head_that_does_not_fit_is_refused(tuned, tmp_path):
    for path in tuned[0].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (tmp_path / "head.json").read_text().replace('"yes"', '"yes",\n"maybe"')
    (tmp_path / "head.json").write_text(text)
    with pytest.raises(InputError, match=r"does not fit head\.json"):
        load_run(tmp_path)
