"""RSA of fine-tuned against pre-trained encoders: merchant2020's Figures 2 and 5."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from tunescope.names import task_name, task_order
from tunescope.report.content import Block, Cell, Findings, Note, Paragraph, Section, Table, picture
from tunescope.report.material import Material, counted, interval, listed, shown
from tunescope.tables import RSA_SUMMARY, blocks_of, layer_number, require_columns

_SOURCE = "merchant2020, Figure {}"
_CLAIM_LAYERS = (
    "Fine-tuning changes the upper layers and leaves the lower ones almost as they were. On text "
    "outside the task's domain, MNLI keeps closest to the pre-trained encoder below the last "
    "layer, SQuAD follows it up to the middle, and dependency parsing departs earliest."
)
_CLAIM_DOMAINS = (
    "The change is specific to the task's own inputs: in the upper layers a tuned encoder departs "
    "much further from the pre-trained one on them than on ordinary text."
)
_METHOD = (
    "The same tokens go through the pre-trained and the fine-tuned encoder. In each layer, cosine "
    "similarities between all pairs of tokens are taken in both, and their Pearson correlation is "
    "the similarity of the two layers (representational similarity analysis, RSA): 1 means that "
    "fine-tuning left the geometry as it was."
)
_DEPTH = (
    "The published curves have 12 layers. They are drawn and tabulated beside encoders of 12 "
    "layers only; for other encoders compare the shape of the curves."
)
_NOTES = (
    "Layers count from 0, the output of the first block; embeddings are the input to it. Below "
    "each value its interval. Published values are read off the paper's figure.",
)
_ALT = (
    "Line chart of the values in the table below: similarity to the pre-trained encoder against "
    "layer, {}."
)


def similarity_by_layer_section(material: Material) -> Section | None:
    """One line a task on text outside the tasks' domain; None if there is no such text."""
    summary = _summary(material, ("out",))
    if summary.empty:
        return None
    published = material.published("merchant2020_figure2")
    blocks: list[Block] = [Paragraph(_METHOD)]
    blocks += _comparison_note(summary, published)
    blocks += material.seen_note(sorted(set(summary["encoder"])), summary["task"])
    blocks.append(Findings(tuple(_falls(material, summary))))
    if "merchant2020_figure2" in material.figures:
        caption = (
            "Similarity to the pre-trained encoder, layer by layer, on text outside the tasks' "
            "domain. Bands are intervals; dotted lines are published values where drawn."
        )
        alt = _ALT.format("one line a task")
        blocks.append(picture(material.figures["merchant2020_figure2"], alt=alt, caption=caption))
    for encoder in sorted(set(summary["encoder"])):
        part = summary[summary["encoder"] == encoder]
        blocks.append(_table(part, published, f"{encoder}: RSA, text outside the tasks' domain"))
    blocks += _measure_table(material, ("out",))
    return Section(
        anchor="similarity-by-layer",
        title="Which layers change",
        source=_SOURCE.format(2),
        claim=_CLAIM_LAYERS,
        blocks=tuple(blocks),
    )


def similarity_by_domain_section(material: Material) -> Section | None:
    """In the task's domain against outside it; None if no task has inputs of its own."""
    summary = _summary(material, ("in", "out"))
    own = summary[summary["domain"] == "in"]
    if own.empty:
        return None
    summary = summary[summary["task"].isin(set(own["task"]))]
    published = material.published("merchant2020_figure5")
    blocks = _comparison_note(summary, published)
    blocks += material.seen_note(sorted(set(summary["encoder"])), summary["task"])
    blocks.append(Findings(tuple(_domains_apart(material))))
    if "merchant2020_figure5" in material.figures:
        caption = (
            "Similarity to the pre-trained encoder on the task's own development inputs (solid) "
            "and on text outside its domain (dashed). Bands are intervals; dotted lines are "
            "published values where drawn."
        )
        alt = _ALT.format("one panel a task, one line a corpus")
        blocks.append(picture(material.figures["merchant2020_figure5"], alt=alt, caption=caption))
    for encoder in sorted(set(summary["encoder"])):
        part = summary[summary["encoder"] == encoder]
        blocks.append(_table(part, published, f"{encoder}: RSA in and out of the task's domain"))
    blocks += _measure_table(material, ("in",))
    return Section(
        anchor="similarity-by-domain",
        title="On which inputs they change",
        source=_SOURCE.format(5),
        claim=_CLAIM_DOMAINS,
        blocks=tuple(blocks),
    )


def _summary(material: Material, domains: tuple[str, ...], measure: str = "rsa") -> pd.DataFrame:
    table = require_columns(material.tables["summary_rsa"], RSA_SUMMARY, where="summary_rsa")
    rows = table[(table["measure"] == measure) & table["domain"].isin(domains)]
    return rows.assign(position=[layer_number(layer) for layer in rows["layer"]])


def _comparison_note(summary: pd.DataFrame, published: pd.DataFrame) -> list[Block]:
    depth = blocks_of(published["layer"])
    others = [name for name, rows in _by_encoder(summary) if blocks_of(rows["layer"]) != depth]
    return [Note("Comparing", _DEPTH, caution=True)] if others else []


