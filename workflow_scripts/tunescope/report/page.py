"""The report: one self-contained page made from tables, figures and published numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from jinja2 import DictLoader, Environment, StrictUndefined

from tunescope.config.availability import NotRun
from tunescope.config.root import Config
from tunescope.report.content import Section
from tunescope.report.experiments import EXPERIMENTS, Experiment
from tunescope.report.ledger import JOINS, ledger
from tunescope.report.material import Material, Provenance
from tunescope.report.sections.closing import citing_section, ledger_section, not_run_section
from tunescope.report.sections.corpora import corpora_section
from tunescope.report.sections.glance import glance_section
from tunescope.report.sections.run import run_section
from tunescope.report.stylesheet import STYLESHEET
from tunescope.report.template import PAGE
from tunescope.tables import read_published, read_table

TITLE = "What fine-tuning does to BERT"


def build_report(
    tables: Mapping[str, Path],
    figures: Mapping[str, Path],
    reference: Path,
    *,
    settings: Config,
    provenance: Provenance | None = None,
    not_run: Sequence[NotRun] = (),
    title: str = TITLE,
) -> str:
    """Build the report page.

    The page needs no other file and no script, and holds no time of its making: the same arguments
    give the same bytes.

    Args:
        tables: CSV files by name (`finetuning`, `summary_finetuning`, `rsa`, `summary_rsa`,
            `corpora`); an experiment whose tables are absent is listed as not run.
        figures: PNG or SVG files by name (`kovaleva2019_table1`, `merchant2020_figure2`).
        reference: folder of published numbers.
        settings: the configuration of the run.
        provenance: origin of the numbers, as far as it is known.
        not_run: what the configuration names but could not be run.
        title: heading of the page.

    Returns:
        The page as HTML.

    Raises:
        InputError: a file is missing, or a table lacks a column.
    """
    material = Material(tables, figures, reference, settings, provenance or Provenance())
    sections, absent = _experiments(material)
    rows = build_ledger(tables, reference, settings=settings)
    closing = [ledger_section(rows)] if rows["reproduced"].notna().any() else []
    if "corpora" in tables:
        closing.append(corpora_section(material))
    closing += [not_run_section(absent, not_run), citing_section()]
    opening = [glance_section(sections, len(absent)), run_section(material)]
    return _render([*opening, *sections, *closing], title)


def build_ledger(tables: Mapping[str, Path], reference: Path, *, settings: Config) -> pd.DataFrame:
    """Every published number beside ours, for `results/tables/ledger.csv`.

    Args:
        tables: CSV files by name; summaries that are absent leave their numbers as not run.
        reference: folder of published numbers.
        settings: the configuration, which says what the encoders are.

    Returns:
        A table with the columns of `tunescope.report.ledger.COLUMNS`.
    """
    material = Material(tables, {}, reference, settings, Provenance())
    needed = {join.table for join in JOINS} & set(tables)
    return ledger(
        {name: read_table(tables[name]) for name in needed},
        {join.published: read_published(reference, join.published) for join in JOINS},
        published_encoders=material.published_encoders,
        seen=material.seen,
    )


def _experiments(material: Material) -> tuple[list[Section], list[tuple[Experiment, bool]]]:
    """Sections of the experiments that have tables; the others, and whether they are included."""
    sections = []
    absent = []
    for experiment in EXPERIMENTS:
        section = None
        if experiment.section and set(experiment.tables) <= set(material.paths):
            section = experiment.section(material)
        if section is None:
            absent.append((experiment, experiment.section is not None))
        else:
            sections.append(section)
    return sections, absent


def _render(sections: Sequence[Section], title: str) -> str:
    environment = Environment(
        loader=DictLoader({"page": PAGE}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page").render(
        title=title, stylesheet=STYLESHEET, sections=sections
    )
