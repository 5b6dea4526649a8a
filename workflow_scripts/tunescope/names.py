"""Names of tasks, metrics and starts as the papers print them, and the papers' order of tasks."""

from collections.abc import Iterable, Mapping

import pandas as pd

#: Names of tasks as the papers print them; other names are printed as they are.
TASK_NAMES: Mapping[str, str] = {
    "mnli": "MNLI",
    "squad": "SQuAD",
    "dep": "Dep",
    "mrpc": "MRPC",
    "sts-b": "STS-B",
    "sst-2": "SST-2",
    "qqp": "QQP",
    "rte": "RTE",
    "qnli": "QNLI",
}

#: The three columns of the published table, in its order.
STARTS: Mapping[str, str] = {
    "none": "pre-trained, not tuned",
    "random": "fine-tuned from random",
    "pretrained": "fine-tuned from pre-trained",
}
#: Names of metrics as they are printed.
METRIC_NAMES: Mapping[str, str] = {
    "f1": "F1",
    "squad_f1": "F1",
    "accuracy": "accuracy",
    "pearson": "Pearson r",
    "spearman": "Spearman r",
    "las": "LAS",
    "uas": "UAS",
    "label_accuracy": "label accuracy",
    "las_pieces": "LAS over pieces",
    "em": "exact match",
}


def task_name(task: str) -> str:
    """Name of a task as the papers print it."""
    return TASK_NAMES.get(task, task)


def task_order(tasks: Iterable[str]) -> list[str]:
    """Tasks in the papers' order, others after them by name."""
    known = list(TASK_NAMES)
    return sorted(
        set(tasks), key=lambda task: (known.index(task) if task in known else len(known), task)
    )


def score_rows(summary: pd.DataFrame) -> list[tuple[str, str]]:
    """Rows of the published table's layout: (task, metric), in the papers' order of tasks."""
    metrics = list(METRIC_NAMES)
    found = {(str(task), str(metric)) for task, metric in summary[["task", "metric"]].to_numpy()}
    order = task_order([task for task, _ in found])
    return sorted(
        found,
        key=lambda row: (
            order.index(row[0]),
            metrics.index(row[1]) if row[1] in metrics else len(metrics),
            row[1],
        ),
    )
