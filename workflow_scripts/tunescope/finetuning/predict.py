"""Predict with a fine-tuned encoder, or with heads that were never trained."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from tqdm import tqdm

from tunescope.config.finetuning import FinetuningSettings
from tunescope.corpora.canonical import Split
from tunescope.encoders.architecture import initialise
from tunescope.encoders.inputs import Inputs
from tunescope.encoders.load import load_encoder, weights_sha256
from tunescope.finetuning.answering import AnsweringTask
from tunescope.finetuning.model import load_run
from tunescope.finetuning.parsing import ParsingTask
from tunescope.finetuning.predictions import Predictions
from tunescope.finetuning.protocol import Examples, Task
from tunescope.finetuning.run import HEAD_DEVIATION
from tunescope.finetuning.scorers import AnyPredictions
from tunescope.finetuning.tasks import SentenceTask, task_of
from tunescope.training.batches import length_batches


def predict(folder: Path, split: Split, *, batch_size: int) -> AnyPredictions:
    """Predict a split with the run of a folder.

    Args:
        folder: run folder.
        split: examples with gold labels, of the same kind and labels as the run's.
        batch_size: examples a forward pass; no effect beyond the last digits.

    Raises:
        InputError: the split does not fit the run, or the folder holds none.
    """
    run = load_run(folder)
    if isinstance(run.task, ParsingTask | AnsweringTask):
        found = run.task.predict(
            run.encoder, [run.head], split, max_length=run.max_length, batch_size=batch_size
        )
        return _with_origin(found, weights_sha256=weights_sha256(folder))
    if not isinstance(run.task, SentenceTask):
        raise TypeError(f"no way to predict {run.task.kind}")
    examples = run.task.examples(split, run.encoder.tokenizer, max_length=run.max_length)
    scores = _forward(run.model, examples.inputs, batch_size, lambda model, batch: model(batch))
    return _predictions(folder, run.task, examples, scores)


def predict_untrained(
    folder: Path,
    split: Split,
    *,
    head_seeds: Sequence[int],
    max_length: int,
    batch_size: int,
    settings: FinetuningSettings | None = None,
) -> AnyPredictions:
    """Predict with the encoder as it is under heads with random weights.

    This is the "pre-trained, not fine-tuned" column of kovaleva2019's Table 1: its constant
    predictions on several tasks show that the head was not trained. One draw says little, so
    several are taken; the encoder runs once for all of them.

    Args:
        folder: encoder folder.
        split: examples with gold labels.
        head_seeds: one a head; a head is the same as that of a run of this seed before training.
        max_length: longest input in pieces.
        batch_size: examples a forward pass.
        settings: widths of the parser and windows of passages; the published ones if None.

    Returns:
        Predictions of all heads; for sentences and pairs with scores of shape
        [heads, examples, outputs]. A parser's head knows the relations of this split, which need
        not be those of a training split.

    Raises:
        InputError: the split poses no task, or the folder holds no encoder.
    """
    encoder = load_encoder(folder)
    task = task_of(split, settings)
    max_length = min(max_length, encoder.max_length)
    if isinstance(task, ParsingTask | AnsweringTask):
        heads = [_untrained_head(task, encoder.hidden, seed) for seed in head_seeds]
        found = task.predict(encoder, heads, split, max_length=max_length, batch_size=batch_size)
        return _with_origin(
            found,
            weights_sha256=weights_sha256(folder),
            head_seeds=np.array(head_seeds, dtype=np.int64),
        )
    if not isinstance(task, SentenceTask):
        raise TypeError(f"no way to predict {task.kind}")
    examples = task.examples(split, encoder.tokenizer, max_length=max_length)
    pooled = torch.from_numpy(
        _forward(
            encoder.model,
            examples.inputs,
            batch_size,
            lambda model, batch: model(**batch).pooler_output,
        )
    )
    scores = []
    for seed in head_seeds:
        head = _untrained_head(task, encoder.hidden, seed)
        with torch.inference_mode():
            scores.append(head(None, pooled, None).numpy())
    return _with_origin(
        _predictions(folder, task, examples, np.stack(scores)),
        head_seeds=np.array(head_seeds, dtype=np.int64),
    )


def _untrained_head(task: Task, hidden: int, seed: int) -> nn.Module:
    head = task.head(hidden, 0.0)
    initialise(head, HEAD_DEVIATION, torch.Generator().manual_seed(seed))
    return head.eval()


def _with_origin(found: AnyPredictions, **more: Any) -> AnyPredictions:
    return replace(found, origin={**found.origin, **more})


def _forward(
    model: nn.Module,
    inputs: Inputs,
    batch_size: int,
    output: Callable[[nn.Module, dict[str, torch.Tensor]], torch.Tensor],
) -> npt.NDArray[np.float32]:
    """Outputs of a model for all inputs, in their order, in float32."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device).eval()
    results: npt.NDArray[np.float32] | None = None
    batches = length_batches(inputs.lengths, batch_size=batch_size)
    with torch.inference_mode():
        for indices in tqdm(batches, desc="predicting", unit="batch", mininterval=5):
            batch = {name: one.to(device) for name, one in inputs.batch(indices).items()}
            values = output(model, batch).float().cpu().numpy()
            if results is None:
                results = np.empty((len(inputs), *values.shape[1:]), dtype=np.float32)
            results[indices] = values
    model.to("cpu")
    if results is None:
        raise ValueError("nothing to predict")
    return results


def _predictions(
    folder: Path, task: SentenceTask, examples: Examples, scores: npt.NDArray[np.float32]
) -> Predictions:
    return Predictions(
        kind=task.kind,
        labels=task.labels,
        rows=examples.rows,
        gold=examples.targets["gold"],
        scores=scores,
        origin={
            "weights_sha256": weights_sha256(folder),
            "inputs_sha256": examples.inputs.sha256(),
            "truncated": examples.inputs.truncated,
        },
    )
