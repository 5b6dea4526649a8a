"""Sentences with their targets, batch by batch, as an edge probe takes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch

from tunescope.config.probing import View
from tunescope.probing.edge import Spans, make_spans
from tunescope.probing.placing import Placed
from tunescope.probing.targets import IntArray, ranges

#: Layers of a view among those of a store, from the embeddings up.
_LAYERS: Mapping[View, slice] = {
    "mix": slice(None),
    "top": slice(-1, None),
    "lexical": slice(0, 1),
}


@dataclass(frozen=True, eq=False)
class Batch:
    """What a probe sees at once.

    Attributes:
        states: float32, shape [layers, units, hidden].
        spans: the first spans of all targets, then the second ones if there are two.
        gold: float32, shape [targets, labels].
    """

    states: torch.Tensor
    spans: list[Spans]
    gold: torch.Tensor


@dataclass(frozen=True, eq=False)
class EdgeData:
    """Targets of a probe with the states they need, in the order of their sentences.

    Attributes:
        states: float16, shape [layers, units, hidden]; shared by all probes and parts of a run.
        labels: names of the outputs, in their order.
        rows: number of each target's sentence in the source, shape [targets].
        starts: first unit of each span in `states`, shape [targets, spans].
        lengths: units of each span, shape [targets, spans].
        gold: which labels hold, shape [targets, labels].
        unseen: number of each target's labels that are no outputs, shape [targets].
        first_targets: first target of each sentence, shape [sentences + 1].
        first_units: first unit of each sentence, shape [sentences].
        unit_counts: units of each sentence, shape [sentences].
    """

    states: torch.Tensor
    labels: tuple[str, ...]
    rows: IntArray
    starts: IntArray
    lengths: IntArray
    gold: npt.NDArray[np.bool_]
    unseen: IntArray
    first_targets: IntArray
    first_units: IntArray
    unit_counts: IntArray

    @property
    def sentences(self) -> int:
        """Number of sentences; each has a target."""
        return len(self.first_units)

    def take(self, sentences: IntArray) -> "EdgeData":
        """These sentences in this order, with all their targets; the states stay."""
        counts = np.diff(self.first_targets)[sentences]
        targets = ranges(self.first_targets[sentences], counts)
        return replace(
            self,
            rows=self.rows[targets],
            starts=self.starts[targets],
            lengths=self.lengths[targets],
            gold=self.gold[targets],
            unseen=self.unseen[targets],
            first_targets=np.append(0, np.cumsum(counts)),
            first_units=self.first_units[sentences],
            unit_counts=self.unit_counts[sentences],
        )

    def batch(self, sentences: IntArray, device: torch.device | None = None) -> Batch:
        """These sentences with all their targets, without any padding."""
        counts = np.diff(self.first_targets)[sentences]
        targets = ranges(self.first_targets[sentences], counts)
        sizes = self.unit_counts[sentences]
        shift = np.cumsum(sizes) - sizes - self.first_units[sentences]
        starts = self.starts[targets] + np.repeat(shift, counts)[:, None]
        lengths = self.lengths[targets]
        units = torch.from_numpy(ranges(self.first_units[sentences], sizes))
        states = self.states.index_select(1, units.to(self.states.device))
        gold = torch.from_numpy(self.gold[targets])
        spans = [make_spans(*pair) for pair in zip(starts.T, lengths.T, strict=True)]
        if device is not None and device.type != "cpu":
            states, gold = states.to(device, non_blocking=True), gold.to(device)
            spans = [one.to(device) for one in spans]
        return Batch(states.float(), spans, gold.float())


def view_of(data: EdgeData, view: View) -> EdgeData:
    """The same targets with the layers of a view: all, the last or the first."""
    return replace(data, states=data.states[_LAYERS[view]])


def make_edge_data(
    states: torch.Tensor,
    needed: npt.NDArray[np.bool_],
    placed: Placed,
    labels: Sequence[str],
    *,
    sentences: IntArray | None = None,
) -> EdgeData:
    """Join targets and states.

    Args:
        states: of the units needed, shape [layers, units needed, hidden].
        needed: which units of the store these are.
        placed: targets in the store.
        labels: the outputs in their order; other labels of the targets become no output.
        sentences: inputs of the store whose targets to take; all if None.
    """
    chosen = np.arange(len(placed.sentences))
    if sentences is not None:
        chosen = np.flatnonzero(np.isin(placed.sentences, sentences))
    targets, spans = placed.targets.take(chosen), placed.spans[chosen]
    compact = np.cumsum(needed) - 1
    starts = compact[spans[..., 0]]
    lengths = spans[..., 1] - spans[..., 0]
    first = np.unique(placed.sentences[chosen], return_index=True)[1]
    ends = (starts + lengths).max(axis=1, initial=0)
    beginnings = starts.min(axis=1, initial=np.iinfo(np.int64).max)
    first_units = np.minimum.reduceat(beginnings, first) if len(first) else first
    last_units = np.maximum.reduceat(ends, first) if len(first) else first
    gold, unseen = multi_hot(targets.labels, targets.label_ids, targets.label_offsets, labels)
    return EdgeData(
        states=states,
        labels=tuple(labels),
        rows=targets.rows,
        starts=starts,
        lengths=lengths,
        gold=gold,
        unseen=unseen,
        first_targets=np.append(first, len(chosen)).astype(np.int64),
        first_units=first_units.astype(np.int64),
        unit_counts=(last_units - first_units).astype(np.int64),
    )


def multi_hot(
    names: Sequence[str], ids: IntArray, offsets: IntArray, labels: Sequence[str]
) -> tuple[npt.NDArray[np.bool_], IntArray]:
    """Labels of targets as a table, and how many of each target's labels the table lacks.

    Args:
        names: names that `ids` are places of.
        ids: labels of all targets, one target after the other.
        offsets: where each target's labels begin, shape [targets + 1].
        labels: columns of the table.
    """
    place = {name: number for number, name in enumerate(labels)}
    column = np.array([place.get(name, -1) for name in names], dtype=np.int64)
    targets = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    columns = column[ids] if len(ids) else np.zeros(0, np.int64)
    gold = np.zeros((len(offsets) - 1, len(labels)), dtype=np.bool_)
    known = columns >= 0
    gold[targets[known], columns[known]] = True
    return gold, np.bincount(targets[~known], minlength=len(gold)).astype(np.int64)
