#!/bin/sh
# Snakemake runs this in the conda environment that it has just made, from the folder of the workflow.
exec sh envs/install.sh python
