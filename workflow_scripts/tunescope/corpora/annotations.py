"""Span annotations in the form of edge probing (Tenney et al. 2019), and PTB's conventions."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

#: A span of words, end exclusive.
Span = tuple[int, int]

_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
UNESCAPED = "words such as -LRB- written as brackets again"


def target(span1: Span, span2: Span | None, labels: Sequence[str]) -> dict[str, object]:
    """One target as the canonical columns hold it; `span2` is none for probes of one span."""
    return {"span1": _columns(span1), "span2": span2 and _columns(span2), "labels": list(labels)}


def mention_pairs(mentions: Iterable[tuple[Span, str]]) -> list[dict[str, object]]:
    """Coreference targets of a sentence: every pair of its mentions, labelled 1 or 0.

    Args:
        mentions: span and cluster of each mention; the earlier one of a pair is `span1`.
    """
    return [
        target(first, second, ["1" if one == other else "0"])
        for (first, one), (second, other) in combinations(sorted(mentions), 2)
    ]


def bare_label(label: str) -> str:
    """A constituent's label without function tags and indices: `NP-SBJ` and `NP=2` are `NP`.

    Labels that begin with a hyphen (`-NONE-`) are whole names.
    """
    return label if label.startswith("-") else re.split("[-=]", label)[0]


def unescape(word: str) -> str:
    """A treebank's word as it is written: `-LRB-` is `(`."""
    return _BRACKETS.get(word, word)


def _columns(span: Span) -> dict[str, int]:
    return {"start": span[0], "end": span[1]}
