import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import accuracy_score, f1_score

from tunescope.errors import InputError
from tunescope.finetuning.metrics import Scorer, scorer_of
from tunescope.finetuning.predictions import Predictions


def logits(predicted, classes):
    return np.eye(classes, dtype=np.float32)[predicted]


def constant_predictor(metric, positive, examples, *, predicted):
    """A predictor that gives one class for all, as kovaleva2019's random starts do."""
    gold = np.zeros(examples, dtype=np.int64)
    gold[:positive] = 1
    return Scorer(metric, gold, logits(np.full(examples, predicted), 2), positive=1)


@pytest.mark.parametrize(
    ("positive", "examples", "predicted", "accuracy", "f1"),
    [
        (279, 408, 1, 0.684, 0.812),  # MRPC all positive: 81.2/68.3 in the paper
        (279, 408, 0, 0.316, 0.0),  # MRPC untuned: 0/31.6
        (14_885, 40_430, 0, 0.632, 0.0),  # QQP all negative: 0/63.2
        (444, 872, 0, 0.491, 0.0),  # SST-2 untuned: 49.1
        (131, 277, 0, 0.527, 0.0),  # RTE: 52.7
    ],
)
def test_constant_predictors_give_the_published_numbers(
    positive, examples, predicted, accuracy, f1
):
    for metric, expected in (("accuracy", accuracy), ("f1", f1)):
        scorer = constant_predictor(metric, positive, examples, predicted=predicted)
        assert scorer.value() == pytest.approx(expected, abs=5e-4)
        assert scorer.constant


classes = st.integers(2, 4).flatmap(
    lambda count: st.tuples(
        st.just(count),
        st.lists(
            st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), min_size=1, max_size=40
        ),
    )
)


@given(classes)
def test_accuracy_and_f1_are_those_of_scikit_learn(drawn):
    count, pairs = drawn
    gold, predicted = np.array(pairs).T
    scores = logits(predicted, count)
    assert Scorer("accuracy", gold, scores).value() == accuracy_score(gold, predicted)
    expected = f1_score(gold == 1, predicted == 1, zero_division=0.0)
    assert Scorer("f1", gold, scores, positive=1).value() == pytest.approx(expected)
    assert Scorer("accuracy", gold, scores).constant == (len(set(predicted)) == 1)


numbers = st.integers(3, 30).flatmap(
    lambda size: st.tuples(
        *(arrays(np.float32, size, elements=st.integers(-5, 5).map(float)) for _ in range(2))
    )
)


@given(numbers)
def test_correlations_are_those_of_scipy(drawn):
    gold, scores = drawn
    for metric, plain in (("pearson", pearsonr), ("spearman", spearmanr)):
        value = Scorer(metric, gold, scores[:, None]).value()
        if np.ptp(gold) == 0 or np.ptp(scores) == 0:
            assert value == 0
        else:
            assert value == pytest.approx(
                plain(gold.astype(float), scores.astype(float)).statistic, abs=1e-9
            )


def test_a_value_on_some_examples_is_that_of_a_scorer_made_of_them():
    generator = np.random.default_rng(0)
    gold, scores = generator.integers(0, 2, 50), generator.normal(size=(50, 2)).astype(np.float32)
    ratings = generator.normal(size=50).astype(np.float32)
    some = generator.integers(0, 50, 50)
    for metric, target in (
        ("accuracy", gold),
        ("f1", gold),
        ("pearson", ratings),
        ("spearman", ratings),
    ):
        part = Scorer(metric, target[some], scores[some], positive=1)
        whole = Scorer(metric, target, scores, positive=1)
        assert whole.value(some) == pytest.approx(part.value(), abs=1e-12)


@pytest.mark.parametrize(("spread", "constant"), [(0.0, True), (1e-4, True), (0.5, False)])
def test_a_regression_that_hardly_varies_counts_as_constant(spread, constant):
    gold = np.linspace(0, 5, 40, dtype=np.float32)
    scores = (2.5 + spread * gold)[:, None].astype(np.float32)
    scorer = Scorer("pearson", gold, scores)
    assert scorer.constant is constant
    assert scorer.value() == (0.0 if spread == 0 else pytest.approx(1.0, abs=1e-3))


def predictions(kind, labels):
    gold = np.array([0, 1])
    return Predictions(kind, labels, gold, gold, np.zeros((2, 2), dtype=np.float32), {})


@pytest.mark.parametrize(
    ("metric", "kind", "positive", "message"),
    [
        ("accuracy", "regression", None, r"tasks\.x\.metrics: accuracy of a regression"),
        ("pearson", "classification", None, "pearson of a classification"),
        ("f1", "classification", None, r"tasks\.x\.positive_label: is None"),
        ("f1", "classification", "maybe", "Name the label whose F1 is meant: no, yes"),
    ],
)
def test_a_metric_that_does_not_fit_is_refused(metric, kind, positive, message):
    labels = ("no", "yes") if kind == "classification" else ()
    found = predictions(kind, labels)
    with pytest.raises(InputError, match=message):
        scorer_of(metric, found, found.scores, positive_label=positive, where="tasks.x")
