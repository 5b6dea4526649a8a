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
    return pd.DataFrame(rows)


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


def finetuning_summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean over seeds with a made-up interval of half width .02."""
    keys = ["encoder", "task", "initialisation", "metric"]
    mean = scores.groupby(keys, sort=False)["value"].mean().round(4).reset_index()
    return mean.assign(low=mean["value"] - 0.02, high=mean["value"] + 0.02, runs=3)
