"""Dumping hidden states beside the bare forward pass over the same batches.

Both run by turns on a BERT with random weights and inputs of uneven length; the dump includes
casting, checking, writing and syncing the store. Set OMP_NUM_THREADS for the number of threads.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import torch
from transformers import BertConfig, BertModel

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow_scripts"))

from tunescope.activations.dump import (
    dump_hidden_states,
    length_batches,
    padded_batch,
    window_pieces,
    windows,
)
from tunescope.activations.inputs import Inputs
from tunescope.activations.store import StoreAttributes
from tunescope.encoders.load import Encoder


def random_inputs(count: int, longest: int, vocabulary: int) -> Inputs:
    generator = np.random.default_rng(0)
    lengths = np.clip(generator.lognormal(3.2, 0.5, count).astype(int), 4, longest)
    pieces = int(lengths.sum())
    return Inputs(
        rows=np.arange(count),
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
        piece_ids=generator.integers(vocabulary, size=pieces).astype(np.int32),
        segments=np.zeros(pieces, np.int8),
        word_ids=np.arange(pieces, dtype=np.int32),
        cut=np.zeros(count, np.bool_),
        replaced_words=0,
        empty=0,
    )


@torch.inference_mode()
def bare(encoder: Encoder, inputs: Inputs, batch_pieces: int) -> None:
    """The forward pass alone, over the batches of the dump."""
    for start, stop in windows(inputs.offsets, window_pieces(encoder, batch_pieces)):
        for batch in length_batches(np.diff(inputs.offsets[start : stop + 1]), batch_pieces):
            ids, segments, mask, _ = padded_batch(inputs, batch + start, padding=0)
            encoder.model(input_ids=ids, token_type_ids=segments, attention_mask=mask)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--hidden", type=int, default=384)
    parser.add_argument("--inputs", type=int, default=1_000)
    parser.add_argument("--longest", type=int, default=128, help="longest input in pieces")
    parser.add_argument("--batch-pieces", type=int, default=4_096)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of both, by turns")
    parser.add_argument(
        "--folder", type=Path, help="where to write; a temporary folder if not given"
    )
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    options = parser.parse_args()
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=5_000,
        hidden_size=options.hidden,
        num_hidden_layers=options.layers,
        num_attention_heads=options.heads,
        intermediate_size=4 * options.hidden,
        max_position_embeddings=max(128, options.longest),
    )
    model = BertModel(config, add_pooling_layer=False).eval()
    shape = options.layers, options.heads, options.hidden, options.longest
    encoder = Encoder(model, Mock(), *shape)
    inputs = random_inputs(options.inputs, options.longest, config.vocab_size)
    attributes = StoreAttributes("random", "base", "", inputs.content_hash, {})
    times: dict[str, list[float]] = {"bare": [], "dump": []}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder, "states.h5")
        bare(encoder, inputs, options.batch_pieces)
        for _ in range(options.rounds):
            start = time.perf_counter()
            bare(encoder, inputs, options.batch_pieces)
            middle = time.perf_counter()
            dump_hidden_states(
                encoder, inputs, path, attributes,
                batch_pieces=options.batch_pieces, device="cpu", progress=False,
            )  # fmt: skip
            times["bare"].append(middle - start)
            times["dump"].append(time.perf_counter() - middle)
        size = path.stat().st_size
    ratios = [dump / plain for dump, plain in zip(times["dump"], times["bare"], strict=True)]
    found = {
        "pieces": len(inputs.piece_ids),
        "store_mebibytes": size / 2**20,
        "bare_seconds": min(times["bare"]),
        "dump_seconds": min(times["dump"]),
        "ratio_of_best": min(times["dump"]) / min(times["bare"]),
        "ratio_median_round": statistics.median(ratios),
    }
    for name, value in found.items():
        print(f"{name.replace('_', ' '):24}{value:12.4g}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
