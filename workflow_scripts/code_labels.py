"""Code the labels of a corpus given the hidden states of a run, probe by probe."""

import json
from pathlib import Path

from job import job
from tunescope.config.online_codes import OnlineCodeSettings
from tunescope.config.probing import EdgeProbeSettings, ProbedCorpus
from tunescope.probing.edge_parts import opened_parts
from tunescope.probing.online_code_results import RunCodes, write_codes
from tunescope.probing.online_codes import code_run

with job() as snakemake:
    chosen = json.loads(snakemake.params.settings)
    corpus = ProbedCorpus(**chosen["corpus"])
    output = Path(snakemake.output[0])
    with opened_parts(corpus, snakemake.input.splits, snakemake.input.states) as parts:
        codes = code_run(
            parts,
            corpus,
            OnlineCodeSettings(**chosen["codes"]),
            EdgeProbeSettings(**chosen["edge"]),
            views=chosen["views"],
            scratch=output.parent,
        )
        coded = parts[corpus.train].store.attributes
    write_codes(RunCodes(coded.weights_hash, coded.corpus_hash, tuple(codes)), output)
