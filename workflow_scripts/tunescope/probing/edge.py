"""The edge probe: what its spans are to each other, read off frozen states (Tenney et al. 2019)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

IntArray: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Spans:
    """One span of each target of a batch, as places among the batch's units.

    Attributes:
        starts: first unit, shape [targets].
        lengths: number of units, shape [targets].
        units: all units of all spans, one after the other, shape [sum of lengths].
        cells: place of each of these in a table of [targets, longest], shape [sum of lengths].
        offsets: where each span begins in `units`, shape [targets].
        longest: length of the longest span.
    """

    starts: torch.Tensor
    lengths: torch.Tensor
    units: torch.Tensor
    cells: torch.Tensor
    offsets: torch.Tensor
    longest: int

    def to(self, device: torch.device) -> "Spans":
        """The same on a device."""
        return Spans(
            starts=self.starts.to(device),
            lengths=self.lengths.to(device),
            units=self.units.to(device),
            cells=self.cells.to(device),
            offsets=self.offsets.to(device),
            longest=self.longest,
        )


def make_spans(starts: IntArray, lengths: IntArray) -> Spans:
    """Prepare spans for pooling."""
    longest = int(lengths.max(initial=1))
    offsets = np.cumsum(lengths) - lengths
    inside = np.arange(int(lengths.sum())) - np.repeat(offsets, lengths)
    return Spans(
        starts=torch.from_numpy(starts),
        lengths=torch.from_numpy(lengths),
        units=torch.from_numpy(np.repeat(starts, lengths) + inside),
        cells=torch.from_numpy(np.repeat(np.arange(len(lengths)) * longest, lengths) + inside),
        offsets=torch.from_numpy(offsets),
        longest=longest,
    )


class ScalarMix(nn.Module):
    """A learned average of layers times a learned factor (Peters et al. 2018)."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(layers))
        self.gamma = nn.Parameter(torch.ones(()))

    @property
    def weights(self) -> torch.Tensor:
        """Weight of each layer; they are positive and sum to 1."""
        return self.scores.softmax(0)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Mix states of shape [layers, units, hidden] to [units, hidden]."""
        layers, units, hidden = states.shape
        return (self.gamma * (self.weights @ states.view(layers, -1))).view(units, hidden)


class SpanPooling(nn.Module):
    """Self-attentive pooling of a span and projection of the result.

    In the published form units are projected, weighted by a softmax over the scores that a learned
    vector gives them, and summed. Projection and sum are linear and the weights sum to 1, so the
    sum can come first: it is the same function of the same parameters, but projects a vector a span
    and not a vector a unit. (The score's bias, and the projection's, cancel in the softmax.)
    """

    def __init__(self, hidden: int, projection: int) -> None:
        super().__init__()
        self.projection = nn.Linear(hidden, projection)
        self.score = nn.Linear(projection, 1, bias=False)

    def forward(self, units: torch.Tensor, spans: Spans) -> torch.Tensor:
        """Pool units of shape [units, hidden] to [targets, projection]."""
        pooled: torch.Tensor = self.projection(self.pool(units, spans))
        return pooled

    def pool(self, units: torch.Tensor, spans: Spans) -> torch.Tensor:
        """Weighted mean of the units of each span, shape [targets, hidden]."""
        if spans.longest == 1:
            return units.index_select(0, spans.starts)
        scores = units @ (self.score.weight @ self.projection.weight).squeeze(0)
        columns = torch.arange(spans.longest, device=units.device)
        table = (spans.starts[:, None] + columns).clamp_(max=len(units) - 1)
        padded = scores.index_select(0, table.view(-1)).view(table.shape)
        padded = padded.masked_fill(columns >= spans.lengths[:, None], -torch.inf)
        weights = padded.softmax(1).view(-1).index_select(0, spans.cells)
        pooled: torch.Tensor = functional.embedding_bag(
            spans.units, units, spans.offsets, mode="sum", per_sample_weights=weights
        )
        return pooled


class EdgeProbe(nn.Module):
    """Projection and pooling for each span, and a classifier of two layers.

    Args:
        hidden: width of the states.
        layers: number of layers mixed; 1 takes a layer as it is.
        spans: spans of a target, 1 or 2; each has projection and attention of its own.
        labels: number of labels.
        projection: width of a span's vector.
        width: width of the classifier's hidden layer.
        dropout: in the classifier.
    """

    def __init__(
        self,
        *,
        hidden: int,
        layers: int,
        spans: int,
        labels: int,
        projection: int,
        width: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.mix = ScalarMix(layers) if layers > 1 else None
        self.pooling = nn.ModuleList(SpanPooling(hidden, projection) for _ in range(spans))
        self.classifier = nn.Sequential(
            nn.Linear(spans * projection, width),
            nn.Tanh(),
            nn.LayerNorm(width),
            nn.Dropout(dropout),
            nn.Linear(width, labels),
        )

    def forward(self, states: torch.Tensor, spans: Sequence[Spans]) -> torch.Tensor:
        """Logits of each target and label, shape [targets, labels].

        Args:
            states: of the batch's units, shape [layers, units, hidden].
            spans: the first spans of all targets, then the second ones if there are two.
        """
        units = states[0] if self.mix is None else self.mix(states)
        vectors = [pool(units, one) for pool, one in zip(self.pooling, spans, strict=True)]
        logits: torch.Tensor = self.classifier(torch.cat(vectors, dim=1))
        return logits
