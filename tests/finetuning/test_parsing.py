from dataclasses import replace
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
import torch
from torch.nn.functional import cross_entropy

from small_encoder import save_small_encoder, sentiment, small_tokenizer
from small_structures import treebank, treebank_of
from tunescope.config.finetuning import FinetuningSettings
from tunescope.corpora.canonical import SCHEMAS
from tunescope.encoders.architecture import initialise
from tunescope.encoders.load import weights_sha256
from tunescope.encoders.word_inputs import make_word_inputs
from tunescope.errors import InputError
from tunescope.finetuning.attachment import attachment_scorer
from tunescope.finetuning.biaffine import ParserHead, mean_of_pieces
from tunescope.finetuning.decoding import best_tree
from tunescope.finetuning.model import load_run
from tunescope.finetuning.parses import NOTHING, Parses
from tunescope.finetuning.parsing import IGNORED, ParsingTask
from tunescope.finetuning.predict import predict, predict_untrained
from tunescope.finetuning.run import finetune
from tunescope.finetuning.tasks import task_of, task_of_description

SETTINGS = FinetuningSettings(
    epochs=12,
    batch_size=16,
    learning_rate=5e-3,
    max_length=16,
    arc_width=24,
    label_width=12,
    parser_dropout=0.1,
    checkpoint_seconds=1e9,
)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return small_tokenizer(tmp_path_factory.mktemp("vocabulary"))


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    return save_small_encoder(tmp_path_factory.mktemp("encoders") / "base")


@pytest.fixture(scope="module")
def tuned(start):
    folder = start.parent / "dep-s0"
    finetune(start, treebank(200), folder, settings=SETTINGS, seed=0)
    return folder


def test_it_learns_to_parse(tuned):
    found = predict(tuned, treebank(60, seed=1), batch_size=32)
    assert isinstance(found, Parses)
    for metric in ("uas", "las", "label_accuracy", "las_pieces"):
        assert attachment_scorer(metric, found, 0).value() > 0.9


def test_a_run_comes_back_with_its_task(tuned):
    task = load_run(tuned).task
    assert task == ParsingTask(("amod", "nsubj", "obj", "root"), 24, 12, 0.1)
    assert task_of_description(task.describe()) == task


def test_predictions_name_weights_and_counts(tuned):
    split = treebank(20, seed=2)
    found = predict(tuned, split, batch_size=8)
    assert found.origin["weights_sha256"] == weights_sha256(tuned)
    assert found.rows.tolist() == list(range(20))
    heads = [head for tree in split.table["heads"].to_pylist() for head in tree]
    assert found.gold_heads.tolist() == heads
    relations = [one for names in split.table["deprels"].to_pylist() for one in names]
    assert [found.labels[number] for number in found.gold_labels] == relations
    assert found.origin["words_cut"] == found.origin["labels_unseen"] == 0


def test_the_size_of_batches_does_not_change_parses(start):
    split = treebank(30, seed=3)
    one, many = (
        predict_untrained(start, split, head_seeds=[0], max_length=16, batch_size=size)
        for size in (1, 64)
    )
    np.testing.assert_array_equal(one.heads, many.heads)
    np.testing.assert_array_equal(one.head_labels, many.head_labels)


def test_untrained_heads_are_those_that_a_run_starts_from(start, tmp_path):
    split = treebank(30, seed=4)
    untrained = predict_untrained(
        start, split, head_seeds=[0, 1, 7], max_length=16, batch_size=8, settings=SETTINGS
    )
    assert untrained.heads.shape == (3, len(untrained.pieces))
    assert untrained.origin["head_seeds"].tolist() == [0, 1, 7]
    settings = SETTINGS.model_copy(update={"epochs": 1, "learning_rate": 1e-12})
    finetune(start, split, tmp_path / "s7", settings=settings, seed=7)
    plain = predict(tmp_path / "s7", split, batch_size=8)
    np.testing.assert_array_equal(untrained.heads[2], plain.heads[0])
    np.testing.assert_array_equal(untrained.head_labels[2], plain.head_labels[0])


