"""The workflow in a folder of its own, run by the real Snakemake on a tiny configuration."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PARTS = ("Snakefile", "rules", "workflow_scripts", "reference", "profiles", "envs", "config.yaml")

#: Tasks of both kinds, one encoder of two blocks, a few hundred examples: a minute on two cores.
TINY = {
    "seeds": [0],
    "languages": {
        "lab": {
            "pretraining_sentences": 400,
            "treebank_sentences": 50,
            "train_examples": 64,
            "dev_examples": 48,
            "out_of_domain_sentences": 60,
        }
    },
    "encoders": {"tiny": {"pretrain": {"language": "lab", "seed": 3}}},
    "pretraining": {"layers": 2, "heads": 2, "hidden": 16, "intermediate": 32, "epochs": 1},
    "corpora": {
        part: {"generated": {"language": "lab", "part": part}}
        for part in ("pretraining", "rte", "sts-b", "out-of-domain")
    },
    "tasks": {
        "rte": {"corpus": "rte", "metrics": ["accuracy"]},
        "sts-b": {"corpus": "sts-b", "metrics": ["pearson"]},
    },
    "finetuning": {"epochs": 1, "learning_rate": 1e-3, "max_length": 48},
    "stimuli": {
        "rte-dev": {"corpus": "rte", "inputs": 40},
        "out-of-domain": {"corpus": "out-of-domain", "split": "train", "inputs": 40},
    },
    "similarity": {"tokens": 200, "draws": 2, "resamples": 100},
    "experiments": {"finetuning": {"untrained_heads": 3}, "similarity": {"tasks": ["rte"]}},
}


class Workflow:
    """A copy of the workflow with a configuration of its own."""

    def __init__(self, folder: Path, configuration: dict):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, folder / part)
        self.configure(configuration)

    @classmethod
    def at(cls, folder: Path) -> "Workflow":
        """A workflow that is there already."""
        workflow = object.__new__(cls)
        workflow.folder = folder
        return workflow

    def configure(self, configuration: dict) -> None:
        (self.folder / "tiny.yaml").write_text(yaml.safe_dump(configuration, sort_keys=False))

    def run(self, *arguments: str, cores: int = 2) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "snakemake", "--configfile", "tiny.yaml"]
        return subprocess.run(
            [*command, "--cores", str(cores), *arguments],
            cwd=self.folder,
            env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    def planned(self, *arguments: str) -> dict[str, int]:
        """Jobs of a dry run, by rule."""
        result = self.run("--dry-run", *arguments)
        assert result.returncode == 0, result.stdout + result.stderr
        text = result.stdout + result.stderr
        if "Nothing to be done" in text:
            return {}
        table = text.split("Job stats:")[-1]
        jobs = dict(re.findall(r"^(\w+)\s+(\d+)$", table.split("\n\n")[0], re.MULTILINE))
        return {rule: int(n) for rule, n in jobs.items() if rule not in ("all", "total")}

    def tables(self) -> dict[str, bytes]:
        return {
            path.name: path.read_bytes() for path in (self.folder / "results/tables").glob("*.csv")
        }
