import json
from pathlib import Path

import pytest

from tunescope.provenance.records import Record, record_path, write_record
from tunescope.report.provenance import gather_provenance


def record(
    output: str, rule: str, inputs: list[str], *, digest: str, torch: str = "2.13.0"
) -> None:
    write_record(
        Record(
            output=output,
            rule=rule,
            sha256=digest * 32,
            bytes=1,
            settings=json.dumps({"rule": rule}),
            code="c0" * 32,
            inputs={f"input.{number}": other * 32 for number, other in enumerate(inputs)},
            versions={"torch": torch},
        ),
        record_path(output, "results"),
    )


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Weights, two tuned runs and their table, with records and some benchmarks."""
    monkeypatch.chdir(tmp_path)
    record("results/lab/models/base/model.safetensors", "pretrain", ["bb"], digest="aa")
    record("results/lab/models/base/tokenizer.json", "pretrain", ["bb"], digest="ee")
    record("results/corpora/text/train.parquet", "generate", ["99"], digest="bb")
    for seed in (0, 1):
        inputs = ["aa", "ee", f"3{seed}"]
        folder = f"results/lab/models/mnli-s{seed}"
        scores = f"results/lab/predictions/finetuning/mnli-s{seed}.h5"
        record(f"{folder}/tokenizer.json", "finetune", inputs, digest="ee")
        weights = f"{folder}/model.safetensors"
        record(weights, "finetune", inputs, digest=f"1{seed}", torch="2.13.0+cpu")
        record(scores, "finetune", inputs, digest=f"2{seed}")
        benchmark = Path(f"results/benchmarks/lab/models/mnli-s{seed}.tsv")
        benchmark.parent.mkdir(parents=True, exist_ok=True)
        benchmark.write_text("s\th:m:s\n10.5\t0:00:10\n")
    record("results/tables/finetuning.csv", "tabulate", ["20", "21"], digest="dd")
    origin = Path("results/lab/models/base/origin.json")
    origin.parent.mkdir(parents=True)
    origin.write_text(json.dumps({"source": "language lab", "revision": "", "notes": ["a note"]}))
    return tmp_path


def test_records_are_followed_to_their_sources(results: Path) -> None:
    found = gather_provenance(Path("results"), ["results/tables/finetuning.csv", "reference/x.csv"])
    assert found.tables == {"finetuning": "dd" * 32}
    assert found.code == {"finetuning": "c0" * 32}
    assert found.weights == {"lab/base": "aa" * 32}
    assert found.jobs == {
        "finetune": (2, 21.0),
        "generate": (1, None),
        "pretrain": (1, None),
        "tabulate": (1, None),
    }
    assert found.encoders == {
        "lab": f"language lab\na note\nSHA-256 of the weights here: {'aa' * 32}"
    }


def test_jobs_are_counted_once_with_their_times(results: Path) -> None:
    wanted = [f"results/lab/models/mnli-s{seed}/model.safetensors" for seed in (0, 1)]
    found = gather_provenance(Path("results"), ["results/tables/finetuning.csv", *wanted])
    assert found.jobs["finetune"] == (2, 21.0)
    assert set(found.weights) == {"lab/base", "lab/mnli-s0", "lab/mnli-s1"}
    assert found.versions == {"torch": "2.13.0, 2.13.0+cpu"}


def test_outputs_without_records_are_left_out(results: Path) -> None:
    found = gather_provenance(Path("results"), ["results/tables/absent.csv"])
    assert found.tables == {}
    assert found.jobs == {}


def test_all_tables_are_followed_where_none_is_named(results: Path) -> None:
    named = gather_provenance(Path("results"), ["results/tables/finetuning.csv"])
    assert gather_provenance(Path("results")) == named
    assert gather_provenance(Path("elsewhere")).tables == {}
