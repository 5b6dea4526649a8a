"""Fine-tuning scores: kovaleva2019's Table 1, and the scores in merchant2020's text."""

import pandas as pd

from tunescope.names import METRIC_NAMES, STARTS, score_rows, task_name
from tunescope.report.content import Block, Cell, Findings, Note, Paragraph, Section, Table, picture
from tunescope.report.material import Material, counted, interval, percent
from tunescope.tables import FINETUNING_SUMMARY, of_encoder, require_columns

_DAGGER = "\N{DAGGER}"
#: Rows of the summary that are differences between two starts, seed by seed.
_DIFFERENCE = "pretrained minus random"
_GROUPS = ("Not tuned", "From random", "From pre-trained")

_CLAIM = (
    "What fine-tuning achieves rests on pre-training: from random weights the same schedule learns "
    "little and ends in a constant answer on several tasks, while the pre-trained encoder gains "
    "35.9 points on average over not being tuned."
)
_METHOD = (
    "Each task is scored on its development set in three ways: with the pre-trained encoder and a "
    "classifier that was not trained, after fine-tuning an encoder of random weights, and after "
    "fine-tuning the pre-trained one. The three share data, schedule and metric."
)
_OTHER_ENCODER = (
    "The published numbers are BERT-base's on the official data. For another encoder or other data "
    "the order of the three columns compares, their level does not."
)
_ALT = (
    "Dot plot of the scores in the table above: one row a task and metric, one mark for each of "
    "the three starts."
)
_CAPTION = (
    "Scores on the development sets: mean over seeds with its interval. Small dots are single "
    "seeds, hollow marks the published scores. A cross marks a start with a seed whose model gives "
    "the same answer to every example."
)
_TABLE_NOTES = (
    "Here: the mean over seeds (over the random weights of untrained classifiers) and below it the "
    "interval of the mean.",
    f"{_DAGGER} Constant predictor: in so many of the runs the model gives every example the same "
    "answer. In the published table this is inferred from scores that equal those of one answer.",
    "The published STS-B score is printed as an accuracy, but only a correlation fits.",
)


def finetuning_section(material: Material) -> Section:
    """Three starts, task by task, beside the published table."""
    summary = require_columns(
        material.tables["summary_finetuning"], FINETUNING_SUMMARY, where="summary_finetuning"
    )
    scores = material.tables["finetuning"]
    published = material.published("kovaleva2019_table1")
    encoders = sorted(set(summary["encoder"]))
    blocks: list[Block] = [Paragraph(_METHOD)]
    if set(encoders) - material.published_encoders:
        blocks.append(Note("Comparing", _OTHER_ENCODER, caution=True))
    blocks += material.seen_note(encoders, summary["task"])
    for encoder in encoders:
        part = summary[summary["encoder"] == encoder]
        blocks.append(Findings(_findings(part, published, encoder)))
        blocks.append(_table(part, scores, published, encoder))
    if "kovaleva2019_table1" in material.figures:
        blocks.append(picture(material.figures["kovaleva2019_table1"], alt=_ALT, caption=_CAPTION))
    return Section(
        anchor="finetuning",
        title="Scores after fine-tuning",
        source="kovaleva2019, Table 1",
        claim=_CLAIM,
        blocks=tuple(blocks),
    )


def _table(
    part: pd.DataFrame, scores: pd.DataFrame, published: pd.DataFrame, encoder: str
) -> Table:
    rows = []
    for task, metric in score_rows(part):
        cells: list[Cell | str] = [task_name(task), METRIC_NAMES.get(metric, metric)]
        for start in STARTS:
            cells.append(_own_cell(part, scores, encoder, task, start, metric))
            cells.append(_published_cell(published, task, start, metric))
        rows.append(tuple(cells))
    return Table(
        caption=f"{encoder}: scores on the development sets, times 100",
        columns=("Task", "Metric", *(name for _ in STARTS for name in ("here", "published"))),
        groups=(("", 2), *((name, 2) for name in _GROUPS)),
        rows=tuple(rows),
        headers=2,
        notes=_TABLE_NOTES,
    )


def _own_cell(
    part: pd.DataFrame, scores: pd.DataFrame, encoder: str, task: str, start: str, metric: str
) -> Cell:
    found = _pick(part, task, start, metric)
    if found.empty:
        return Cell("")
    row = found.iloc[0]
    runs = _pick(of_encoder(scores, encoder), task, start, metric)
    constant = int(runs["constant"].astype(bool).sum())
    text = percent(float(row["value"]))
    if constant:
        text += f" {_DAGGER}"
    details = [interval(float(row["low"]), float(row["high"]), places=1, factor=100)]
    if constant:
        details.append(f"{constant} of {len(runs)} constant")
    return Cell(text, "\n".join(filter(None, details)), "strong")


def _published_cell(published: pd.DataFrame, task: str, start: str, metric: str) -> Cell:
    found = _pick(published, task, start, metric)
    if found.empty:
        return Cell("", look="published")
    row = found.iloc[0]
    text = percent(float(row["value"]))
    return Cell(f"{text} {_DAGGER}" if row["constant"] else text, look="published")


def _pick(table: pd.DataFrame, task: str, start: str, metric: str) -> pd.DataFrame:
    return table[
        (table["task"] == task) & (table["initialisation"] == start) & (table["metric"] == metric)
    ]


def _findings(part: pd.DataFrame, published: pd.DataFrame, encoder: str) -> tuple[str, ...]:
    """Sentences on the three columns, counted from the headline metric of each task."""
    headline = _wide(part)
    sentences = []
    if {"pretrained", "random"} <= set(headline):
        both = headline.dropna(subset=["pretrained", "random"])
        above = int((both["pretrained"] > both["random"]).sum())
        text = (
            f"{encoder}: fine-tuning from pre-trained weights scores above fine-tuning from random "
            f"weights on {above} of {counted(len(both), 'task')}"
        )
        if f"{_DIFFERENCE}_low" in both:
            clear = int((both[f"{_DIFFERENCE}_low"] > 0).sum())
            text += f"; the interval of the difference lies above 0 on {clear}"
        sentences.append(f"{text}.")
    if {"pretrained", "none"} <= set(headline):
        both = headline.dropna(subset=["pretrained", "none"])
        theirs = _wide(published.assign(low=float("nan"), high=float("nan")))
        shared = theirs.loc[theirs.index.intersection(both.index)]
        gain = float((both["pretrained"] - both["none"]).mean())
        text = (
            f"{encoder}: the average gain over not being tuned is {percent(gain)} points over "
            f"{counted(len(both), 'task')}"
        )
        if len(shared):
            published_gain = float((shared["pretrained"] - shared["none"]).mean())
            text += f" ({percent(published_gain)} as published, over {len(shared)} of them)"
        sentences.append(f"{text}. Where there are two metrics, accuracy counts.")
    return tuple(sentences)


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    """One row a task, values and interval ends by start; accuracy where there are two metrics."""
    order = {"accuracy": 0, "pearson": 1}
    ranked = table.assign(rank=table["metric"].map(order).fillna(len(order)))
    best = ranked[ranked["rank"] == ranked.groupby("task")["rank"].transform("min")]
    rows: dict[str, dict[str, float]] = {}
    for row in best.drop_duplicates(["task", "initialisation"]).to_dict("records"):
        for kind, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
            rows.setdefault(str(row["task"]), {})[f"{row['initialisation']}{suffix}"] = row[kind]
    return pd.DataFrame.from_dict(rows, orient="index")
