# `make help` lists the targets. Paths are relative throughout: make cannot handle a space in one.

CONFIG ?= config.yaml
CORES ?= all
ARGS ?=
PYTHON ?=
TORCH ?=

PY := .venv/bin/python
SNAKEMAKE = $(PY) -m snakemake --configfile "$(CONFIG)" --cores $(CORES)
SOURCES := workflow_scripts tests benchmarks

export PYTHON TORCH
# Packages of another environment must not be found before the locked ones, and text is UTF-8 in any locale.
unexport PYTHONPATH PYTHONHOME
export PYTHONNOUSERSITE := 1
export PYTHONUTF8 := 1
export HF_HUB_DISABLE_TELEMETRY := 1
export TOKENIZERS_PARALLELISM := false

# Snakemake, matplotlib and the hub's libraries keep caches in the home folder; where it is not writable, here.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)
ifneq ($(shell mkdir -p "$(CACHE)" 2>/dev/null && test -w "$(CACHE)" && echo writable),writable)
export XDG_CACHE_HOME := $(CURDIR)/.cache
export MPLCONFIGDIR := $(CURDIR)/.cache/matplotlib
endif

.DEFAULT_GOAL := help
.PHONY: help setup results dry-run test check benchmarks clean clean-env clean-results

help: ## List the targets
	@echo 'make TARGET [VARIABLE=value ...]'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | \
	    while IFS='|' read -r name what; do printf '%-16s %s\n' "$$name" "$$what"; done
	@echo
	@echo '  CONFIG=FILE      configuration of results and dry-run (config.yaml)'
	@echo '  CORES=N          cores that results may use (all)'
	@echo '  ARGS="..."       further options for snakemake (results, dry-run) or pytest (test)'
	@echo '  PYTHON=COMMAND   Python that makes .venv: 3.11, 3.12 or 3.13 (the first that fits)'
	@echo '  TORCH=cpu|gpu    build of torch (what suits the machine)'

setup: ## Make .venv with the locked packages; nothing to do where it is current
	@sh envs/setup.sh

results: setup ## Run the workflow: everything under results/
	$(SNAKEMAKE) $(ARGS)

dry-run: setup ## List the jobs that results would run, and run none
	$(SNAKEMAKE) --dry-run $(ARGS)

# Two workers with one thread each: two cores suffice, and more threads would fight for them. A file stays
# with one worker, so that what its tests share is made once.
test: setup ## Run the tests, the workflow's own included
	env -u SNAKEMAKE_PROFILE -u MAKEFLAGS -u MAKELEVEL -u MFLAGS OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 \
	    $(PY) -m pytest -n 2 --dist loadfile $(ARGS)

check: setup ## Check style, types, the rules and the direction of imports
	$(PY) -m ruff check $(SOURCES)
	$(PY) -m ruff format --check $(SOURCES)
	$(PY) -m snakefmt --check Snakefile rules
	env -u SNAKEMAKE_PROFILE $(PY) -m snakemake --lint
	$(PY) -m mypy
	$(PY) -m pytest --quiet tests/test_imports.py

benchmarks: setup ## Run the measurements behind the speed claims
	@set -e; for script in benchmarks/*.py; do \
	    echo "$$script"; $(PY) "$$script"; done

clean: ## Remove the caches of the tests and checks
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find workflow_scripts tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

clean-env: ## Remove .venv
	rm -rf .venv

clean-results: ## Remove results/ and Snakemake's records, after asking
	@if [ ! -e results ]; then echo 'There is no results/.'; exit 0; fi; \
	    du -sh results; printf 'Remove results/ for good? Type yes: '; read -r answer || answer=; \
	    if [ "$$answer" = yes ]; then rm -rf results .snakemake; else echo 'Kept.'; exit 1; fi