def test_a_words_vector_is_the_mean_of_its_pieces(tokenizer):
    sentences = [["trees", "red", "running"], ["stone"]]
    inputs = make_word_inputs(tokenizer, sentences, max_length=16).inputs
    words = inputs.batch(np.array([0, 1]))["words"]
    states = torch.randn(2, words.shape[1], 5)
    vectors, present = mean_of_pieces(states, words)
    torch.testing.assert_close(vectors[0, 0], states[0, 1:3].mean(dim=0))
    torch.testing.assert_close(vectors[0, 1], states[0, 3])
    torch.testing.assert_close(vectors[0, 2], states[0, 4:6].mean(dim=0))
    torch.testing.assert_close(vectors[1, 0], states[1, 1])
    assert present.tolist() == [[True] * 3, [True, False, False]]


def test_scores_are_the_biaffine_form_of_dozat_and_manning():
    """Oracle: their equations, pair by pair."""
    head = ParserHead(hidden=6, labels=3, arc=5, label=4, dropout=0.3).eval()
    initialise(head, 0.5, torch.Generator().manual_seed(0))
    states = torch.randn(1, 5, 6)
    words = torch.tensor([[-1, 0, 1, 1, -1]])
    scores = head(states, None, None, words)
    assert scores.shape == (1, 2, 3, 4)
    dependents = [states[0, 1], states[0, 2:4].mean(dim=0)]
    heads = [states[0, 0], *dependents]
    one = torch.ones(1)
    for (d, dependent), (h, governor) in product(enumerate(dependents), enumerate(heads)):
        left = torch.cat([head.arc_dependent(dependent), one])
        expected = left @ head.arc.weight[0] @ head.arc_head(governor)
        torch.testing.assert_close(scores[0, d, h, 0], expected)
        left = torch.cat([head.label_dependent(dependent), one])
        right = torch.cat([head.label_head(governor), one])
        for label in range(3):
            expected = left @ head.label.weight[label] @ right
            torch.testing.assert_close(scores[0, d, h, 1 + label], expected)


def test_words_of_padding_are_no_heads():
    head = ParserHead(hidden=6, labels=2, arc=5, label=4, dropout=0.0)
    initialise(head, 0.5, torch.Generator().manual_seed(0))
    words = torch.tensor([[-1, 0, 1, -1], [-1, 0, -1, -1]])
    arcs = head(torch.randn(2, 4, 6), None, None, words)[..., 0]
    lowest = torch.finfo(torch.float32).min
    assert (arcs[1, :, 2] == lowest).all()
    assert (arcs[1, :, :2] > lowest).all()
    assert (arcs[0] > lowest).all()


def test_the_loss_is_that_of_heads_and_of_labels_of_gold_arcs():
    task = ParsingTask(("a", "b"), 4, 4, 0.0)
    scores = torch.randn(2, 3, 4, 3)
    heads = torch.tensor([[2, 0, 1, IGNORED], [0, IGNORED, IGNORED, IGNORED]])
    labels = torch.tensor([[1, 0, IGNORED, IGNORED], [1, IGNORED, IGNORED, IGNORED]])
    words = [(0, 0), (0, 1), (0, 2), (1, 0)]
    arcs = [cross_entropy(scores[i, w, :, 0], heads[i, w]) for i, w in words]
    named = [
        cross_entropy(scores[i, w, heads[i, w], 1:], labels[i, w])
        for i, w in words
        if labels[i, w] != IGNORED
    ]
    expected = sum(arcs) / 4 + sum(named) / 3
    found = task.loss(scores, {"heads": heads, "labels": labels})
    torch.testing.assert_close(found, expected)
    nothing = torch.full_like(heads, IGNORED)
    assert task.loss(scores, {"heads": nothing, "labels": nothing}) == 0


LONG = [("red", 2, "amod"), ("trees", 3, "nsubj"), ("running", 0, "root"), ("stones", 3, "obj")]


def test_targets_end_at_the_cut(tokenizer):
    """Pieces: red, tree ##s, run ##ning, stone ##s; seven with room for four."""
    task = task_of(treebank_of([LONG]))
    examples = task.examples(treebank_of([LONG]), tokenizer, max_length=6)
    assert examples.inputs.truncated == 1
    assert examples.targets["heads"].tolist() == [[2, 3, 0, IGNORED]]
    shorter = task.examples(treebank_of([LONG]), tokenizer, max_length=5)
    assert shorter.targets["heads"].tolist() == [[2, IGNORED, IGNORED, IGNORED]]
    assert shorter.targets["labels"].tolist() == [[0, IGNORED, IGNORED, IGNORED]]


