"""SemEval-2010 task 8: the relation between two marked nominals of a sentence."""

import re
from collections import Counter
from pathlib import Path

from tunescope.corpora.annotations import Span, target
from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.source import read_source, shorten, split_lines
from tunescope.errors import InputError

_DIRECTED = (
    "Cause-Effect",
    "Instrument-Agency",
    "Product-Producer",
    "Content-Container",
    "Entity-Origin",
    "Entity-Destination",
    "Component-Whole",
    "Member-Collection",
    "Message-Topic",
)
#: The 19 classes: nine relations in two directions, and Other.
RELATIONS = (*(f"{name}({order})" for name in _DIRECTED for order in ("e1,e2", "e2,e1")), "Other")

_RECORD = re.compile(r'(\d+)\t"(.*)"\s*')
_TAGS = re.compile(r"(.*)<e1>(.*)</e1>(.*)<e2>(.*)</e2>(.*)")
GLUED = "entities that are part of a longer token"


def read_semeval2010(path: Path) -> Split:
    """Read the official file with labels.

    As in the data of edge probing, words are what blanks separate once the tags are gone, and an
    entity's span is the words that it touches (its punctuation and glued neighbours come along,
    counted in the notes). `span1` is e1, `span2` is e2.

    Raises:
        InputError: a record that is no sentence with both tags, or a label outside the 19.
    """
    source = read_source(path)
    lines, notes = split_lines(source)
    counts = Counter(notes)
    rows: list[dict[str, object]] = []
    waiting: tuple[str, str, Span, Span] | None = None
    for number, line in enumerate(lines, start=1):
        where = source.at(number)
        if waiting is not None:
            label = line.strip()
            if label not in RELATIONS:
                raise InputError(
                    where,
                    f"label {shorten(label)} of record {waiting[0]} is none of the task's 19",
                    "Name the file with labels (TRAIN_FILE, TEST_FILE_FULL), or correct the label",
                )
            name, text, first, second = waiting
            rows.append(
                {
                    "row": len(rows),
                    "id": name,
                    "text": text,
                    "words": text.split(),
                    "relations": [target(first, second, [label])],
                }
            )
            waiting = None
        elif match := _RECORD.fullmatch(line):
            parts = _TAGS.fullmatch(match[2])
            if not parts or not parts[2].strip() or not parts[4].strip():
                raise InputError(
                    where,
                    f"record {match[1]} lacks <e1>..</e1> before <e2>..</e2>",
                    "Get the official file, or mend the tags",
                )
            waiting = (match[1], *_untag(parts.groups(), counts))
        elif line.strip() and not line.startswith("Comment:"):
            raise InputError(
                where,
                f"{shorten(line)} begins no record",
                'Records are: number, tab, "sentence"; label; Comment: ...; blank line',
            )
    if waiting is not None or not rows:
        raise InputError(
            source.at(len(lines)), "the file ends before a label", "Get the file again; it was cut"
        )
    accounting = Accounting(str(path), source.sha256, len(rows), len(rows), {}, dict(counts))
    return make_split("treebank", rows, (), accounting)


def _untag(parts: tuple[str, ...], counts: Counter[str]) -> tuple[str, Span, Span]:
    """Text without tags, and the words that each entity touches."""
    text = "".join(parts)
    tokens = [match.span() for match in re.finditer(r"\S+", text)]
    spans = []
    for before in (1, 3):
        entity = parts[before]
        start = sum(map(len, parts[:before])) + len(entity) - len(entity.lstrip())
        end = start + len(entity.strip())
        touched = [n for n, (left, right) in enumerate(tokens) if left < end and right > start]
        if (tokens[touched[0]][0], tokens[touched[-1]][1]) != (start, end):
            counts[GLUED] += 1
        spans.append((touched[0], touched[-1] + 1))
    return text, spans[0], spans[1]
