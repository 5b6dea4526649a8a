from pathlib import Path

import pandas as pd
import pytest

from figures.synthetic import finetuning_scores, finetuning_summary, rsa_summary
from tunescope.errors import InputError
from tunescope.report.ledger import (
    COLUMNS,
    JOINS,
    NOT_RUN,
    OTHER_DEPTH,
    OTHER_ENCODER,
    SEEN,
    ledger,
)
from tunescope.tables import read_published

REFERENCE = Path(__file__).parents[2] / "reference"


@pytest.fixture(scope="module")
def reference() -> dict[str, pd.DataFrame]:
    return {join.published: read_published(REFERENCE, join.published) for join in JOINS}


def test_every_published_number_has_a_row_when_nothing_was_run(
    reference: dict[str, pd.DataFrame],
) -> None:
    rows = ledger({}, reference)
    assert list(rows.columns) == list(COLUMNS)
    assert len(rows) == sum(len(table) for table in reference.values())
    assert set(rows["note"]) == {NOT_RUN}
    assert set(rows["comparable"]) == {"no"}
    assert rows["reproduced"].isna().all()
    assert rows["published"].notna().all()


def test_scores_meet_by_task_start_and_metric(reference: dict[str, pd.DataFrame]) -> None:
    summary = finetuning_summary(finetuning_scores())
    rows = ledger({"summary_finetuning": summary}, reference)
    row = rows.query("task == 'mrpc' and quantity == 'random, f1'").iloc[0]
    assert row["published"] == 0.812
    ours = summary.query("task == 'mrpc' and initialisation == 'random' and metric == 'f1'")
    assert row["reproduced"] == ours["value"].iloc[0]
    assert row["difference"] == pytest.approx(ours["value"].iloc[0] - 0.812)
    assert (row["low"], row["high"]) == (ours["low"].iloc[0], ours["high"].iloc[0])
    assert row["comparable"] == "shape"
    assert row["note"] == OTHER_ENCODER
    assert set(rows.query("task == 'qnli'")["note"]) == {NOT_RUN}


def test_each_encoder_of_ours_has_its_row(reference: dict[str, pd.DataFrame]) -> None:
    scores = finetuning_scores({"rte": ("accuracy",)}, encoders=("lab", "minilm"))
    rows = ledger({"summary_finetuning": finetuning_summary(scores)}, reference)
    found = rows[(rows["task"] == "rte") & rows["reproduced"].notna()]
    assert sorted(found["encoder"]) == ["lab"] * 3 + ["minilm"] * 3


def test_layers_meet_only_in_encoders_of_the_same_depth(reference: dict[str, pd.DataFrame]) -> None:
    figures = {name: reference[name] for name in ("merchant2020_figure2", "merchant2020_figure5")}
    shallow = ledger({"summary_rsa": rsa_summary(blocks=4)}, figures)
    assert shallow["reproduced"].isna().all()
    assert set(shallow["note"]) == {OTHER_DEPTH}
    deep = ledger({"summary_rsa": rsa_summary(blocks=12)}, figures)
    assert deep["reproduced"].notna().all()
    summary = rsa_summary(blocks=12)
    row = deep.query("task == 'mnli' and layer == 10 and corpus == 'mnli-dev'").iloc[0]
    ours = summary[(summary["layer"] == 10) & (summary["measure"] == "rsa")]
    ours = ours.query("task == 'mnli' and domain == 'in'")
    assert row["published"] == 0.638
    assert row["reproduced"] == ours["value"].iloc[0]


def test_the_published_encoder_compares_in_level(reference: dict[str, pd.DataFrame]) -> None:
    summary = finetuning_summary(finetuning_scores(encoders=("bert-base-uncased",)))
    rows = ledger(
        {"summary_finetuning": summary},
        reference,
        published_encoders={"bert-base-uncased"},
        seen={"bert-base-uncased": {"mrpc"}},
    )
    found = rows[rows["reproduced"].notna()]
    assert set(found["comparable"]) == {"yes"}
    assert set(found[found["task"] == "mrpc"]["note"]) == {SEEN}
    assert set(found[found["task"] != "mrpc"]["note"]) == {""}


def test_layers_read_as_text_or_numbers_are_the_same(
    reference: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    summary = rsa_summary(blocks=12)
    summary.to_csv(tmp_path / "summary.csv", index=False)
    figures = {"merchant2020_figure2": reference["merchant2020_figure2"]}
    first = ledger({"summary_rsa": summary}, figures)
    second = ledger({"summary_rsa": pd.read_csv(tmp_path / "summary.csv")}, figures)
    pd.testing.assert_frame_equal(first, second)


def test_a_missing_column_is_named(reference: dict[str, pd.DataFrame]) -> None:
    summary = finetuning_summary(finetuning_scores()).drop(columns="low")
    with pytest.raises(InputError, match="no column low"):
        ledger({"summary_finetuning": summary}, reference)
