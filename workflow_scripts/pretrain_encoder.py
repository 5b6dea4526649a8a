"""Pre-train an encoder on a generated language."""

import json
from pathlib import Path

from job import job
from tunescope.config.pretraining import PretrainingSettings
from tunescope.corpora.canonical import read_split
from tunescope.pretraining.run import pretrain

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    folder = Path(snakemake.output.weights).parent
    pretrain(
        PretrainingSettings(**settings["pretraining"]),
        read_split(Path(snakemake.input.text)),
        folder,
        seed=settings["seed"],
        checkpoints=folder.parents[1] / "checkpoints" / folder.name,
        code=snakemake.params.code,
    )
