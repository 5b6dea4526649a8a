"""What edge probes of a run said of each target, on disk: one HDF5 file a run and corpus.

A group a probe holds its test targets; in it a group a view and probe seed holds the logits.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import h5py
import numpy as np
import numpy.typing as npt

from tunescope.activations.whole_file import read_whole, write_whole
from tunescope.config.probing import Probe, View
from tunescope.errors import InputError
from tunescope.probing.targets import Targets

FORMAT = "tunescope edge probes 1"
_REMEDY = "Delete it; the workflow makes it again"
_HISTORY = ("step", "loss", "learning_rate", "f1")


@dataclass(frozen=True, eq=False)
class ProbeOutcome:
    """What a trained probe said.

    Attributes:
        view: what it saw.
        seed: its probe seed.
        logits: shape [targets, labels].
        mix: weight of each layer from the embeddings up; empty unless the view is the mix.
        gamma: factor of the mix; 1 for the other views.
        history: a row a validation with step, training loss, learning rate and F1.
        stopped: why its training ended.
        best_step: steps done when the kept weights were validated.
    """

    view: View
    seed: int
    logits: npt.NDArray[np.float32]
    mix: npt.NDArray[np.float64]
    gamma: float
    history: npt.NDArray[np.float64]
    stopped: str
    best_step: int


@dataclass(frozen=True, eq=False)
class ProbePredictions:
    """Test targets of a probe, and what trained probes said of them.

    Attributes:
        probe: name of the probe.
        targets: the test targets; their `labels` begin with the outputs, and the labels that
            training did not have follow.
        outputs: number of outputs.
        outcomes: one a view and seed.
        training: counts of the training targets, with sentences and targets used.
    """

    probe: Probe
    targets: Targets
    outputs: int
    outcomes: tuple[ProbeOutcome, ...]
    training: Mapping[str, int] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the outputs in their order."""
        return self.targets.labels[: self.outputs]


@dataclass(frozen=True)
class EdgePredictions:
    """All probes of a run on a corpus.

    Attributes:
        encoder: the encoder's name.
        run: the run's name.
        weights_hash: SHA-256 of the run's weights.
        corpus_hash: of the test inputs (`Inputs.content_hash`).
        layers: names of the layers of the mix.
        probes: one a probe.
        origin: settings and other facts, for the reader's information.
    """

    encoder: str
    run: str
    weights_hash: str
    corpus_hash: str
    layers: tuple[str, ...]
    probes: tuple[ProbePredictions, ...]
    origin: Mapping[str, object] = field(default_factory=dict)


def with_outputs_first(targets: Targets, outputs: Sequence[str]) -> Targets:
    """The same targets with the outputs first in `labels`, and unseen labels after them."""
    unseen = [name for name in targets.labels_used if name not in set(outputs)]
    names = (*outputs, *unseen)
    place = {name: number for number, name in enumerate(names)}
    moved = np.array([place.get(name, -1) for name in targets.labels], dtype=np.int64)
    ids = moved[targets.label_ids] if len(targets.label_ids) else targets.label_ids
    return Targets(targets.rows, targets.spans, names, targets.label_offsets, ids, targets.counts)


def write_edge_predictions(predictions: EdgePredictions, path: Path) -> None:
    """Write predictions, all of them or nothing.

    Raises:
        FloatingPointError: a logit is not finite.
    """
    with write_whole(path) as file:
        file.attrs["format"] = FORMAT
        for name in ("encoder", "run", "weights_hash", "corpus_hash"):
            file.attrs[name] = getattr(predictions, name)
        file.attrs["layers"] = json.dumps(predictions.layers)
        file.attrs["origin"] = json.dumps(predictions.origin, sort_keys=True)
        for probe in predictions.probes:
            group = file.create_group(probe.probe)
            _write_targets(group, probe)
            for one in probe.outcomes:
                if not np.isfinite(one.logits).all():
                    raise FloatingPointError(
                        f"{path}: {probe.probe}, view {one.view}, seed {one.seed}: logits that are "
                        "not finite"
                    )
                inner = group.create_group(f"{one.view}/{one.seed}")
                inner["logits"], inner["mix"], inner["history"] = one.logits, one.mix, one.history
                inner.attrs["gamma"], inner.attrs["stopped"] = one.gamma, one.stopped
                inner.attrs["best_step"] = one.best_step
                inner["history"].attrs["columns"] = json.dumps(_HISTORY)


def read_edge_predictions(path: Path) -> EdgePredictions:
    """Read predictions.

    Raises:
        InputError: the file is missing, unfinished or of another format.
    """
    with read_whole(path, remedy=_REMEDY) as file:
        if file.attrs.get("format") != FORMAT:
            found = f"format {file.attrs.get('format')!r}, {FORMAT!r} expected"
            raise InputError(path, found, _REMEDY)
        probes = tuple(_read_probe(file[name], name, path) for name in file)
        return EdgePredictions(
            encoder=file.attrs["encoder"],
            run=file.attrs["run"],
            weights_hash=file.attrs["weights_hash"],
            corpus_hash=file.attrs["corpus_hash"],
            layers=tuple(json.loads(file.attrs["layers"])),
            probes=probes,
            origin=json.loads(file.attrs["origin"]),
        )


def _write_targets(group: h5py.Group, probe: ProbePredictions) -> None:
    targets = probe.targets
    group["rows"], group["spans"] = targets.rows, targets.spans.astype(np.int32)
    group["label_offsets"] = targets.label_offsets
    group["label_ids"] = targets.label_ids.astype(np.int32)
    group.attrs["labels"] = json.dumps(targets.labels)
    group.attrs["outputs"] = probe.outputs
    group.attrs["counts"] = json.dumps(targets.counts, sort_keys=True)
    group.attrs["training"] = json.dumps(probe.training, sort_keys=True)


def _read_probe(group: h5py.Group, name: str, path: Path) -> ProbePredictions:
    targets = Targets(
        rows=group["rows"][:],
        spans=group["spans"][:].astype(np.int64),
        labels=tuple(json.loads(group.attrs["labels"])),
        label_offsets=group["label_offsets"][:],
        label_ids=group["label_ids"][:].astype(np.int64),
        counts=json.loads(group.attrs["counts"]),
    )
    outcomes = tuple(_read_outcomes(group))
    outputs = int(group.attrs["outputs"])
    if any(one.logits.shape != (len(targets), outputs) for one in outcomes):
        raise InputError(path, f"{name}: logits do not fit the targets", _REMEDY)
    probe = next(one for one in get_args(Probe) if one == name)
    return ProbePredictions(probe, targets, outputs, outcomes, json.loads(group.attrs["training"]))


def _read_outcomes(group: h5py.Group) -> Iterator[ProbeOutcome]:
    for view in (name for name in get_args(View) if name in group):
        for seed in sorted(group[view], key=int):
            inner = group[f"{view}/{seed}"]
            yield ProbeOutcome(
                view=view,
                seed=int(seed),
                logits=inner["logits"][:],
                mix=inner["mix"][:],
                gamma=float(inner.attrs["gamma"]),
                history=inner["history"][:],
                stopped=str(inner.attrs["stopped"]),
                best_step=int(inner.attrs["best_step"]),
            )