def test_words_beyond_the_cut_are_wrong(tuned):
    split = treebank_of([LONG, [("running", 0, "root")]])
    run = load_run(tuned)
    found = run.task.predict(run.encoder, [run.head], split, max_length=6, batch_size=2)
    assert found.heads[0, 3] == found.head_labels[0, 3] == NOTHING
    assert (found.heads[0, [0, 1, 2, 4]] >= 0).all()
    assert found.origin["words_cut"] == found.origin["truncated"] == 1
    assert attachment_scorer("uas", found, 0).value(np.array([0])) <= 3 / 4
    assert found.pieces.tolist() == [1, 2, 2, 2, 2]


def test_a_relation_unseen_in_training_counts_as_wrong(tuned, tokenizer):
    split = treebank_of([[("trees", 2, "vocative"), ("running", 0, "root")]])
    task = load_run(tuned).task
    examples = task.examples(split, tokenizer, max_length=16)
    assert examples.targets["labels"].tolist() == [[IGNORED, task.labels.index("root")]]
    assert examples.targets["heads"].tolist() == [[2, 0]]
    found = predict(tuned, split, batch_size=1)
    assert found.labels[found.gold_labels[0]] == "vocative"
    assert found.known == 4
    assert found.origin["labels_unseen"] == 1
    assert attachment_scorer("uas", found, 0).value() == 1
    assert attachment_scorer("las", found, 0).value() == 0.5


def test_a_sentence_of_one_word_hangs_on_the_root(tuned):
    found = predict(tuned, treebank_of([[("\x01", 0, "root")]]), batch_size=1)
    assert found.heads.tolist() == [[0]]
    assert found.origin["words_unknown"] == 1
    assert found.pieces.tolist() == [1]


def test_every_parse_is_the_best_tree_of_its_scores(tuned):
    """One sentence at a time, from the model's own scores."""
    split = treebank(10, seed=5)
    found = predict(tuned, split, batch_size=4)
    run = load_run(tuned)
    model = run.model
    examples = run.task.examples(split, run.encoder.tokenizer, max_length=run.max_length)
    for place in range(10):
        with torch.inference_mode():
            scores = model(examples.inputs.batch(np.array([place])))[0].numpy()
        tree = best_tree(scores[:, :, 0])
        part = slice(*found.offsets[place : place + 2])
        assert found.heads[0, part].tolist() == tree.tolist()
        labels = scores[np.arange(len(tree)), tree, 1:].argmax(axis=1)
        assert found.head_labels[0, part].tolist() == labels.tolist()


def changed(split, column, value):
    place = split.table.schema.get_field_index(column)
    column_type = SCHEMAS["treebank"].field(column).type
    values = pa.array([value] * split.table.num_rows, type=column_type)
    return replace(split, table=split.table.set_column(place, column, values))


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("heads", None, "row 0: a sentence without heads"),
        ("heads", [0, None, 1, 1], "a sentence without heads"),
        ("heads", [2, 3, 0, 9], "head 9 of word 4 is out of range 0 to 4"),
        ("heads", [2, 1, 0, 3], "cycle"),
        ("heads", [0, 1, 0, 3], "two roots"),
        ("heads", [0, 1], "2 heads for 4 words"),
        ("deprels", None, "a sentence without relations"),
        ("deprels", ["root"], "1 relations for 4 words"),
        ("words", [], "a sentence without words"),
    ],
)
def test_what_is_no_tree_is_refused(start, tmp_path, column, value, message):
    split = changed(treebank_of([LONG]), column, value)
    with pytest.raises(InputError, match=message):
        finetune(start, split, tmp_path / "run", settings=SETTINGS, seed=0)


def test_another_kind_and_an_empty_treebank_are_refused(tokenizer):
    task = ParsingTask(("a",), 4, 4, 0.0)
    with pytest.raises(InputError, match="4 rows of kind classification"):
        task.examples(sentiment(4), tokenizer, max_length=16)
    with pytest.raises(InputError, match="0 rows of kind treebank"):
        task_of(treebank(0))
