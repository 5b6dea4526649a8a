from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from torch.nn.functional import cross_entropy

from small_encoder import save_small_encoder, sentiment, small_tokenizer
from small_structures import questions, questions_of
from tunescope.config.finetuning import FinetuningSettings
from tunescope.encoders.load import load_encoder, weights_sha256
from tunescope.errors import InputError
from tunescope.finetuning.answering import AnsweringTask, SpanHead, best_span
from tunescope.finetuning.answers import Answers
from tunescope.finetuning.model import load_run
from tunescope.finetuning.predict import predict, predict_untrained
from tunescope.finetuning.run import finetune
from tunescope.finetuning.squad_metrics import answer_scorer
from tunescope.finetuning.tasks import task_of, task_of_description

TASK = AnsweringTask(stride=3, max_query=8, max_answer=4)
SETTINGS = FinetuningSettings(
    epochs=8,
    batch_size=16,
    learning_rate=5e-3,
    max_length=12,
    stride=4,
    max_query=8,
    max_answer=4,
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
    folder = start.parent / "squad-s0"
    finetune(start, questions(300, longest=14), folder, settings=SETTINGS, seed=0)
    return folder


def test_it_learns_to_answer_also_where_passages_take_several_windows(tuned):
    found = predict(tuned, questions(60, seed=1, longest=14), batch_size=32)
    assert isinstance(found, Answers)
    assert found.origin["passages_in_several_windows"] > 20
    assert answer_scorer("em", found, 0).value() > 0.9
    assert answer_scorer("squad_f1", found, 0).value() > 0.9


def test_a_run_comes_back_with_its_task(tuned):
    task = load_run(tuned).task
    assert task == AnsweringTask(stride=4, max_query=8, max_answer=4)
    assert task_of_description(task.describe()) == task


def test_predictions_say_what_and_where(tuned):
    split = questions(20, seed=2)
    found = predict(tuned, split, batch_size=8)
    assert found.origin["weights_sha256"] == weights_sha256(tuned)
    assert found.ids == tuple(f"q{row}" for row in range(20))
    assert found.golds == (("good stone",),) * 20
    for passage, text, at in zip(
        split.table["context"].to_pylist(), found.texts[0], found.starts[0], strict=True
    ):
        assert passage[at : at + len(text)] == text


def test_the_size_of_batches_does_not_change_answers(tuned):
    split = questions(30, seed=3, longest=14)
    one, many = (predict(tuned, split, batch_size=size) for size in (1, 64))
    assert one.texts == many.texts
    np.testing.assert_array_equal(one.starts, many.starts)
    np.testing.assert_allclose(one.scores, many.scores, atol=1e-5)


def test_untrained_heads_are_those_that_a_run_starts_from(start, tmp_path):
    split = questions(30, seed=4, longest=14)
    untrained = predict_untrained(
        start, split, head_seeds=[0, 1, 7], max_length=12, batch_size=8, settings=SETTINGS
    )
    assert untrained.scores.shape == (3, 30)
    settings = SETTINGS.model_copy(update={"epochs": 1, "learning_rate": 1e-12})
    finetune(start, split, tmp_path / "s7", settings=settings, seed=7)
    plain = predict(tmp_path / "s7", split, batch_size=8)
    np.testing.assert_allclose(untrained.scores[2], plain.scores[0], atol=1e-6)
    assert untrained.texts[2] == plain.texts[0]


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            *(arrays(np.float32, n, elements=st.integers(-3, 3).map(float)) for _ in range(2))
        )
    ),
    st.integers(1, 15),
)
def test_no_allowed_span_is_better(drawn, longest):
    starts, ends = drawn
    first, last, score = best_span(starts, ends, longest=longest)
    allowed = {
        (i, j): float(starts[i] + ends[j])
        for i in range(len(starts))
        for j in range(i, min(i + longest, len(starts)))
    }
    best = max(allowed.values())
    assert score == best
    assert (first, last) == min(span for span, value in allowed.items() if value == best)


def test_the_answer_is_the_best_span_of_all_windows(tuned):
    """Oracle: every span of every window by itself."""
    split = questions(12, seed=6, longest=14)
    found = predict(tuned, split, batch_size=8)
    run = load_run(tuned)
    task, model = run.task, run.model
    examples = task.examples(split, run.encoder.tokenizer, max_length=run.max_length)
    best = {}
    for window, row in enumerate(examples.rows):
        batch = examples.inputs.batch(np.array([window]))
        with torch.inference_mode():
            scores = model(batch)[0].numpy()
        last = len(scores) - 1
        first = int((batch["input_ids"][0] == 3).nonzero()[0]) + 1  # after the first [SEP]
        for i in range(first, last):
            for j in range(i, min(i + task.max_answer, last)):
                value = scores[i, 0] + scores[j, 1]
                best[row] = max(best.get(row, -np.inf), value)
    np.testing.assert_allclose(found.scores[0], [best[row] for row in range(12)], atol=1e-5)


