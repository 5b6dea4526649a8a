import numpy as np
import pytest

from probing.planted import treebank
from tunescope.errors import InputError
from tunescope.probing.holdout import document_of, held_out_rows


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("weblog-a.com_x_20040101-0001", "weblog-a.com_x_20040101"),
        ("GUM_news_crane-12", "GUM_news_crane"),
        ("bc/cnn/0/line 31", "bc/cnn/0"),
        ("8001", "8001"),
    ],
)
def test_documents_are_told_by_the_names_of_sentences(name, document):
    assert document_of(name) == document


def hold_out(rows=40, *, share=0.15, by="document", seed=3):
    split = treebank([{"words": ["a"]}] * rows)  # documents of four sentences
    return held_out_rows(split, np.arange(rows), share=share, by=by, seed=seed, where="key")


def test_whole_documents_are_held_out_until_the_share_is_reached():
    out = hold_out()
    assert out.sum() == 8  # 15 % of 40 are 6, which two documents of four hold
    assert {bool(chosen.all()) for chosen in out.reshape(-1, 4)} == {True, False}
    assert not (out.reshape(-1, 4).any(axis=1) & ~out.reshape(-1, 4).all(axis=1)).any()


def test_sentences_are_held_out_one_by_one():
    assert hold_out(by="sentence").sum() == 6


def test_the_draw_is_the_same_for_a_seed_and_another_for_another():
    assert (hold_out() == hold_out()).all()
    assert (hold_out(seed=4) != hold_out()).any()


def test_something_must_be_left_to_train_on():
    with pytest.raises(InputError, match=r"key: holding out 90% of 8 sentences in 2 documents"):
        hold_out(rows=8, share=0.9)
