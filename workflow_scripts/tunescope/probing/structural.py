"""Structural probes of all layers at once (Hewitt and Manning 2019; merchant2020, section 4).

A distance probe B makes ||B(h_i - h_j)||^2 the number of edges between words i and j, a depth probe
makes ||B h_i||^2 the number of edges above word i. The layers are a batch dimension: the loss is
the sum over layers, and each layer has its own learning rate, stopping and best weights, so that
every layer goes the way it would go alone. All layers start from the same weights and see the same
sentences in the same order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from tqdm import tqdm

from tunescope.config.structural import StructuralProbeSettings
from tunescope.probing.structural_data import TreeStates
from tunescope.probing.structural_schedule import Schedule, Trajectory

Kind = Literal["distance", "depth"]

_INITIAL = 0.05  # weights start uniformly between minus and plus this
_EVALUATED_AT_ONCE = 64  # sentences


@dataclass(frozen=True, eq=False)
class StructuralProbes:
    """Probes of one kind for all layers.

    Attributes:
        kind: what they predict.
        layers: names from the bottom.
        weights: transposed B of each layer, shape [layers, hidden, rank].
        trajectories: one a layer.
    """

    kind: Kind
    layers: tuple[str, ...]
    weights: torch.Tensor
    trajectories: tuple[Trajectory, ...]


def squared_distances(projected: torch.Tensor) -> torch.Tensor:
    """Squared distances of all pairs, shape [..., words, words], of rows [..., words, rank].

    By |p - q|^2 = |p|^2 + |q|^2 - 2 p.q, without the differences of all pairs.
    """
    products = projected @ projected.transpose(-1, -2)
    norms = products.diagonal(dim1=-2, dim2=-1)
    return norms[..., :, None] + norms[..., None, :] - 2 * products


@dataclass(frozen=True, eq=False)
class _Batch:
    """Words of some sentences.

    Attributes:
        states: shape [layers, words, hidden].
        bounds: first word and the one after the last, of each sentence.
        gold: depths [words], or distances [words, words] one a sentence.
    """

    states: torch.Tensor
    bounds: tuple[tuple[int, int], ...]
    gold: torch.Tensor | tuple[torch.Tensor, ...]


def _make_batch(
    data: TreeStates,
    sentences: npt.NDArray[np.int64],
    kind: Kind,
    layers: list[int],
    like: torch.Tensor,
) -> _Batch:
    """Take sentences from the data, with the type and device of another tensor."""
    words = data.words(sentences)
    every = len(layers) == len(data.states)
    chosen = data.states[:, words] if every else data.states[np.ix_(np.asarray(layers), words)]
    ends = np.cumsum(data.lengths[sentences]).tolist()
    return _Batch(
        states=torch.from_numpy(chosen).to(like.device).to(like.dtype),
        bounds=tuple(zip([0, *ends[:-1]], ends, strict=True)),
        gold=torch.from_numpy(data.depths[words]).to(like)
        if kind == "depth"
        else tuple(torch.from_numpy(data.distances[one]).to(like) for one in sentences),
    )


def _losses(
    batch: _Batch, weights: torch.Tensor, *, gradient: bool
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Absolute errors of each layer, averaged within sentences, then over them.

    The gradient is written out: with s the signs of the errors of distances, that of a projected
    word p_i is proportional to sum_j s_ij (p_i - p_j), which needs no differences of pairs either.

    Args:
        batch: the sentences.
        weights: shape [layers, hidden, rank].
        gradient: whether to find the gradient of the sum over layers.

    Returns:
        Losses [layers], and the gradient in the shape of the weights or None.
    """
    projected = torch.bmm(batch.states, weights)
    slopes = torch.empty_like(projected) if gradient else None
    count = len(batch.bounds)
    if isinstance(batch.gold, torch.Tensor):
        sizes = torch.tensor([stop - start for start, stop in batch.bounds], device=weights.device)
        shares = torch.repeat_interleave(1 / (count * sizes.to(weights.dtype)), sizes)
        errors = projected.square().sum(dim=-1) - batch.gold
        losses = errors.abs() @ shares
        if slopes is not None:
            torch.mul(projected, (2 * errors.sign() * shares)[..., None], out=slopes)
    else:
        losses = weights.new_zeros(len(weights))
        for (start, stop), gold in zip(batch.bounds, batch.gold, strict=True):
            rows, share = projected[:, start:stop], 1 / (count * (stop - start) ** 2)
            errors = squared_distances(rows) - gold
            losses += share * errors.abs().sum(dim=(1, 2))
            if slopes is not None:
                signs = 4 * share * errors.sign()
                slopes[:, start:stop] = signs.sum(dim=-1, keepdim=True) * rows - signs @ rows
    if slopes is None:
        return losses, None
    return losses, torch.bmm(batch.states.transpose(1, 2), slopes)


