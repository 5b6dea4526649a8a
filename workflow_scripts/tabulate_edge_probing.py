"""Score all edge probes and summarise the scores with intervals."""

import json
from pathlib import Path

from job import job
from tunescope.probing.summaries import ProbedRun
from tunescope.probing.tables import tabulate_edge_probing

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    runs = [
        ProbedRun(**names, predictions=Path(path))
        for names, path in zip(settings["runs"], snakemake.input.predictions, strict=True)
    ]
    values, summary, mixes = tabulate_edge_probing(
        runs,
        resamples=settings["resamples"],
        confidence=settings["confidence"],
        seed=settings["seed"],
    )
    values.to_csv(snakemake.output.values, index=False)
    summary.to_csv(snakemake.output.summary, index=False)
    mixes.to_csv(snakemake.output.mixes, index=False)
