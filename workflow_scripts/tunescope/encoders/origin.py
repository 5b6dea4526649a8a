"""Where the weights of an encoder folder came from: its `origin.json`."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from tunescope.errors import InputError

ORIGIN_FILE = "origin.json"

#: How an encoder came to be; tables name it in `initialisation` and `run`.
Kind = Literal["hub", "path", "wheel", "pretrained-here", "random", "fine-tuned"]


@dataclass(frozen=True)
class Origin:
    """Origin of an encoder's weights.

    Attributes:
        kind: how the encoder came to be.
        source: hub id, folder, wheel, or a sentence for encoders made here.
        revision: commit of a hub repository; else empty.
        weights: name of the weights' file at the source; empty for encoders made here.
        sha256: hash of that file; empty for encoders made here.
        seed: seed of random weights, of pre-training or of fine-tuning; None where there is none.
        notes: what was changed on the way (converted, renamed, left out, initialised).
    """

    kind: Kind
    source: str
    revision: str = ""
    weights: str = ""
    sha256: str = ""
    seed: int | None = None
    notes: tuple[str, ...] = ()


def write_origin(origin: Origin, folder: Path) -> None:
    """Write an encoder's `origin.json`."""
    text = json.dumps(asdict(origin), indent=1, sort_keys=True)
    (folder / ORIGIN_FILE).write_text(text + "\n", encoding="utf-8")


def read_origin(folder: Path) -> Origin:
    """Read an encoder's `origin.json`.

    Raises:
        InputError: there is none, or it is of another form.
    """
    path = folder / ORIGIN_FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Origin(**{**content, "notes": tuple(content["notes"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            path, f"no record of an encoder's origin ({error})", "Make the encoder folder again"
        ) from error
