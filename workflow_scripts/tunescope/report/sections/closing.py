"""The ledger, what was not run, and how to cite."""

from collections.abc import Sequence

import pandas as pd

from tunescope.config.availability import NotRun
from tunescope.names import METRIC_NAMES, STARTS, task_name
from tunescope.report.content import Block, Cell, Code, Facts, Paragraph, Section, Table
from tunescope.report.experiments import Experiment
from tunescope.report.material import counted, interval, shown

_LEDGER = (
    "Each published number of the experiments above, beside the one found here. Comparable is yes "
    "for the published encoder, shape for another one, and no where layers do not correspond or "
    "nothing was run; the note says which. The file results/tables/ledger.csv has all of it."
)
_NOT_RUN = (
    "What the two papers report and this page does not, and what the configuration names but could "
    "not be run on this machine."
)
_NOT_INCLUDED = "this version of the workflow does not include it"
_NO_TABLE = "the configuration asks for no such runs"
_CITE = (
    "Please cite the paper whose experiment you use, and this repository by its CITATION.cff for "
    "the reproduction."
)
_BIBTEX = """\
@inproceedings{merchant2020,
  title     = {What Happens To {BERT} Embeddings During Fine-tuning?},
  author    = {Merchant, Amil and Rahimtoroghi, Elahe and Pavlick, Ellie and Tenney, Ian},
  booktitle = {Proceedings of the Third BlackboxNLP Workshop on Analyzing and Interpreting
               Neural Networks for {NLP}},
  year      = {2020},
  pages     = {33--44},
}

@inproceedings{kovaleva2019,
  title     = {Revealing the Dark Secrets of {BERT}},
  author    = {Kovaleva, Olga and Romanov, Alexey and Rogers, Anna and Rumshisky, Anna},
  booktitle = {Proceedings of {EMNLP-IJCNLP} 2019},
  year      = {2019},
  pages     = {4365--4374},
}"""


def ledger_section(rows: pd.DataFrame) -> Section:
    """Published beside reproduced numbers, one table a published item."""
    found = int(rows["reproduced"].notna().sum())
    same = int((rows["comparable"] == "yes").sum())
    blocks: list[Block] = [
        Paragraph(_LEDGER),
        Facts(
            (
                ("Rows of the ledger", f"{len(rows):,}"),
                ("with a number found here", f"{found:,}"),
                ("with the published encoder", f"{same:,}"),
            )
        ),
    ]
    for source, part in rows.groupby("source", sort=False):
        reproduced = part[part["reproduced"].notna()]
        if len(reproduced):
            blocks.append(_ledger_table(str(source), reproduced))
    return Section(anchor="ledger", title="Published beside reproduced", blocks=tuple(blocks))


def _ledger_table(source: str, part: pd.DataFrame) -> Table:
    rows = []
    for row in part.to_dict("records"):
        words = [
            STARTS.get(word, METRIC_NAMES.get(word, word))
            for word in str(row["quantity"]).split(", ")
        ]
        if not pd.isna(row["layer"]):
            words.append(f"layer {int(row['layer'])}")
        difference = float(row["difference"])
        rows.append(
            (
                task_name(str(row["task"])),
                Cell(", ".join(words), number=False),
                Cell(str(row["encoder"]), number=False),
                Cell(shown(float(row["published"])), look="published"),
                Cell(shown(float(row["reproduced"])), interval(row["low"], row["high"])),
                Cell(("+" if difference > 0 else "") + shown(difference)),
                Cell(str(row["comparable"]), str(row["note"]), number=False),
            )
        )
    return Table(
        caption=source,
        columns=(
            "Task",
            "Quantity",
            "Encoder",
            "Published",
            "Here",
            "Difference",
            "Comparable",
        ),
        rows=tuple(rows),
        folded=f"{source}: {counted(len(rows), 'number')}",
    )


def not_run_section(absent: Sequence[tuple[Experiment, bool]], items: Sequence[NotRun]) -> Section:
    """What is missing from the page, with the reason.

    Args:
        absent: experiments without a section here, and whether the workflow has them at all.
        items: what the configuration names but cannot run here.
    """
    rows: list[tuple[Cell | str, ...]] = [
        (
            experiment.title,
            Cell(experiment.source, number=False),
            Cell(_NO_TABLE if included else _NOT_INCLUDED, number=False),
        )
        for experiment, included in absent
    ]
    rows += [
        (
            item.name,
            Cell(f"configuration, {item.section}", number=False),
            Cell(item.reason, number=False),
        )
        for item in items
    ]
    blocks: list[Block] = [Paragraph(_NOT_RUN)]
    if rows:
        columns = ("What", "Where from", "Reason")
        blocks.append(Table("Not run, with the reason", columns, tuple(rows)))
    else:
        blocks.append(Paragraph("Nothing: everything was run."))
    return Section(anchor="not-run", title="What was not run", blocks=tuple(blocks))


def citing_section() -> Section:
    """References of the papers and of this repository."""
    return Section(anchor="citing", title="How to cite", blocks=(Paragraph(_CITE), Code(_BIBTEX)))
