"""Every corpus with what became of its records."""

import pandas as pd

from tunescope.report.content import Block, Cell, Paragraph, Section, Table
from tunescope.report.material import Material
from tunescope.tables import require_columns

_COLUMNS = ("corpus", "split", "kind", "source", "sha256", "outcome", "reason", "records")
_METHOD = (
    "Every record of every source is accounted for: those read are those kept and those dropped, "
    "for the reason given. Remarks count records that were kept although something about them was "
    "changed or is worth knowing."
)


def corpora_section(material: Material) -> Section:
    """One row a split: source, records read, kept and dropped."""
    table = require_columns(material.tables["corpora"], _COLUMNS, where="corpora")
    rows = [_row(split) for _, split in table.groupby(["corpus", "split"], sort=False)]
    blocks: list[Block] = [
        Paragraph(_METHOD),
        Table(
            caption="Records of each split",
            columns=("Corpus", "Split", "Kind", "Read", "Kept", "Dropped", "Remarks", "Source"),
            rows=tuple(rows),
            headers=2,
        ),
    ]
    return Section(anchor="corpora", title="Corpora", blocks=tuple(blocks))


def _row(split: pd.DataFrame) -> tuple[Cell | str, ...]:
    first = split.iloc[0]
    total = split.groupby("outcome")["records"].sum()
    dropped = int(total.get("dropped", 0))
    digest = "" if pd.isna(first["sha256"]) else f"SHA-256 {str(first['sha256'])[:12]}\u2026"
    return (
        str(first["corpus"]),
        str(first["split"]),
        Cell(str(first["kind"]).replace("_", " "), number=False),
        Cell(f"{int(total['read']):,}"),
        Cell(f"{int(total['kept']):,}"),
        Cell(f"{dropped:,}"),
        Cell("", "\n".join(_remarks(split)), number=False),
        Cell("", f"{first['source']}\n{digest}".strip(), number=False),
    )


def _remarks(split: pd.DataFrame) -> list[str]:
    """Why records were dropped, then what is to be said of those kept."""
    return [
        f"{words}{reason}: {int(records):,}"
        for outcome, words in (("dropped", "dropped, "), ("noted", ""))
        for found, reason, records in split[["outcome", "reason", "records"]].to_numpy()
        if found == outcome and records > 0
    ]
