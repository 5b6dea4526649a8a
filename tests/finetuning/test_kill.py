"""A run that is killed and started again ends with the same bytes as an undisturbed one."""

import multiprocessing
import os
import signal
import sys
import time

import pytest
import torch

from small_encoder import save_small_encoder, sentiment
from tunescope.config.finetuning import FinetuningSettings
from tunescope.finetuning.run import finetune

SETTINGS = FinetuningSettings(
    epochs=3, batch_size=8, learning_rate=2e-3, max_length=16, checkpoint_seconds=0
)
EXAMPLES = 64  # 8 steps an epoch
FILES = ("model.safetensors", "head.safetensors", "head.json", "losses.csv", "origin.json")


@pytest.fixture(scope="module")
def processes():
    """Makes processes that have the libraries loaded, so that a start costs little."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tunescope.finetuning.run", "accelerate.optimizer"])
    with pytest.MonkeyPatch.context() as patch:
        # the server that preloads does not get sys.path
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        yield context


def work(start, folder, checkpoints):
    torch.set_num_threads(1)
    finetune(start, sentiment(EXAMPLES), folder, settings=SETTINGS, seed=3, checkpoints=checkpoints)


def saved_steps(checkpoints):
    return max((int(path.name[5:]) for path in checkpoints.glob("step-*")), default=0)


def being_saved(checkpoints):
    return any(checkpoints.glob(".step-*.partial"))


def kill_when(process, moment, *, patience=60.0):
    """Kill a process as soon as a condition holds; whether it was still at work."""
    process.start()
    end = time.monotonic() + patience
    while process.is_alive() and time.monotonic() < end:
        if moment():
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.0005)
    process.join(patience)
    assert process.exitcode is not None, "it neither ended nor could be killed"
    return process.exitcode == -signal.SIGKILL


def test_killed_at_several_moments_it_ends_with_the_same_bytes(processes, tmp_path):
    start = save_small_encoder(tmp_path / "base")
    undisturbed = processes.Process(target=work, args=(start, tmp_path / "plain", None))
    undisturbed.start()
    undisturbed.join(120)
    assert undisturbed.exitcode == 0

    folder, checkpoints = tmp_path / "killed", tmp_path / "checkpoints"
    moments = [
        checkpoints.exists,  # before the first checkpoint, or while it is written
        lambda: saved_steps(checkpoints) >= 3 and being_saved(checkpoints),
        lambda: saved_steps(checkpoints) >= 8 and not being_saved(checkpoints),  # an epoch's end
        lambda: saved_steps(checkpoints) >= 13 and being_saved(checkpoints),
        lambda: saved_steps(checkpoints) >= 23,  # the last step, or while the run is written
    ]
    killed, progress = 0, []
    for moment in moments:
        process = processes.Process(target=work, args=(start, folder, checkpoints))
        killed += kill_when(process, moment)
        progress.append(saved_steps(checkpoints))
    assert killed >= 4
    assert progress[1] >= 3, "a checkpoint must outlive the process"
    last = processes.Process(target=work, args=(start, folder, checkpoints))
    last.start()
    last.join(120)
    assert last.exitcode == 0
    for name in FILES:
        assert (folder / name).read_bytes() == (tmp_path / "plain" / name).read_bytes(), name
    assert not checkpoints.exists()
