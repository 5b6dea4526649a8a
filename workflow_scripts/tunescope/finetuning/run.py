"""Fine-tune an encoder on a task (kovaleva2019, section 3; merchant2020, section 3)."""

import hashlib
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from tunescope.config.finetuning import FinetuningSettings
from tunescope.corpora.canonical import Split
from tunescope.encoders.architecture import initialise
from tunescope.encoders.load import (
    load_encoder,
    new_folder,
    publish_folder,
    save_tensors,
    weights_sha256,
    write_encoder_files,
)
from tunescope.encoders.origin import Origin
from tunescope.errors import InputError
from tunescope.finetuning.model import HEAD, HEAD_WEIGHTS, FineTuned, set_dropout
from tunescope.finetuning.protocol import Examples, Task
from tunescope.finetuning.tasks import task_of
from tunescope.training.checkpoint import CheckpointFolder
from tunescope.training.loop import Plan, Step, train
from tunescope.training.losses import LOSSES, write_losses

#: Standard deviation of a new head's weights (BERT's initialiser).
HEAD_DEVIATION = 0.02


def finetune(
    start: Path,
    split: Split,
    folder: Path,
    *,
    settings: FinetuningSettings,
    seed: int,
    task: Task | None = None,
    checkpoints: Path | None = None,
    code: str = "",
) -> list[Step]:
    """Fine-tune all weights of an encoder with a new head, and write the run folder.

    The run folder is an encoder folder with the head beside it: `head.safetensors`, `head.json`,
    and `losses.csv`. Fine-tuning from random initialisation is the same call on the folder of a
    randomised encoder. Batches hold inputs of similar length (`training.batches`).

    Args:
        start: encoder folder to start from.
        split: training examples.
        folder: the run folder to write.
        settings: schedule, optimiser and lengths.
        seed: of the head's weights, the order of the examples and dropout.
        task: what to learn; what the corpus poses if None.
        checkpoints: folder for checkpoints, removed at the end; none are written if None.
        code: fingerprint of the code; checkpoints of other code are not used.

    Returns:
        A record of each step.

    Raises:
        InputError: the encoder or the corpus is not fit for it.
    """
    encoder = load_encoder(start)
    task = task or task_of(split, settings)
    if settings.max_length > encoder.max_length:
        raise InputError(
            "finetuning.max_length",
            f"is {settings.max_length}, the encoder takes {encoder.max_length} pieces",
            f"Set it to {encoder.max_length} or less",
        )
    examples = task.examples(split, encoder.tokenizer, max_length=settings.max_length)
    set_dropout(encoder.model, settings.dropout)
    model = FineTuned(encoder.model, task.head(encoder.hidden, settings.dropout))
    initialise(model.head, HEAD_DEVIATION, torch.Generator().manual_seed(seed))

    def loss_of(indices: npt.NDArray[np.int64], step: int) -> torch.Tensor:
        del step
        device = next(model.parameters()).device
        batch = {name: one.to(device) for name, one in examples.inputs.batch(indices).items()}
        targets = {
            name: torch.from_numpy(values[indices]).to(device)
            for name, values in examples.targets.items()
        }
        return task.loss(model(batch), targets)

    identity = {
        "settings": settings.model_dump(exclude={"checkpoint_seconds", "evaluation_batch_size"}),
        "seed": seed,
        "start": weights_sha256(start),
        "task": task.describe(),
        "examples": _digest(examples),
        "torch": torch.__version__,
        "code": code,
    }
    kept = CheckpointFolder(checkpoints, identity) if checkpoints else None
    steps = train(
        model,
        loss_of,
        examples.inputs.lengths,
        plan=_plan(settings),
        seed=seed,
        checkpoints=kept,
        title=f"fine-tuning {folder.name}",
    )
    origin = Origin(
        kind="fine-tuned",
        source=f"fine-tuned on {split.accounting.source}, {len(examples.rows)} examples, "
        f"from weights {identity['start']}",
        seed=seed,
        notes=(f"{examples.inputs.truncated} inputs cut to the longest length",),
    )
    temporary = new_folder(folder)
    write_encoder_files(model.encoder, encoder.tokenizer, origin, temporary)
    save_tensors(model.head.state_dict(), temporary / HEAD_WEIGHTS)
    content = {
        "task": task.describe(),
        "dropout": settings.dropout,
        "max_length": settings.max_length,
    }
    text = json.dumps(content, indent=1, sort_keys=True)
    (temporary / HEAD).write_text(text + "\n", encoding="utf-8")
    write_losses(steps, temporary / LOSSES)
    publish_folder(temporary, folder)
    if kept:
        kept.discard()
    return steps


def _plan(settings: FinetuningSettings) -> Plan:
    return Plan(
        epochs=settings.epochs,
        batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        warmup=settings.warmup,
        weight_decay=settings.weight_decay,
        optimizer=settings.optimizer,
        max_gradient_norm=settings.max_gradient_norm,
        bf16=settings.bf16,
        checkpoint_seconds=settings.checkpoint_seconds,
    )


def _digest(examples: Examples) -> str:
    digest = hashlib.sha256(examples.inputs.sha256().encode())
    for name, values in sorted(examples.targets.items()):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()
