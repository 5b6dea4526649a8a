"""The data of edge probing as jiant stores it: one JSON object a line, targets with spans."""

import json
from collections import Counter
from pathlib import Path

from tunescope.corpora.annotations import Span, target
from tunescope.corpora.canonical import SPAN_ANNOTATIONS, Accounting, Split, make_split
from tunescope.corpora.source import read_source, shorten, split_lines
from tunescope.corpora.trees import tree_problem
from tunescope.errors import InputError

NO_TARGET = "record without targets"
#: What the targets may be about: a canonical column of spans, `pos` (goes to `xpos`), or
#: `dependencies` (goes to `heads` and `deprels`).
ANNOTATIONS = (*SPAN_ANNOTATIONS, "pos", "dependencies")

_REMEDY = 'Write {"text": "...", "targets": [{"span1": [0, 1], "label": "..."}]} on every line'


def read_edge_probing(path: Path, *, annotation: str) -> Split:
    """Read records of text (words joined by one blank) and targets (spans end exclusive).

    Records without targets are dropped and counted, as jiant skips them; a target whose list of
    labels is empty stays. Semantic roles have a record a predicate, so that a sentence may come
    more than once.

    Args:
        path: the file.
        annotation: one of `ANNOTATIONS`. For `pos` every word needs exactly one target; for
            `dependencies` too, with `span2` the head or, for the root, the word itself.

    Raises:
        InputError: a line that is no such record, a span out of range, or, for `dependencies`,
            targets that make no tree.
    """
    if annotation not in ANNOTATIONS:
        raise ValueError(f"annotation {annotation!r} is not one of {', '.join(ANNOTATIONS)}")
    source = read_source(path)
    lines, notes = split_lines(source)
    rows: list[dict[str, object]] = []
    dropped = 0
    for place, line in enumerate(lines):
        where = source.at(place + 1)
        words, targets, name = _record(line, where)
        if not targets:
            dropped += 1
            continue
        row: dict[str, object] = {
            "row": place,
            "id": name or str(place),
            "text": " ".join(words),
            "words": words,
        }
        if annotation in SPAN_ANNOTATIONS:
            row[annotation] = [target(*one) for one in targets]
        else:
            row |= _per_word(words, targets, annotation, where)
        rows.append(row)
    if not rows:
        raise InputError(path, "no record has a target", _REMEDY)
    account = Accounting(
        source=str(path),
        sha256=source.sha256,
        read=len(lines),
        kept=len(rows),
        dropped={NO_TARGET: dropped} if dropped else {},
        notes=Counter(notes),
    )
    return make_split("treebank", rows, (), account)


_Target = tuple[Span, Span | None, list[str]]


def _record(line: str, where: str) -> tuple[list[str], list[_Target], str]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(where, f"no JSON: {error.msg} (column {error.colno})", _REMEDY) from None
    text = record.get("text") if isinstance(record, dict) else None
    targets = record.get("targets") if isinstance(record, dict) else None
    if not isinstance(text, str) or not isinstance(targets, list):
        raise InputError(where, "a record without text or targets", _REMEDY)
    words = text.split(" ")
    if words != text.split():
        raise InputError(
            where, "words are not joined by single blanks", "Spans count words cut at one blank"
        )
    info = record.get("info")
    name = str(info.get("document_id", "")) if isinstance(info, dict) else ""
    return words, [_one(item, len(words), where) for item in targets], name


def _one(item: object, size: int, where: str) -> _Target:
    if not isinstance(item, dict) or "span1" not in item:
        raise InputError(where, f"target {shorten(str(item))} has no span1", _REMEDY)
    label = item.get("label")
    labels = [label] if isinstance(label, str) else label
    if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels):
        raise InputError(where, f"label {shorten(str(label))} is no text or list of texts", _REMEDY)
    first = _span(item["span1"], size, where)
    second = item.get("span2")
    return first, None if second is None else _span(second, size, where), labels


def _span(value: object, size: int, where: str) -> Span:
    if isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value):
        start, end = value
        if 0 <= start < end <= size:
            return start, end
    raise InputError(
        where,
        f"span {shorten(str(value))} is no range of the {size} words",
        "Give [start, end], words counted from 0, end exclusive",
    )


def _per_word(
    words: list[str], targets: list[_Target], annotation: str, where: str
) -> dict[str, object]:
    """Columns of one value a word, from one target a word."""
    starts = sorted(first for first, _, _ in targets)
    if starts != [(word, word + 1) for word in range(len(words))]:
        raise InputError(
            where,
            f"{len(targets)} targets do not name each of the {len(words)} words once",
            f"{annotation} needs one target of one word for every word",
        )
    labels = [""] * len(words)
    heads = [0] * len(words)
    for (word, _), head, names in targets:
        if len(names) != 1:
            raise InputError(where, f"word {word} has {len(names)} labels", "Give it one label")
        labels[word] = names[0]
        if annotation == "dependencies":
            if head is None or head[1] != head[0] + 1:
                raise InputError(where, f"word {word} has no head word", "Give span2, the head")
            heads[word] = 0 if head[0] == word else head[0] + 1
    if annotation == "pos":
        return {"xpos": labels}
    if problem := tree_problem(heads):
        raise InputError(where, problem[1], "Correct span2 (the head) of the targets")
    return {"heads": heads, "deprels": labels}
