"""Tabulate every comparison of representations and summarise them with intervals."""

import json
from pathlib import Path

from job import job
from tunescope.similarity.tables import ComparedRun, tabulate_similarity

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    runs = [
        ComparedRun(**names, comparison=Path(path))
        for names, path in zip(settings["comparisons"], snakemake.input.comparisons, strict=True)
    ]
    values, summary = tabulate_similarity(
        runs, confidence=settings["confidence"], seed=settings["seed"]
    )
    values.to_csv(snakemake.output.values, index=False)
    summary.to_csv(snakemake.output.summary, index=False)