def test_targets_are_pieces_of_the_window_or_cls(tokenizer):
    """[CLS] red [SEP] four pieces [SEP]; windows start at red and at bad."""
    passage = "red blue tree bad good stones"
    split = questions_of([("red", passage, [("good stones", 18)])])
    examples = TASK.examples(split, tokenizer, max_length=8)
    assert examples.rows.tolist() == [0, 0]
    assert examples.targets["start"].tolist() == [0, 4]
    assert examples.targets["end"].tolist() == [0, 6]
    # an answer that the first window holds in part only is not in it
    split = questions_of([("red", passage, [("bad good", 14)])])
    examples = TASK.examples(split, tokenizer, max_length=8)
    assert examples.targets["start"].tolist() == [0, 3]
    assert examples.targets["end"].tolist() == [0, 4]


def test_the_first_answer_with_an_offset_is_learned(tokenizer):
    split = questions_of([("red", "blue tree", [("blue", None), ("tree", 5), ("blue", 0)])])
    examples = TASK.examples(split, tokenizer, max_length=12)
    assert examples.targets["start"].tolist() == [4]


class Echo(torch.nn.Module):
    """Stands for an encoder: a state says which piece it is of."""

    def forward(self, input_ids, token_type_ids, attention_mask):
        states = torch.nn.functional.one_hot(input_ids, 32).float()
        return SimpleNamespace(last_hidden_state=states, pooler_output=None)


class Telling(torch.nn.Module):
    """Stands for a head: an answer starts with one piece and ends with another."""

    def __init__(self, first, last):
        super().__init__()
        self.pieces = [first, last]

    def forward(self, states, pooled, mask):
        return states[..., self.pieces]


def test_who_knows_the_answers_is_right_everywhere(start, tokenizer):
    encoder = replace(load_encoder(start), model=Echo())
    head = Telling(*tokenizer.convert_tokens_to_ids(["good", "stone"]))
    split = questions(40, seed=7, longest=16)
    found = TASK.predict(encoder, [head], split, max_length=10, batch_size=8)
    assert found.origin["passages_in_several_windows"] > 20
    assert answer_scorer("em", found, 0).value() == 1


def test_the_loss_is_the_mean_of_start_and_end():
    scores = torch.randn(3, 5, 2)
    start, end = torch.tensor([0, 2, 4]), torch.tensor([0, 3, 4])
    expected = (cross_entropy(scores[..., 0], start) + cross_entropy(scores[..., 1], end)) / 2
    torch.testing.assert_close(TASK.loss(scores, {"start": start, "end": end}), expected)


def test_padding_takes_no_part():
    head = SpanHead(6)
    mask = torch.tensor([[1, 1, 0], [1, 1, 1]])
    scores = head(torch.randn(2, 3, 6), None, mask)
    short = TASK.loss(scores[:1, :2], {"start": torch.tensor([1]), "end": torch.tensor([1])})
    padded = TASK.loss(scores[:1], {"start": torch.tensor([1]), "end": torch.tensor([1])})
    torch.testing.assert_close(short, padded)
    assert (scores[0, 2] == torch.finfo(torch.float32).min).all()


@pytest.mark.parametrize(
    ("passage", "answers", "message"),
    [
        ("blue tree", [("stone", 5)], r"row 1: answer 'stone' does not stand at code point 5"),
        ("blue tree", [("tree", 4)], "does not stand at code point 4"),
        ("blue tree", [("e", -1)], "does not stand at code point -1"),
        ("blue tree", [("", 0)], "does not stand"),
        ("blue tree", [("tree", None)], "row 1: no answer with an offset"),
        ("blue tree", [], "no answer with an offset"),
        ("blue  tree", [(" ", 4)], "answer ' ' has no word piece"),
        (" ", [(" ", 0)], "a passage without words"),
    ],
)
def test_questions_that_cannot_be_learned_are_refused(start, tmp_path, passage, answers, message):
    split = questions_of([("red", "red tree", [("red", 0)]), ("red", passage, answers)])
    with pytest.raises(InputError, match=message):
        finetune(start, split, tmp_path / "run", settings=SETTINGS, seed=0)


def test_questions_without_offsets_can_be_answered(tuned):
    split = questions_of([("green tree", "red good stone", [("good stone", None), ("x", None)])])
    found = predict(tuned, split, batch_size=1)
    assert found.golds == (("good stone", "x"),)


def test_another_kind_is_refused(tokenizer):
    with pytest.raises(InputError, match="4 rows of kind classification"):
        TASK.examples(sentiment(4), tokenizer, max_length=16)
    with pytest.raises(InputError, match="0 rows of kind question_answering"):
        task_of(questions(0)).examples(questions(0), tokenizer, max_length=16)
