from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tunescope.errors import InputError
from tunescope.similarity.compare import MEASURES, Comparison
from tunescope.similarity.results import write_comparison
from tunescope.similarity.tables import ComparedRun, _run_weights, tabulate_similarity
from tunescope.tables import RSA_SUMMARY

LAYERS = ("embeddings", "00", "01")
RESAMPLES = 2_000


def compared(
    folder: Path,
    level: float,
    *,
    encoder: str = "lab-p0",
    seed: int = 0,
    corpus: str = "mnli-dev",
    domain: str = "in",
    inputs_noise: np.ndarray | None = None,
    layers: tuple[str, ...] = LAYERS,
) -> ComparedRun:
    """A comparison that falls by 1 - level a layer, with the noise in its replicates."""
    values = np.stack([1 - (1 - level) * np.arange(len(layers))] * len(MEASURES))
    noise = np.zeros(RESAMPLES) if inputs_noise is None else inputs_noise
    comparison = Comparison(
        encoder=encoder,
        base="base",
        run=f"mnli-s{seed}",
        weights=("b", "t"),
        corpus_hash="c",
        layers=layers,
        values=np.stack([values, values + 0.01]),
        replicates=values[..., None] + noise,
        tokens=500,
        counts={"inputs": 100, "cut": 3},
        settings={"tokens": 500},
        stimuli={},
    )
    path = folder / f"{encoder}-{seed}-{corpus}.h5"
    write_comparison(comparison, path)
    pretraining = int(encoder.rpartition("-p")[2]) if "-p" in encoder else None
    return ComparedRun(encoder, pretraining, f"mnli-s{seed}", "mnli", seed, corpus, domain, path)


def row(summary: pd.DataFrame, **keys: object) -> pd.Series:
    chosen = summary
    for key, value in {"measure": "rsa", "domain": "in", "layer": "0", **keys}.items():
        chosen = chosen[chosen[key] == value]
    assert len(chosen) == 1
    return chosen.iloc[0]


def test_values_have_a_row_a_run_layer_measure_and_draw(tmp_path):
    values, _ = tabulate_similarity([compared(tmp_path, 0.9), compared(tmp_path, 0.8, seed=1)])
    assert len(values) == 2 * len(LAYERS) * len(MEASURES) * 2
    assert set(values["layer"]) == {"embeddings", "0", "1"}
    one = values.query("seed == 1 and layer == '1' and measure == 'cka' and draw == 1").iloc[0]
    assert one["value"] == pytest.approx(0.61)
    assert one[["encoder", "run", "corpus", "domain", "tokens"]].tolist() == (
        ["lab-p0", "mnli-s1", "mnli-dev", "in", 500]
    )
    assert one["pretraining"] == 0


def test_an_encoder_without_pretraining_seed_leaves_the_cell_empty(tmp_path):
    values, _ = tabulate_similarity([compared(tmp_path, 0.9, encoder="minilm")])
    assert values["pretraining"].isna().all()


def test_the_mean_is_over_encoders_of_the_mean_over_seeds(tmp_path):
    runs = [
        compared(tmp_path, 0.9),
        compared(tmp_path, 0.8, seed=1),
        compared(tmp_path, 0.6, encoder="lab-p1"),
    ]
    _, summary = tabulate_similarity(runs)
    assert set(RSA_SUMMARY) <= set(summary.columns)
    found = row(summary)
    assert found["encoder"] == "lab"
    assert found["value"] == pytest.approx((0.85 + 0.6) / 2)
    assert found[["encoders", "runs", "inputs", "cut", "tokens"]].tolist() == [2, 3, 100, 3, 500]
    assert found["draw_deviation"] == pytest.approx(0.01 / np.sqrt(2))


def test_families_stay_apart(tmp_path):
    runs = [compared(tmp_path, 0.9), compared(tmp_path, 0.5, encoder="minilm")]
    _, summary = tabulate_similarity(runs)
    assert row(summary, encoder="lab")["value"] == pytest.approx(0.9)
    assert row(summary, encoder="minilm")["value"] == pytest.approx(0.5)


def test_a_single_run_has_the_interval_of_its_inputs(tmp_path):
    noise = np.random.default_rng(0).normal(0, 0.02, RESAMPLES)
    _, summary = tabulate_similarity([compared(tmp_path, 0.9, inputs_noise=noise)])
    found = row(summary)
    assert found["low"] == pytest.approx(0.9 + np.quantile(noise, 0.025))
    assert found["high"] == pytest.approx(0.9 + np.quantile(noise, 0.975))


def test_the_interval_adds_runs_and_inputs(tmp_path):
    noise = np.random.default_rng(0).normal(0, 0.02, RESAMPLES)
    levels = np.array([0.95, 0.9, 0.82, 0.87, 0.93])
    runs = [
        compared(tmp_path, level, encoder=f"lab-p{number}", inputs_noise=noise)
        for number, level in enumerate(levels)
    ]
    _, summary = tabulate_similarity(runs)
    deviation = np.sqrt(levels.var() / len(levels) + 0.02**2)
    found = row(summary)
    assert found["high"] - found["low"] == pytest.approx(2 * 1.96 * deviation, rel=0.08)


def test_weights_of_runs_draw_encoders_and_seeds_within():
    members = [("a", 0), ("a", 1), ("b", 0)]
    weights = _run_weights(members, 40_000, seed=0)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    np.testing.assert_allclose(weights.mean(axis=0), [0.25, 0.25, 0.5], atol=0.01)
    assert set(np.unique(weights[:, 2])) == {0.0, 0.5, 1.0}
    assert set(np.round(np.unique(weights[:, 0]), 3)) == {0.0, 0.25, 0.5, 0.75, 1.0}


def test_in_minus_out_pairs_the_runs(tmp_path):
    generator = np.random.default_rng(0)
    levels = [0.5, 0.7, 0.9]  # runs differ much, but all by .1 between the corpora
    runs = []
    for number, level in enumerate(levels):
        for corpus, domain, shift in (("mnli-dev", "in", 0.0), ("general", "out", 0.1)):
            noise = np.random.default_rng([7, domain == "in"]).normal(0, 0.01, RESAMPLES)
            runs.append(
                compared(
                    tmp_path,
                    level + shift,
                    encoder=f"lab-p{number}",
                    corpus=corpus,
                    domain=domain,
                    inputs_noise=noise,
                )
            )
    generator.shuffle(runs)
    _, summary = tabulate_similarity(runs)
    found = row(summary, domain="in minus out")
    assert found["corpus"] == "mnli-dev minus general"
    assert found["value"] == pytest.approx(-0.1)
    assert found["high"] - found["low"] == pytest.approx(2 * 1.96 * 0.01 * np.sqrt(2), rel=0.08)
    assert row(summary)["high"] - row(summary)["low"] > 0.3
    assert found["runs"] == 3


def test_falls_are_between_neighbouring_layers(tmp_path):
    noise = np.random.default_rng(0).normal(0, 0.05, RESAMPLES)  # the same at every layer
    _, summary = tabulate_similarity([compared(tmp_path, 0.9, inputs_noise=noise)])
    falls = summary[summary["measure"] == "rsa fall"]
    assert falls["layer"].tolist() == ["0", "1"]
    np.testing.assert_allclose(falls[["value", "low", "high"]], 0.1)


def test_comparisons_that_do_not_match_are_refused(tmp_path):
    runs = [
        compared(tmp_path, 0.9),
        compared(tmp_path, 0.9, encoder="lab-p1", layers=("embeddings", "00")),
    ]
    with pytest.raises(InputError, match="other layers than"):
        tabulate_similarity(runs)
