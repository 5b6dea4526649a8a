"""The published numbers: complete, well formed, and consistent with one another."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

REFERENCE = Path(__file__).parents[1] / "reference"
GLUE = ["mrpc", "sts-b", "sst-2", "qqp", "rte", "qnli", "mnli"]

#: Number of values of each published table and figure, with the columns that identify one.
CATALOGUE: dict[str, tuple[int, tuple[str, ...]]] = {
    # 8 probes x (base, lexical, random, 3 fine-tuned)
    "merchant2020_table1": (48, ("run", "probe", "view", "metric")),
    # 4 metrics x 4 encoders x 12 layers
    "merchant2020_figure1": (192, ("run", "layer", "metric")),
    # 3 tasks x 12 layers
    "merchant2020_figure2": (36, ("task", "corpus", "layer", "measure")),
    # 3 tasks x (nothing, 12 layers)
    "merchant2020_figure3": (39, ("task", "last_frozen_layer", "metric")),
    "merchant2020_figure4": (36, ("task", "output_layer", "metric")),
    # 2 tasks x 2 corpora x 12 layers
    "merchant2020_figure5": (48, ("task", "corpus", "layer", "measure")),
    "merchant2020_finetuning": (3, ("task", "initialisation", "metric")),
    "merchant2020_text": (12, ("quantity", "task", "layer", "detail")),
    # 7 tasks x 3 starts, two of them with two metrics
    "kovaleva2019_table1": (27, ("task", "initialisation", "metric")),
    "kovaleva2019_figure2": (35, ("task", "pattern")),
    "kovaleva2019_figure3": (144, ("variant", "layer", "head")),
    "kovaleva2019_figure3_example": (14, ("layer", "head", "position")),
    # 7 tasks x 144 heads, or x 12 layers
    "kovaleva2019_figure5": (1008, ("task", "variant", "layer", "head")),
    "kovaleva2019_figure5_layers": (84, ("task", "variant", "layer")),
    "kovaleva2019_figure6": (2016, ("task", "feature", "variant", "layer", "head")),
    "kovaleva2019_figure6_layers": (168, ("task", "feature", "variant", "layer")),
    # 7 tasks x 8 features x 12 heads
    "kovaleva2019_figure7": (672, ("task", "feature", "layer", "head")),
    "kovaleva2019_figure8": (1008, ("task", "method", "layer", "head", "metric")),
    "kovaleva2019_figure9": (84, ("task", "method", "layer", "metric")),
    "kovaleva2019_scales": (70, ("figure", "task", "tick")),
    "kovaleva2019_notebook_features": (65, ("run", "feature", "layer", "head")),
    "kovaleva2019_notebook_relations": (15, ("run", "direction", "layer", "head")),
    "kovaleva2019_text": (14, ("quantity", "task", "layer", "head", "detail")),
    "devlin2019_finetuning": (2, ("task", "initialisation", "metric")),
    "prasanna2020_finetuning": (7, ("task", "initialisation", "metric")),
    "prasanna2020_patterns": (70, ("run", "task", "pattern")),
    "tenney2019_edge_probing": (64, ("probe", "view", "blocks", "metric")),
    "tenney2019_sizes": (24, ("probe", "split")),
    "hewitt2019_ranks": (20, ("rank", "metric")),
}


def read(name: str) -> pd.DataFrame:
    return pd.read_csv(REFERENCE / f"{name}.csv", keep_default_na=False, na_values=[""])


def test_every_file_is_in_the_catalogue() -> None:
    assert {path.stem for path in REFERENCE.glob("*.csv")} == set(CATALOGUE)


def test_every_file_is_described() -> None:
    text = (REFERENCE / "README.md").read_text()
    assert [name for name in CATALOGUE if f"`{name}.csv`" not in text] == []


@pytest.mark.parametrize("name", CATALOGUE)
def test_rows_and_keys(name: str) -> None:
    rows, keys = CATALOGUE[name]
    table = read(name)
    assert len(table) == rows
    assert not table.duplicated(list(keys)).any()
    assert list(table.columns[-3:]) == ["source", "precision", "error"]
    assert set(table["precision"]) <= {"printed", "derived", "figure"}
    assert table[["source", "precision", "error"]].notna().all().all()
    assert (table["error"] >= 0).all()


@pytest.mark.parametrize("name", [name for name in CATALOGUE if "text" not in name])
def test_values_are_fractions_and_indices_count_from_zero(name: str) -> None:
    table = read(name)
    column = "share" if "share" in table else "value"
    if column in table:
        assert table[column].between(0, 1).all()
    for index in ("layer", "head", "output_layer"):
        if index in table and table[index].notna().any():
            assert table[index].min() >= 0
            assert table[index].max() <= 11


def test_differences_of_edge_probing_lead_back_to_the_base() -> None:
    table = read("merchant2020_table1")
    base = table[(table["run"] == "base") & (table["view"] == "mix")].set_index("probe")["value"]
    others = table[table["difference"].notna()]
    assert np.allclose(others["value"] - others["difference"], others["probe"].map(base))
    assert len(others) == 40


def test_claims_of_merchant2020_hold_in_its_figures() -> None:
    rsa = read("merchant2020_figure2").set_index(["task", "layer"])["value"]
    printed = read("merchant2020_text").query("quantity == 'rsa'").iloc[0]
    assert abs(rsa["mnli", 10] - printed["value"]) <= 0.003 + printed["error"]
    assert all(rsa[task, 11] < 0.4 for task in ("mnli", "squad", "dep"))
    both = read("merchant2020_figure5").pivot(index=["task", "layer"], columns="domain")["value"]
    assert (both["in"] < both["out"]).all()
    frozen = read("merchant2020_figure3").set_index(["task", "last_frozen_layer"])["value"]
    whole = read("merchant2020_figure4").set_index(["task", "output_layer"])["value"]
    for task in ("mnli", "squad", "dep"):
        assert abs(frozen[task, -1] - whole[task, 11]) <= 0.006


def test_average_gain_of_table_1() -> None:
    table = read("kovaleva2019_table1")
    single = table[~((table["metric"] == "f1") & table["task"].isin(["mrpc", "qqp"]))]
    value = single.pivot(index="task", columns="initialisation", values="value")
    printed = read("kovaleva2019_text").set_index("quantity")["value"]["finetuning_average_gain"]
    assert round((value["pretrained"] - value["none"]).mean(), 3) == printed


@pytest.mark.parametrize(
    ("task", "start", "metric", "constant"),
    [
        ("mrpc", "none", "accuracy", 129 / 408),
        ("sst-2", "none", "accuracy", 428 / 872),
        ("rte", "none", "accuracy", 146 / 277),
        ("mrpc", "random", "accuracy", 279 / 408),
        ("mrpc", "random", "f1", 2 * 279 / (2 * 279 + 129)),
        ("rte", "random", "accuracy", 146 / 277),
        ("qnli", "random", "accuracy", 2702 / 5463),
    ],
)
def test_scores_marked_constant_are_those_of_one_answer(
    task: str, start: str, metric: str, constant: float
) -> None:
    table = read("kovaleva2019_table1").set_index(["task", "initialisation", "metric"])
    row = table.loc[(task, start, metric)]
    assert row["constant"]
    assert row["value"] == pytest.approx(constant, abs=0.001)


def test_patterns_add_up_to_one() -> None:
    figure = read("kovaleva2019_figure2").groupby("task")["share"].sum()
    assert figure.between(0.995, 1.005).all()
    later = read("prasanna2020_patterns").groupby(["run", "task"])["share"].sum()
    assert later.between(0.997, 1.003).all()
    share = read("kovaleva2019_figure2").pivot(index="task", columns="pattern", values="share")
    both = share["heterogeneous"] + share["block"]
    assert round(both["mrpc"], 2) == 0.32
    assert round(both["qqp"], 2) == 0.61


def test_frame_map() -> None:
    values = read("kovaleva2019_figure3").set_index(["layer", "head"])["value"]
    assert values[0, 1] == 0.201
    assert values[6, 5] == 0.209
    assert round(values.mean(), 3) == 0.037
    assert round(values.median(), 3) == 0.021
    assert np.percentile(values, 95) == pytest.approx(0.109, abs=0.0006)
    assert np.percentile(values, 99) == pytest.approx(0.171, abs=0.0006)
    assert sorted(values)[-3:] == [0.131, 0.201, 0.209]


@pytest.mark.parametrize("figure", ["kovaleva2019_figure5", "kovaleva2019_figure6"])
def test_means_over_heads_are_those_of_the_cells(figure: str) -> None:
    keys = [key for key in CATALOGUE[figure][1] if key != "head"]
    cells = read(figure).groupby(keys)["value"].mean()
    means = read(f"{figure}_layers").set_index(keys)["value"]
    assert (cells - means).abs().max() <= 0.0055
    assert len(cells) == len(means)


def test_extremes_of_figure_5() -> None:
    table = read("kovaleva2019_figure5").set_index(["layer", "head"])
    lowest = {task: rows["value"].idxmin() for task, rows in table.groupby("task")}
    assert lowest == {
        "mrpc": (11, 8),
        "sts-b": (11, 5),
        "sst-2": (10, 10),
        "qqp": (10, 10),
        "rte": (11, 8),
        "qnli": (10, 10),
        "mnli": (10, 10),
    }
    layers = read("kovaleva2019_figure5").groupby(["task", "layer"])["value"].mean().unstack()
    two_lowest = {task: set(row.nsmallest(2).index) for task, row in layers.iterrows()}
    assert two_lowest == {task: {10, 11} if task != "qqp" else {9, 10} for task in GLUE}


def test_extremes_of_figure_6() -> None:
    table = read("kovaleva2019_figure6").set_index(["task", "layer", "head"])
    sep = table[table["feature"] == "[SEP]"]["value"]
    assert sep.idxmax() == ("sst-2", 4, 3)
    assert sep["rte"].idxmax() == (8, 2)
    cls = table[table["feature"] == "[CLS]"]["value"]
    highest = {task: cls[task].idxmax() for task in GLUE}
    assert [task for task in GLUE if highest[task] == (1, 6)] == [
        "mrpc",
        "sts-b",
        "sst-2",
        "qqp",
        "mnli",
    ]
    assert highest["rte"] == (2, 1)
    assert highest["qnli"] == (0, 2)


@pytest.mark.parametrize(
    ("task", "feature", "mean"),
    [
        ("mrpc", "[SEP]", 0.325),
        ("mrpc", "pronoun", 0.014),
        ("sts-b", "noun", 0.175),
        ("sts-b", "negation", 0.090),
        ("sst-2", "verb", 0.091),
        ("sst-2", "[CLS]", 0.021),
        ("qqp", "subject", 0.041),
        ("qqp", "[SEP]", 0.249),
        ("rte", "object", 0.030),
        ("rte", "noun", 0.108),
        ("qnli", "noun", 0.161),
        ("qnli", "subject", 0.093),
        ("mnli", "negation", 0.087),
        ("mnli", "[SEP]", 0.278),
    ],
)
def test_means_of_figure_7(task: str, feature: str, mean: float) -> None:
    table = read("kovaleva2019_figure7")
    assert set(table["layer"]) == {11}
    value = table[(table["task"] == task) & (table["feature"] == feature)]["value"].mean()
    assert value == pytest.approx(mean, abs=0.0011)


@pytest.mark.parametrize("figure", [8, 9])
def test_disabled_heads_stay_on_the_printed_scale(figure: int) -> None:
    table = read(f"kovaleva2019_figure{figure}")
    scales = read("kovaleva2019_scales").query("figure == @figure").groupby("task")["value"]
    # The colour bar spans the scores and the baseline, which is drawn as a mark on it.
    values = table.melt(["task"], ["value", "baseline"], value_name="score").groupby("task")[
        "score"
    ]
    assert (values.min() - scales.min()).abs().max() <= 0.0011
    assert (values.max() - scales.max()).abs().max() <= 0.0011


def test_gains_of_disabling_that_the_text_prints() -> None:
    text = read("kovaleva2019_text").set_index(["quantity", "task"])["value"]
    heads = read("kovaleva2019_figure8")
    gain = (heads["value"] - heads["baseline"]).groupby(heads["task"]).max()
    assert (gain > 0).all()
    assert gain.idxmin() == "sts-b"
    assert gain.idxmax() == "mrpc"
    for task in ("sts-b", "mrpc"):
        assert gain[task] == pytest.approx(text["head_gain_best", task], abs=0.0011)
    layers = read("kovaleva2019_figure9")
    change = (layers["value"] - layers["baseline"]).groupby(layers["task"]).max()
    assert change["rte"] == pytest.approx(text["layer_gain", "rte"], abs=0.0006)
    for task in ("qnli", "mnli"):
        assert change[task] == pytest.approx(text["layer_gain_best", task], abs=0.0006)
    worst = (layers["value"] - layers["baseline"]).groupby(layers["task"]).min()
    assert worst["qnli"] == pytest.approx(-0.0856, abs=1e-6)
    assert worst["mnli"] == pytest.approx(-0.0319, abs=1e-6)


@pytest.mark.parametrize(
    ("task", "counts"),
    [
        ("mrpc", (92, 17, 35)),
        ("sts-b", (27, 87, 30)),
        ("sst-2", (23, 52, 69)),
        ("qqp", (23, 44, 77)),
        ("rte", (74, 32, 38)),
        ("qnli", (22, 30, 92)),
        ("mnli", (21, 36, 87)),
    ],
)
def test_heads_above_about_and_below_the_baseline(task: str, counts: tuple[int, int, int]) -> None:
    heads = read("kovaleva2019_figure8").query("task == @task")
    difference = (heads["value"] - heads["baseline"]).round(6)
    above, about, below = counts
    assert above + about + below == len(heads)
    # The border is .0003; cells are rounded to four decimals, so those on it may count either way.
    assert (difference > 0.00035).sum() <= above <= (difference > 0.00025).sum()
    assert (difference < -0.00035).sum() <= below <= (difference < -0.00025).sum()


def test_counts_of_figures_8_and_9_make_their_scores() -> None:
    for name in ("kovaleva2019_figure8", "kovaleva2019_figure9"):
        table = read(name).dropna(subset=["correct"])
        assert set(table["task"]) == {"sst-2", "rte"}
        assert np.allclose(table["value"], table["correct"] / table["examples"], atol=1e-6)


def test_sizes_of_edge_probing() -> None:
    table = read("tenney2019_sizes").set_index(["probe", "split"])
    assert table.loc[("pos", "train"), "targets"] == 2_070_382
    assert (table["targets"] >= table["examples"]).all()
