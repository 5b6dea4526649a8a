"""SQuAD v1.1's JSON: questions on paragraphs, answers by code-point offset."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.source import read_source, shorten
from tunescope.errors import InputError

FOUND_BY_TEXT = "answers without an offset, placed where their text stands once"
NO_OFFSET = "answers without an offset, their text stands several times"
NO_SPAN = "no answer with an offset"


@dataclass(frozen=True)
class Question:
    """One question as the source gives it; an answer's offset may be unknown."""

    where: str
    id: str
    title: str
    question: str
    context: str
    answers: tuple[tuple[str, int | None], ...]


def read_squad(path: Path, *, need_offsets: bool = False) -> Split:
    """Read a SQuAD v1.1 file.

    Contexts, questions and answers stay as they are, blanks included. `start` counts Unicode code
    points, and the answer's text must stand there. An answer whose `answer_start` is null gets the
    only place where its text stands; when there are several, its start stays null, which is enough
    for exact match and F1 but not for training.

    Args:
        path: the file.
        need_offsets: drop (and count) questions none of whose answers has an offset; set it for
            training splits.

    Raises:
        InputError: no JSON, missing keys, a question without answers or with an id seen before, an
            answer that is not at its offset or not in its context.
    """
    source = read_source(path)
    try:
        document = json.loads(source.text)
    except json.JSONDecodeError as error:
        raise InputError(
            source.at(error.lineno),
            f"no JSON: {error.msg} (column {error.colno})",
            "Get the file again; it was cut or changed",
        ) from None
    questions = _questions(path, document)
    return squad_split(
        questions,
        source=str(path),
        sha256=source.sha256,
        notes=source.notes,
        need_offsets=need_offsets,
    )


def squad_split(
    questions: Iterator[Question],
    *,
    source: str,
    sha256: str,
    notes: dict[str, int],
    need_offsets: bool,
) -> Split:
    """Check questions and make a split of them."""
    counts = Counter(notes)
    rows: list[dict[str, object]] = []
    dropped = read = 0
    seen: dict[str, str] = {}
    for question in questions:
        if question.id in seen:
            raise InputError(
                question.where,
                f"question id {question.id!r} was used before, at {seen[question.id]}",
                "Give every question its own id",
            )
        seen[question.id] = question.where
        answers = [_place(question, text, start, counts) for text, start in question.answers]
        if need_offsets and all(answer["start"] is None for answer in answers):
            dropped += 1
        else:
            rows.append(
                {
                    "row": read,
                    "id": question.id,
                    "title": question.title,
                    "question": question.question,
                    "context": question.context,
                    "answers": answers,
                }
            )
        read += 1
    if not rows:
        raise InputError(
            source, f"no usable question of {read}", "Name a SQuAD v1.1 file with answers"
        )
    accounting = Accounting(
        source, sha256, read, len(rows), {NO_SPAN: dropped} if dropped else {}, dict(counts)
    )
    return make_split("question_answering", rows, (), accounting)


def _place(
    question: Question, text: str, start: int | None, counts: Counter[str]
) -> dict[str, object]:
    """An answer with its offset checked, or found."""
    context = question.context
    if start is None:
        first = context.find(text)
        if first < 0:
            raise InputError(
                question.where,
                f"question {question.id}: answer {shorten(text)} is not in its context",
                "Give the answer as it stands in the context",
            )
        if context.find(text, first + 1) < 0:
            counts[FOUND_BY_TEXT] += 1
            return {"text": text, "start": first}
        counts[NO_OFFSET] += 1
        return {"text": text, "start": None}
    found = context[start : start + len(text)] if start >= 0 else ""
    if found != text:
        elsewhere = context.find(text)
        hint = f"; it stands at {elsewhere}" if elsewhere >= 0 else ""
        raise InputError(
            question.where,
            f"question {question.id}: answer {shorten(text)} is not at offset {start}, where the "
            f"context has {shorten(found)}{hint}",
            "Count offsets in Unicode code points of the context as it is, or get the official one",
        )
    return {"text": text, "start": start}


def _questions(path: Path, document: object) -> Iterator[Question]:
    """All questions of an official document, in order."""
    for a, article in enumerate(_list(document, "data", f"{path}")):
        at_article = f"{path}: data[{a}]"
        title = _text(article, "title", at_article)
        for p, paragraph in enumerate(_list(article, "paragraphs", at_article)):
            at_paragraph = f"{at_article}.paragraphs[{p}]"
            context = _text(paragraph, "context", at_paragraph)
            for q, question in enumerate(_list(paragraph, "qas", at_paragraph)):
                where = f"{at_paragraph}.qas[{q}]"
                answers = tuple(
                    (
                        _text(answer, "text", f"{where}.answers[{n}]", empty=False),
                        _start(answer, f"{where}.answers[{n}]"),
                    )
                    for n, answer in enumerate(_list(question, "answers", where))
                )
                if not answers:
                    raise InputError(
                        where,
                        "a question without answers",
                        "Use SQuAD 1.1 (questions of version 2.0 may have none), with answers",
                    )
                yield Question(
                    where,
                    _text(question, "id", where, empty=False),
                    title,
                    _text(question, "question", where),
                    context,
                    answers,
                )


def _value(node: object, key: str, where: str) -> object:
    if not isinstance(node, dict) or key not in node:
        keys = ", ".join(node) if isinstance(node, dict) else type(node).__name__
        raise InputError(where, f"no key {key!r} (found: {keys})", "Name a file in SQuAD's layout")
    return node[key]


def _list(node: object, key: str, where: str) -> list[object]:
    value = _value(node, key, where)
    if not isinstance(value, list):
        raise InputError(
            where, f"{key} is a {type(value).__name__}, not a list", "Name a file in SQuAD's layout"
        )
    return value


def _text(node: object, key: str, where: str, *, empty: bool = True) -> str:
    value = _value(node, key, where)
    if not isinstance(value, str) or not (value or empty):
        raise InputError(where, f"{key} is {value!r}, not a text", "Name a file in SQuAD's layout")
    return value


def _start(answer: object, where: str) -> int | None:
    value = _value(answer, "answer_start", where)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise InputError(
        where, f"answer_start is {value!r}, not a whole number", "Name a file in SQuAD's layout"
    )
