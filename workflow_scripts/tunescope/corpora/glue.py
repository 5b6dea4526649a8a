"""The official GLUE files: tab-separated, never quoted, columns found by their header names."""

import math
from collections import Counter
from pathlib import Path

from tunescope.corpora.canonical import Accounting, Split, make_split
from tunescope.corpora.glue_layouts import GLUE_LAYOUTS, SCORE_RANGE, GlueLayout
from tunescope.corpora.source import Source, read_source, shorten, split_lines
from tunescope.errors import InputError

#: QQP's official train file has fewer broken lines than this; more mean another kind of damage.
MAX_BROKEN_LINES = 20

NO_GOLD_LABEL = "no gold label (annotators disagreed)"
BROKEN_LINE = "line with too few fields"
ODD_QUOTES = "rows with an odd number of double quotes, kept as they are"
EMPTY_TEXT = "rows with an empty text, kept"


def read_glue(path: Path, *, layout: str) -> Split:
    r"""Read one official file of a GLUE task (or of SNLI in GLUE's layout).

    Fields are cut at tabs and rows at `\n`, nothing else: quotes are characters of the text. Labels
    are taken by name, so that their order is that of the hub for every source.

    Args:
        path: the TSV file.
        layout: a key of `GLUE_LAYOUTS`, such as `glue-mrpc`.

    Raises:
        InputError: missing columns, a line with another number of fields, a label or score outside
            its set, or a file without labels (GLUE's test files).
    """
    task = GLUE_LAYOUTS[layout]
    source = read_source(path)
    lines, file_notes = split_lines(source)
    notes = Counter(file_notes)
    while lines[-1] == "":
        lines.pop()
        notes["blank lines at the end of the file"] += 1
    header = lines[0].split("\t")
    columns = _columns(source, header, layout, task)
    text_a, text_b, target = columns

    rows: list[dict[str, object]] = []
    dropped: Counter[str] = Counter()
    whole_end = "last line without a line end" not in notes
    for row, line in enumerate(lines[1:]):
        where = source.at(row + 2)
        fields = line.split("\t")
        if len(fields) < len(header):
            cut_end = row + 2 == len(lines) and not whole_end
            if task.may_drop_broken and not cut_end and dropped[BROKEN_LINE] < MAX_BROKEN_LINES:
                dropped[BROKEN_LINE] += 1
                continue
            raise InputError(
                where,
                f"{len(fields)} fields, but the header has {len(header)}: the line is cut",
                "Get the file again, or mend the line; line breaks cannot stand inside a field",
            )
        surplus = len(fields) - len(header)
        if surplus not in (0, task.extra_fields):
            raise InputError(
                where,
                f"{len(fields)} fields, but the header has {len(header)}",
                "Remove the tabs that stand inside a text",
            )
        if surplus:
            notes["rows with more annotators' labels than the header names"] += 1
        raw = fields[-1] if task.target_is_last else fields[target]
        if raw in task.unlabelled:
            dropped[NO_GOLD_LABEL] += 1
            continue
        texts = [fields[text_a]] if text_b is None else [fields[text_a], fields[text_b]]
        if sum(text.count('"') for text in texts) % 2:
            notes[ODD_QUOTES] += 1
        if not all(text.strip() for text in texts):
            notes[EMPTY_TEXT] += 1
        record: dict[str, object] = {"row": row, "text_a": texts[0]}
        if text_b is not None:
            record["text_b"] = texts[1]
        if task.kind == "regression":
            record["score"] = check_score(raw, where)
        else:
            record["label"] = _label(raw, where, task)
        rows.append(record)

    if not rows:
        raise InputError(path, "no labelled row", "Get the file again, or name another one")
    accounting = Accounting(
        str(path), source.sha256, len(lines) - 1, len(rows), dict(dropped), dict(notes)
    )
    return make_split(task.kind, rows, task.label_names, accounting)


def check_score(value: str | float, where: str) -> float:
    """A similarity score on STS-B's scale of 0 to 5, or an `InputError` at `where`."""
    try:
        score = float(value)
    except ValueError:
        score = math.nan
    low, high = SCORE_RANGE
    if not low <= score <= high:  # false for NaN too
        raise InputError(
            where,
            f"score {shorten(str(value))} is no number from {low:g} to {high:g}",
            "Correct the score or remove the row; test files without scores cannot be used",
        )
    return score


def _label(raw: str, where: str, task: GlueLayout) -> str:
    try:
        return task.labels[raw]
    except KeyError:
        pass
    if raw == "-1":
        raise InputError(
            where,
            "label -1: the labels of this file are withheld",
            "Use the dev file; GLUE scores its test files on its own server",
        )
    raise InputError(
        where,
        f"label {shorten(raw)} is not one of {', '.join(task.labels)}",
        "Correct the label, or the corpus's `format`",
    )


def _columns(
    source: Source, header: list[str], layout: str, task: GlueLayout
) -> tuple[int, int | None, int]:
    """Places of the two texts and the target in a line."""
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise InputError(source.at(1), f"column {twice[0]!r} stands twice", "Rename one of them")
    wanted = [name for name in (task.text_a, task.text_b, task.target) if name]
    missing = [name for name in wanted if name not in header]
    if missing == [task.target]:
        raise InputError(
            source.at(1),
            f"no column {task.target!r}: the file has no labels (columns: {', '.join(header)})",
            "Use the train or dev file; GLUE withholds the labels of its test files",
        )
    if missing:
        fitting = [
            name
            for name, other in GLUE_LAYOUTS.items()
            if {other.text_a, other.target, *([other.text_b] if other.text_b else [])}
            <= set(header)
        ]
        hint = f"; these columns fit {' or '.join(fitting)}" if fitting else ""
        raise InputError(
            source.at(1),
            f"no column {', '.join(map(repr, missing))} in the header of a {layout} file "
            f"(columns: {shorten(', '.join(header), 200)})",
            f"Name the right file, or correct the corpus's `format`{hint}",
        )
    if task.target_is_last and header[-1] != task.target:
        raise InputError(
            source.at(1),
            f"the last column is {header[-1]!r}, not {task.target!r}",
            "Use the file in GLUE's layout, whose last field is the gold label",
        )
    places = {name: place for place, name in enumerate(header)}
    text_b = places[task.text_b] if task.text_b else None
    return places[task.text_a], text_b, places[task.target]
