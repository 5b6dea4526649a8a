import json

import pytest
import torch

from tunescope.training.checkpoint import Checkpoint, CheckpointFolder, SupersededError

TENSORS = {"model.weight": torch.arange(3.0), "random.cpu": torch.get_rng_state()}


def test_the_newest_checkpoint_is_read_back(tmp_path):
    folder = CheckpointFolder(tmp_path / "run", {"seed": 0})
    assert folder.latest() is None
    for step in (9, 10):
        folder.save(Checkpoint(step, TENSORS, [1.0] * step))
    found = CheckpointFolder(tmp_path / "run", {"seed": 0}).latest()
    assert found.step == 10
    assert found.losses == [1.0] * 10
    assert all(torch.equal(found.tensors[name], TENSORS[name]) for name in TENSORS)
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert names == ["owner.json", "step-000000010"]


def test_checkpoints_of_another_run_are_thrown_away(tmp_path):
    CheckpointFolder(tmp_path, {"seed": 0}).save(Checkpoint(1, TENSORS, [1.0]))
    assert CheckpointFolder(tmp_path, {"seed": 1}).latest() is None
    assert CheckpointFolder(tmp_path, {"seed": 0}).latest() is None


@pytest.mark.parametrize("name", ["state.json", "tensors.safetensors"])
def test_a_damaged_checkpoint_is_passed_over(tmp_path, name):
    folder = CheckpointFolder(tmp_path, {})
    folder.save(Checkpoint(1, TENSORS, [1.0]))
    path = tmp_path / "step-000000001" / name
    path.write_bytes(path.read_bytes()[:20])
    assert folder.latest() is None


def test_an_unfinished_checkpoint_is_no_checkpoint(tmp_path):
    folder = CheckpointFolder(tmp_path, {})
    folder.save(Checkpoint(1, TENSORS, [1.0]))
    (tmp_path / "step-000000001").rename(tmp_path / ".step-000000002.99.partial")
    assert folder.latest() is None
    folder.save(Checkpoint(3, TENSORS, [1.0] * 3))
    assert not list(tmp_path.glob(".*.partial"))


def test_the_process_that_started_last_owns_the_folder(tmp_path):
    first = CheckpointFolder(tmp_path, {})
    first.save(Checkpoint(1, TENSORS, [1.0]))
    second = CheckpointFolder(tmp_path, {})
    with pytest.raises(SupersededError, match="taken over by"):
        first.save(Checkpoint(2, TENSORS, [1.0] * 2))
    second.save(Checkpoint(2, TENSORS, [1.0] * 2))
    second.discard()
    assert not tmp_path.exists()
    with pytest.raises(SupersededError, match="a job that has finished"):
        first.check_owner()


def test_the_owner_can_be_read_by_people(tmp_path, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "4711")
    CheckpointFolder(tmp_path, {})
    owner = json.loads((tmp_path / "owner.json").read_text())
    assert owner["job"] == "4711"
    assert owner.keys() == {"host", "job", "process", "since"}
