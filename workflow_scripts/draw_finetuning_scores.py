"""Draw the scores after fine-tuning, in the layout of kovaleva2019's Table 1."""

from pathlib import Path

from job import job
from tunescope.figures.finetuning import draw_finetuning_scores
from tunescope.figures.style import save_figure
from tunescope.tables import read_table

with job() as snakemake:
    figure = draw_finetuning_scores(
        read_table(Path(snakemake.input.summary)),
        read_table(Path(snakemake.input.reference)),
        scores=read_table(Path(snakemake.input.scores)),
    )
    pdf, png = map(Path, snakemake.output)
    save_figure(figure, pdf, png)
