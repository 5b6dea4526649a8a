"""The published optimiser, and AdamW as the other choice."""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import torch
from torch import nn

BETAS = (0.9, 0.999)
EPSILON = 1e-6
OptimizerName = Literal["bert-adam", "adamw"]


class BertAdam(torch.optim.Optimizer):
    """Adam as released with BERT (Devlin et al. 2019; kovaleva2019 trained with it).

    Unlike AdamW it does not correct the bias of its running means, and it clips the gradient of
    each tensor by itself. The decay is added to the update, before the learning rate.
    """

    def __init__(
        self,
        groups: Iterable[dict[str, Any]],
        *,
        learning_rate: float,
        max_gradient_norm: float,
        epsilon: float = EPSILON,
    ) -> None:
        """Take parameter groups, each with its own `weight_decay`.

        Args:
            groups: with keys `params` and `weight_decay`.
            learning_rate: of the first step; the loop sets `lr` of the groups.
            max_gradient_norm: largest norm of the gradient of a tensor.
            epsilon: added to the root of the running mean of squares.
        """
        self.max_gradient_norm, self.epsilon = max_gradient_norm, epsilon
        super().__init__(groups, {"lr": learning_rate, "weight_decay": 0.0})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update all parameters that have a gradient."""
        loss = None if closure is None else closure()
        for group in self.param_groups:
            parameters = [one for one in group["params"] if one.grad is not None]
            if not parameters:
                continue
            gradients = [one.grad for one in parameters]
            norms = torch._foreach_norm(gradients)
            limits = torch._foreach_add(norms, 1e-6)
            torch._foreach_reciprocal_(limits)
            torch._foreach_mul_(limits, self.max_gradient_norm)
            torch._foreach_clamp_max_(limits, 1.0)
            torch._foreach_mul_(gradients, limits)

            means = [self._state(one, "mean") for one in parameters]
            squares = [self._state(one, "square") for one in parameters]
            torch._foreach_lerp_(means, gradients, 1 - BETAS[0])
            torch._foreach_mul_(squares, BETAS[1])
            torch._foreach_addcmul_(squares, gradients, gradients, 1 - BETAS[1])

            scales = torch._foreach_sqrt(squares)
            torch._foreach_add_(scales, self.epsilon)
            updates = torch._foreach_div(means, scales)
            if group["weight_decay"]:
                torch._foreach_add_(updates, parameters, alpha=group["weight_decay"])
            torch._foreach_add_(parameters, updates, alpha=-group["lr"])
        return loss

    def _state(self, parameter: torch.Tensor, name: str) -> torch.Tensor:
        state = self.state[parameter]
        if name not in state:
            state[name] = torch.zeros_like(parameter)
        tensor: torch.Tensor = state[name]
        return tensor


def make_optimizer(
    model: nn.Module,
    name: OptimizerName,
    *,
    learning_rate: float,
    weight_decay: float,
    max_gradient_norm: float,
) -> torch.optim.Optimizer:
    """Make the optimiser of all parameters that are not frozen.

    Biases and LayerNorm weights do not decay.
    """
    decaying: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for parameter_name, parameter in model.named_parameters():
        if parameter.requires_grad:
            plain = parameter_name.endswith("bias") or "LayerNorm" in parameter_name
            (others if plain else decaying).append(parameter)
    groups: list[dict[str, Any]] = [
        {"params": decaying, "weight_decay": weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    if name == "bert-adam":
        return BertAdam(groups, learning_rate=learning_rate, max_gradient_norm=max_gradient_norm)
    return torch.optim.AdamW(groups, lr=learning_rate, betas=BETAS, eps=EPSILON, foreach=True)


def warmup_linear(step: int, steps: int, warmup: float) -> float:
    """Share of the peak learning rate at a step counted from 0 (Devlin et al. 2019).

    Rises linearly from 0 over the first `warmup` of the steps, then falls linearly to 0 at the end.
    """
    progress = step / steps
    if progress < warmup:
        return progress / warmup
    return 1.0 if warmup >= 1 else (1 - progress) / (1 - warmup)
