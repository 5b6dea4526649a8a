"""Put tables, figures and published numbers on one page, with the ledger of both."""

import json
from pathlib import Path

from job import job
from tunescope.config.availability import NotRun
from tunescope.config.root import parse_config
from tunescope.report.page import build_ledger, build_report
from tunescope.report.provenance import gather_provenance

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    config = parse_config(settings["configuration"])
    tables = {Path(path).stem: Path(path) for path in snakemake.input.tables}
    figures = {Path(path).stem: Path(path) for path in snakemake.input.figures}
    reference = Path(snakemake.input.reference[0]).parent
    page = build_report(
        tables,
        figures,
        reference,
        settings=config,
        provenance=gather_provenance(
            config.results, [*snakemake.input.tables, *snakemake.input.figures]
        ),
        not_run=[NotRun(**item) for item in settings["not_run"]],
    )
    Path(snakemake.output.page).write_text(page, encoding="utf-8")
    ledger = build_ledger(tables, reference, settings=config)
    ledger.to_csv(snakemake.output.ledger, index=False)
