"""Fine-tune an encoder on a task and predict the task's evaluation split."""

import json
from pathlib import Path

from job import job
from tunescope.config.finetuning import FinetuningSettings
from tunescope.corpora.canonical import read_split
from tunescope.finetuning.predict import predict
from tunescope.finetuning.predictions import write_predictions
from tunescope.finetuning.run import finetune

with job() as snakemake:
    chosen = json.loads(snakemake.params.settings)
    settings = FinetuningSettings(**chosen["finetuning"])
    folder = Path(snakemake.output.weights).parent
    finetune(
        Path(snakemake.input.weights).parent,
        read_split(Path(snakemake.input.train)),
        folder,
        settings=settings,
        seed=chosen["seed"],
        checkpoints=folder.parents[1] / "checkpoints" / folder.name,
        code=snakemake.params.code,
    )
    predictions = predict(
        folder,
        read_split(Path(snakemake.input.evaluation)),
        batch_size=settings.evaluation_batch_size,
    )
    write_predictions(predictions, Path(snakemake.output.predictions))
