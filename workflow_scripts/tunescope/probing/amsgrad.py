"""The optimiser of edge probes: Adam in its AMSGrad variant, on all weights as one vector."""

import torch
from torch import nn
from torch.optim.adam import adam

_BETAS = (0.9, 0.999)
_EPSILON = 1e-8


class FlatParameters:
    """Parameters of a module as one vector, so that a step is a handful of operations.

    The module's parameters become views of the vector `values`, and their gradients of another. A
    step clips the gradient of all together and updates as `torch.optim.Adam(amsgrad=True)` does
    (whose class takes seconds to set up in every process).

    Attributes:
        values: the weights, shape [parameters].
        gradient: their gradient, which backward passes add to.
    """

    def __init__(self, module: nn.Module) -> None:
        parameters = list(module.parameters())
        sizes = [one.numel() for one in parameters]
        self.values = torch.cat([one.detach().reshape(-1) for one in parameters])
        self.gradient = torch.zeros_like(self.values)
        views = torch.split(self.values, sizes), torch.split(self.gradient, sizes)
        for parameter, value, gradient in zip(parameters, *views, strict=True):
            parameter.data = value.view_as(parameter)
            parameter.grad = gradient.view_as(parameter)
        self._moments = [torch.zeros_like(self.values) for _ in range(3)]
        self._steps = torch.zeros((), dtype=torch.float32, device=self.values.device)

    @torch.no_grad()
    def step(self, learning_rate: float, max_norm: float) -> None:
        """Clip the gradient, update the weights, and clear the gradient."""
        norm = torch.linalg.vector_norm(self.gradient)
        self.gradient.mul_((max_norm / (norm + 1e-6)).clamp_(max=1.0))
        mean, square, largest = self._moments
        adam(
            [self.values],
            [self.gradient],
            [mean],
            [square],
            [largest],
            [self._steps],
            fused=True,
            amsgrad=True,
            beta1=_BETAS[0],
            beta2=_BETAS[1],
            lr=learning_rate,
            weight_decay=0.0,
            eps=_EPSILON,
            maximize=False,
        )
        self.gradient.zero_()
