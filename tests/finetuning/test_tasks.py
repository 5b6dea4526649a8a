import numpy as np
import pyarrow as pa
import pytest
import torch

from small_encoder import sentiment, similarity, small_tokenizer
from tunescope.corpora.canonical import SCHEMAS, Accounting, Split, make_split
from tunescope.encoders.inputs import make_inputs
from tunescope.errors import InputError
from tunescope.finetuning.tasks import SentenceTask, task_of, task_of_description


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return small_tokenizer(tmp_path_factory.mktemp("vocabulary"))


def classified(*labels):
    rows = [
        {"row": 10 * number, "text_a": "red", "label": label} for number, label in enumerate(labels)
    ]
    accounting = Accounting("dev.tsv", "", len(rows), len(rows))
    table = pa.Table.from_pylist(rows, schema=SCHEMAS["classification"])
    return Split("classification", table, ("no", "yes"), accounting)


def scored(*scores):
    rows = [
        {"row": number, "text_a": "red", "text_b": "blue", "score": score}
        for number, score in enumerate(scores)
    ]
    return make_split("regression", rows, (), Accounting("dev.tsv", "", len(rows), len(rows)))


def test_gold_labels_are_numbered_by_the_labels_of_the_task(tokenizer):
    task = SentenceTask("classification", ("yes", "no"))
    examples = task.examples(classified("no", "yes", "yes"), tokenizer, max_length=16)
    assert examples.targets["gold"].tolist() == [1, 0, 0]
    assert examples.rows.tolist() == [0, 10, 20]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (("yes", "maybe"), r"dev\.tsv, row 10: label 'maybe'\. .*among no, yes"),
        (("yes", None), r"row 10: has no gold label"),
        (("-1", "yes"), r"row 0: has no gold label"),
    ],
)
def test_labels_outside_the_set_are_refused(tokenizer, labels, message):
    task = SentenceTask("classification", ("no", "yes"))
    with pytest.raises(InputError, match=message):
        task.examples(classified(*labels), tokenizer, max_length=16)


@pytest.mark.parametrize("score", [float("nan"), None, float("inf")])
def test_gold_scores_must_be_finite(tokenizer, score):
    with pytest.raises(InputError, match="row 1: has no finite gold score"):
        task_of(scored(1.0)).examples(scored(1.0, score), tokenizer, max_length=16)


@pytest.mark.parametrize("split", [scored(1.0), classified()])
def test_another_kind_and_an_empty_split_are_refused(tokenizer, split):
    task = SentenceTask("classification", ("no", "yes"))
    with pytest.raises(InputError, match="needs a corpus of kind classification with at least one"):
        task.examples(split, tokenizer, max_length=16)


def test_a_corpus_without_a_task_of_sentences_is_refused():
    text = make_split("text", [{"row": 0, "text": "red"}], (), Accounting("a.txt", "", 1, 1))
    with pytest.raises(InputError, match=r"a\.txt: is of kind text"):
        task_of(text)


def test_pairs_become_one_input(tokenizer):
    examples = task_of(scored(0.5)).examples(scored(0.5), tokenizer, max_length=16)
    expected = make_inputs(tokenizer, ["red"], ["blue"], max_length=16)
    assert examples.inputs.sha256() == expected.sha256()
    assert examples.targets["gold"].dtype == np.float32


@pytest.mark.parametrize("split", [sentiment(4), similarity(4)])
def test_a_description_gives_the_task_back(split):
    task = task_of(split)
    assert task_of_description(task.describe()) == task


def test_losses_are_cross_entropy_and_squared_error():
    scores = torch.tensor([[2.0, 0.0], [0.0, 1.0]])
    gold = torch.tensor([0, 0])
    expected = (np.log1p(np.exp(-2)) + np.log1p(np.exp(1))) / 2
    task = SentenceTask("classification", ("no", "yes"))
    assert task.loss(scores, {"gold": gold}).item() == pytest.approx(expected)
    regression = SentenceTask("regression", ())
    gold = torch.tensor([1.0, 3.0])
    assert regression.loss(scores[:, :1], {"gold": gold}).item() == pytest.approx((1 + 9) / 2)


def test_the_head_is_one_layer_on_the_pooled_state():
    head = SentenceTask("classification", ("a", "b", "c")).head(8, 0.1).eval()
    states, pooled = torch.randn(2, 5, 8), torch.randn(2, 8)
    scores = head(states, pooled, torch.ones(2, 5))
    torch.testing.assert_close(scores, pooled @ head.linear.weight.T + head.linear.bias)
    assert head.dropout.p == 0.1
