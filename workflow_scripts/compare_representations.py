"""Compare the hidden states of a run with those of the pre-trained encoder."""

import json
from pathlib import Path

from job import job
from tunescope.activations.store import HiddenStates
from tunescope.config.similarity import SimilaritySettings
from tunescope.similarity.compare import compare
from tunescope.similarity.results import write_comparison

with job() as snakemake:
    settings = SimilaritySettings(**json.loads(snakemake.params.settings))
    with (
        HiddenStates(Path(snakemake.input.base)) as base,
        HiddenStates(Path(snakemake.input.tuned)) as tuned,
    ):
        write_comparison(compare(base, tuned, settings), Path(snakemake.output[0]))
