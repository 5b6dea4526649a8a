import h5py
import numpy as np
import pytest

from tunescope.errors import InputError
from tunescope.finetuning.predictions import Predictions, read_predictions, write_predictions


def predictions(scores):
    count = scores.shape[-2]
    return Predictions(
        "classification",
        ("no", "yes"),
        np.arange(count),
        np.zeros(count, dtype=np.int64),
        scores,
        {"weights_sha256": "abc"},
    )


@pytest.mark.parametrize("shape", [(5, 2), (3, 5, 2)])
def test_what_was_written_is_read(tmp_path, shape):
    scores = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    write_predictions(predictions(scores), tmp_path / "run.h5")
    found = read_predictions(tmp_path / "run.h5")
    np.testing.assert_array_equal(found.scores, scores)
    assert found.scores.dtype == np.float32
    assert (found.kind, found.labels) == ("classification", ("no", "yes"))
    assert found.origin == {"weights_sha256": "abc"}
    assert [path.name for path in tmp_path.iterdir()] == ["run.h5"]


def test_the_same_predictions_give_the_same_bytes(tmp_path):
    scores = np.ones((4, 2), dtype=np.float32)
    for name in ("one.h5", "two.h5"):
        write_predictions(predictions(scores), tmp_path / name)
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()


def test_scores_that_are_not_finite_are_not_written(tmp_path):
    scores = np.array([[1.0, np.nan]], dtype=np.float32)
    with pytest.raises(FloatingPointError, match="1 of the scores"):
        write_predictions(predictions(scores), tmp_path / "run.h5")
    assert list(tmp_path.iterdir()) == []


def incomplete(file):
    del file.attrs["complete"]


def with_nan(file):
    file["scores"][0, 0] = np.nan


def too_few(file):
    del file["row"]
    file["row"] = np.arange(2)


def without_gold(file):
    del file["gold"]


@pytest.mark.parametrize("damage", [incomplete, with_nan, too_few, without_gold])
def test_a_damaged_file_is_refused(tmp_path, damage):
    write_predictions(predictions(np.ones((4, 2), dtype=np.float32)), tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        damage(file)
    with pytest.raises(InputError, match=r"run\.h5"):
        read_predictions(tmp_path / "run.h5")


def test_a_cut_file_is_refused(tmp_path):
    path = tmp_path / "run.h5"
    write_predictions(predictions(np.ones((4, 2), dtype=np.float32)), path)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(InputError, match="cannot be read"):
        read_predictions(path)
