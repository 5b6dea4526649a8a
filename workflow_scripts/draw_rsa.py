"""Draw the similarity to the pre-trained encoder, in the layout of merchant2020's Figure 2 or 5."""

import json
from pathlib import Path

from job import job
from tunescope.figures.rsa import draw_rsa_by_domain, draw_rsa_by_layer
from tunescope.figures.style import save_figure
from tunescope.tables import read_table

with job() as snakemake:
    layouts = {"figure2": draw_rsa_by_layer, "figure5": draw_rsa_by_domain}
    draw = layouts[json.loads(snakemake.params.settings)["figure"]]
    figure = draw(
        read_table(Path(snakemake.input.summary)), read_table(Path(snakemake.input.reference))
    )
    pdf, png = map(Path, snakemake.output)
    save_figure(figure, pdf, png)
