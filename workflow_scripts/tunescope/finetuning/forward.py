"""One pass of an encoder under one or several heads."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from tqdm import tqdm
from transformers import BertModel
from transformers.modeling_outputs import BaseModelOutputWithPoolingAndCrossAttentions

from tunescope.encoders.inputs import Inputs
from tunescope.training.batches import length_batches

#: Inputs of a batch, number of the head, and its scores for the batch.
HeadScores: TypeAlias = tuple[npt.NDArray[np.int64], int, npt.NDArray[np.float32]]
#: What of a batch the encoder takes; the rest is for the head.
_ENCODER_INPUTS = ("input_ids", "token_type_ids", "attention_mask")


def run_encoder(
    encoder: BertModel, batch: Mapping[str, torch.Tensor]
) -> BaseModelOutputWithPoolingAndCrossAttentions:
    """Output of an encoder for a batch of `encoders.inputs.Inputs`."""
    output: BaseModelOutputWithPoolingAndCrossAttentions = encoder(
        **{name: batch[name] for name in _ENCODER_INPUTS}
    )
    return output


def run_head(
    head: nn.Module,
    output: BaseModelOutputWithPoolingAndCrossAttentions,
    batch: Mapping[str, torch.Tensor],
) -> torch.Tensor:
    """Scores of a head on an encoder's output for a batch."""
    rest = {name: one for name, one in batch.items() if name not in _ENCODER_INPUTS}
    scores: torch.Tensor = head(
        output.last_hidden_state, output.pooler_output, batch["attention_mask"], **rest
    )
    return scores


def head_scores(
    encoder: BertModel, heads: Sequence[nn.Module], inputs: Inputs, *, batch_size: int
) -> Iterator[HeadScores]:
    """Scores of each head for all inputs, batch by batch, longest first; the encoder runs once.

    Args:
        encoder: moved to the accelerator if there is one, and back at the end.
        heads: as `encoder`.
        inputs: of the encoder.
        batch_size: inputs a forward pass.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    modules: list[nn.Module] = [encoder, *heads]
    for module in modules:
        module.to(device).eval()
    batches = length_batches(inputs.lengths, batch_size=batch_size)
    for indices in tqdm(batches, desc="predicting", unit="batch", mininterval=5):
        batch = {name: one.to(device) for name, one in inputs.batch(indices).items()}
        with torch.inference_mode():
            output = run_encoder(encoder, batch)
            found = [run_head(head, output, batch).float().cpu().numpy() for head in heads]
        for number, scores in enumerate(found):
            yield indices, number, scores
    for module in modules:
        module.to("cpu")
