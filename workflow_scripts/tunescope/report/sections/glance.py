"""The page in a table: each experiment with the first thing that was found."""

from collections.abc import Sequence

from tunescope.report.content import Block, Cell, Findings, Paragraph, Section, Table
from tunescope.report.material import counted


def glance_section(sections: Sequence[Section], absent: int) -> Section:
    """One row an experiment of this page.

    Args:
        sections: their sections.
        absent: number of the papers' experiments that were not run.
    """
    rows: list[tuple[Cell | str, ...]] = [
        (
            Cell(section.title, number=False, link=section.anchor),
            Cell(section.source, number=False),
            Cell(_first_finding(section), number=False, look="prose"),
        )
        for section in sections
    ]
    text = (
        f"This page has {counted(len(rows), 'experiment')} of the two papers; "
        f"{counted(absent, 'other')} were not run and are listed with the reason at its end. Each "
        "section gives the paper's claim in our words, what was found here, and the published "
        "numbers with a remark on whether they compare."
    )
    blocks: list[Block] = [Paragraph(text)]
    if rows:
        columns = ("Experiment", "Published as", "Found here")
        blocks.append(Table("Experiments on this page", columns, tuple(rows)))
    return Section(anchor="glance", title="At a glance", blocks=tuple(blocks))


def _first_finding(section: Section) -> str:
    sentences = [
        s for block in section.blocks if isinstance(block, Findings) for s in block.sentences
    ]
    return sentences[0] if sentences else ""
