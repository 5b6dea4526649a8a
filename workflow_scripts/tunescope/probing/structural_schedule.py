"""Learning rate, stopping and choice of weights of structural probes."""

from dataclasses import dataclass

import numpy as np

from tunescope.config.structural import StructuralProbeSettings

_RELATIVE_FALL = 1e-4  # falls by less than this share do not spare the learning rate
_LEAST_STEP = 1e-8  # a learning rate is not lowered by less than this


@dataclass(frozen=True)
class Trajectory:
    """How one layer's probe was trained.

    Attributes:
        development_losses: after each epoch.
        learning_rates: in each epoch.
        best_epoch: the epoch whose weights were kept, from 0.
    """

    development_losses: tuple[float, ...]
    learning_rates: tuple[float, ...]
    best_epoch: int


class Schedule:
    """Learning rate, stopping and choice of weights of one layer, epoch by epoch.

    The rate falls as with PyTorch's ReduceLROnPlateau with patience 0; the optimiser goes on with
    its averages, as in the authors' release.
    """

    def __init__(self, settings: StructuralProbeSettings) -> None:
        self._settings = settings
        self._plateau = self._least = np.inf
        self.rate = settings.learning_rate
        self.losses: list[float] = []
        self.rates: list[float] = []
        self.best_epoch = -1
        self.stopped = False

    def observe(self, loss: float) -> bool:
        """Take an epoch's development loss; returns whether its weights are the best so far.

        Raises:
            FloatingPointError: the loss is not finite.
        """
        if not np.isfinite(loss):
            raise FloatingPointError(f"development loss {loss} in epoch {len(self.losses)}")
        self.losses.append(loss)
        self.rates.append(self.rate)
        if loss < self._plateau * (1 - _RELATIVE_FALL):
            self._plateau = loss
        elif self.rate * (1 - self._settings.decay) > _LEAST_STEP:
            self.rate *= self._settings.decay
        epoch = len(self.losses) - 1
        if loss < self._least - self._settings.least_fall:
            self._least, self.best_epoch = loss, epoch
            return True
        self.stopped = epoch - self.best_epoch >= self._settings.patience
        return False

    @property
    def trajectory(self) -> Trajectory:
        """What happened so far."""
        return Trajectory(tuple(self.losses), tuple(self.rates), self.best_epoch)
