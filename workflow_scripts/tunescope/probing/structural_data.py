"""Sentences with trees and the states of their words, for structural probes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tunescope.activations.store import HiddenStates
from tunescope.corpora.canonical import Split
from tunescope.errors import InputError
from tunescope.probing.states import gather_states
from tunescope.probing.trees import depths, distances, punctuation


@dataclass(frozen=True, eq=False)
class TreeStates:
    """Sentences, their trees, and the states of their words in every layer.

    Attributes:
        layers: names from the bottom.
        states: shape [layers, words, hidden], float16 or wider.
        offsets: sentence i has the words offsets[i] to offsets[i + 1] - 1, shape [sentences + 1].
        rows: row of each sentence in its corpus' source, shape [sentences].
        depths: edges between each word and its root, shape [words].
        distances: edges between each two words of a sentence, one [words, words] a sentence.
        punctuation: which words are punctuation, shape [words].
        dropped: sentences left out, by reason.
    """

    layers: tuple[str, ...]
    states: npt.NDArray[np.floating]
    offsets: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    depths: npt.NDArray[np.int64]
    distances: tuple[npt.NDArray[np.int64], ...]
    punctuation: npt.NDArray[np.bool_]
    dropped: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Words of each sentence."""
        return np.diff(self.offsets)

    def words(self, sentences: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Places of the words of some sentences, one sentence after the other."""
        return np.concatenate(
            [np.arange(self.offsets[one], self.offsets[one + 1]) for one in sentences]
        )


def make_tree_states(
    layers: Sequence[str],
    states: npt.NDArray[np.floating],
    sentences: Sequence[Mapping[str, Sequence[object]]],
    *,
    rows: npt.ArrayLike | None = None,
    by: Literal["xpos", "upos"] = "xpos",
    dropped: Mapping[str, int] | None = None,
) -> TreeStates:
    """Put trees beside states.

    Args:
        layers: names of the layers.
        states: shape [layers, words of all sentences, hidden].
        sentences: `heads` (from 1, 0 the root), `xpos` and `upos` of each.
        rows: row of each sentence in its source; counted from 0 if not given.
        by: tags that tell punctuation.
        dropped: sentences left out before, by reason.

    Raises:
        ValueError: a tree is none, tags are missing, or states and words differ in number.
    """
    heads = [[int(str(head)) for head in sentence["heads"]] for sentence in sentences]
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in heads])]).astype(np.int64)
    if states.shape[:2] != (len(layers), offsets[-1]):
        raise ValueError(
            f"states of shape {states.shape} for {len(layers)} layers and {offsets[-1]} words"
        )
    marks = [_punctuation(sentence, by) for sentence in sentences]
    return TreeStates(
        layers=tuple(layers),
        states=states,
        offsets=offsets,
        rows=np.arange(len(heads)) if rows is None else np.asarray(rows, dtype=np.int64),
        depths=np.concatenate([np.zeros(0, np.int64), *(depths(one) for one in heads)]),
        distances=tuple(distances(one) for one in heads),
        punctuation=np.concatenate([np.zeros(0, np.bool_), *marks]),
        dropped=dict(dropped or {}),
    )


def _punctuation(
    sentence: Mapping[str, Sequence[object]], by: Literal["xpos", "upos"]
) -> npt.NDArray[np.bool_]:
    tags = sentence.get(by)
    texts = None if tags is None else [str(tag) for tag in tags if tag is not None]
    if texts is None or len(texts) != len(sentence["heads"]):
        raise ValueError(f"{len(sentence['heads'])} words without {by} tags for all of them")
    return punctuation(texts, texts, by=by)


def read_tree_states(
    store: HiddenStates,
    split: Split,
    *,
    by: Literal["xpos", "upos"] = "xpos",
    memory_gib: float = 8.0,
    progress: bool = True,
) -> TreeStates:
    """Read the states of a treebank's words from a store.

    Sentences that were cut at the encoder's limit are left out and counted, since their trees are
    no longer whole.

    Args:
        store: states on sentences of the treebank.
        split: the treebank's split.
        by: tags that tell punctuation.
        memory_gib: more states than this go to a temporary file.
        progress: whether to show a bar on standard error.

    Raises:
        InputError: the split is no treebank, the store is of other sentences, or a sentence has no
            usable tree.
    """
    where = split.accounting.source
    if split.kind != "treebank":
        raise InputError(
            where, f"a corpus of kind {split.kind}", "Structural probes need a treebank"
        )
    columns = ["row", "heads", "xpos", "upos"]
    sentences = {row["row"]: row for row in split.table.select(columns).to_pylist()}
    unknown = set(store.row_ids.tolist()) - set(sentences)
    if unknown:
        raise InputError(
            store.path, f"has row {min(unknown)}, which {where} has not", "Dump it again"
        )
    whole = ~store.cut
    words = np.bincount(store.word_inputs, minlength=len(whole))
    chosen = [sentences[row] for row in store.row_ids[whole].tolist()]
    for sentence, count in zip(chosen, words[whole], strict=True):
        if sentence["heads"] is None or len(sentence["heads"]) != count:
            found = "no heads" if sentence["heads"] is None else f"{len(sentence['heads'])} heads"
            raise InputError(
                where,
                f"row {sentence['row']} has {found}, but {count} words in {store.path}",
                "Give a treebank with a tree a sentence, and dump it again",
            )
    states = gather_states(
        store,
        store.layers,
        whole[store.word_inputs],
        units="words",
        memory_gib=memory_gib,
        progress=progress,
    )
    try:
        return make_tree_states(
            store.layers,
            states,
            chosen,
            rows=store.row_ids[whole],
            by=by,
            dropped={"cut": int(np.count_nonzero(store.cut))},
        )
    except ValueError as error:
        raise InputError(where, str(error), "Repair the treebank") from error
