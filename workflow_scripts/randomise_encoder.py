"""Give an encoder's architecture random weights."""

import json
from pathlib import Path

from job import job
from tunescope.encoders.randomise import randomise_encoder

with job() as snakemake:
    randomise_encoder(
        Path(snakemake.input.weights).parent,
        Path(snakemake.output.weights).parent,
        seed=json.loads(snakemake.params.settings)["seed"],
    )
