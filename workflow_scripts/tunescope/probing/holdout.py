"""A development part for treebanks that have none."""

import re
from typing import Literal

import numpy as np
import numpy.typing as npt

from tunescope.corpora.canonical import Split
from tunescope.errors import InputError
from tunescope.probing.targets import IntArray

#: Name of a sentence: its document's, then its number (`NAME-0001`, `NAME/0/line 12`).
_SENTENCE = re.compile(r"(.+?)[-/](?:line )?\d+")


def document_of(name: str) -> str:
    """Name of a sentence's document; the sentence's own name if it names none."""
    match = _SENTENCE.fullmatch(name)
    return match[1] if match else name


def held_out_rows(
    split: Split,
    rows: IntArray,
    *,
    share: float,
    by: Literal["document", "sentence"],
    seed: int,
    where: str,
) -> npt.NDArray[np.bool_]:
    """Choose sentences to hold out: whole documents, drawn until they have the share wanted.

    The draw depends on the sentences and the seed alone, so it is the same for every probe and run.

    Args:
        split: the training split.
        rows: numbers of its sentences in use.
        share: of the sentences in use; the last document drawn may exceed it.
        by: what is drawn.
        seed: of the draw.
        where: key of the configuration, for messages.

    Returns:
        Whether each of `rows` is held out.

    Raises:
        InputError: nothing would be left to train on.
    """
    names = dict(zip(split.table["row"].to_pylist(), split.table["id"].to_pylist(), strict=True))
    if by == "sentence":
        documents = np.arange(len(rows))
    else:
        _, documents = np.unique(
            [document_of(names[int(row)] or str(row)) for row in rows], return_inverse=True
        )
    sizes = np.bincount(documents, minlength=1)
    order = np.random.default_rng(seed).permutation(len(sizes))
    drawn = int(np.searchsorted(np.cumsum(sizes[order]), share * len(rows) - 1e-9)) + 1
    if drawn >= len(sizes):
        raise InputError(
            where,
            f"holding out {share:.0%} of {len(rows)} sentences in {len(sizes)} {by}s leaves none "
            "to train on",
            "Set hold_out_by: sentence, or name a validation split",
        )
    return np.asarray(np.isin(documents, order[:drawn]))
