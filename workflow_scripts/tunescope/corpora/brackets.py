"""Columns of brackets, one cell a word, as CoNLL-2012 writes trees, roles and mentions."""

import re
from collections.abc import Sequence

from tunescope.corpora.annotations import Span

_CELL = re.compile(r"((?:\([^()*\s]+)*)\*?(\)*)")
_MENTION = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)")


class BracketError(ValueError):
    """A column whose brackets do not match; `word` is where, from 0."""

    def __init__(self, word: int, found: str) -> None:
        super().__init__(found)
        self.word = word


def labelled_spans(cells: Sequence[str]) -> list[tuple[str, Span]]:
    """Spans of a column such as `(NP(NP*`, `*)`, `*`, in the order in which they open.

    Raises:
        BracketError: a cell of another form, or brackets that do not match.
    """
    spans: list[tuple[str, int, int]] = []
    waiting: list[int] = []  # places in `spans` of those that are open
    for word, cell in enumerate(cells):
        match = _CELL.fullmatch(cell)
        if not match or not cell:
            raise BracketError(word, f"{cell!r} is no cell of brackets")
        for label in match[1].split("(")[1:]:
            waiting.append(len(spans))
            spans.append((label, word, -1))
        for _ in match[2]:
            if not waiting:
                raise BracketError(word, f"{cell!r} closes a bracket that is not open")
            place = waiting.pop()
            spans[place] = (*spans[place][:2], word + 1)
    if waiting:
        label, word, _end = spans[waiting[-1]]
        raise BracketError(word, f"the bracket of {label} is not closed")
    return [(label, (start, end)) for label, start, end in spans]


def mentions(cells: Sequence[str], none: str) -> list[tuple[Span, str]]:
    """Mentions of a column such as `(3|(12`, `12)`, `(3)`: their spans and clusters.

    Brackets of different clusters may cross, so that each cluster has its own stack.

    Args:
        cells: the column.
        none: what stands where nothing opens or closes.

    Raises:
        BracketError: a cell of another form, or brackets that do not match.
    """
    found: list[tuple[Span, str]] = []
    opened: dict[str, list[int]] = {}
    for word, cell in enumerate(cells):
        if cell == none:
            continue
        if not cell or _MENTION.sub("", cell).strip("|"):
            raise BracketError(word, f"{cell!r} is no cell of mentions")
        for match in _MENTION.finditer(cell):
            single, opening, closing = match.groups()
            if single:
                found.append(((word, word + 1), single))
            elif opening:
                opened.setdefault(opening, []).append(word)
            elif opened.get(closing):
                found.append(((opened[closing].pop(), word + 1), closing))
            else:
                raise BracketError(word, f"{cell!r} closes mention {closing}, which is not open")
    for cluster, starts in opened.items():
        if starts:
            raise BracketError(starts[-1], f"mention {cluster} is not closed")
    return sorted(found)
