"""Say of every corpus what became of its records."""

import json
from pathlib import Path

import pandas as pd

from job import job
from tunescope.corpora.accounting import COLUMNS, accounting_rows
from tunescope.corpora.canonical import read_split

with job() as snakemake:
    names = json.loads(snakemake.params.settings)["splits"]
    rows = []
    for name, path in zip(names, snakemake.input.splits, strict=True):
        rows += accounting_rows(name["corpus"], {name["split"]: read_split(Path(path))})
    pd.DataFrame(rows, columns=list(COLUMNS)).to_csv(snakemake.output[0], index=False)
