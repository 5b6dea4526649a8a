"""Fewer rows of a split, always the same ones."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tunescope.corpora.canonical import Split

#: Fixed, so that a cap is part of a corpus and not of a run.
SEED = 0
REASON = "beyond train_rows"


def subsample(split: Split, rows: int, *, seed: int = SEED) -> Split:
    """Draw `rows` rows without replacement, in their order in the file; the others are counted.

    The rows of a smaller cap are among those of a larger one. A split with no more rows than that
    comes back unchanged.
    """
    total = len(split.table)
    if total <= rows:
        return split
    kept = np.sort(np.random.default_rng(seed).permutation(total)[:rows])
    account = split.accounting
    dropped: Mapping[str, int] = {**account.dropped, REASON: total - rows}
    return replace(
        split,
        table=split.table.take(kept),
        accounting=replace(account, kept=rows, dropped=dropped),
    )
