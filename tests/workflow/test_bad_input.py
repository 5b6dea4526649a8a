"""What a user reads when something is wrong, before or while jobs run."""

import copy

import pytest

from workflow.harness import TINY, Workflow

pytestmark = pytest.mark.workflow


def test_an_unknown_key_is_refused_before_anything_runs(tmp_path):
    workflow = Workflow(tmp_path / "w", {**TINY, "similarity": {"token": 3}})
    result = workflow.run("--dry-run")
    assert result.returncode != 0
    assert "similarity.token: unknown key; known here:" in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr


def test_a_bad_line_stops_its_job_with_file_line_and_remedy(tmp_path):
    (tmp_path / "data").mkdir()
    good = "index\tsentence1\tsentence2\tlabel\n0\tA man slept .\tA man woke .\tentailment\n"
    (tmp_path / "data/train.tsv").write_text(good)
    (tmp_path / "data/dev.tsv").write_text(good + "1\tA man slept .\tA man woke .\tmaybe\n")
    settings = copy.deepcopy(TINY)
    files = {"train": "train.tsv", "dev": "dev.tsv"}
    settings["corpora"]["rte"] = {"format": "glue-rte", "files": files}
    settings["data_root"] = str(tmp_path / "data")
    workflow = Workflow(tmp_path / "w", settings)
    result = workflow.run("results/corpora/rte/train.parquet", "results/corpora/rte/dev.parquet")
    assert result.returncode != 0
    text = result.stdout + result.stderr
    assert "dev.tsv:3" in text
    assert "maybe" in text
    assert "not_entailment" in text
    assert (workflow.folder / "results/corpora/rte/train.parquet").is_file()


def test_missing_files_are_listed_and_leave_the_rest(tmp_path):
    settings = copy.deepcopy(TINY)
    files = {"train": "nowhere/train.tsv", "dev": "nowhere/dev.tsv"}
    settings["corpora"]["sts-b"] = {"format": "glue-sts-b", "files": files}
    workflow = Workflow(tmp_path / "w", settings)
    planned = workflow.planned()
    assert planned["finetune"] == 2
    text = workflow.run("--dry-run").stderr
    assert "Not run: tasks.sts-b" in text
    assert "nowhere/train.tsv" in text
