"""Predict with a fine-tuned encoder, or with heads that were never trained."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from tqdm import tqdm

from tunescope.corpora.canonical import Split
from tunescope.encoders.architecture import initialise
from tunescope.encoders.inputs import Inputs
from tunescope.encoders.load import load_encoder, weights_sha256
from tunescope.finetuning.model import load_run
from tunescope.finetuning.predictions import Predictions
from tunescope.finetuning.run import HEAD_DEVIATION
from tunescope.finetuning.tasks import Examples, SentenceTask, task_of
from tunescope.training.batches import length_batches


def predict(folder: Path, split: Split, *, batch_size: int) -> Predictions:
    """Predict a split with the run of a folder.

    Args:
        folder: run folder.
        split: examples with gold labels, of the same kind and labels as the run's.
        batch_size: examples a forward pass; no effect beyond the last digits.

    Raises:
        InputError: the split does not fit the run, or the folder holds none.
    """
    run = load_run(folder)
    if not isinstance(run.task, SentenceTask):
        raise TypeError(f"predicting {run.task.kind} is another function's work")
    examples = run.task.examples(split, run.encoder.tokenizer, max_length=run.max_length)
    scores = _forward(run.model, examples.inputs, batch_size, lambda model, batch: model(batch))
    return _predictions(folder, run.task, examples, scores)


def predict_untrained(
    folder: Path, split: Split, *, head_seeds: Sequence[int], max_length: int, batch_size: int
) -> Predictions:
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

    Returns:
        Predictions with scores of shape [heads, examples, outputs].

    Raises:
        InputError: the split poses no task of sentences, or the folder holds no encoder.
    """
    encoder = load_encoder(folder)
    task = task_of(split)
    if not isinstance(task, SentenceTask):
        raise TypeError(f"predicting {task.kind} is another function's work")
    examples = task.examples(
        split, encoder.tokenizer, max_length=min(max_length, encoder.max_length)
    )
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
        head = task.head(encoder.hidden, 0.0)
        initialise(head, HEAD_DEVIATION, torch.Generator().manual_seed(seed))
        with torch.inference_mode():
            scores.append(head.linear(pooled).numpy())
    predictions = _predictions(folder, task, examples, np.stack(scores))
    origin = {**predictions.origin, "head_seeds": np.array(head_seeds, dtype=np.int64)}
    return Predictions(
        predictions.kind,
        predictions.labels,
        predictions.rows,
        predictions.gold,
        predictions.scores,
        origin,
    )


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
