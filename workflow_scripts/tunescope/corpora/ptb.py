"""Penn Treebank brackets: words, tags and constituents of each tree of a file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tunescope.corpora.annotations import Span, bare_label
from tunescope.corpora.source import Source, shorten
from tunescope.errors import InputError

_TOKEN = re.compile(r"[()]|[^()\s]+")
_EMPTY = "-NONE-"


@dataclass(frozen=True)
class Tree:
    """One tree.

    Attributes:
        line: where it begins in the file.
        words: its leaves as written; traces (`-NONE-`) are left out.
        tags: part of speech of each.
        constituents: label without function tags and span of each node above the tags, root first;
            nodes over traces alone and nodes without a label are left out.
    """

    line: int
    words: tuple[str, ...]
    tags: tuple[str, ...]
    constituents: tuple[tuple[str, Span], ...]


def parse_trees(source: Source) -> Iterator[Tree]:
    """Parse a file of trees, however they are broken into lines.

    Raises:
        InputError: brackets that do not match, or a node without a word.
    """
    tokens: list[tuple[str, int]] = []
    depth = 0
    for number, line in enumerate(source.text.split("\n"), start=1):
        for match in _TOKEN.finditer(line):
            token = match[0]
            depth += (token == "(") - (token == ")")
            if depth < 0 or (depth == 0 and token != ")"):
                raise InputError(
                    source.at(number),
                    f"{shorten(token)} stands outside a tree",
                    "Correct the brackets",
                )
            tokens.append((token, number))
            if depth == 0:
                yield _tree(source, tokens)
                tokens = []
    if tokens:
        raise InputError(
            source.at(tokens[0][1]),
            "the tree that begins here is not closed",
            "Get the file again (it was cut), or correct the brackets",
        )


def _tree(source: Source, tokens: list[tuple[str, int]]) -> Tree:
    words: list[str] = []
    tags: list[str] = []
    nodes: list[tuple[str, int, int]] = []
    # Of each open node: its label, the first word, its place among `nodes`, its own word if a leaf.
    waiting: list[tuple[str, int, int, str | None]] = []
    place = 0
    while place < len(tokens):
        token, number = tokens[place]
        if token == "(":
            following = tokens[place + 1][0]
            label = "" if following in "()" else following
            place += 1 if label else 0
            waiting.append((label, len(words), len(nodes), None))
            nodes.append((label, len(words), -1))
        elif token == ")":
            label, start, node, word = waiting.pop()
            if word is not None:
                del nodes[node]
                if label != _EMPTY:
                    words.append(word)
                    tags.append(label)
            elif tokens[place - 1][0] != ")":
                raise InputError(
                    source.at(number),
                    f"node {shorten(label)} has no word",
                    "Write leaves as (TAG word)",
                )
            else:
                nodes[node] = (label, start, len(words))
        else:
            label, start, node, word = waiting[-1]
            if word is not None or tokens[place - 1][0] == ")":
                raise InputError(
                    source.at(number),
                    f"word {shorten(token)} stands beside another child of {shorten(label)}",
                    "Write leaves as (TAG word)",
                )
            waiting[-1] = (label, start, node, token)
        place += 1
    constituents = tuple(
        (bare_label(label), (start, end)) for label, start, end in nodes if label and end > start
    )
    return Tree(tokens[0][1], tuple(words), tuple(tags), constituents)
