"""Checkpoints from which a killed job goes on exactly where it was.

A folder of checkpoints holds one folder a checkpoint, which appears complete under its name or not
at all, and `owner.json`, which names the process that trains. The process that started last owns
the folder; an earlier one, of a job that was submitted twice, stops when it finds that out.
"""

import json
import os
import shutil
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from tunescope.provenance.digests import fsync_folder

_PREFIX = "step-"


class SupersededError(RuntimeError):
    """Another process has taken the checkpoints over."""


@dataclass(frozen=True)
class Checkpoint:
    """State of training after a step.

    Attributes:
        step: steps done.
        tensors: model, optimiser and random states by name.
        losses: loss of each step so far.
    """

    step: int
    tensors: Mapping[str, torch.Tensor]
    losses: list[float]


class CheckpointFolder:
    """The checkpoints of one training run."""

    def __init__(self, folder: Path, identity: Mapping[str, object]) -> None:
        """Take the folder over.

        Args:
            folder: made if it is not there.
            identity: what determines the run; checkpoints of another one are thrown away.
        """
        self._folder = folder
        self._identity = json.loads(json.dumps(identity))
        self._owner = {
            "host": socket.gethostname(),
            "process": os.getpid(),
            "job": os.environ.get("SLURM_JOB_ID", ""),
            "since": time.time_ns(),
        }
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f".owner.{os.getpid()}"
        temporary.write_text(json.dumps(self._owner), encoding="utf-8")
        temporary.replace(folder / "owner.json")

    def check_owner(self) -> None:
        """Stop if another process has started on the same run.

        Raises:
            SupersededError: one has.
        """
        try:
            owner = json.loads((self._folder / "owner.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            owner = None
        if owner != self._owner:
            raise SupersededError(
                f"{self._folder}: taken over by {owner or 'a job that has finished'}; "
                "this process stops, the other one goes on"
            )

    def latest(self) -> Checkpoint | None:
        """Read the newest checkpoint of this run; None if there is none that can be used."""
        for folder in sorted(self._folder.glob(f"{_PREFIX}*"), reverse=True):
            try:
                content = json.loads((folder / "state.json").read_text(encoding="utf-8"))
                if content["identity"] == self._identity:
                    tensors = load_file(folder / "tensors.safetensors")
                    return Checkpoint(content["step"], tensors, content["losses"])
            except (OSError, ValueError, KeyError, SafetensorError):
                pass
            shutil.rmtree(folder)  # of other settings, or damaged
        return None

    def save(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint, then drop the older ones.

        Raises:
            SupersededError: another process has started on the same run.
        """
        self.check_owner()
        name = f"{_PREFIX}{checkpoint.step:09d}"
        temporary = self._folder / f".{name}.{os.getpid()}.partial"
        for left_over in self._folder.glob(".*.partial"):
            shutil.rmtree(left_over, ignore_errors=True)
        temporary.mkdir()
        save_file(
            {name: one.detach().cpu().contiguous() for name, one in checkpoint.tensors.items()},
            temporary / "tensors.safetensors",
        )
        state = {"step": checkpoint.step, "identity": self._identity, "losses": checkpoint.losses}
        (temporary / "state.json").write_text(json.dumps(state), encoding="utf-8")
        for path in temporary.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        fsync_folder(temporary)
        target = self._folder / name
        shutil.rmtree(target, ignore_errors=True)
        temporary.rename(target)
        fsync_folder(self._folder)
        for older in self._folder.glob(f"{_PREFIX}*"):
            if older.name < name:
                shutil.rmtree(older)

    def discard(self) -> None:
        """Remove all, once what was trained has been written."""
        self.check_owner()
        shutil.rmtree(self._folder)
