"""The training loop: one screen, whatever is trained."""

import logging
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from accelerate import Accelerator
from torch import nn
from tqdm import tqdm

from tunescope.training.batches import epoch_batches
from tunescope.training.checkpoint import Checkpoint, CheckpointFolder
from tunescope.training.optimizers import OptimizerName, make_optimizer, warmup_linear

_LOSSES_AT_ONCE = 50  # reading a loss waits for the device

#: Mean loss of a batch: takes the numbers of its examples and the step, counted from 0.
BatchLoss = Callable[[npt.NDArray[np.int64], int], torch.Tensor]


@dataclass(frozen=True)
class Plan:
    """How to train; the settings of fine-tuning say what each means."""

    epochs: int
    batch_size: int
    learning_rate: float
    warmup: float
    weight_decay: float
    optimizer: OptimizerName
    max_gradient_norm: float
    bf16: bool
    checkpoint_seconds: float

    def rate(self, step: int, steps: int) -> float:
        """Learning rate of a step counted from 0."""
        return self.learning_rate * warmup_linear(step, steps, self.warmup)


@dataclass(frozen=True)
class Step:
    """What was recorded of a step, counted from 0."""

    step: int
    epoch: int
    loss: float
    learning_rate: float


def train(
    model: nn.Module,
    loss_of: BatchLoss,
    lengths: npt.NDArray[np.int64],
    *,
    plan: Plan,
    seed: int,
    checkpoints: CheckpointFolder | None = None,
    title: str = "training",
) -> list[Step]:
    """Train a model in place.

    With the same model, examples, plan and seed, on the same machine with as many threads, the
    weights at the end are the same to the last bit, also if the process was killed and started
    again, however often.

    Args:
        model: moved to the accelerator if there is one, and back at the end.
        loss_of: mean loss of a batch under the model; draws random numbers from torch alone, or
            from generators seeded by the step.
        lengths: pieces of each example, shape [examples].
        plan: how to train.
        seed: of the order of examples and of dropout.
        checkpoints: where checkpoints go; none are written if None.
        title: of the progress bar.

    Returns:
        A record of each step.

    Raises:
        FloatingPointError: the loss is not finite.
        SupersededError: another process trains the same run.
    """
    precision = "bf16" if plan.bf16 and _has_bf16() else "no"
    accelerator = Accelerator(mixed_precision=precision)
    if accelerator.num_processes > 1:
        raise RuntimeError("one process trains a run; start it without `accelerate launch`")
    steps_an_epoch = math.ceil(len(lengths) / plan.batch_size)
    steps = steps_an_epoch * plan.epochs
    with _reproducible(seed, accelerator.device):
        model.to(accelerator.device).train()
        optimizer = make_optimizer(
            model,
            plan.optimizer,
            learning_rate=plan.learning_rate,
            weight_decay=plan.weight_decay,
            max_gradient_norm=plan.max_gradient_norm,
        )
        parameters = [one for group in optimizer.param_groups for one in group["params"]]
        losses: list[float] = []
        pending: list[torch.Tensor] = []
        if checkpoints and (found := checkpoints.latest()):
            _restore(found.tensors, model, optimizer, parameters)
            losses = found.losses
            logging.info("%s: going on after step %d of %d", title, found.step, steps)
        saved = time.monotonic()
        bar = tqdm(total=steps, initial=len(losses), desc=title, unit="step", mininterval=5)
        batches: list[npt.NDArray[np.int64]] = []
        for step in range(len(losses), steps):
            epoch, place = divmod(step, steps_an_epoch)
            if place == 0 or not batches:
                batches = epoch_batches(lengths, batch_size=plan.batch_size, seed=seed, epoch=epoch)
            for group in optimizer.param_groups:
                group["lr"] = plan.rate(step, steps)
            with accelerator.autocast():
                loss = loss_of(batches[place], step)
            accelerator.backward(loss)
            if plan.optimizer == "adamw":
                accelerator.clip_grad_norm_(parameters, plan.max_gradient_norm)
            optimizer.step()
            optimizer.zero_grad()
            pending.append(loss.detach())
            bar.update()
            due = checkpoints and time.monotonic() - saved >= plan.checkpoint_seconds
            if due or len(pending) == _LOSSES_AT_ONCE or step == steps - 1:
                losses += _read_losses(pending, len(losses))
                pending = []
            if checkpoints and due and step < steps - 1:
                tensors = _tensors(model, optimizer, parameters)
                checkpoints.save(Checkpoint(step + 1, tensors, losses))
                saved = time.monotonic()
        bar.close()
    model.to("cpu").eval()
    return [
        Step(step, step // steps_an_epoch, loss, plan.rate(step, steps))
        for step, loss in enumerate(losses)
    ]


def _has_bf16() -> bool:
    return torch.cuda.is_available() and torch.cuda.is_bf16_supported(including_emulation=False)


@contextmanager
def _reproducible(seed: int, device: torch.device) -> Iterator[None]:
    """Seed dropout, and choose reproducible kernels where they are not the only ones."""
    torch.manual_seed(seed)
    before = torch.are_deterministic_algorithms_enabled()
    if device.type == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True)
        torch.backends.cudnn.benchmark = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)


def _read_losses(pending: list[torch.Tensor], first: int) -> list[float]:
    losses: list[float] = torch.stack(pending).float().tolist()
    for place, loss in enumerate(losses):
        if not math.isfinite(loss):
            raise FloatingPointError(
                f"loss is {loss} at step {first + place}; a lower learning rate may help"
            )
    return losses


def _tensors(
    model: nn.Module, optimizer: torch.optim.Optimizer, parameters: list[nn.Parameter]
) -> dict[str, torch.Tensor]:
    """All that the rest of the training depends on, beside the number of the step."""
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    for number, parameter in enumerate(parameters):
        for name, tensor in optimizer.state[parameter].items():
            tensors[f"optimizer.{number}.{name}"] = tensor
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    return tensors


def _restore(
    tensors: Mapping[str, torch.Tensor],
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    parameters: list[nn.Parameter],
) -> None:
    prefix = "model."
    model.load_state_dict(
        {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}
    )
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, number, key = name.split(".")
            parameter = parameters[int(number)]
            # AdamW keeps its count of steps on the CPU
            place = parameter.device if tensor.ndim else torch.device("cpu")
            optimizer.state[parameter][key] = tensor.to(place)
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
