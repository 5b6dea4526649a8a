"""Bring one split of an official file or of a hub data set to its canonical form."""

import json
from pathlib import Path

from job import job
from tunescope.config.corpora import CorpusSettings
from tunescope.corpora.canonical import write_split
from tunescope.corpora.read import read_corpus

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    root = snakemake.config.get("data_root")
    splits = read_corpus(
        CorpusSettings(**settings["corpus"]), data_root=Path(root) if root else None
    )
    write_split(splits[settings["split"]], Path(snakemake.output[0]))
