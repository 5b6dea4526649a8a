"""The ledger: every published number of the experiments at hand, beside the one found here."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from tunescope.tables import blocks_of, layer_number, require_columns

COLUMNS = (
    "source",
    "encoder",
    "task",
    "quantity",
    "layer",
    "corpus",
    "published",
    "error",
    "reproduced",
    "low",
    "high",
    "difference",
    "comparable",
    "note",
)

OTHER_ENCODER = "another encoder: compare order and shape, not the level"
OTHER_DEPTH = "another number of layers: layers do not correspond"
SEEN = "the encoder's pre-training has seen the task's text"
NOT_RUN = "not run"


@dataclass(frozen=True)
class Join:
    """How a published file meets a table of ours.

    Attributes:
        published: name of the published file.
        table: name of our table.
        keys: columns on which the two agree.
        quantity: columns whose values say what the number is.
        layered: whether a layer is among the keys, so that the depth of the encoders must agree.
    """

    published: str
    table: str
    keys: tuple[str, ...]
    quantity: tuple[str, ...]
    layered: bool = False


#: One entry for each published table or figure that an experiment of ours repeats.
JOINS: tuple[Join, ...] = (
    Join(
        "kovaleva2019_table1",
        "summary_finetuning",
        ("task", "initialisation", "metric"),
        ("initialisation", "metric"),
    ),
    Join(
        "merchant2020_finetuning",
        "summary_finetuning",
        ("task", "initialisation", "metric"),
        ("initialisation", "metric"),
    ),
    Join(
        "merchant2020_figure2",
        "summary_rsa",
        ("task", "domain", "layer", "measure"),
        ("measure", "domain"),
        layered=True,
    ),
    Join(
        "merchant2020_figure5",
        "summary_rsa",
        ("task", "domain", "layer", "measure"),
        ("measure", "domain"),
        layered=True,
    ),
)


def ledger(
    tables: Mapping[str, pd.DataFrame],
    reference: Mapping[str, pd.DataFrame],
    *,
    published_encoders: Collection[str] = (),
    seen: Mapping[str, Collection[str]] | None = None,
) -> pd.DataFrame:
    """Put each published number beside each of ours with the same keys.

    Args:
        tables: our summaries by name, with the columns of their keys and `encoder`, `value`, `low`,
            `high`. One that is absent leaves its published numbers as not run.
        reference: published tables by name.
        published_encoders: encoders of ours that are the published one.
        seen: tasks whose text an encoder's pre-training has seen, by encoder.

    Returns:
        `COLUMNS`, one row a published number and encoder of ours, in the order of `JOINS` and the
        published files. `comparable` is `yes` for the published encoder, `shape` for another one
        (order and shape compare, levels do not), `no` where layers do not correspond or nothing was
        run; then `reproduced` is empty and `note` says why. `error` is the published number's.
    """
    rows: list[dict[str, object]] = []
    for join in JOINS:
        if join.published not in reference:
            continue
        published = reference[join.published]
        ours = tables.get(join.table)
        if ours is not None:
            require_columns(ours, ("encoder", *join.keys, "value", "low", "high"), where=join.table)
        for entry in published.to_dict("records"):
            found = _candidates(ours, entry, join)
            if not found:
                rows.append(_row(join, entry, note=NOT_RUN))
            for mine in found:
                rows.append(
                    _beside(
                        _row(join, entry),
                        mine,
                        same_depth=not join.layered
                        or blocks_of(published["layer"]) == blocks_of(mine["layer"]),
                        same_encoder=mine["encoder"].iloc[0] in published_encoders,
                        seen=seen or {},
                        layer=entry.get("layer") if join.layered else None,
                    )
                )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _candidates(
    ours: pd.DataFrame | None, entry: Mapping[Hashable, Any], join: Join
) -> list[pd.DataFrame]:
    """Rows of ours that agree on every key but the layer, an encoder and corpus at a time."""
    if ours is None:
        return []
    chosen = pd.Series(data=True, index=ours.index)
    for key in join.keys:
        if key != "layer":
            chosen &= ours[key] == entry[key]
    groups = ["encoder", *(["corpus"] if "corpus" in ours else [])]
    return [rows for _, rows in ours[chosen].groupby(groups, sort=True)]


def _row(join: Join, entry: Mapping[Hashable, Any], note: str = "") -> dict[str, object]:
    """The published half of a row."""
    return {
        "source": entry["source"],
        "task": entry["task"],
        "quantity": ", ".join(str(entry[column]) for column in join.quantity),
        "layer": entry.get("layer"),
        "published": entry["value"],
        "error": entry["error"],
        "comparable": "no",
        "note": note,
    }


def _beside(
    row: dict[str, object],
    mine: pd.DataFrame,
    *,
    same_depth: bool,
    same_encoder: bool,
    seen: Mapping[str, Collection[str]],
    layer: object,
) -> dict[str, object]:
    """Fill in our half: the value at the published layer, or why there is none."""
    encoder = str(mine["encoder"].iloc[0])
    row = {**row, "encoder": encoder}
    if "corpus" in mine:
        row["corpus"] = mine["corpus"].iloc[0]
    if not same_depth:
        return {**row, "note": OTHER_DEPTH}
    if layer is not None:
        mine = mine[[layer_number(name) == layer_number(layer) for name in mine["layer"]]]
    if mine.empty:
        return {**row, "note": NOT_RUN}
    value, low, high = (float(mine[column].iloc[0]) for column in ("value", "low", "high"))
    notes = [] if same_encoder else [OTHER_ENCODER]
    if row["task"] in seen.get(encoder, ()):
        notes.append(SEEN)
    return {
        **row,
        "reproduced": value,
        "low": low,
        "high": high,
        "difference": round(value - float(str(row["published"])), 6),
        "comparable": "yes" if same_encoder else "shape",
        "note": "; ".join(notes),
    }
