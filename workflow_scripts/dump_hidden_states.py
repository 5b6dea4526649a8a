"""Store the hidden states of a run on stimuli."""

import json
from pathlib import Path

from job import job
from tunescope.activations.dump import dump_hidden_states
from tunescope.activations.inputs import make_inputs
from tunescope.activations.store import StoreAttributes
from tunescope.config.similarity import StimuliSettings
from tunescope.corpora.canonical import read_split
from tunescope.encoders.load import load_encoder, weights_sha256

with job() as snakemake:
    folder = Path(snakemake.input.weights).parent
    settings = StimuliSettings(**json.loads(snakemake.params.settings)["stimuli"])
    encoder = load_encoder(folder)
    inputs = make_inputs(
        read_split(Path(snakemake.input.corpus)),
        settings,
        encoder.tokenizer,
        max_length=encoder.max_length,
    )
    attributes = StoreAttributes(
        encoder=snakemake.wildcards.encoder,
        run=snakemake.wildcards.run,
        weights_hash=weights_sha256(folder),
        corpus_hash=inputs.content_hash,
        settings=settings.model_dump(),
    )
    dump_hidden_states(encoder, inputs, Path(snakemake.output[0]), attributes)
