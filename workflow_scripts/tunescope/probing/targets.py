"""Targets of edge probes: labelled spans of a treebank's sentences (Tenney et al. 2019)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tunescope.config.probing import Probe
from tunescope.corpora.canonical import Split
from tunescope.errors import InputError

IntArray: TypeAlias = npt.NDArray[np.int64]

#: Probes that classify a pair of spans; the others look at one.
TWO_SPANS = ("dependencies", "semantic_roles", "coreference", "proto_roles", "relations")
#: The probe whose targets have any number of labels; those of the others have one each.
SEVERAL_LABELS = "proto_roles"
#: Columns of parts of speech, the first that a corpus has: the treebank's own, then universal ones.
_TAGS = ("xpos", "upos")


@dataclass(frozen=True, eq=False)
class Targets:
    """Targets of one probe on one split, by sentence.

    Attributes:
        rows: number of each target's sentence in the source, shape [targets].
        spans: words of each target, end exclusive, shape [targets, spans, 2]; one span or two.
        labels: names of the labels that occur, sorted.
        label_offsets: target i has the labels label_ids[label_offsets[i]] to
            label_ids[label_offsets[i + 1] - 1]; shape [targets + 1].
        label_ids: places in `labels`.
        counts: what was seen: targets, targets without a label, spans that carry several targets,
            words left without annotation, sentences with and without targets and of one word.
    """

    rows: IntArray
    spans: IntArray
    labels: tuple[str, ...]
    label_offsets: IntArray
    label_ids: IntArray
    counts: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, places: IntArray) -> "Targets":
        """The targets at these places, in this order; labels and counts stay."""
        sizes = np.diff(self.label_offsets)[places]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        ids = self.label_ids[ranges(self.label_offsets[places], sizes)]
        return replace(
            self,
            rows=self.rows[places],
            spans=self.spans[places],
            label_offsets=offsets,
            label_ids=ids,
        )

    @property
    def labels_used(self) -> tuple[str, ...]:
        """Labels that these targets have, sorted: the vocabulary of a probe trained on them."""
        return tuple(self.labels[number] for number in np.unique(self.label_ids))


def ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """Numbers of all ranges one after the other: starts[i] to starts[i] + sizes[i] - 1."""
    ends = np.cumsum(sizes)
    first = np.repeat(starts - (ends - sizes), sizes)
    return np.asarray(first + np.arange(int(sizes.sum())), dtype=np.int64)


def read_targets(split: Split, probe: Probe) -> Targets:
    """Read the targets of a probe off a treebank.

    `pos` has one span, a word, labelled with the treebank's own tag (with the universal one if
    there is no other); `dependencies` have the word and its head, or the word twice for the root,
    labelled with the whole relation; the other probes have the spans of their annotation. Words
    without a tag or head are no targets. Spans may overlap, and one may be the span of several
    targets (chains of unary constituents).

    Args:
        split: a treebank in canonical form.
        probe: what to read.

    Raises:
        InputError: no treebank, no such annotation, a span that is empty or out of range, or one
            span where the probe needs two.
    """
    source = split.accounting.source
    if split.kind != "treebank":
        raise InputError(source, f"{split.kind}, no treebank", "Probe a corpus with annotation")
    if probe == "pos":
        targets = _tags(split)
    elif probe == "dependencies":
        targets = _dependencies(split)
    else:
        targets = _annotated(split, probe)
    if not len(targets):
        raise InputError(
            source, f"no annotation for the probe {probe}", "Take the probe off its list"
        )
    sizes = _lengths(split, "words")
    _check_spans(targets, _row_numbers(split), sizes, source)
    with_targets = len(np.unique(targets.rows))
    spans = np.column_stack([targets.rows, targets.spans.reshape(len(targets), -1)])
    counts = {
        "targets": len(targets),
        "without a label": int(np.count_nonzero(np.diff(targets.label_offsets) == 0)),
        "on spans of another target": len(targets) - len(np.unique(spans, axis=0)),
        **targets.counts,
        "sentences": with_targets,
        "sentences without targets": split.table.num_rows - with_targets,
        "sentences of one word": int(np.count_nonzero(sizes == 1)),
    }
    return replace(targets, counts=counts)


def _tags(split: Split) -> Targets:
    column = next((name for name in _TAGS if split.table[name].null_count < len(split.table)), None)
    if column is None:
        return _empty(1)
    parents, places, values, untagged = _per_word(split, column)
    spans = np.stack([places, places + 1], axis=1)[:, None]
    return _labelled(split, parents, spans, np.arange(len(parents) + 1), values, untagged)


def _dependencies(split: Split) -> Targets:
    parents, places, values, unlabelled = _per_word(split, "deprels")
    if not len(parents):
        return _empty(2)
    starts = _starts(split, "heads")
    heads = (
        _array(pc.list_flatten(split.table["heads"].combine_chunks()))[starts[parents] + places] - 1
    )
    heads = np.where(heads < 0, places, heads)  # the root is its own head
    spans = np.stack([places, places + 1, heads, heads + 1], axis=1).reshape(-1, 2, 2)
    return _labelled(split, parents, spans, np.arange(len(parents) + 1), values, unlabelled)


def _annotated(split: Split, probe: str) -> Targets:
    number = 2 if probe in TWO_SPANS else 1
    column = split.table[probe].combine_chunks()
    flat, parents = pc.list_flatten(column), _array(pc.list_parent_indices(column))
    bounds = []
    for name in ("span1", "span2")[:number]:
        for bound in ("start", "end"):
            values = pc.struct_field(flat, [name, bound])
            if values.null_count:
                raise InputError(
                    split.accounting.source,
                    f"{values.null_count} of {len(flat)} targets of {probe} lack {name}",
                    f"Give every target of this probe {number} span(s)",
                )
            bounds.append(_array(values))
    spans = np.stack(bounds, axis=1).reshape(-1, number, 2)
    labels = pc.struct_field(flat, ["labels"])
    sizes = _array(pc.fill_null(pc.list_value_length(labels), 0))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return _labelled(split, parents, spans, offsets, pc.list_flatten(labels), 0)


def _per_word(split: Split, column: str) -> tuple[IntArray, IntArray, pa.Array, int]:
    """Sentence, place and value of the words that have a value, and how many have none."""
    lists = split.table[column].combine_chunks()
    values = pc.list_flatten(lists)
    parents = _array(pc.list_parent_indices(lists))
    places = np.arange(len(parents)) - _starts(split, column)[parents]
    present = pc.and_kleene(pc.is_valid(values), pc.not_equal(values, "_"))
    kept = np.asarray(present.to_numpy(zero_copy_only=False), dtype=bool)
    return parents[kept], places[kept], values.filter(present), int(np.count_nonzero(~kept))


def _labelled(
    split: Split,
    parents: IntArray,
    spans: IntArray,
    offsets: IntArray,
    values: pa.Array,
    unannotated: int,
) -> Targets:
    names = np.asarray(sorted(pc.unique(values).to_pylist()), dtype=object)
    index = pc.index_in(values, value_set=pa.array(names, pa.string()))
    return Targets(
        rows=_row_numbers(split)[parents],
        spans=spans,
        labels=tuple(str(name) for name in names),
        label_offsets=offsets,
        label_ids=_array(index),
        counts={"words without annotation": unannotated} if unannotated else {},
    )


def _check_spans(targets: Targets, rows: IntArray, sizes: IntArray, source: str) -> None:
    order = np.argsort(rows, kind="stable")
    words = sizes[order][np.searchsorted(rows[order], targets.rows)][:, None]
    starts, ends = targets.spans[..., 0], targets.spans[..., 1]
    wrong = (starts < 0) | (starts >= ends) | (ends > words)
    if wrong.any():
        target, span = (int(one) for one in np.argwhere(wrong)[0])
        raise InputError(
            f"{source}: record {targets.rows[target]}",
            f"span {targets.spans[target, span].tolist()} is no range of its "
            f"{words[target, 0]} words ({int(wrong.any(axis=1).sum())} targets in all)",
            "Correct the annotation: spans count words from 0, end exclusive",
        )


def _row_numbers(split: Split) -> IntArray:
    return _array(split.table["row"].combine_chunks())


def _lengths(split: Split, column: str) -> IntArray:
    return _array(pc.fill_null(pc.list_value_length(split.table[column].combine_chunks()), 0))


def _starts(split: Split, column: str) -> IntArray:
    """Where the list of each sentence begins when all are put one after the other."""
    lengths = _lengths(split, column)
    return np.cumsum(lengths) - lengths


def _array(values: pa.Array | pa.ChunkedArray) -> IntArray:
    return np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.int64)


def _empty(spans: int) -> Targets:
    none = np.zeros(0, np.int64)
    return Targets(none, np.zeros((0, spans, 2), np.int64), (), np.zeros(1, np.int64), none)
