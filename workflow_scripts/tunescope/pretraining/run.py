"""Pre-train an encoder by masked language modelling and next-sentence prediction.

Both as in Devlin et al. (2019). The second is what trains [CLS] and the pooler, which fine-tuning
on sentences starts from.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from transformers import BertConfig, BertModel

from tunescope.config.pretraining import PretrainingSettings
from tunescope.corpora.canonical import Split
from tunescope.encoders.architecture import empty_encoder, initialise
from tunescope.encoders.inputs import make_inputs
from tunescope.encoders.load import new_folder, publish_folder, write_encoder_files
from tunescope.encoders.origin import Origin
from tunescope.errors import InputError
from tunescope.pretraining.masking import mask_pieces
from tunescope.pretraining.next_sentence import NO_TARGET, exchange_second_parts
from tunescope.pretraining.vocabulary import train_tokenizer
from tunescope.training.checkpoint import CheckpointFolder
from tunescope.training.loop import Plan, Step, train
from tunescope.training.losses import LOSSES, write_losses

_MASKING, _PAIRING = 1, 2  # keep these draws apart from those of the order of inputs


class PretrainedModel(nn.Module):
    """An encoder with BERT's output layers; that for pieces is computed at hidden ones alone."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        config = encoder.config
        self.encoder = encoder
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.next_sentence = nn.Linear(config.hidden_size, 2)

    def forward(
        self, batch: dict[str, torch.Tensor], chosen: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores of all pieces at the chosen places, and of whether the second part follows.

        Args:
            batch: as made by `Inputs.batch`.
            chosen: places in the flattened batch.

        Returns:
            Shapes [chosen, pieces] and [inputs, 2]: does not follow, follows.
        """
        output = self.encoder(**batch)
        states = output.last_hidden_state.flatten(0, 1)[chosen]
        states = self.LayerNorm(nn.functional.gelu(self.dense(states)))
        words = self.encoder.embeddings.word_embeddings.weight
        pieces = nn.functional.linear(states, words, self.bias)
        return pieces, self.next_sentence(output.pooler_output)


def pretrain(
    settings: PretrainingSettings,
    text: Split,
    folder: Path,
    *,
    seed: int,
    checkpoints: Path | None = None,
    code: str = "",
) -> list[Step]:
    """Train a tokenizer and an encoder, and write the encoder folder with its `losses.csv`.

    A row of the text may hold two parts, divided by a line break: they become the two segments of
    one input, whose second part is another input's in a share of the cases (`next_sentence`). The
    loss is the sum of both tasks' cross-entropies.

    Args:
        settings: architecture and schedule.
        text: of kind `text`.
        folder: the encoder folder to write.
        seed: of the initial weights, the order of the text, masking and dropout.
        checkpoints: folder for checkpoints, removed at the end; none are written if None.
        code: fingerprint of the code; checkpoints of other code are not used.

    Returns:
        A record of each step.

    Raises:
        InputError: the corpus is no text or empty.
    """
    if text.kind != "text" or text.table.num_rows == 0:
        raise InputError(
            text.accounting.source,
            f"{text.table.num_rows} rows of kind {text.kind}",
            "Pre-training needs a corpus of kind text with at least one row",
        )
    rows: list[str] = text.table["text"].to_pylist()
    parts = [row.split("\n", 1) for row in rows]
    tokenizer = train_tokenizer(
        rows, vocabulary=settings.vocabulary, max_length=settings.max_length
    )
    inputs = make_inputs(
        tokenizer,
        [part[0] for part in parts],
        [part[1] if len(part) == 2 else None for part in parts],
        max_length=settings.max_length,
    )
    model = PretrainedModel(empty_encoder(_architecture(settings, len(tokenizer))))
    initialise(model, model.encoder.config.initializer_range, torch.Generator().manual_seed(seed))
    with torch.no_grad():  # so that states are compared with embeddings from the first step on
        model.dense.weight.copy_(torch.eye(settings.hidden))
    special = np.array(tokenizer.all_special_ids, dtype=np.int64)

    def loss_of(indices: npt.NDArray[np.int64], step: int) -> torch.Tensor:
        generator = np.random.default_rng([seed, _PAIRING, step])
        paired = exchange_second_parts(
            inputs,
            indices,
            share=settings.next_sentence,
            max_length=settings.max_length,
            generator=generator,
        )
        batch = paired.inputs.batch(np.arange(len(indices)))
        masked = mask_pieces(
            batch["input_ids"],
            share=settings.masking,
            mask=tokenizer.mask_token_id,
            special=special,
            vocabulary=len(tokenizer),
            generator=np.random.default_rng([seed, _MASKING, step]),
        )
        batch["input_ids"] = masked.input_ids
        device = model.bias.device
        pieces, answers = model(
            {name: one.to(device) for name, one in batch.items()}, masked.chosen.to(device)
        )
        loss = nn.functional.cross_entropy(pieces.float(), masked.pieces.to(device))
        follows = torch.from_numpy(paired.follows)
        if settings.next_sentence and bool((follows != NO_TARGET).any()):
            loss = loss + nn.functional.cross_entropy(answers.float(), follows.to(device))
        return loss

    plan = Plan(
        epochs=settings.epochs,
        batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        warmup=settings.warmup,
        weight_decay=settings.weight_decay,
        optimizer="adamw",
        max_gradient_norm=settings.max_gradient_norm,
        bf16=settings.bf16,
        checkpoint_seconds=settings.checkpoint_seconds,
    )
    identity = {
        "settings": settings.model_dump(exclude={"checkpoint_seconds"}),
        "seed": seed,
        "inputs": inputs.sha256(),
        "torch": torch.__version__,
        "code": code,
    }
    kept = CheckpointFolder(checkpoints, identity) if checkpoints else None
    steps = train(
        model,
        loss_of,
        inputs.lengths,
        plan=plan,
        seed=seed,
        checkpoints=kept,
        title=f"pre-training (seed {seed})",
    )
    origin = Origin(
        kind="pretrained-here",
        source=f"masked language modelling on {text.accounting.source}, {len(inputs)} inputs",
        seed=seed,
        notes=(
            f"the pooler is {'trained' if settings.next_sentence else 'untrained'}",
            f"{inputs.truncated} inputs cut to the longest length",
        ),
    )
    temporary = new_folder(folder)
    write_encoder_files(model.encoder, tokenizer, origin, temporary)
    write_losses(steps, temporary / LOSSES)
    publish_folder(temporary, folder)
    if kept:
        kept.discard()
    return steps


def _architecture(settings: PretrainingSettings, vocabulary: int) -> BertConfig:
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=settings.hidden,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        intermediate_size=settings.intermediate,
        hidden_dropout_prob=settings.dropout,
        attention_probs_dropout_prob=settings.dropout,
        max_position_embeddings=settings.max_length,
        initializer_range=settings.initializer_range,
    )
