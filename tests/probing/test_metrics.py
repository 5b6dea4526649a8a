import numpy as np
import pytest
from sklearn.metrics import f1_score

from tunescope.probing.metrics import counted_labels, decision_counts, f1


def test_decisions_of_a_small_case_counted_by_hand():
    logits = np.array([[0.0, -1.0, 2.0], [-3.0, -0.1, -2.0], [1.0, 1.0, -1.0]], np.float32)
    gold = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0]], bool)
    counts = decision_counts(logits, gold, np.array([0, 2, 0]))
    # A logit of 0 is positive; the second target misses its label and two that nobody can give.
    assert counts.tolist() == [[1, 1, 0], [0, 0, 3], [2, 0, 0]]
    assert f1(counts.sum(axis=0)) == pytest.approx(2 * 3 / (2 * 3 + 1 + 3))


def test_micro_f1_is_the_usual_one():
    generator = np.random.default_rng(0)
    logits = generator.standard_normal((200, 5)).astype(np.float32)
    gold = generator.random((200, 5)) < 0.3
    ours = f1(decision_counts(logits, gold).sum(axis=0))
    assert ours == pytest.approx(f1_score(gold, logits >= 0, average="micro"))
    assert f1(decision_counts(logits[:, :1], gold[:, :1]).sum(axis=0)) == pytest.approx(
        f1_score(gold[:, 0], logits[:, 0] >= 0)
    )


def test_nothing_to_find_and_nothing_found_is_zero():
    assert f1([[0, 0, 0], [0, 1, 0], [1, 0, 0]]).tolist() == [0, 0, 1]


def test_tenney_counts_coreference_by_its_positive_label():
    labels = ("0", "1")
    logits = np.array([[1, -1], [1, -1], [1, -1], [-1, 1]], np.float32)
    gold = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], bool)
    micro, tenney = (
        float(
            f1(
                decision_counts(
                    logits, gold, counted=counted_labels("coreference", metric, labels)
                ).sum(axis=0)
            )
        )
        for metric in ("micro_f1", "tenney_f1")
    )
    assert micro == pytest.approx(3 / 4)  # accuracy, since one label excludes the other
    assert tenney == pytest.approx(2 / 3)  # precision 1, recall 1/2


@pytest.mark.parametrize(
    ("probe", "labels", "counted"),
    [
        ("relations", ("Other", "Cause-Effect(e1,e2)"), [False, True]),
        ("semantic_roles", ("ARG0", "C-ARG0", "R-ARG0", "ARGM-TMP"), [True, False, False, True]),
        ("entities", ("Other", "PER"), [True, True]),
    ],
)
def test_tenney_leaves_labels_out(probe, labels, counted):
    assert counted_labels(probe, "tenney_f1", labels).tolist() == counted
    assert counted_labels(probe, "micro_f1", labels).all()


def test_unknown_metric():
    with pytest.raises(ValueError, match="accuracy"):
        counted_labels("pos", "accuracy", ("A",))
