"""Folders whose names a shell would take apart: the workflow's own and that of its Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workflow.harness import TINY, Workflow

pytestmark = pytest.mark.workflow


@pytest.mark.parametrize("name", ["two words", "ada's"])
def test_a_job_runs_from_an_awkward_folder(tmp_path: Path, name: str) -> None:
    workflow = Workflow(tmp_path / name, TINY)
    environment = workflow.folder / ".venv"
    environment.symlink_to(sys.prefix)
    target = "results/corpora/rte/dev.parquet"
    python = environment / "bin" / Path(sys.executable).name
    result = subprocess.run(
        [python, "-m", "snakemake", "--configfile", "tiny.yaml", "--cores", "1", target],
        cwd=workflow.folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert (workflow.folder / target).exists()