def initial_weights(
    hidden: int, rank: int, *, seed: int, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """Weights that a probe starts from, shape [hidden, rank], the same for every layer."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.rand((hidden, rank), generator=generator, dtype=torch.float64)
    return ((2 * values - 1) * _INITIAL).to(dtype)


def epoch_batches(
    sentences: int, settings: StructuralProbeSettings, epoch: int
) -> Iterator[npt.NDArray[np.int64]]:
    """Sentences of each batch of an epoch, shuffled by the seed."""
    order = np.random.default_rng([settings.seed, epoch]).permutation(sentences)
    for start in range(0, sentences, settings.batch_size):
        yield order[start : start + settings.batch_size]


def train_structural_probes(
    kind: Kind,
    train: TreeStates,
    development: TreeStates,
    settings: StructuralProbeSettings,
    *,
    dtype: torch.dtype = torch.float32,
    device: str | torch.device | None = None,
    progress: bool = True,
) -> StructuralProbes:
    """Train the probes of all layers together.

    Args:
        kind: distance or depth.
        train: training sentences.
        development: sentences that learning rate, stopping and the weights kept go by.
        settings: rank and schedule.
        dtype: of states and weights. In float64 each layer's trajectory is that of training it
            alone; in float32 sums round differently with the number of layers.
        device: where to train; CUDA if there is one, by default.
        progress: whether to show a bar on standard error.

    Raises:
        ValueError: training and development sentences differ in layers or width, or are none.
        FloatingPointError: a development loss is not finite.
    """
    if train.layers != development.layers or train.states.shape[2] != development.states.shape[2]:
        raise ValueError("training and development states differ in layers or width")
    if len(train) == 0 or len(development) == 0:
        raise ValueError(f"{len(train)} training and {len(development)} development sentences")
    target = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    hidden = train.states.shape[2]
    start = initial_weights(hidden, min(settings.rank, hidden), seed=settings.seed, dtype=dtype)
    weights = start.to(target).repeat(len(train.layers), 1, 1)
    best = weights.clone()
    parameters = [torch.nn.Parameter(one) for one in weights]  # views: a step changes `weights`
    groups = [{"params": [one]} for one in parameters]
    optimizer = torch.optim.Adam(groups, lr=settings.learning_rate, fused=True)
    schedules = [Schedule(settings) for _ in parameters]
    active = list(range(len(parameters)))
    title = f"{kind} probes of {len(parameters)} layers"
    for epoch in tqdm(range(settings.epochs), title, unit="epoch", disable=not progress):
        for sentences in epoch_batches(len(train), settings, epoch):
            batch = _make_batch(train, sentences, kind, active, weights)
            _, gradient = _losses(batch, _chosen(weights, active), gradient=True)
            assert gradient is not None
            optimizer.zero_grad()
            for place, layer in enumerate(active):
                parameters[layer].grad = gradient[place]
            optimizer.step()  # layers without a gradient stay as they are
        found = _development_losses(kind, development, weights, active)
        for place, layer in enumerate(active):
            if schedules[layer].observe(float(found[place])):
                best[layer] = weights[layer]
            optimizer.param_groups[layer]["lr"] = schedules[layer].rate
        active = [layer for layer in active if not schedules[layer].stopped]
        if not active:
            break
    return StructuralProbes(
        kind=kind,
        layers=train.layers,
        weights=best.cpu(),
        trajectories=tuple(schedule.trajectory for schedule in schedules),
    )


def _chosen(weights: torch.Tensor, layers: list[int]) -> torch.Tensor:
    return weights if len(layers) == len(weights) else weights[layers]


def _development_losses(
    kind: Kind, data: TreeStates, weights: torch.Tensor, active: list[int]
) -> npt.NDArray[np.float64]:
    """Mean over sentences of each active layer's loss."""
    chosen = _chosen(weights, active)
    total = np.zeros(len(active))
    for start in range(0, len(data), _EVALUATED_AT_ONCE):
        sentences = np.arange(start, min(start + _EVALUATED_AT_ONCE, len(data)))
        losses, _ = _losses(
            _make_batch(data, sentences, kind, active, weights), chosen, gradient=False
        )
        total += len(sentences) * losses.double().cpu().numpy()
    return total / len(data)


def predict(
    probes: StructuralProbes,
    data: TreeStates,
    sentences: npt.NDArray[np.int64],
    *,
    device: str | torch.device | None = None,
) -> npt.NDArray[np.float64]:
    """What the probes say of some sentences of equal length.

    Returns:
        Depths [layers, sentences, words] or distances [layers, sentences, words, words].

    Raises:
        ValueError: the sentences differ in length.
    """
    lengths = set(data.lengths[sentences].tolist())
    if len(lengths) != 1:
        raise ValueError("sentences of one length needed")
    weights = probes.weights.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    layers = list(range(len(probes.layers)))
    batch = _make_batch(data, sentences, probes.kind, layers, weights)
    projected = torch.bmm(batch.states, weights)
    rows = projected.reshape(len(layers), len(sentences), lengths.pop(), -1)
    found = rows.square().sum(dim=-1) if probes.kind == "depth" else squared_distances(rows)
    return np.asarray(found.double().cpu().numpy())
