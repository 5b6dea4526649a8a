"""Small tables with the columns of the real ones, for figures and the report."""

import numpy as np
import pandas as pd


def rsa_summary(
    tasks: tuple[str, ...] = ("mnli", "squad", "dep"),
    *,
    blocks: int = 4,
    encoders: tuple[str, ...] = ("lab",),
) -> pd.DataFrame:
    """Similarity that falls towards the top, faster on the task's own corpus."""
    rows = []
    for shift, encoder in enumerate(encoders):
        for number, task in enumerate(tasks):
            for domain, corpus, speed in (("in", f"{task}-dev", 1.6), ("out", "general", 1.0)):
                for layer in range(-1, blocks):
                    depth = (layer + 1) / blocks
                    drop = 0.35 * speed * (1 + 0.08 * number) / (1 + 0.2 * shift)
                    value = 1 - drop * depth**3
                    half = 0.01 + 0.05 * depth
                    for measure, factor in (("rsa", 1.0), ("cka", 0.97)):
                        rows.append(
                            {
                                "encoder": encoder,
                                "task": task,
                                "corpus": corpus,
                                "domain": domain,
                                "layer": "embeddings" if layer < 0 else layer,
                                "measure": measure,
                                "value": round(value * factor, 4),
                                "low": round(value * factor - half, 4),
                                "high": round(min(1.0, value * factor + half), 4),
                                "runs": 3,
                            }
                        )
    return pd.concat([pd.DataFrame(rows), *_rsa_differences(pd.DataFrame(rows))], ignore_index=True)


def _rsa_differences(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Fall from the layer below, and in-domain minus out-of-domain, with intervals of +-.01."""
    curve = ["encoder", "task", "corpus", "domain", "measure"]
    falls = table.assign(value=-table.groupby(curve)["value"].diff()).dropna(subset=["value"])
    falls["measure"] += " fall"
    keys = ["encoder", "task", "layer", "measure"]
    values = table.pivot(index=keys, columns="domain", values="value")
    differences = (values["in"] - values["out"]).rename("value").reset_index()
    differences = differences.assign(corpus="in minus out", domain="in minus out", runs=3)
    return [
        part.assign(low=part["value"] - 0.01, high=part["value"] + 0.01)
        for part in (falls, differences)
    ]


def finetuning_scores(
    metrics: dict[str, tuple[str, ...]] | None = None, *, encoders: tuple[str, ...] = ("lab",)
) -> pd.DataFrame:
    """Three seeds a task and start; from random weights the first task is a constant predictor."""
    metrics = metrics or {"mrpc": ("f1", "accuracy"), "rte": ("accuracy",), "sts-b": ("pearson",)}
    levels = {"none": 0.42, "random": 0.55, "pretrained": 0.83}
    generator = np.random.default_rng(5)
    rows = []
    for encoder in encoders:
        for number, (task, names) in enumerate(metrics.items()):
            for start, level in levels.items():
                for seed in range(3):
                    constant = start == "random" and number == 0
                    noise = 0.0 if constant else generator.normal(scale=0.02)
                    for metric in names:
                        suffix = {"none": "", "random": "-scratch", "pretrained": ""}[start]
                        rows.append(
                            {
                                "encoder": encoder,
                                "pretraining": 0,
                                "run": "base" if start == "none" else f"{task}{suffix}-s{seed}",
                                "task": task,
                                "seed": seed,
                                "initialisation": start,
                                "head_seed": seed,
                                "metric": metric,
                                "value": round(level + 0.01 * number + noise, 4),
                                "examples": 100 * (number + 1),
                                "constant": constant,
                            }
                        )
    return pd.DataFrame(rows)


def corpora_account() -> pd.DataFrame:
    """A generated corpus and an official file with dropped and noted records."""
    columns = ["corpus", "split", "kind", "source", "sha256", "outcome", "reason", "records"]
    digest = "0123456789abcdef" * 4
    generated = ["mnli", "dev", "classification", "language lab, seed 0", ""]
    official = ["mrpc", "train", "classification", "glue/MRPC/train.tsv", digest]
    return pd.DataFrame(
        [
            [*generated, "read", "", 800],
            [*generated, "kept", "", 800],
            [*official, "read", "", 1000],
            [*official, "kept", "", 990],
            [*official, "dropped", "no label", 7],
            [*official, "dropped", "empty text", 3],
            [*official, "noted", "quote in text", 41],
        ],
        columns=columns,
    )


def finetuning_summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Means over seeds with a made-up interval of half width .02, and the differences of starts."""
    keys = ["encoder", "task", "initialisation", "metric"]
    groups = scores.groupby(keys, sort=False)
    table = groups.agg(
        value=("value", "mean"),
        seeds=("seed", "size"),
        examples=("examples", "first"),
        constant=("constant", "sum"),
    ).reset_index()
    starts = table.set_index(keys)["value"].unstack("initialisation")
    differences = (starts["pretrained"] - starts["random"]).rename("value").reset_index()
    rows = differences.assign(initialisation="pretrained minus random", seeds=3, constant=0)
    table = pd.concat([table, rows], ignore_index=True)
    table["value"] = table["value"].round(4)
    return table.assign(low=table["value"] - 0.02, high=table["value"] + 0.02)
