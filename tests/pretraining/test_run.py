import numpy as np
import pytest
import torch
from transformers import BertForPreTraining

from tunescope.config.pretraining import PretrainingSettings
from tunescope.corpora.canonical import Accounting, make_split
from tunescope.encoders.architecture import initialise, random_encoder
from tunescope.encoders.load import load_encoder
from tunescope.encoders.origin import read_origin
from tunescope.errors import InputError
from tunescope.pretraining.run import PretrainedModel, pretrain

SETTINGS = PretrainingSettings(
    layers=1,
    heads=2,
    hidden=16,
    intermediate=32,
    max_length=24,
    vocabulary=100,
    dropout=0.0,
    epochs=10,
    batch_size=16,
    learning_rate=5e-3,
)


def text_of(rows):
    numbered = [{"row": number, "text": row} for number, row in enumerate(rows)]
    return make_split("text", numbered, (), Accounting("toy text", "", len(rows), len(rows)))


def sentences(count, seed=0):
    """Subject and verb agree, so that hidden words can be guessed."""
    generator = np.random.default_rng(seed)
    pairs = (("dog", "barks"), ("cat", "sleeps"), ("bird", "sings"), ("child", "plays"))
    rows = []
    for number in range(count):
        noun, verb = pairs[generator.integers(4)]
        second = f"\nthe {noun} {verb}" if number % 3 == 0 else ""
        rows.append(f"the {noun} of the house {verb} loudly{second}")
    return text_of(rows)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "base"
    return folder, pretrain(SETTINGS, sentences(160), folder, seed=0)


def test_it_learns_to_guess_hidden_words(trained):
    _, steps = trained
    assert len(steps) == 100
    first, last = (np.mean([one.loss for one in part]) for part in (steps[:10], steps[-10:]))
    assert first == pytest.approx(np.log(40), abs=1)
    assert last < 0.6 * first


def test_the_encoder_folder_is_complete(trained):
    folder, steps = trained
    encoder = load_encoder(folder)
    assert (encoder.layers, encoder.heads, encoder.hidden, encoder.max_length) == (1, 2, 16, 24)
    origin = read_origin(folder)
    assert origin.kind == "pretrained-here"
    assert "the pooler is trained" in origin.notes
    assert len((folder / "losses.csv").read_text().splitlines()) == len(steps) + 1
    assert encoder.tokenizer.tokenize("The dog barks") == ["the", "dog", "barks"]


def test_the_seed_changes_the_weights_and_not_the_tokenizer(trained, tmp_path):
    folder, _ = trained
    settings = SETTINGS.model_copy(update={"epochs": 1})
    for name, seed in (("one", 1), ("same", 1), ("two", 2)):
        pretrain(settings, sentences(160), tmp_path / name, seed=seed)

    def content(name, file):
        return (tmp_path / name / file).read_bytes()

    assert content("one", "model.safetensors") == content("same", "model.safetensors")
    assert content("one", "losses.csv") == content("same", "losses.csv")
    assert content("one", "model.safetensors") != content("two", "model.safetensors")
    assert content("one", "tokenizer.json") == (folder / "tokenizer.json").read_bytes()


def test_without_next_sentence_prediction_the_pooler_is_left_as_it_was_drawn(tmp_path):
    settings = SETTINGS.model_copy(update={"next_sentence": 0.0, "epochs": 1})
    pretrain(settings, sentences(40), tmp_path / "base", seed=0)
    encoder = load_encoder(tmp_path / "base")
    start = PretrainedModel(random_encoder(encoder.model.config, seed=0))
    initialise(start, SETTINGS.initializer_range, torch.Generator().manual_seed(0))
    assert torch.equal(encoder.model.pooler.dense.weight, start.encoder.pooler.dense.weight)
    assert not torch.equal(
        encoder.model.embeddings.word_embeddings.weight,
        start.encoder.embeddings.word_embeddings.weight,
    )


def test_a_line_break_divides_the_two_segments(trained):
    folder, _ = trained
    types = load_encoder(folder).model.embeddings.token_type_embeddings.weight
    start = PretrainedModel(random_encoder(load_encoder(folder).model.config, seed=0))
    initialise(start, SETTINGS.initializer_range, torch.Generator().manual_seed(0))
    before = start.encoder.embeddings.token_type_embeddings.weight
    assert (types - before)[1].abs().max() > 1e-3, "the second segment must have been trained"


def test_scores_are_those_of_transformers_at_the_chosen_places(trained):
    folder, _ = trained
    encoder = load_encoder(folder).model
    sparse = PretrainedModel(encoder).eval()
    initialise(sparse.dense, 0.5, torch.Generator().manual_seed(0))
    sparse.bias.data.normal_(generator=torch.Generator().manual_seed(1))
    whole = BertForPreTraining(encoder.config).eval()
    whole.bert.load_state_dict(encoder.state_dict())
    whole.cls.seq_relationship.load_state_dict(sparse.next_sentence.state_dict())
    head = whole.cls.predictions
    head.transform.dense.load_state_dict(sparse.dense.state_dict())
    head.transform.LayerNorm.load_state_dict(sparse.LayerNorm.state_dict())
    with torch.no_grad():
        head.bias.copy_(sparse.bias)
        head.decoder.bias.copy_(sparse.bias)
        batch = {
            "input_ids": torch.tensor([[2, 9, 8, 7, 3], [2, 4, 6, 3, 0]]),
            "token_type_ids": torch.tensor([[0, 0, 0, 0, 0], [0, 0, 1, 1, 0]]),
            "attention_mask": torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]]),
        }
        chosen = torch.tensor([1, 3, 6])
        expected = whole(**batch)
        pieces, follows = sparse(batch, chosen)
        torch.testing.assert_close(pieces, expected.prediction_logits.flatten(0, 1)[chosen])
        torch.testing.assert_close(follows, expected.seq_relationship_logits)


def test_a_corpus_without_text_is_refused(tmp_path):
    with pytest.raises(InputError, match="0 rows of kind text"):
        pretrain(SETTINGS, text_of([]), tmp_path / "base", seed=0)


def test_checkpoints_are_removed_at_the_end(tmp_path):
    settings = SETTINGS.model_copy(update={"epochs": 1, "checkpoint_seconds": 0.0})
    pretrain(
        settings, sentences(40), tmp_path / "base", seed=0, checkpoints=tmp_path / "checkpoints"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base"]
