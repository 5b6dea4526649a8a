"""Dumps hidden states of all layers at the speed of the forward pass."""

import logging
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Never

import numpy as np
import numpy.typing as npt
import torch
from tqdm import tqdm

from tunescope.activations.inputs import Inputs
from tunescope.activations.store import StoreAttributes, layer_names, write_store
from tunescope.encoders.load import Encoder

_WINDOW_BYTES = 128 << 20  # states held before they are written; up to three windows are in memory

_LOG = logging.getLogger(__name__)

IntArray = npt.NDArray[np.int64]


def dump_hidden_states(
    encoder: Encoder,
    inputs: Inputs,
    path: Path,
    attributes: StoreAttributes,
    *,
    batch_pieces: int = 4_096,
    device: str | torch.device | None = None,
    progress: bool = True,
) -> None:
    """Run the inputs through an encoder and store the states of every layer.

    Inputs of like length share a batch, within windows of the corpus that are written one after the
    other, while the next is computed. A piece's states do not depend on the batch but for the last
    digits of float16.

    Args:
        encoder: the encoder; its model is set to evaluation for the pass.
        inputs: in word pieces of the encoder's tokenizer.
        path: the store to write.
        attributes: where the states come from; its corpus hash must be the inputs'.
        batch_pieces: pieces a batch, padding included; a longer input is a batch of its own.
        device: where to compute; CUDA if there is one, by default.
        progress: whether to show a bar on standard error.

    Raises:
        InputError: a state is not finite as float16.
        ValueError: the attributes name other inputs.
    """
    if attributes.corpus_hash != inputs.content_hash:
        raise ValueError(f"{path}: attributes name corpus {attributes.corpus_hash}, not the inputs")
    _LOG.info("%s: %s", path.name, ", ".join(f"{n} {name}" for name, n in inputs.counts.items()))
    target = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    layers = layer_names(encoder.layers)
    with (
        write_store(path, inputs, attributes, layers=layers, hidden=encoder.hidden) as store,
        ThreadPoolExecutor(max_workers=1) as writer,
        tqdm(total=len(inputs), desc=path.stem, unit="input", disable=not progress) as bar,
        _evaluating(encoder.model, target),
    ):
        writing: Future[None] | None = None
        for start, stop in windows(inputs.offsets, window_pieces(encoder, batch_pieces)):
            states = _window_states(encoder, inputs, start, stop, batch_pieces, target, bar)
            if writing is not None:
                writing.result()
            writing = writer.submit(store.append, states.numpy())
        if writing is not None:
            writing.result()


def window_pieces(encoder: Encoder, batch_pieces: int) -> int:
    """Pieces of a window: a few batches at least, and as many as the memory set aside holds."""
    return max(2 * batch_pieces, _WINDOW_BYTES // (2 * (encoder.layers + 1) * encoder.hidden))


def windows(offsets: IntArray, pieces: int) -> Iterator[tuple[int, int]]:
    """Consecutive ranges of inputs with at most so many pieces, but at least one input each."""
    start, inputs = 0, len(offsets) - 1
    while start < inputs:
        fitting = int(np.searchsorted(offsets, offsets[start] + pieces, side="right")) - 1
        stop = min(max(fitting, start + 1), inputs)
        yield start, stop
        start = stop


def length_batches(lengths: IntArray, pieces: int) -> list[IntArray]:
    """Positions of the inputs of each batch: sorted by length, at most `pieces` with padding."""
    order = np.argsort(lengths, kind="stable")
    batches, start = [], 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] <= pieces:
            stop += 1
        batches.append(order[start:stop])
        start = stop
    return batches


def padded_batch(
    inputs: Inputs, chosen: IntArray, *, padding: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Piece ids, segments and mask, each [inputs, longest], and the positions of the real pieces.

    The positions index the flattened [inputs * longest] batch, input by input.
    """
    starts = inputs.offsets[chosen]
    lengths = inputs.offsets[chosen + 1] - starts
    columns = np.arange(int(lengths.max()))
    mask = columns < lengths[:, None]
    source = np.where(mask, starts[:, None] + columns, 0)
    ids = np.where(mask, inputs.piece_ids[source], padding).astype(np.int64)
    segments = np.where(mask, inputs.segments[source], 0).astype(np.int64)
    return (
        torch.from_numpy(ids),
        torch.from_numpy(segments),
        torch.from_numpy(mask.astype(np.int64)),
        torch.from_numpy(np.flatnonzero(mask)),
    )


@torch.inference_mode()
def _window_states(
    encoder: Encoder,
    inputs: Inputs,
    start: int,
    stop: int,
    batch_pieces: int,
    device: torch.device,
    bar: "tqdm[Never]",
) -> torch.Tensor:
    """States of the inputs start to stop - 1 in float16 on the CPU, [layers, pieces, hidden]."""
    model = encoder.model
    first = inputs.offsets[start]
    lengths = np.diff(inputs.offsets[start : stop + 1])
    states = torch.empty(
        (encoder.layers + 1, int(lengths.sum()), encoder.hidden), dtype=torch.float16
    )
    for batch in length_batches(lengths, batch_pieces):
        chosen = batch + start
        ids, segments, mask, real = padded_batch(
            inputs, chosen, padding=model.config.pad_token_id or 0
        )
        output = model(
            input_ids=ids.to(device),
            token_type_ids=segments.to(device),
            attention_mask=mask.to(device),
            output_hidden_states=True,
        )
        rows = torch.from_numpy(
            np.concatenate(
                [np.arange(inputs.offsets[one], inputs.offsets[one + 1]) for one in chosen]
            )
            - first
        )
        real = real.to(device)
        for layer, hidden in enumerate(output.hidden_states):
            values = hidden.flatten(0, 1).index_select(0, real).to(torch.float16)
            states[layer].index_copy_(0, rows, values.cpu())
        bar.update(len(batch))
    return states


@contextmanager
def _evaluating(model: torch.nn.Module, device: torch.device) -> Iterator[None]:
    """Dropout off and on the device for the time being."""
    training, before = model.training, next(model.parameters()).device
    model.eval().to(device)
    try:
        yield
    finally:
        model.train(training).to(before)
