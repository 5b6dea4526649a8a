"""A whole run: what it makes, twice in a row, and twice from nothing."""

import json

import pandas as pd
import pytest

from tunescope.provenance.records import read_record
from workflow.harness import TINY, Workflow

pytestmark = pytest.mark.workflow


def test_makes_every_table_figure_and_the_report(finished):
    results = finished.folder / "results"
    assert {"finetuning.csv", "summary_finetuning.csv", "rsa.csv", "summary_rsa.csv"} <= set(
        finished.tables()
    )
    for name in ("kovaleva2019_table1", "merchant2020_figure2", "merchant2020_figure5"):
        assert (results / f"figures/{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (results / f"figures/{name}.png").read_bytes().startswith(b"\x89PNG")
    page = (results / "report.html").read_text()
    assert "rte" in page.lower()
    assert page.rstrip().endswith("</html>")


def test_tables_have_a_row_for_every_run(finished):
    scores = pd.read_csv(finished.folder / "results/tables/finetuning.csv")
    counts = scores.groupby(["task", "initialisation"]).size().to_dict()
    assert counts == {
        ("rte", "none"): 3,
        ("rte", "pretrained"): 1,
        ("rte", "random"): 1,
        ("sts-b", "none"): 3,
        ("sts-b", "pretrained"): 1,
        ("sts-b", "random"): 1,
    }
    rsa = pd.read_csv(finished.folder / "results/tables/rsa.csv")
    assert set(rsa["layer"].astype(str)) == {"embeddings", "0", "1"}
    assert set(rsa["domain"]) == {"in", "out"}
    assert rsa["value"].between(-1, 1).all()


def test_leaves_no_store_and_a_record_of_every_output(finished):
    results = finished.folder / "results"
    assert not list(results.glob("*/activations/**/*.h5"))
    made = [p for p in results.rglob("*") if p.is_file() and p.name != ".stale"]
    outputs = [p for p in made if p.relative_to(results).parts[0] not in ("records", "logs")]
    outputs = [p for p in outputs if p.relative_to(results).parts[0] != "benchmarks"]
    for path in outputs:
        record = read_record(results / "records" / f"{path.relative_to(results)}.json")
        assert record is not None, path
        assert record.bytes == path.stat().st_size
        assert json.loads(record.settings) is not None
        assert record.versions["python"]


def test_has_nothing_to_do_the_second_time(finished):
    assert finished.planned() == {}


def test_gives_identical_tables_from_nothing(finished, tmp_path):
    again = Workflow(tmp_path / "again", TINY)
    result = again.run()
    assert result.returncode == 0, result.stdout + result.stderr
    assert again.tables() == finished.tables()
