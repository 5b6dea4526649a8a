"""The plain way of structural probes: one layer at a time, with the differences of all pairs."""

import networkx
import numpy as np
import torch
from scipy.stats import spearmanr

from tunescope.probing.structural import epoch_batches, initial_weights


def random_heads(words, generator):
    """Heads of a random tree over shuffled words."""
    order = generator.permutation(words)
    heads = np.zeros(words, dtype=int)
    for place in range(1, words):
        heads[order[place]] = order[generator.integers(place)] + 1
    return heads.tolist()


def graph_of(heads):
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(heads)))
    graph.add_edges_from((word, head - 1) for word, head in enumerate(heads) if head)
    return graph


def plain_predictions(kind, states, weights):
    projected = states @ weights
    if kind == "depth":
        return projected.square().sum(dim=-1)
    return (projected[:, None] - projected[None, :]).square().sum(dim=-1)


def plain_loss(kind, data, layer, sentences, weights):
    losses = []
    for one in sentences:
        words = slice(data.offsets[one], data.offsets[one + 1])
        states = torch.from_numpy(data.states[layer, words]).to(weights.dtype)
        gold = torch.from_numpy(data.depths[words] if kind == "depth" else data.distances[one])
        errors = (plain_predictions(kind, states, weights) - gold).abs()
        losses.append(errors.sum() / errors.numel())
    return torch.stack(losses).mean()


def plain_training(kind, train, development, settings, layer, dtype=torch.float64):
    """One layer alone, with PyTorch's own Adam and plateau; returns weights, losses and rates."""
    hidden = train.states.shape[2]
    start = initial_weights(hidden, min(settings.rank, hidden), seed=settings.seed, dtype=dtype)
    weights = torch.nn.Parameter(start)
    optimizer = torch.optim.Adam([weights], lr=settings.learning_rate)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optimizer, factor=settings.decay, patience=0
    )
    least, least_epoch, best = np.inf, -1, None
    losses, rates = [], []
    for epoch in range(settings.epochs):
        for sentences in epoch_batches(len(train), settings, epoch):
            optimizer.zero_grad()
            plain_loss(kind, train, layer, sentences, weights).backward()
            optimizer.step()
        with torch.no_grad():
            loss = plain_loss(kind, development, layer, range(len(development)), weights).item()
        losses.append(loss)
        rates.append(optimizer.param_groups[0]["lr"])
        plateau.step(loss)
        if loss < least - settings.least_fall:
            least, least_epoch, best = loss, epoch, weights.detach().clone()
        elif epoch - least_epoch >= settings.patience:
            break
    return best, losses, rates


def plain_scores(kind, predictions, data):
    """Correlation and right edges, or right root, of each sentence."""
    found = []
    for one, predicted in enumerate(predictions):
        words = slice(data.offsets[one], data.offsets[one + 1])
        kept = np.flatnonzero(~data.punctuation[words])
        if kind == "depth":
            gold = data.depths[words]
            root = kept[predicted[kept].argmin()] == gold.argmin() if len(kept) else False
            found.append((spearmanr(predicted, gold).statistic, bool(root)))
            continue
        gold = data.distances[one]
        rows = [spearmanr(p, g).statistic for p, g in zip(predicted, gold, strict=True)]
        edges = [
            set(map(frozenset, networkx.minimum_spanning_edges(whole(side, kept), data=False)))
            for side in (predicted, gold)
        ]
        found.append((np.mean(rows), len(edges[0] & edges[1])))
    return found


def whole(distances, words):
    graph = networkx.Graph()
    graph.add_nodes_from(words)
    for i, first in enumerate(words):
        for second in words[i + 1 :]:
            graph.add_edge(first, second, weight=distances[first, second])
    return graph
