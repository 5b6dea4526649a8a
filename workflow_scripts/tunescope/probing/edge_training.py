"""Training of an edge probe by the schedule of Tenney et al. (2019)."""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional
from tqdm import tqdm

from tunescope.config.probing import EdgeProbeSettings
from tunescope.probing.amsgrad import FlatParameters
from tunescope.probing.edge import EdgeProbe
from tunescope.probing.edge_data import EdgeData
from tunescope.probing.metrics import decision_counts, f1

_EVALUATED_AT_ONCE = 256  # sentences


@dataclass(frozen=True)
class Validation:
    """A look at the development part.

    Attributes:
        step: steps done.
        loss: mean training loss since the last one.
        learning_rate: in the steps since the last one.
        score: of the development part, the higher the better; micro F1 unless said otherwise.
    """

    step: int
    loss: float
    learning_rate: float
    score: float


@dataclass(frozen=True)
class Objective:
    """What training lowers and what validations raise.

    Attributes:
        loss: of logits and gold labels, both of shape [targets, labels].
        score: of logits of the first targets of the data, shape [targets, labels].
    """

    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    score: Callable[[npt.NDArray[np.float32], EdgeData], float]


def decision_f1(logits: npt.NDArray[np.float32], data: EdgeData) -> float:
    """Micro F1 over all labels, on the first targets of the data."""
    count = len(logits)
    return float(f1(decision_counts(logits, data.gold[:count], data.unseen[:count]).sum(axis=0)))


#: A decision for each label by itself, as Tenney et al. (2019) train and choose probes.
DECISIONS = Objective(functional.binary_cross_entropy_with_logits, decision_f1)


@dataclass(frozen=True, eq=False)
class TrainedProbe:
    """A probe with the weights of its best validation.

    Attributes:
        probe: in evaluation mode, on the device it was trained on.
        validations: one after the other.
        stopped: why training ended: `no improvement`, `low learning rate` or `longest training`.
    """

    probe: EdgeProbe
    validations: tuple[Validation, ...]
    stopped: str

    @property
    def best(self) -> Validation:
        """The validation whose weights were kept: the first with the highest score."""
        return max(self.validations, key=lambda one: one.score)


class Plateau:
    """Learning rate and stopping by what validations find.

    The rate is halved after each `halve_after` validations in a row without a better score than the
    best, and training stops after `stop_after` of them or below the lowest rate.
    """

    def __init__(self, settings: EdgeProbeSettings) -> None:
        self.rate = settings.learning_rate
        self._settings = settings
        self._best = -math.inf
        self._without = 0

    def observe(self, score: float) -> bool:
        """Take a score; returns whether it is the best so far."""
        if score > self._best:
            self._best, self._without = score, 0
            return True
        self._without += 1
        if self._without % self._settings.halve_after == 0:
            self.rate /= 2
        return False

    @property
    def stopped(self) -> str | None:
        """Why to stop; None to go on."""
        if self._without >= self._settings.stop_after:
            return "no improvement"
        return "low learning rate" if self.rate < self._settings.min_learning_rate else None


def new_probe(data: EdgeData, settings: EdgeProbeSettings) -> EdgeProbe:
    """A probe for these states, targets and labels, with random weights."""
    layers, _, hidden = data.states.shape
    return EdgeProbe(
        hidden=hidden,
        layers=layers,
        spans=data.starts.shape[1],
        labels=len(data.labels),
        projection=settings.projection,
        width=settings.hidden,
        dropout=settings.dropout,
    )


def train_probe(
    train: EdgeData,
    validation: EdgeData,
    settings: EdgeProbeSettings,
    *,
    seed: int,
    objective: Objective = DECISIONS,
    title: str = "probe",
    progress: bool = True,
) -> TrainedProbe:
    """Train a probe and keep its best weights by the development part.

    With the same data, settings and seed on the same machine with as many threads, the weights are
    the same to the last bit.

    Args:
        train: training sentences.
        validation: development sentences; a validation looks at the first ones.
        settings: probe and schedule.
        seed: initial weights, order of sentences, dropout.
        objective: loss, and the score that decides learning rate, stopping and weights.
        title: of the progress bar.
        progress: whether to show a bar on standard error.

    Raises:
        FloatingPointError: the loss is not finite.
    """
    device = probing_device()
    looked_at = np.arange(min(validation.sentences, settings.validation_sentences))
    last = settings.validation_interval * settings.max_validations
    validations: list[Validation] = []
    plateau = Plateau(settings)
    stopped = None
    with reproducible(seed, device):
        probe = new_probe(train, settings).to(device).train()
        weights = FlatParameters(probe)
        best = weights.values.clone()
        losses: list[torch.Tensor] = []
        bar = tqdm(total=last, desc=title, unit="step", mininterval=5, disable=not progress)
        for step, sentences in enumerate(_batches(train.sentences, settings.batch_size, seed), 1):
            batch = train.batch(sentences, device)
            logits = probe(batch.states, batch.spans)
            loss = objective.loss(logits, batch.gold)
            torch.autograd.backward(loss)
            weights.step(plateau.rate, settings.max_gradient_norm)
            losses.append(loss.detach())
            bar.update()
            if step % settings.validation_interval:
                continue
            mean = float(torch.stack(losses).mean())
            if not math.isfinite(mean):
                raise FloatingPointError(f"{title}: loss is {mean} before step {step}")
            losses = []
            score = objective.score(predict(probe, validation, looked_at), validation)
            validations.append(Validation(step, mean, plateau.rate, score))
            if plateau.observe(score):
                best = weights.values.clone()
            stopped = plateau.stopped or ("longest training" if step >= last else None)
            if stopped:
                break
        bar.close()
        weights.values.copy_(best)
    return TrainedProbe(probe.eval(), tuple(validations), stopped or "longest training")


def predict(
    probe: EdgeProbe, data: EdgeData, sentences: npt.NDArray[np.int64] | None = None
) -> npt.NDArray[np.float32]:
    """Logits of all targets of some sentences (all by default), shape [targets, labels]."""
    device = next(probe.parameters()).device
    chosen = np.arange(data.sentences) if sentences is None else sentences
    training = probe.training
    probe.eval()
    parts = [np.zeros((0, len(data.labels)), np.float32)]
    with torch.inference_mode():
        for start in range(0, len(chosen), _EVALUATED_AT_ONCE):
            batch = data.batch(chosen[start : start + _EVALUATED_AT_ONCE], device)
            parts.append(probe(batch.states, batch.spans).cpu().numpy())
    probe.train(training)
    return np.concatenate(parts)


def probing_device() -> torch.device:
    """Where probes are trained."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@contextmanager
def reproducible(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch, choose reproducible kernels, and leave both as they were."""
    before = torch.are_deterministic_algorithms_enabled()
    if device.type == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True)
    try:
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            yield
    finally:
        torch.use_deterministic_algorithms(before)


def _batches(sentences: int, size: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Batches of epoch after epoch, without end; each epoch is shuffled anew."""
    epoch = 0
    while True:
        order = np.random.default_rng([seed, epoch]).permutation(sentences)
        for start in range(0, sentences, size):
            yield order[start : start + size]
        epoch += 1
