"""From the hub's columns to the canonical ones, labels by name."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.glue import EMPTY_TEXT, NO_GOLD_LABEL, check_score
from tunescope.corpora.glue_layouts import GLUE_LAYOUTS, GlueLayout
from tunescope.corpora.source import shorten
from tunescope.corpora.squad import Question, squad_split
from tunescope.corpora.trees import tree_problem
from tunescope.errors import InputError

NO_WORD = "multiword tokens and empty nodes left out"


@dataclass(frozen=True)
class HubSource:
    """A loaded split: its name for messages, the types of its columns, its rows."""

    name: str
    features: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]

    def at(self, row: int) -> str:
        """A row, counted from 0 as on the hub, for messages."""
        return f"{self.name}, row {row}"


def require_columns(source: HubSource, wanted: Sequence[str], layout: str) -> None:
    """Raise an `InputError` when a column is missing, naming those that are there."""
    missing = [name for name in wanted if name not in source.features]
    if missing:
        raise InputError(
            source.name,
            f"no column {', '.join(map(repr, missing))} (columns: {', '.join(source.features)})",
            f"Name a data set with the columns of {layout}, or correct `format`",
        )


def glue_hub_split(source: HubSource, *, sha256: str, layout: str) -> Split:
    """A task of GLUE, or SNLI: labels are mapped by the names that the data set itself declares."""
    task = GLUE_LAYOUTS[layout]
    texts = [name for name in (task.hub_text_a, task.hub_text_b) if name]
    require_columns(source, [*texts, "label"], layout)
    names = None if task.kind == "regression" else _label_names(source, task)
    rows: list[dict[str, object]] = []
    dropped: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    for place, values in enumerate(source.rows):
        record: dict[str, object] = {"row": place}
        for column, text in zip(("text_a", "text_b"), texts, strict=False):
            record[column] = _string(values[text], source.at(place), text)
        if names is None:
            # float32 on the hub: its shortest decimal form is the score of the official file.
            score = check_score(str(np.float32(values["label"])), source.at(place))
            record["score"] = score
        else:
            label = values["label"]
            if label == -1 and task.unlabelled and layout == "glue-snli":
                dropped[NO_GOLD_LABEL] += 1
                continue
            record["label"] = _label(label, names, source.at(place), task)
        if not all(str(values[text]).strip() for text in texts):
            notes[EMPTY_TEXT] += 1
        rows.append(record)
    if not rows:
        raise InputError(source.name, "no labelled row", "Name another split")
    accounting = Accounting(
        source.name, sha256, len(source.rows), len(rows), dict(dropped), dict(notes)
    )
    return make_split(task.kind, rows, task.label_names, accounting)


def question_hub_split(source: HubSource, *, sha256: str, training: bool) -> Split:
    """SQuAD's columns: id, title, context, question, answers of text and answer_start."""
    require_columns(source, ["id", "title", "context", "question", "answers"], "squad")
    return squad_split(
        _questions(source), source=source.name, sha256=sha256, notes={}, need_offsets=training
    )


def treebank_hub_split(source: HubSource, *, sha256: str) -> Split:
    """Universal Dependencies in the hub's columns: tokens, upos, head, deprel; xpos, text, idx.

    Some copies list multiword tokens among the words, with `None` or `_` as head: these are left
    out and counted.
    """
    require_columns(source, ["tokens", "upos", "head", "deprel"], "conllu")
    upos_names = _names_of(source.features["upos"])
    rows: list[dict[str, object]] = []
    notes: Counter[str] = Counter()
    for place, values in enumerate(source.rows):
        where = source.at(place)
        columns = {
            name: values[name]
            for name in ("tokens", "upos", "xpos", "head", "deprel")
            if name in values
        }
        lengths = {name: len(column) for name, column in columns.items() if column is not None}
        if len(set(lengths.values())) != 1:
            raise InputError(
                where,
                f"columns of different lengths {lengths}",
                "Name another copy of the treebank",
            )
        words = [w for w, head in enumerate(columns["head"]) if str(head) not in ("None", "_")]
        if len(words) < len(columns["head"]):
            notes[NO_WORD] += len(columns["head"]) - len(words)
        heads = [_head(columns["head"][w], where) for w in words]
        if problem := tree_problem(heads):
            raise InputError(where, problem[1], "Name another copy or revision of the treebank")
        upos = [columns["upos"][w] for w in words]
        if upos_names is not None:
            upos = [tag if isinstance(tag, str) else upos_names[tag] for tag in upos]
        forms = [_string(columns["tokens"][w], where, "tokens") for w in words]
        xpos = columns.get("xpos")
        rows.append(
            {
                "row": place,
                "id": str(values.get("idx") or values.get("sent_id") or place),
                "text": values.get("text") or " ".join(forms),
                "words": forms,
                "upos": upos,
                "xpos": [str(xpos[w]) for w in words] if xpos is not None else None,
                "heads": heads,
                "deprels": [columns["deprel"][w] for w in words],
            }
        )
    accounting = Accounting(source.name, sha256, len(rows), len(rows), {}, dict(notes))
    return make_split("treebank", rows, (), accounting)


def _label_names(source: HubSource, task: GlueLayout) -> tuple[str, ...]:
    """The data set's own label names in the order of its ids, checked to be those of the task."""
    names = _names_of(source.features["label"])
    if names is None:
        if getattr(source.features["label"], "dtype", None) == "string":
            return task.label_names
        raise InputError(
            source.name,
            "column 'label' has numbers without names, whose order cannot be known",
            "Name a data set that declares its label names (ClassLabel), or use official files",
        )
    if set(names) != set(task.label_names):
        raise InputError(
            source.name,
            f"labels {', '.join(names)} are not those of the task, {', '.join(task.label_names)}",
            "Correct `configuration` or `format`",
        )
    return names


def _names_of(feature: Any) -> tuple[str, ...] | None:
    """Names of a column of class labels, or of lists of them."""
    inner = getattr(feature, "feature", feature)
    names = getattr(inner, "names", None)
    return tuple(names) if names else None


def _label(label: object, names: tuple[str, ...], where: str, task: GlueLayout) -> str:
    if isinstance(label, str) and label in task.label_names:
        return label
    if isinstance(label, int) and 0 <= label < len(names):
        return names[label]
    if label == -1:
        raise InputError(
            where,
            "label -1: the labels of this split are withheld",
            "Use the train or validation split; GLUE scores its test sets on its own server",
        )
    raise InputError(
        where, f"label {label!r} is none of {', '.join(names)}", "Name another copy of the data set"
    )


def _questions(source: HubSource) -> Iterator[Question]:
    for place, values in enumerate(source.rows):
        where = source.at(place)
        answers = values["answers"]
        texts, starts = answers.get("text"), answers.get("answer_start")
        if not texts or starts is None or len(texts) != len(starts):
            raise InputError(
                where,
                f"answers {shorten(str(answers))} lack a text or an answer_start",
                "Name a data set in SQuAD 1.1's layout; version 2.0 has questions without answers",
            )
        yield Question(
            where,
            _string(values["id"], where, "id"),
            _string(values["title"], where, "title"),
            _string(values["question"], where, "question"),
            _string(values["context"], where, "context"),
            tuple(zip(texts, starts, strict=True)),
        )


def _string(value: object, where: str, column: str) -> str:
    if not isinstance(value, str):
        raise InputError(
            where, f"{column} is {value!r}, not a text", "Name another copy of the data set"
        )
    return value


def _head(value: object, where: str) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise InputError(
            where, f"head {value!r} is no number", "Name another copy of the treebank"
        ) from None
