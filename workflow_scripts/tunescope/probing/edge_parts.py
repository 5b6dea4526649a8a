"""Training, development and test parts of all probes of a corpus, with what they need of a run."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from tunescope.activations.store import HiddenStates
from tunescope.config.probing import EdgeProbeSettings, Probe, ProbedCorpus
from tunescope.corpora.canonical import Split, read_split
from tunescope.errors import InputError
from tunescope.probing.edge_data import EdgeData, make_edge_data
from tunescope.probing.holdout import held_out_rows
from tunescope.probing.placing import (
    Placed,
    check_words,
    needed_units,
    place_targets,
    store_units,
)
from tunescope.probing.states import gather_states
from tunescope.probing.targets import IntArray, Targets, read_targets

_LOG = logging.getLogger(__name__)

#: Gives targets of a split other labels.
Relabel = Callable[[Targets, Split], Targets]


@dataclass(frozen=True, eq=False)
class Part:
    """A split with the store of its states."""

    split: Split
    store: HiddenStates


@dataclass(frozen=True, eq=False)
class ProbeParts:
    """Training, development and test targets of a probe, with their states in all layers.

    Attributes:
        probe: name of the probe.
        train: its labels are the probe's outputs.
        validation: shares no sentence with `train`.
        test: what is scored.
        targets: the test targets, in the order of `test`.
        training: counts of the training part.
    """

    probe: Probe
    train: EdgeData
    validation: EdgeData
    test: EdgeData
    targets: Targets
    training: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class _Loaded:
    """Targets of all probes on a split, and the states they need."""

    part: Part
    placed: Mapping[Probe, Placed]
    needed: npt.NDArray[np.bool_]
    states: torch.Tensor

    def data(
        self, probe: Probe, labels: Sequence[str], sentences: IntArray | None = None
    ) -> EdgeData:
        data = make_edge_data(
            self.states, self.needed, self.placed[probe], labels, sentences=sentences
        )
        if not data.sentences:
            raise InputError(
                f"probing.corpora: probe {probe}",
                f"no target in the part used of {self.part.split.accounting.source}",
                "Take the probe off the list, or use more sentences",
            )
        return data


@contextmanager
def opened_parts(
    corpus: ProbedCorpus, splits: Iterable[str], stores: Iterable[str]
) -> Iterator[dict[str, Part]]:
    """Read splits and open their stores.

    Args:
        corpus: whose splits.
        splits: files of its splits, in the order of `ProbedCorpus.splits`.
        stores: stores of their states, in the same order.

    Raises:
        InputError: a file cannot be read.
    """
    with ExitStack() as stack:
        yield {
            name: Part(read_split(Path(split)), stack.enter_context(HiddenStates(Path(store))))
            for name, split, store in zip(corpus.splits, splits, stores, strict=True)
        }


def load_parts(
    parts: Mapping[str, Part],
    corpus: ProbedCorpus,
    settings: EdgeProbeSettings,
    *,
    relabel: Mapping[Probe, Relabel] | None = None,
    scratch: Path | None = None,
    progress: bool = True,
) -> list[ProbeParts]:
    """Read targets and states of all probes of a corpus, in the order of its settings.

    Each store is read once for all probes. A probe's labels are those of its training targets.

    Args:
        parts: the splits that `corpus` names, with their stores, all of one run.
        corpus: probes and splits.
        settings: what a span pools over, and memory.
        relabel: other labels for the targets, by probe.
        scratch: folder for states that memory does not hold.
        progress: whether to show bars on standard error.

    Raises:
        InputError: stores that do not fit the splits or each other, or a part without targets.
    """
    _check_one_run([parts[name].store for name in corpus.splits])
    loaded = {
        name: _load(
            parts[name], corpus, settings, relabel or {}, scratch=scratch, progress=progress
        )
        for name in corpus.splits
    }
    train, test = loaded[corpus.train], loaded[corpus.test]
    fitted, held_out = None, None
    if corpus.validation is None:
        out = held_out_rows(
            train.part.split,
            train.part.store.row_ids,
            share=corpus.hold_out,
            by=corpus.hold_out_by,
            seed=corpus.hold_out_seed,
            where="probing.corpora: hold_out",
        )
        fitted, held_out = np.flatnonzero(~out), np.flatnonzero(out)
    validation = train if corpus.validation is None else loaded[corpus.validation]
    found = []
    for probe in corpus.probes:
        placed = train.placed[probe]
        used = np.arange(len(placed.sentences))
        if fitted is not None:
            used = np.flatnonzero(np.isin(placed.sentences, fitted))
        labels = placed.targets.take(used).labels_used
        data = train.data(probe, labels, fitted)
        found.append(
            ProbeParts(
                probe=probe,
                train=data,
                validation=validation.data(probe, labels, held_out),
                test=test.data(probe, labels),
                targets=test.placed[probe].targets,
                training={
                    **placed.targets.counts,
                    "sentences used": data.sentences,
                    "targets used": len(data.rows),
                    "labels used": len(labels),
                },
            )
        )
    return found


def _load(
    part: Part,
    corpus: ProbedCorpus,
    settings: EdgeProbeSettings,
    relabel: Mapping[Probe, Relabel],
    *,
    scratch: Path | None,
    progress: bool,
) -> _Loaded:
    units = store_units(part.store, settings.units)
    counts = check_words(part.split, part.store, units)
    _LOG.info("%s: %d sentences, %d cut", part.store.path.name, counts["sentences"], counts["cut"])
    placed: dict[Probe, Placed] = {}
    for probe in corpus.probes:
        targets = read_targets(part.split, probe)
        if probe in relabel:
            targets = relabel[probe](targets, part.split)
        one = place_targets(targets, part.store, units)
        told = ", ".join(f"{count} {name}" for name, count in one.targets.counts.items())
        _LOG.info("%s: %s: %s; %d used", part.store.path.name, probe, told, len(one.targets))
        placed[probe] = one
    needed = needed_units(units.units, list(placed.values()))
    read = gather_states(
        part.store,
        part.store.layers,
        needed,
        units=settings.units,
        memory_gib=settings.memory_gib / len(corpus.splits),
        scratch=scratch,
        progress=progress,
    )
    return _Loaded(part, placed, needed, _to_device(torch.from_numpy(read)))


def _check_one_run(stores: Sequence[HiddenStates]) -> None:
    first = stores[0]
    for other in stores[1:]:
        if other.attributes.weights_hash != first.attributes.weights_hash:
            raise InputError(
                other.path,
                f"holds states of other weights than {first.path}",
                "Delete both; the workflow dumps them again",
            )


def _to_device(states: torch.Tensor) -> torch.Tensor:
    """Move states to the accelerator if they take no more than half of its free memory."""
    if torch.cuda.is_available():
        free, _ = torch.cuda.mem_get_info()
        if states.numel() * states.element_size() <= free / 2:
            return states.cuda()
    return states
