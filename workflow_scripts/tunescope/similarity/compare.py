"""Compares two runs of an encoder layer by layer, from their stores of hidden states."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from tunescope.activations.inputs import SPECIAL
from tunescope.activations.store import HiddenStates
from tunescope.config.similarity import SimilaritySettings
from tunescope.errors import InputError
from tunescope.similarity.bootstrap import cka_replicates, rsa_replicates
from tunescope.similarity.cka import CkaSums
from tunescope.similarity.gram import BLOCK_ROWS
from tunescope.similarity.rsa import RsaSums
from tunescope.statistics import resample_weights

#: Measures of a comparison: Pearson correlation of cosines, debiased linear CKA.
MEASURES = ("rsa", "cka")
_READ_ROWS = 32_768  # rows of a store read at a time
_LEAST_TOKENS = 10

IntArray: TypeAlias = npt.NDArray[np.int64]
Array: TypeAlias = npt.NDArray[np.float64]
States: TypeAlias = npt.NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Similarity of a run to the one it started from.

    Attributes:
        encoder: the encoder's name.
        base: the run compared with.
        run: the run compared.
        weights: SHA-256 of the weights of both.
        corpus_hash: of the inputs.
        layers: names from the bottom, as in the stores.
        values: similarity, shape [draws of tokens, measures, layers].
        replicates: the same in each resample of the inputs, for the tokens of the first draw,
            shape [measures, layers, resamples].
        tokens: tokens of a draw.
        counts: what the inputs held, and how many were cut; see `Inputs.counts`.
        settings: settings of the comparison.
        stimuli: settings of the inputs.
    """

    encoder: str
    base: str
    run: str
    weights: tuple[str, str]
    corpus_hash: str
    layers: tuple[str, ...]
    values: Array
    replicates: Array
    tokens: int
    counts: Mapping[str, int]
    settings: Mapping[str, object]
    stimuli: Mapping[str, object]


@dataclass(frozen=True, eq=False)
class _Tokens:
    """What is drawn from: pieces or words, each with its place in the store and its input."""

    units: str
    places: IntArray
    inputs: IntArray


def compare(
    base: HiddenStates,
    tuned: HiddenStates,
    settings: SimilaritySettings,
    *,
    progress: bool = True,
) -> Comparison:
    """Compare every layer that both stores have.

    Tokens are drawn from those of all inputs, apart for each draw; the same inputs and seed give
    the same tokens and resamples whatever the run. Inputs are resampled for the interval: its time
    grows with the square of the tokens, that of the values in proportion.

    Args:
        base: states of the pre-trained encoder.
        tuned: states of the run, on the same inputs.
        settings: tokens, draws, resamples and seed.
        progress: whether to show a bar on standard error.

    Raises:
        InputError: the stores hold other inputs, too few tokens, or states without a similarity.
    """
    if base.attributes.corpus_hash != tuned.attributes.corpus_hash:
        raise InputError(
            tuned.path,
            f"holds states of another corpus than {base.path}",
            "Delete both; the workflow dumps them again",
        )
    tokens = _eligible(base, settings)
    drawn = min(settings.tokens, len(tokens.places))
    inputs = len(base.offsets) - 1
    weights = resample_weights(inputs, settings.resamples, seed=_resampling_seed(base, settings))
    layers = tuple(layer for layer in base.layers if layer in tuned.layers)
    values = np.empty((settings.draws, len(MEASURES), len(layers)))
    replicates = np.empty((len(MEASURES), len(layers), settings.resamples))
    draws = [_draw(len(tokens.places), drawn, [settings.seed, n]) for n in range(settings.draws)]
    title = f"{tuned.attributes.run} on {base.path.stem}"
    for number, layer in enumerate(tqdm(layers, desc=title, disable=not progress)):
        try:
            for draw, chosen in enumerate(draws):
                values[draw, :, number] = _values(_pairs(base, tuned, layer, tokens, chosen))
            pairs = list(_pairs(base, tuned, layer, tokens, draws[0]))
            replicates[:, number] = _replicates(pairs, tokens.inputs[draws[0]], weights)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(
                f"{base.path} (first) and {tuned.path} (second), layer {layer}",
                str(error),
                "Leave the run out if its states do not differ, or use more inputs",
            ) from error
    return Comparison(
        encoder=tuned.attributes.encoder,
        base=base.attributes.run,
        run=tuned.attributes.run,
        weights=(base.attributes.weights_hash, tuned.attributes.weights_hash),
        corpus_hash=base.attributes.corpus_hash,
        layers=layers,
        values=values,
        replicates=replicates,
        tokens=drawn,
        counts=base.counts,
        settings=settings.model_dump(),
        stimuli=base.attributes.settings,
    )


def _eligible(store: HiddenStates, settings: SimilaritySettings) -> _Tokens:
    """The tokens that may be drawn."""
    if settings.units == "words":
        tokens = _Tokens("words", np.arange(len(store.word_spans)), store.word_inputs)
    else:
        real = (
            np.ones(store.pieces, np.bool_)
            if settings.special_tokens
            else (store.word_ids != SPECIAL)
        )
        places = np.flatnonzero(real)
        tokens = _Tokens("pieces", places, store.piece_inputs[places])
    if len(tokens.places) < _LEAST_TOKENS:
        raise InputError(
            store.path,
            f"{len(tokens.places)} {settings.units} in all inputs, {_LEAST_TOKENS} needed",
            "Give the stimuli more inputs",
        )
    return tokens


def _draw(available: int, tokens: int, seed: list[int]) -> IntArray:
    """Positions of the tokens of one draw, ascending."""
    generator = np.random.default_rng(seed)
    return np.sort(generator.choice(available, tokens, replace=False))


def _resampling_seed(store: HiddenStates, settings: SimilaritySettings) -> list[int]:
    """One seed for all runs and encoders on the same inputs, another for other inputs."""
    digest = hashlib.sha256(json.dumps(store.attributes.settings, sort_keys=True).encode())
    digest.update(store.row_ids.tobytes())
    return [settings.seed, int.from_bytes(digest.digest()[:8])]


def _pairs(
    base: HiddenStates, tuned: HiddenStates, layer: str, tokens: _Tokens, chosen: IntArray
) -> Iterator[tuple[States, States]]:
    """States of the drawn tokens in both stores, block by block."""
    for start in range(0, len(chosen), BLOCK_ROWS):
        places = tokens.places[chosen[start : start + BLOCK_ROWS]]
        yield _take(base, layer, tokens.units, places), _take(tuned, layer, tokens.units, places)


def _take(store: HiddenStates, layer: str, units: str, places: IntArray) -> States:
    """Rows at these ascending places, read in parts that hold them."""
    read = store.words if units == "words" else store.read
    parts: list[States] = []
    first = 0
    while first < len(places):
        start = int(places[first])
        last = int(np.searchsorted(places, start + _READ_ROWS))
        rows = read(layer, start, int(places[last - 1]) + 1)
        parts.append(rows[places[first:last] - start])
        first = last
    return np.concatenate(parts)


def _values(pairs: Iterable[tuple[States, States]]) -> tuple[float, float]:
    rsa, cka = RsaSums(), CkaSums()
    for x, y in pairs:
        rsa.update(x, y)
        cka.update(x, y)
    return rsa.value(), cka.value()


def _replicates(pairs: list[tuple[States, States]], owners: IntArray, weights: IntArray) -> Array:
    """Both measures in each resample, shape [measures, resamples]."""
    x, y = (np.concatenate(side) for side in zip(*pairs, strict=True))
    return np.stack([rsa_replicates(x, y, owners, weights), cka_replicates(x, y, owners, weights)])
