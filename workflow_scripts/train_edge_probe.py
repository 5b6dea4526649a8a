"""Train the edge probes of a corpus on the hidden states of a run, and test them."""

import json
from pathlib import Path

from job import job
from tunescope.config.probing import EdgeProbeSettings, ProbedCorpus
from tunescope.probing.edge_parts import opened_parts
from tunescope.probing.edge_predictions import write_edge_predictions
from tunescope.probing.edge_run import probe_run

with job() as snakemake:
    chosen = json.loads(snakemake.params.settings)
    corpus = ProbedCorpus(**chosen["corpus"])
    output = Path(snakemake.output[0])
    with opened_parts(corpus, snakemake.input.splits, snakemake.input.states) as parts:
        predictions = probe_run(
            parts,
            corpus,
            EdgeProbeSettings(**chosen["edge"]),
            views=chosen["views"],
            scratch=output.parent,
        )
    write_edge_predictions(predictions, output)
