"""Files of comparisons, so that tables and intervals are jobs of their own."""

import json
from pathlib import Path

import numpy as np

from tunescope.activations.whole_file import read_whole, write_whole
from tunescope.errors import InputError
from tunescope.similarity.compare import MEASURES, Comparison

FORMAT = "tunescope comparison 1"
_REMEDY = "Delete it; the workflow makes it again"
_TEXTS = ("encoder", "base", "run", "corpus_hash")


def write_comparison(comparison: Comparison, path: Path) -> None:
    """Write a comparison as HDF5, whole or not at all; the same one gives the same bytes."""
    with write_whole(path) as file:
        file.attrs["format"] = FORMAT
        for name in _TEXTS:
            file.attrs[name] = getattr(comparison, name)
        file.attrs["weights"] = json.dumps(comparison.weights)
        file.attrs["layers"] = json.dumps(comparison.layers)
        file.attrs["measures"] = json.dumps(MEASURES)
        file.attrs["settings"] = json.dumps(comparison.settings, sort_keys=True)
        file.attrs["stimuli"] = json.dumps(comparison.stimuli, sort_keys=True)
        file.attrs["counts"] = json.dumps(comparison.counts, sort_keys=True)
        file.attrs["tokens"] = comparison.tokens
        file["values"] = comparison.values
        file["replicates"] = comparison.replicates


def read_comparison(path: Path) -> Comparison:
    """Read what `write_comparison` wrote.

    Raises:
        InputError: the file is missing, unfinished or of another format.
    """
    with read_whole(path, remedy=_REMEDY) as file:
        attributes = dict(file.attrs)
        if attributes.get("format") != FORMAT:
            found = f"format {attributes.get('format')!r}, {FORMAT!r} expected"
            raise InputError(path, found, _REMEDY)
        first, second = json.loads(attributes["weights"])
        return Comparison(
            **{name: str(attributes[name]) for name in _TEXTS},
            weights=(first, second),
            layers=tuple(json.loads(attributes["layers"])),
            values=np.asarray(file["values"][:]),
            replicates=np.asarray(file["replicates"][:]),
            tokens=int(attributes["tokens"]),
            counts=json.loads(attributes["counts"]),
            settings=json.loads(attributes["settings"]),
            stimuli=json.loads(attributes["stimuli"]),
        )
