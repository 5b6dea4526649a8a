"""Draw one split of a corpus from a generated language."""

import json
from pathlib import Path

from job import job
from tunescope.config.language import LanguageSettings
from tunescope.corpora.canonical import write_split
from tunescope.corpora.language.generate import generate

with job() as snakemake:
    settings = json.loads(snakemake.params.settings)
    splits = generate(LanguageSettings(**settings["language"]), settings["part"])
    write_split(splits[settings["split"]], Path(snakemake.output[0]))
