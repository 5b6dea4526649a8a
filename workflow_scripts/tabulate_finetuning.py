"""Score every run of the fine-tuning experiment and summarise the scores over seeds."""

import json
from pathlib import Path

from job import job
from tunescope.finetuning.scores import ScoredRun, TaskMetrics, tabulate_scores

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    runs = [
        ScoredRun(**run, predictions=Path(path))
        for run, path in zip(settings["runs"], snakemake.input.predictions, strict=True)
    ]
    tasks = {name: TaskMetrics(**metrics) for name, metrics in settings["tasks"].items()}
    scores, summary = tabulate_scores(runs, tasks)
    scores.to_csv(snakemake.output.scores, index=False)
    summary.to_csv(snakemake.output.summary, index=False)
