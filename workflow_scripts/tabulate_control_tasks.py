"""Tabulate selectivity: scores of edge probes beside those on their control tasks."""

import json
from pathlib import Path

from job import job
from tunescope.probing.control_tables import tabulate_control_tasks
from tunescope.probing.summaries import ProbedRun

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    runs = [
        ProbedRun(**names, predictions=Path(path))
        for names, path in zip(settings["runs"], snakemake.input.predictions, strict=True)
    ]
    values, summary = tabulate_control_tasks(
        runs,
        [Path(path) for path in snakemake.input.controls],
        resamples=settings["resamples"],
        confidence=settings["confidence"],
        seed=settings["seed"],
    )
    values.to_csv(snakemake.output.values, index=False)
    summary.to_csv(snakemake.output.summary, index=False)
