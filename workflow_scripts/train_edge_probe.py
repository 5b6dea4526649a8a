"""Train the edge probes of a corpus on the hidden states of a run, and test them."""

import json
from contextlib import ExitStack
from pathlib import Path

from job import job
from tunescope.activations.store import HiddenStates
from tunescope.config.probing import EdgeProbeSettings, ProbedCorpus
from tunescope.corpora.canonical import read_split
from tunescope.probing.edge_parts import Part
from tunescope.probing.edge_predictions import write_edge_predictions
from tunescope.probing.edge_run import probe_run

with job() as snakemake, ExitStack() as stack:
    chosen = json.loads(snakemake.params.settings)
    corpus = ProbedCorpus(**chosen["corpus"])
    parts = {
        name: Part(
            split=read_split(Path(split)),
            store=stack.enter_context(HiddenStates(Path(states))),
        )
        for name, split, states in zip(
            corpus.splits, snakemake.input.splits, snakemake.input.states, strict=True
        )
    }
    output = Path(snakemake.output[0])
    output.parent.mkdir(parents=True, exist_ok=True)
    predictions = probe_run(
        parts,
        corpus,
        EdgeProbeSettings(**chosen["edge"]),
        views=chosen["views"],
        scratch=output.parent,
    )
    write_edge_predictions(predictions, output)