def _by_encoder(summary: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [(str(name), rows) for name, rows in summary.groupby("encoder", sort=True)]


def _curves(summary: pd.DataFrame) -> list[tuple[str, str, str, pd.DataFrame]]:
    """Encoder, task and corpus of each curve, with its rows from the embeddings upwards."""
    return [
        (str(encoder), task, str(corpus), rows.sort_values("position"))
        for encoder, part in _by_encoder(summary)
        for task in task_order(part["task"])
        for corpus, rows in part[part["task"] == task].groupby("corpus", sort=True)
    ]


def _falls(material: Material, summary: pd.DataFrame) -> list[str]:
    """Whether similarity falls from block to block, and where it ends."""
    falls = _summary(material, ("out",), measure="rsa fall")
    sentences = []
    for encoder, part in _by_encoder(summary):
        curves = _curves(part)
        steady = sum(rows["value"].is_monotonic_decreasing for *_, rows in curves)
        text = (
            f"{encoder}: similarity falls at every block on {steady} of "
            f"{counted(len(curves), 'curve')}"
        )
        steps = falls[falls["encoder"] == encoder]
        if len(steps):
            clear = int((steps["low"] > 0).sum())
            text += (
                f"; of all {counted(len(steps), 'step')} from a layer to the next, the interval of "
                f"the fall lies above 0 on {clear}"
            )
        sentences.append(f"{text}.")
        last = [(float(rows["value"].iloc[-1]), task_name(task)) for _, task, _, rows in curves]
        if len(last) > 1:
            (lowest, low_task), (highest, high_task) = min(last), max(last)
            sentences.append(
                f"{encoder}: in the last layer it is lowest for {low_task} ({shown(lowest)}) and "
                f"highest for {high_task} ({shown(highest)})."
            )
    return sentences


def _domains_apart(material: Material) -> list[str]:
    """In how many layers similarity is lower on the task's own inputs."""
    differences = _summary(material, ("in minus out",))
    sentences = []
    for encoder, part in _by_encoder(differences[differences["position"] >= 1]):
        lower = int((part["value"] < 0).sum())
        clear = int((part["high"] < 0).sum())
        text = (
            f"{encoder}: from layer 1 up, similarity is lower on the task's own inputs in {lower} "
            f"of {counted(len(part), 'comparison')} of a task, corpus and layer; the interval of "
            f"the difference lies below 0 in {clear}."
        )
        others = task_order(part[part["value"] >= 0]["task"])
        if others:
            text += f" Not everywhere lower: {listed([task_name(task) for task in others])}."
        sentences.append(text)
    return sentences


def _table(part: pd.DataFrame, published: pd.DataFrame | None, caption: str) -> Table:
    """One row a layer, one column a task and corpus, with the published column beside it."""
    positions = sorted(set(part["position"]))
    names: list[str] = []
    groups: list[tuple[str, int]] = [("", 1)]
    columns: list[list[Cell]] = []
    for task in task_order(part["task"]):
        before = len(columns)
        for _, _, corpus, curve in _curves(part[part["task"] == task]):
            by_position = {row["position"]: row for row in curve.to_dict("records")}
            names.append(corpus)
            columns.append([_cell(by_position.get(position)) for position in positions])
            domain = str(curve["domain"].iloc[0])
            theirs = _published_column(published, positions, task, domain)
            if theirs:
                names.append("published")
                columns.append(theirs)
        groups.append((task_name(task), len(columns) - before))
    rows: list[tuple[Cell | str, ...]] = [
        ("embeddings" if position < 0 else str(position), *(column[line] for column in columns))
        for line, position in enumerate(positions)
    ]
    return Table(
        caption=caption,
        columns=("Layer", *names),
        groups=tuple(groups),
        rows=tuple(rows),
        notes=_NOTES,
    )


def _cell(row: Mapping[Hashable, Any] | None) -> Cell:
    if row is None:
        return Cell("")
    return Cell(shown(row["value"]), interval(row["low"], row["high"]))


def _published_column(
    published: pd.DataFrame | None, positions: list[int], task: str, domain: str
) -> list[Cell]:
    """The published values, where encoder and task have them; else nothing."""
    if published is None or blocks_of(published["layer"]) != positions[-1] + 1:
        return []
    rows = published[(published["task"] == task) & (published["domain"] == domain)]
    values = {int(row["layer"]): float(row["value"]) for row in rows.to_dict("records")}
    if not values:
        return []
    return [
        Cell(shown(values[position]) if position in values else "", look="published")
        for position in positions
    ]


def _measure_table(material: Material, domains: tuple[str, ...]) -> list[Block]:
    """The same comparison by centred kernel alignment, folded, where it was computed."""
    tables: list[Block] = []
    for encoder, part in _by_encoder(_summary(material, domains, measure="cka")):
        table = _table(part, None, f"{encoder}: linear centred kernel alignment (CKA)")
        tables.append(
            Table(
                caption=table.caption,
                columns=table.columns,
                groups=table.groups,
                rows=table.rows,
                headers=table.headers,
                folded=f"{encoder}: the same by another measure, CKA (not published)",
            )
        )
    return tables
