"""Write docs/evidence/foundations.md from tables and measurements.

    .venv/bin/python docs/evidence/foundations.py

Tables come from `results/tables/` (the laboratory) and `results/local-data/tables/` (official files),
timings from docs/evidence/measured/*.json, which `make benchmarks` and docs/evidence/README.md
describe. What is not there is said to be missing.
"""

import json
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LABORATORY = ROOT / "results/tables"
OFFICIAL = ROOT / "results/local-data/tables"


def table(frame: pd.DataFrame, places: int = 3) -> str:
    """A data frame as a table in Markdown."""
    shown = frame.map(lambda v: f"{v:.{places}f}" if isinstance(v, float) else str(v))
    lines = [list(shown.columns), ["---"] * len(shown.columns), *shown.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def read(folder: Path, name: str) -> pd.DataFrame:
    """A table of results; `none` is a word in it, only an empty cell is missing."""
    return pd.read_csv(folder / f"{name}.csv", keep_default_na=False, na_values=[""])


def with_interval(frame: pd.DataFrame) -> pd.Series:
    """Value and interval of each row in one cell."""
    return frame.apply(lambda r: f"{r.value:.3f} [{r.low:.3f}, {r.high:.3f}]", axis=1)


def finetuning(folder: Path) -> str:
    """Scores of the three starts with the differences, task by task."""
    summary = read(folder, "summary_finetuning")
    summary["shown"] = with_interval(summary)
    wide = summary.pivot(
        index=["encoder", "task", "metric"], columns="initialisation", values="shown"
    )
    order = ["none", "random", "pretrained", "pretrained minus random", "pretrained minus majority"]
    wide = wide[[name for name in order if name in wide]].fillna("-").reset_index()
    return table(wide)


def seeds(folder: Path) -> str:
    """Scores of each fine-tuned run."""
    scores = read(folder, "finetuning")
    scores = scores[scores["initialisation"] == "pretrained"]
    wide = scores.pivot(index=["task", "metric"], columns=["encoder", "seed"], values="value")
    wide.columns = [f"{encoder} s{seed}" for encoder, seed in wide.columns]
    return table(wide.reset_index())


def wins(folder: Path) -> str:
    """On how many tasks pre-training beats random initialisation, on each task's headline metric."""
    summary = read(folder, "summary_finetuning")
    headline = summary.drop_duplicates(["task", "initialisation"])
    better = headline[headline["initialisation"] == "pretrained minus random"]
    above = better[better["low"] > 0]["task"]
    majority = summary[summary["initialisation"] == "pretrained minus majority"]
    lines = [
        f"Pre-trained beats random initialisation with an interval above 0 on **{len(above)} of "
        f"{len(better)}** tasks ({', '.join(sorted(above))})."
    ]
    if len(majority):
        least = majority.loc[majority["value"].idxmin()]
        lines.append(
            f"Fine-tuned from pre-trained, accuracy is above always answering the majority class by "
            f"{100 * majority['value'].min():.1f} points or more (least on {least['task']}, "
            f"interval [{100 * least['low']:.1f}, {100 * least['high']:.1f}])."
        )
    return " ".join(lines)


def rsa(folder: Path, domain: str) -> str:
    """RSA by layer with its interval, a column a layer."""
    summary = read(folder, "summary_rsa")
    rows = summary[(summary["measure"] == "rsa") & (summary["domain"] == domain)].copy()
    rows["shown"] = with_interval(rows)
    layers = list(dict.fromkeys(rows["layer"].astype(str)))
    wide = rows.assign(layer=rows["layer"].astype(str)).pivot(
        index=["task", "corpus"], columns="layer", values="shown"
    )
    return table(wide[layers].reset_index())


def rsa_findings(folder: Path) -> str:
    """Whether RSA falls at every block, and is lower in domain than out of it."""
    summary = read(folder, "summary_rsa")
    summary["layer"] = summary["layer"].astype(str)
    blocks = summary[summary["layer"] != "embeddings"]
    falls = blocks[(blocks["measure"] == "rsa fall") & blocks["domain"].isin(["in", "out"])]
    lower = blocks[(blocks["measure"] == "rsa") & (blocks["domain"] == "in minus out")]
    later = lower[lower["layer"].astype(int) >= 1]
    return "\n".join(
        [
            f"- RSA falls from one layer to the next in {(falls['value'] > 0).sum()} of {len(falls)} "
            f"steps; the interval of the fall is above 0 in {(falls['low'] > 0).sum()}.",
            f"- From block 1 on, RSA in domain is below RSA out of domain in "
            f"{(later['value'] < 0).sum()} of {len(later)} comparisons; the interval of the "
            f"difference is below 0 in {(later['high'] < 0).sum()}.",
        ]
    )


def measured(name: str) -> str:
    """Measurements of a benchmark, as written by its `--json`."""
    path = HERE / "measured" / f"{name}.json"
    if not path.is_file():
        return f"Not measured: no {path.relative_to(ROOT)}."
    content = json.loads(path.read_text())
    nested = {k: v for k, v in content.items() if isinstance(v, dict)} or {name: content}
    rows = [
        {"part": part, "quantity": key.replace("_", " "), "value": f"{value:.4g}"}
        if isinstance(value, int | float)
        else {"part": part, "quantity": key.replace("_", " "), "value": value}
        for part, values in nested.items()
        for key, value in values.items()
    ]
    return table(pd.DataFrame(rows))


def corpora(folder: Path) -> str:
    """Records read, kept and dropped of each split."""
    accounts = read(folder, "corpora")
    keys = ["corpus", "split", "source"]
    wide = accounts.pivot_table(
        index=keys, columns="outcome", values="records", aggfunc="sum", sort=False
    ).fillna(0)
    wide = wide[[c for c in ("read", "kept", "dropped") if c in wide]].astype(int)
    return table(wide.reset_index())


def main() -> None:
    """Write the page."""
    template = (HERE / "foundations.md.in").read_text()
    page = template
    for name, make in {
        "LAB_FINETUNING": lambda: finetuning(LABORATORY),
        "LAB_WINS": lambda: wins(LABORATORY),
        "LAB_RSA_IN": lambda: rsa(LABORATORY, "in"),
        "LAB_RSA_OUT": lambda: rsa(LABORATORY, "out"),
        "LAB_RSA_FINDINGS": lambda: rsa_findings(LABORATORY),
        "REAL_FINETUNING": lambda: finetuning(OFFICIAL),
        "REAL_SEEDS": lambda: seeds(OFFICIAL),
        "REAL_RSA_IN": lambda: rsa(OFFICIAL, "in"),
        "REAL_RSA_OUT": lambda: rsa(OFFICIAL, "out"),
        "REAL_RSA_FINDINGS": lambda: rsa_findings(OFFICIAL),
        "REAL_CORPORA": lambda: corpora(OFFICIAL),
        "MEASURED_RSA": lambda: measured("rsa"),
        "MEASURED_DUMP": lambda: measured("dump"),
        "MEASURED_RUNS": lambda: measured("runs"),
    }.items():
        if f"{{{name}}}" in page:
            page = page.replace(f"{{{name}}}", make())
    (HERE / "foundations.md").write_text(page)


if __name__ == "__main__":
    main()
