"""The record of a training: one row a step."""

import csv
from collections.abc import Sequence
from pathlib import Path

from tunescope.training.loop import Step

LOSSES = "losses.csv"


def write_losses(steps: Sequence[Step], path: Path) -> None:
    """Write step and epoch (counted from 0), loss and learning rate as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["step", "epoch", "loss", "learning_rate"])
        for one in steps:
            writer.writerow([one.step, one.epoch, f"{one.loss:.6g}", f"{one.learning_rate:.6g}"])
