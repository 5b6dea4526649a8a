"""Tabulate description lengths and summarise them with intervals."""

import json
from pathlib import Path

from job import job
from tunescope.probing.online_code_results import tabulate_codes
from tunescope.probing.summaries import ProbedRun

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    runs = [
        ProbedRun(**names, predictions=Path(path))
        for names, path in zip(settings["runs"], snakemake.input.codes, strict=True)
    ]
    values, summary = tabulate_codes(
        runs,
        resamples=settings["resamples"],
        confidence=settings["confidence"],
        seed=settings["seed"],
    )
    values.to_csv(snakemake.output.values, index=False)
    summary.to_csv(snakemake.output.summary, index=False)
