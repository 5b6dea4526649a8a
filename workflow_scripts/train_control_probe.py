"""Train edge probes of a corpus on control tasks: random labels for every type of word."""

import json
from pathlib import Path

from job import job
from tunescope.config.control_tasks import ControlTaskSettings
from tunescope.config.probing import EdgeProbeSettings, ProbedCorpus
from tunescope.probing.control_tasks import make_control_task
from tunescope.probing.edge_parts import opened_parts
from tunescope.probing.edge_predictions import write_edge_predictions
from tunescope.probing.edge_run import probe_run
from tunescope.probing.targets import read_targets

with job() as snakemake:
    chosen = json.loads(snakemake.params.settings)
    corpus = ProbedCorpus(**chosen["corpus"])
    control = ControlTaskSettings(**chosen["control"])
    output = Path(snakemake.output[0])
    with opened_parts(corpus, snakemake.input.splits, snakemake.input.states) as parts:
        train = parts[corpus.train].split
        predictions = probe_run(
            parts,
            corpus,
            EdgeProbeSettings(**chosen["edge"]),
            views=chosen["views"],
            relabel={
                probe: make_control_task(read_targets(train, probe), control).apply
                for probe in corpus.probes
            },
            scratch=output.parent,
        )
    write_edge_predictions(predictions, output)
