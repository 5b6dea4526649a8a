"""RSA in linear time beside the way over whole similarity matrices.

Parts, each in a process of its own: values of many layers both ways, the interval from all
resamples at once beside one resample after the other, and a stream of many tokens with its peak
memory; with --stores, both ways on real states. Set OMP_NUM_THREADS for the number of threads.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow_scripts"))

from tunescope.activations.store import HiddenStates
from tunescope.similarity.bootstrap import rsa_replicates
from tunescope.similarity.rsa import rsa, rsa_of_blocks
from tunescope.statistics import resample_weights


def states(tokens: int, width: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two related sets of states in float16 with a high mean cosine, as in upper layers."""
    generator = np.random.default_rng(seed)
    x = generator.normal(size=(tokens, width)) * np.linspace(0.2, 2, width) + 2
    y = 0.7 * x + generator.normal(size=(tokens, width))
    return x.astype(np.float16), y.astype(np.float16)


def whole_matrices(x: np.ndarray, y: np.ndarray) -> float:
    """The plain way in float64: both similarity matrices, then their upper triangles."""
    similarities = []
    upper = np.triu_indices(len(x), k=1)
    for side in (x, y):
        rows = side.astype(np.float64)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        similarities.append((rows @ rows.T)[upper])
    return float(np.corrcoef(*similarities)[0, 1])


def timed(call: Callable[[], object]) -> tuple[object, float, float]:
    """Result, seconds on the clock and seconds of processor time."""
    clock, processor = time.perf_counter(), time.process_time()
    result = call()
    return result, time.perf_counter() - clock, time.process_time() - processor


def peak_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def compare_values(tokens: int, layers: int, width: int, rounds: int) -> dict[str, float]:
    pairs = [states(tokens, width, seed) for seed in range(layers)]
    rsa(*pairs[0])
    best: tuple[float, float] = (np.inf, np.inf)
    values: list[float] = []
    for _ in range(rounds):
        values, clock, processor = timed(lambda: [rsa(x, y) for x, y in pairs])
        best = min(best, (clock, processor))
    linear_peak = peak_mebibytes()
    plain, plain_clock, _ = timed(lambda: whole_matrices(*pairs[0]))
    return {
        "linear_seconds": best[0],
        "linear_processor_seconds": best[1],
        "whole_matrices_seconds": plain_clock * layers,
        "ratio": plain_clock * layers / best[0],
        "difference": abs(float(plain) - values[0]),
        "linear_peak_mebibytes": linear_peak,
        "whole_matrices_peak_mebibytes": peak_mebibytes(),
    }


def compare_stores(base: Path, tuned: Path, tokens: int) -> dict[str, float]:
    """Largest difference of both ways over the layers of two stores, and the mean cosines met."""
    with HiddenStates(base) as first, HiddenStates(tuned) as second:
        chosen = np.random.default_rng(0).permutation(np.flatnonzero(first.word_ids >= 0))
        chosen = np.sort(chosen[:tokens])
        found: dict[str, float] = {"tokens": len(chosen)}
        differences = []
        for layer in first.layers:
            x, y = first.read(layer)[chosen], second.read(layer)[chosen]
            value = rsa(x, y)
            differences.append(abs(value - whole_matrices(x, y)))
            found[f"rsa_{layer}"] = value
            rows = x / np.linalg.norm(x.astype(np.float64), axis=1, keepdims=True)
            found[f"mean_cosine_{layer}"] = float(np.square(rows.mean(axis=0)).sum())
        found["largest_difference"] = max(differences)
        return found


def compare_intervals(tokens: int, width: int, inputs: int, resamples: int) -> dict[str, float]:
    x, y = states(tokens, width, 0)
    owners = np.sort(np.random.default_rng(1).integers(inputs, size=tokens))
    weights = resample_weights(inputs, resamples, seed=0)
    _, clock, processor = timed(lambda: rsa_replicates(x, y, owners, weights))
    drawn = np.repeat(np.arange(tokens), weights[0][owners])
    _, one_clock, _ = timed(lambda: rsa(x[drawn], y[drawn]))
    return {
        "at_once_seconds": clock,
        "at_once_processor_seconds": processor,
        "one_by_one_seconds": one_clock * resamples,
        "ratio": one_clock * resamples / clock,
    }


def stream(tokens: int, width: int) -> dict[str, float]:
    block = 8_192
    pool = [states(block, width, seed) for seed in range(4)]

    def blocks() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for number, start in enumerate(range(0, tokens, block)):
            x, y = pool[number % len(pool)]
            rows = min(block, tokens - start)
            yield x[:rows], y[:rows]

    _, clock, processor = timed(lambda: rsa_of_blocks(blocks()))
    return {
        "seconds": clock,
        "processor_seconds": processor,
        "processor_seconds_per_million_tokens": processor / tokens * 1e6,
        "peak_mebibytes": peak_mebibytes(),
    }


def apart(call: Callable[..., dict[str, float]], *arguments: int) -> dict[str, float]:
    """Run in a fresh process, so that peak memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(call, arguments)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=5_000, help="tokens compared")
    parser.add_argument("--layers", type=int, default=13, help="layers compared")
    parser.add_argument("--width", type=int, default=768, help="width of the states")
    parser.add_argument("--inputs", type=int, default=1_000, help="inputs the tokens come from")
    parser.add_argument("--resamples", type=int, default=1_000, help="resamples of the interval")
    parser.add_argument("--rounds", type=int, default=3, help="rounds; the best one counts")
    parser.add_argument(
        "--stream",
        type=int,
        nargs="*",
        default=[62_500, 250_000, 1_000_000],
        help="tokens of each stream; none to leave it out",
    )
    parser.add_argument(
        "--stores", type=Path, nargs=2, metavar=("BASE", "TUNED"), help="two stores to compare too"
    )
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    options = parser.parse_args()
    found = {
        f"values, {options.layers} layers x {options.tokens} tokens x {options.width}": apart(
            compare_values, options.tokens, options.layers, options.width, options.rounds
        ),
        f"interval, {options.resamples} resamples of {options.inputs} inputs, one layer": apart(
            compare_intervals, options.tokens, options.width, options.inputs, options.resamples
        ),
    }
    for tokens in options.stream:
        found[f"stream, {tokens} tokens x {options.width}"] = apart(stream, tokens, options.width)
    if options.stores:
        found["real states"] = compare_stores(*options.stores, options.tokens)
    for title, numbers in found.items():
        print(title)
        for name, value in numbers.items():
            print(f"  {name.replace('_', ' '):40}{value:12.4g}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
