"""Predict each task with a pre-trained encoder under heads that were not trained."""

import json
from pathlib import Path

from job import job
from tunescope.config.finetuning import FinetuningSettings
from tunescope.corpora.canonical import read_split
from tunescope.finetuning.predict import predict_untrained
from tunescope.finetuning.predictions import write_predictions

with job() as snakemake:
    chosen = json.loads(snakemake.params.settings)
    tasks = zip(
        chosen["finetuning"], snakemake.input.evaluation, snakemake.output, strict=True
    )  # all three in the order of the tasks
    for task, split, output in tasks:
        settings = FinetuningSettings(**chosen["finetuning"][task])
        predictions = predict_untrained(
            Path(snakemake.input.weights).parent,
            read_split(Path(split)),
            head_seeds=range(chosen["heads"]),
            max_length=settings.max_length,
            batch_size=settings.evaluation_batch_size,
            settings=settings,
        )
        write_predictions(predictions, Path(output))
