"""Control tasks: what a probe can learn by heart (Hewitt and Liang 2019).

Each type of word gets labels at random, once and for all, from the distribution of the probe's own
labels. A probe does well on its control task only as far as it memorises types. Selectivity is its
score on the task less that on the control task.
"""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import pyarrow.compute as pc

from tunescope.config.control_tasks import ControlTaskSettings
from tunescope.corpora.canonical import Split
from tunescope.probing.targets import IntArray, Targets, ranges
from tunescope.statistics import FloatArray


@dataclass(frozen=True, eq=False)
class ControlTask:
    """Random labels for every type that a probe's first span can be.

    The type is the text of the first span: a word for parts of speech and dependencies. Labels are
    drawn from the sets of labels of the training targets, as often as these occur there.

    Attributes:
        settings: seed, and whether case makes types differ.
        labels: names of the labels, in the order of `Targets.labels` of the training targets.
        sets: label sets of the training targets, as places in `labels`.
        cumulative: share of the training targets with each set or one before it.
    """

    settings: ControlTaskSettings
    labels: tuple[str, ...]
    sets: tuple[tuple[int, ...], ...]
    cumulative: FloatArray

    def apply(self, targets: Targets, split: Split) -> Targets:
        """The same targets with control labels; a type has the same labels in every split."""
        types, numbers = np.unique(self._texts(targets, split), return_inverse=True)
        drawn = np.searchsorted(self.cumulative, [self._draw(str(one)) for one in types], "right")
        chosen = [self.sets[min(int(one), len(self.sets) - 1)] for one in drawn]
        sizes = np.array([len(one) for one in chosen], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        ids = np.array([number for one in chosen for number in one], dtype=np.int64)
        return replace(
            targets,
            labels=self.labels,
            label_offsets=np.append(0, np.cumsum(sizes[numbers])),
            label_ids=ids[ranges(starts[numbers], sizes[numbers])],
            counts={**targets.counts, "types": len(types)},
        )

    def _texts(self, targets: Targets, split: Split) -> list[str]:
        words = split.table["words"].combine_chunks()
        if self.settings.lowercase:
            flat = pc.utf8_lower(pc.list_flatten(words)).to_pylist()
        else:
            flat = pc.list_flatten(words).to_pylist()
        lengths = np.asarray(pc.fill_null(pc.list_value_length(words), 0).to_numpy(False), np.int64)
        starts = np.cumsum(lengths) - lengths
        rows = np.asarray(split.table["row"].to_numpy(), np.int64)
        order = np.argsort(rows, kind="stable")
        places = starts[order][np.searchsorted(rows[order], targets.rows)]
        first, last = (places + targets.spans[:, 0, bound] for bound in (0, 1))
        return [" ".join(flat[a:b]) for a, b in zip(first.tolist(), last.tolist(), strict=True)]

    def _draw(self, text: str) -> float:
        """A number from 0 to 1 that depends on the text and the seed alone."""
        digest = hashlib.sha256(f"{self.settings.seed}\n{text}".encode()).digest()
        return int.from_bytes(digest[:7], "big") / 2**56


def make_control_task(train: Targets, settings: ControlTaskSettings) -> ControlTask:
    """Make the control task of a probe from its training targets."""
    bounds: list[IntArray] = np.split(train.label_ids, train.label_offsets[1:-1])
    counts: dict[tuple[int, ...], int] = {}
    for ids in bounds:
        chosen = tuple(sorted(int(number) for number in ids))
        counts[chosen] = counts.get(chosen, 0) + 1
    sets = tuple(sorted(counts))
    shares = np.cumsum([counts[one] for one in sets]) / len(train)
    return ControlTask(settings, train.labels, sets, shares)
