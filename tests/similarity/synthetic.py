"""States with known geometry."""

import numpy as np


def states(tokens, width, *, mean_cosine=0.0, seed=0):
    """Rows with uneven variance around a common direction that sets their mean cosine."""
    generator = np.random.default_rng(seed)
    rows = generator.normal(size=(tokens, width)) * np.linspace(0.2, 2, width)
    rows /= np.linalg.norm(rows, axis=1).mean()
    common = generator.normal(size=width)
    common /= np.linalg.norm(common)
    return rows * np.sqrt(1 - mean_cosine) + common * np.sqrt(mean_cosine)


def related(x, *, share, mean_cosine=0.0, seed=1):
    """Other states that keep a share of the first ones' geometry."""
    noise = states(len(x), x.shape[1], seed=seed)
    rows = share * (x - x.mean(axis=0)) / np.std(x - x.mean(axis=0)) * np.std(noise)
    common = np.random.default_rng(seed + 1).normal(size=x.shape[1])
    common /= np.linalg.norm(common)
    mixed = rows + (1 - share) * noise
    return mixed * np.sqrt(1 - mean_cosine) + common * np.sqrt(mean_cosine)


def rotation(width, seed=0):
    matrix, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(width, width)))
    return matrix
