# tunescope: what fine-tuning does to BERT, as two papers measured it.
#
#   snakemake -n                                    what would run
#   snakemake --cores 2                             the embedded laboratory, offline
#   snakemake --configfile configs/paper.yaml ...   both papers at full scale
#
# `make help` lists the ways to start; README.md explains them.
from snakemake.utils import min_version

min_version("9.14")

if (
    "encoders" not in config
):  # no --configfile was given; --config alone adds to the default

    configfile: "config.yaml"


pathvars:
    results=config.get("results", "results"),


include: "rules/common.smk"
include: "rules/corpora.smk"
include: "rules/encoders.smk"
include: "rules/pretraining.smk"
include: "rules/finetuning.smk"
include: "rules/activations.smk"
include: "rules/similarity.smk"
include: "rules/reporting.smk"


rule all:
    default_target: True
    input:
        "<results>/report.html",
