"""Universal NER's IOB2 columns: entities of one type a span."""

import re
from collections import Counter
from pathlib import Path

from tunescope.corpora.annotations import Span, target
from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.source import read_source, shorten, split_lines
from tunescope.errors import InputError

_COMMENT = re.compile(r"#\s*(sent_id|text)\s*=\s?(.*)")
_MIN_COLUMNS = 3  # word number, word, tag; then a second tag and the annotator


def read_iob2(path: Path) -> Split:
    """Read entities of a Universal NER file.

    Raises:
        InputError: too few columns, numbers that are not consecutive, a tag of another form, or an
            `I-` tag that continues nothing.
    """
    source = read_source(path)
    lines, notes = split_lines(source)
    rows: list[dict[str, object]] = []
    comments: dict[str, str] = {}
    words: list[str] = []
    entities: list[tuple[str, Span]] = []
    open_type = ""
    for number, line in enumerate([*lines, ""], start=1):
        where = source.at(number)
        if line.startswith("#") and not words:
            if match := _COMMENT.match(line):
                comments[match[1]] = match[2]
        elif line.strip():
            columns = line.split("\t")
            if len(columns) < _MIN_COLUMNS:
                raise InputError(
                    where, f"{len(columns)} columns", "Give number, word and tag, cut by tabs"
                )
            if columns[0] != str(len(words) + 1):
                raise InputError(
                    where,
                    f"word number {shorten(columns[0])} where {len(words) + 1} was due",
                    "Number the words of a sentence 1, 2, 3 ...",
                )
            place = len(words)
            words.append(columns[1])
            mark, _, kind = columns[2].partition("-")
            if mark == "B" and kind:
                entities.append((kind, (place, place + 1)))
            elif mark == "I" and kind and kind == open_type:
                entities[-1] = (kind, (entities[-1][1][0], place + 1))
            elif columns[2] != "O":
                raise InputError(
                    where,
                    f"tag {shorten(columns[2])} after {open_type or 'no entity'}",
                    "Use O, B-TYPE, or I-TYPE to continue an entity of that type",
                )
            open_type = kind
        elif words:
            rows.append(
                {
                    "row": len(rows),
                    "id": comments.get("sent_id", str(len(rows))),
                    "text": comments.get("text", " ".join(words)),
                    "words": words,
                    "entities": [target(span, None, [kind]) for kind, span in entities],
                }
            )
            comments, words, entities, open_type = {}, [], [], ""
    if not rows:
        raise InputError(path, "no sentence", "Name a file in IOB2 columns")
    accounting = Accounting(str(path), source.sha256, len(rows), len(rows), {}, Counter(notes))
    return make_split("treebank", rows, (), accounting)
