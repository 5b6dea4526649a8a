"""Dependency parsing of words under a biaffine head.

Each sentence gets its best tree with one root, each arc of it its best label.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import PreTrainedTokenizerFast

from tunescope.corpora.canonical import Split
from tunescope.corpora.trees import tree_problem
from tunescope.encoders.load import Encoder
from tunescope.encoders.word_inputs import WordInputs, make_word_inputs
from tunescope.errors import InputError
from tunescope.finetuning.biaffine import ParserHead
from tunescope.finetuning.decoding import best_tree
from tunescope.finetuning.forward import head_scores
from tunescope.finetuning.parses import NOTHING, Parses
from tunescope.finetuning.protocol import Examples

#: Target of words that take no part in the loss.
IGNORED = -100


@dataclass(frozen=True)
class ParsingTask:
    """Labelled dependency parsing.

    Attributes:
        labels: relations of the training split, subtypes included, in alphabetical order.
        arc: width of the vectors that score arcs.
        label: width of the vectors that score labels.
        dropout: dropout after the perceptrons.
    """

    labels: tuple[str, ...]
    arc: int
    label: int
    dropout: float

    @property
    def kind(self) -> str:
        """Kind of corpus."""
        return "treebank"

    def examples(
        self, split: Split, tokenizer: PreTrainedTokenizerFast, *, max_length: int
    ) -> Examples:
        """Turn sentences into inputs, heads and labels.

        A relation that the task does not have teaches its arc, but no label. A word beyond the
        cut of a long sentence teaches nothing, nor does one whose head is beyond it.

        Raises:
            InputError: no treebank, or heads or relations that are missing or form no tree.
        """
        heads, relations = gold_trees(split)
        sentences = word_inputs(split, tokenizer, max_length=max_length)
        numbers = {label: number for number, label in enumerate(self.labels)}
        longest = int(np.diff(sentences.offsets).max())
        arcs = np.full((len(heads), longest), IGNORED, dtype=np.int64)
        labels = np.full((len(heads), longest), IGNORED, dtype=np.int64)
        for place, (tree, names) in enumerate(zip(heads, relations, strict=True)):
            first, last = sentences.offsets[place : place + 2]
            there = int(np.count_nonzero(sentences.kept[first:last]))
            for word in range(there):
                if tree[word] <= there:
                    arcs[place, word] = tree[word]
                    labels[place, word] = numbers.get(names[word], IGNORED)
        rows = split.table["row"].to_numpy()
        return Examples(sentences.inputs, {"heads": arcs, "labels": labels}, rows)

    def head(self, hidden: int, dropout: float) -> ParserHead:
        """Make the head; its dropout is the parser's own."""
        del dropout
        return ParserHead(hidden, len(self.labels), self.arc, self.label, self.dropout)

    def loss(self, scores: torch.Tensor, targets: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Cross-entropy over heads plus that over the labels of the gold arcs, means over words."""
        scores = scores.float()
        words = scores.shape[1]
        heads, labels = targets["heads"][:, :words], targets["labels"][:, :words]
        arcs = _mean_cross_entropy(scores[..., 0], heads)
        place = heads.clamp(min=0)[:, :, None, None].expand(-1, -1, 1, len(self.labels))
        of_gold = scores[..., 1:].gather(2, place).squeeze(2)
        return arcs + _mean_cross_entropy(of_gold, labels)

    def describe(self) -> dict[str, Any]:
        """Kind, labels and widths."""
        return {
            "kind": self.kind,
            "labels": list(self.labels),
            "arc": self.arc,
            "label": self.label,
            "dropout": self.dropout,
        }

    def predict(
        self,
        encoder: Encoder,
        heads: Sequence[nn.Module],
        split: Split,
        *,
        max_length: int,
        batch_size: int,
    ) -> Parses:
        """Parse a split with one or several heads on the same encoder.

        Each sentence gets the best tree with one root (`decoding.best_tree`), each arc its best
        label. Words beyond the cut of a long sentence get neither and count as wrong; so does the
        label of a relation that the task does not have.

        Raises:
            InputError: as for `examples`.
        """
        gold_heads, relations = gold_trees(split)
        sentences = word_inputs(split, encoder.tokenizer, max_length=max_length)
        unseen = sorted({name for names in relations for name in names} - set(self.labels))
        labels = (*self.labels, *unseen)
        numbers = {label: number for number, label in enumerate(labels)}
        shape = (len(heads), len(sentences.pieces))
        found_heads = np.full(shape, NOTHING, dtype=np.int32)
        found_labels = np.full(shape, NOTHING, dtype=np.int32)
        for indices, number, scores in head_scores(
            encoder.model, heads, sentences.inputs, batch_size=batch_size
        ):
            for sentence, arcs in zip(indices, scores, strict=True):
                first, last = sentences.offsets[sentence : sentence + 2]
                there = int(np.count_nonzero(sentences.kept[first:last]))
                tree = best_tree(arcs[:there, : there + 1, 0])
                best = arcs[np.arange(there), tree, 1:].argmax(axis=1)
                found_heads[number, first : first + there] = tree
                found_labels[number, first : first + there] = best
        gold_labels = np.array([numbers[one] for names in relations for one in names], np.int32)
        return Parses(
            labels=labels,
            known=len(self.labels),
            rows=split.table["row"].to_numpy(),
            offsets=sentences.offsets,
            pieces=sentences.pieces,
            gold_heads=np.array([head for tree in gold_heads for head in tree], np.int32),
            gold_labels=gold_labels,
            heads=found_heads,
            head_labels=found_labels,
            origin={
                "inputs_sha256": sentences.inputs.sha256(),
                "truncated": sentences.inputs.truncated,
                "words_cut": int(np.count_nonzero(sentences.kept == 0)),
                "words_unknown": sentences.unknown,
                "labels_unseen": int(np.count_nonzero(gold_labels >= len(self.labels))),
            },
        )


def relations_of(split: Split) -> tuple[str, ...]:
    """Relations of a treebank, in alphabetical order.

    Raises:
        InputError: as for `gold_trees`.
    """
    _, relations = gold_trees(split)
    return tuple(sorted({name for names in relations for name in names}))


def gold_trees(split: Split) -> tuple[list[list[int]], list[list[str]]]:
    """Gold heads and relations of each sentence.

    Raises:
        InputError: no treebank, an empty one, or a sentence without words, heads or relations, with
            another number of them than words, or whose heads form no tree.
    """
    if split.kind != "treebank" or split.table.num_rows == 0:
        raise InputError(
            split.accounting.source,
            f"{split.table.num_rows} rows of kind {split.kind}",
            "Parsing needs a treebank with at least one sentence",
        )
    columns = ("row", "words", "heads", "deprels")
    sentences = zip(*(split.table[name].to_pylist() for name in columns), strict=True)
    heads, relations = [], []
    for row, words, tree, names in sentences:
        where = f"{split.accounting.source}, row {row}"
        if not words:
            raise InputError(where, "a sentence without words", "Remove it")
        for name, values in (("heads", tree), ("relations", names)):
            if values is None or None in values:
                raise InputError(
                    where, f"a sentence without {name}", "Parsing needs a dependency treebank"
                )
            if len(values) != len(words):
                raise InputError(
                    where,
                    f"{len(values)} {name} for {len(words)} words",
                    "Give each word one head and one relation",
                )
        if problem := tree_problem(tree):
            raise InputError(where, problem[1], "Give each sentence one tree with one root")
        heads.append(tree)
        relations.append(names)
    return heads, relations


def word_inputs(split: Split, tokenizer: PreTrainedTokenizerFast, *, max_length: int) -> WordInputs:
    """Inputs of a treebank's sentences."""
    return make_word_inputs(tokenizer, split.table["words"].to_pylist(), max_length=max_length)


def _mean_cross_entropy(scores: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
    """Mean over words that are not IGNORED, 0 if all are; scores [inputs, words, choices]."""
    total = nn.functional.cross_entropy(
        scores.flatten(0, 1), gold.flatten(), ignore_index=IGNORED, reduction="sum"
    )
    return total / (gold != IGNORED).sum().clamp(min=1)
