"""The plain ways: whole similarity matrices, nothing saved."""

import numpy as np


def cosines(states):
    rows = np.asarray(states, dtype=np.float64)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return rows @ rows.T


def plain_rsa(x, y):
    upper = np.triu_indices(len(x), k=1)
    return np.corrcoef(cosines(x)[upper], cosines(y)[upper])[0, 1]


def plain_biased_cka(x, y):
    centring = np.eye(len(x)) - 1 / len(x)
    first, second = (centring @ (s @ s.T) @ centring for s in (x.astype(float), y.astype(float)))
    return np.sum(first * second) / np.sqrt(np.sum(first**2) * np.sum(second**2))


def unbiased_criterion(first, second):
    """Song et al. (2012), equation 5, for symmetric matrices."""
    n = len(first)
    product = first.sum() * second.sum() / ((n - 1) * (n - 2))
    chained = first.sum(axis=0) @ second.sum(axis=1)
    return (np.sum(first * second) + product - 2 / (n - 2) * chained) / (n * (n - 3))


def plain_debiased_cka(x, y, keep=None):
    keep = ~np.eye(len(x), dtype=bool) if keep is None else keep
    first, second = (keep * (s @ s.T) for s in (x.astype(float), y.astype(float)))
    own = unbiased_criterion(first, first) * unbiased_criterion(second, second)
    return unbiased_criterion(first, second) / np.sqrt(own)


def resampled(inputs, weights):
    """Tokens of one resample, and which of their pairs count: no copies of an input together."""
    tokens, copies = [], []
    for copy in range(int(weights.max())):
        chosen = np.flatnonzero(weights[inputs] > copy)
        tokens.append(chosen)
        copies.append(np.full(len(chosen), copy))
    token, copy = np.concatenate(tokens), np.concatenate(copies)
    same_input = inputs[token][:, None] == inputs[token]
    keep = (~same_input | (copy[:, None] == copy)) & ~np.eye(len(token), dtype=bool)
    return token, keep


def plain_rsa_replicate(x, y, inputs, weights):
    token, keep = resampled(inputs, weights)
    pairs = np.triu(keep)
    return np.corrcoef(cosines(x[token])[pairs], cosines(y[token])[pairs])[0, 1]


def plain_cka_replicate(x, y, inputs, weights):
    token, keep = resampled(inputs, weights)
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    return plain_debiased_cka(x[token], y[token], keep)
