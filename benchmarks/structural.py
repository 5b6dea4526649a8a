"""Structural probes of all layers at once beside one layer after the other.

Two plain ways are timed for the same epochs: this library's training given one layer at a time, and
the published way, which forms the differences of all pairs of words of a layer. Set
OMP_NUM_THREADS for the number of threads.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow_scripts"))

from tunescope.config.structural import StructuralProbeSettings
from tunescope.probing.structural import (
    Kind,
    epoch_batches,
    initial_weights,
    train_structural_probes,
)
from tunescope.probing.structural_data import TreeStates, make_tree_states


def random_treebank(sentences: int, layers: int, hidden: int, seed: int) -> TreeStates:
    """Random trees with the sentence lengths of English web text, and random states."""
    generator = np.random.default_rng(seed)
    records = []
    for words in np.clip(generator.lognormal(2.5, 0.75, sentences).astype(int), 1, 80):
        heads = [0, *(int(generator.integers(1, word + 1)) for word in range(1, words))]
        records.append({"heads": heads, "xpos": ["NN"] * words, "upos": ["NOUN"] * words})
    words = sum(len(record["heads"]) for record in records)
    states = generator.normal(size=(layers, words, hidden)).astype(np.float16)
    return make_tree_states([str(layer) for layer in range(layers)], states, records)


def one_layer(data: TreeStates, layer: int) -> TreeStates:
    chosen = slice(layer, layer + 1)
    return replace(data, layers=data.layers[chosen], states=data.states[chosen])


def published_way(
    kind: Kind,
    train: TreeStates,
    development: TreeStates,
    settings: StructuralProbeSettings,
    device: torch.device,
) -> None:
    """One layer: padded batches, differences of all pairs, one probe (Hewitt and Manning)."""
    hidden = train.states.shape[2]
    weights = torch.nn.Parameter(
        initial_weights(hidden, min(settings.rank, hidden), seed=settings.seed).to(device)
    )
    optimizer = torch.optim.Adam([weights], lr=settings.learning_rate)

    def loss_of(data: TreeStates, sentences: np.ndarray) -> torch.Tensor:
        lengths = data.lengths[sentences]
        longest = int(lengths.max())
        shape = (len(sentences), longest) + ((longest,) if kind == "distance" else ())
        states = np.zeros((len(sentences), longest, hidden), np.float32)
        gold = np.full(shape, -1.0, np.float32)
        for place, sentence in enumerate(sentences):
            words = slice(data.offsets[sentence], data.offsets[sentence + 1])
            states[place, : lengths[place]] = data.states[0, words]
            if kind == "distance":
                gold[place, : lengths[place], : lengths[place]] = data.distances[sentence]
            else:
                gold[place, : lengths[place]] = data.depths[words]
        projected = torch.from_numpy(states).to(device) @ weights
        if kind == "distance":
            differences = projected[:, :, None] - projected[:, None]
            predicted = differences.square().sum(dim=-1)
        else:
            predicted = projected.square().sum(dim=-1)
        truth = torch.from_numpy(gold).to(device)
        errors = ((predicted - truth).abs() * (truth >= 0)).flatten(1).sum(dim=1)
        sizes = torch.from_numpy(lengths).to(device) ** (2 if kind == "distance" else 1)
        return (errors / sizes).mean()

    for epoch in range(settings.epochs):
        for sentences in epoch_batches(len(train), settings, epoch):
            optimizer.zero_grad()
            loss_of(train, sentences).backward()
            optimizer.step()
        with torch.inference_mode():
            for start in range(0, len(development), settings.batch_size):
                stop = min(start + settings.batch_size, len(development))
                loss_of(development, np.arange(start, stop)).item()


def seconds(call: Callable[[], object], device: torch.device) -> float:
    start = time.perf_counter()
    call()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=200, help="training sentences")
    parser.add_argument("--layers", type=int, default=13)
    parser.add_argument("--hidden", type=int, default=768)
    parser.add_argument("--rank", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="rounds by turns; the best counts")
    parser.add_argument("--device", help="CUDA if there is one, by default")
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    options = parser.parse_args()
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    train = random_treebank(options.sentences, options.layers, options.hidden, 0)
    development = random_treebank(max(1, options.sentences // 8), options.layers, options.hidden, 1)
    parts = [(one_layer(train, n), one_layer(development, n)) for n in range(options.layers)]
    settings = StructuralProbeSettings(
        rank=options.rank, epochs=options.epochs, patience=options.epochs
    )
    found: dict[str, float] = {}
    kinds: tuple[Kind, ...] = ("distance", "depth")
    for kind in kinds:

        def ours(first: TreeStates, second: TreeStates, kind: Kind = kind) -> None:
            train_structural_probes(kind, first, second, settings, device=device, progress=False)

        ways: dict[str, Callable[[], object]] = {
            "together": lambda ours=ours: ours(train, development),
            "one_by_one": lambda ours=ours: [ours(*part) for part in parts],
            "published": lambda kind=kind: [
                published_way(kind, *part, settings, device) for part in parts
            ],
        }
        best = dict.fromkeys(ways, np.inf)
        for _ in range(options.rounds):
            for name, way in ways.items():
                best[name] = min(best[name], seconds(way, device))
        found |= {f"{kind}_{name}_seconds": time for name, time in best.items()}
        for name in ("one_by_one", "published"):
            found[f"{kind}_ratio_to_{name}"] = best[name] / best["together"]
    for way in ("one_by_one", "published"):
        times = [
            sum(found[f"{kind}_{name}_seconds"] for kind in kinds) for name in (way, "together")
        ]
        found[f"both_ratio_to_{way}"] = times[0] / times[1]
    for name, value in found.items():
        print(f"{name.replace('_', ' '):34}{value:12.4g}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
