"""Description length of labels given states, by online codes (Voita and Titov 2020).

The training sentences are shuffled once and cut into blocks. The first block is sent by the uniform
code; then a fresh probe is trained on all sent so far and codes the next block, and so on. What the
states make easy to learn takes few bits.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional
from tqdm import tqdm

from tunescope.config.online_codes import OnlineCodeSettings
from tunescope.config.probing import EdgeProbeSettings, Probe, ProbedCorpus, View
from tunescope.errors import InputError
from tunescope.probing.edge_data import EdgeData, view_of
from tunescope.probing.edge_parts import Part, load_parts
from tunescope.probing.edge_training import Objective, predict, train_probe
from tunescope.probing.targets import SEVERAL_LABELS, IntArray
from tunescope.statistics import FloatArray

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class OnlineCode:
    """Code of the labels of a training split.

    Attributes:
        probe: name of the probe.
        view: what it saw.
        seed: of the order of the sentences and of the probes.
        rows: number of each target's sentence in the source, shape [targets].
        bits: code length of each target's labels, shape [targets].
        blocks: block of each target, from 0 (the uniform code), shape [targets].
        uniform: code length of a target by the uniform code.
        labels: number of labels.
        steps: training steps of the probe that codes a block.
    """

    probe: Probe
    view: View
    seed: int
    rows: IntArray
    bits: FloatArray
    blocks: IntArray
    uniform: float
    labels: int
    steps: Mapping[int, int] = field(default_factory=dict)

    @property
    def length(self) -> float:
        """Length of the whole code, in bits."""
        return float(self.bits.sum())

    @property
    def compression(self) -> float:
        """Length of the uniform code over that of this one."""
        return len(self.bits) * self.uniform / self.length


def block_bounds(sentences: int, portions: Sequence[float]) -> list[int]:
    """Where blocks end, in sentences; portions that would leave a block empty are passed over.

    Args:
        sentences: number of sentences.
        portions: percent of the sentences, rising to 100.
    """
    ends = {max(1, round(sentences * portion / 100)) for portion in portions}
    return sorted(ends)


def label_bits(
    logits: npt.NDArray[np.float32], gold: npt.NDArray[np.bool_], *, exclusive: bool
) -> FloatArray:
    """Code length of each target's labels under a probe, in bits.

    Args:
        logits: shape [targets, labels].
        gold: which labels hold, shape [targets, labels].
        exclusive: whether labels exclude each other: then they are coded by a softmax, else each by
            itself.
    """
    values = logits.astype(np.float64)
    if exclusive:
        top = values.max(axis=1, keepdims=True)
        whole = np.log(np.exp(values - top).sum(axis=1)) + top[:, 0]
        return np.asarray((whole - values[gold]) / math.log(2))
    signs = np.where(gold, -1.0, 1.0)
    return np.asarray(np.logaddexp(0, signs * values).sum(axis=1) / math.log(2))


def code_run(
    parts: Mapping[str, Part],
    corpus: ProbedCorpus,
    settings: OnlineCodeSettings,
    probe_settings: EdgeProbeSettings,
    *,
    views: Sequence[View],
    scratch: Path | None = None,
    progress: bool = True,
) -> list[OnlineCode]:
    """Code the training labels of every probe of a corpus given the states of a run.

    Args:
        parts: the splits that `corpus` names, with their stores, all of one run.
        corpus: probes and splits.
        settings: portions and schedule.
        probe_settings: widths and dropout of the probes.
        views: what probes see.
        scratch: folder for states that memory does not hold.
        progress: whether to show bars on standard error.

    Raises:
        InputError: see `load_parts` and `online_code`.
    """
    loaded = load_parts(parts, corpus, probe_settings, scratch=scratch, progress=progress)
    run = parts[corpus.train].store.attributes.run
    return [
        online_code(
            view_of(one.train, view),
            view_of(one.validation, view),
            settings,
            probe_settings,
            probe=one.probe,
            view=view,
            seed=seed,
            title=f"{run} {one.probe} {view} seed {seed}",
            progress=progress,
        )
        for one in loaded
        for view in views
        for seed in settings.seeds
    ]


def online_code(
    train: EdgeData,
    validation: EdgeData,
    settings: OnlineCodeSettings,
    probe_settings: EdgeProbeSettings,
    *,
    probe: Probe,
    view: View,
    seed: int,
    title: str = "online code",
    progress: bool = True,
) -> OnlineCode:
    """Code the labels of a training split.

    Args:
        train: what is coded; its `states` are those of the view.
        validation: what stops training, where `settings.stopping` says so.
        settings: portions and schedule.
        probe_settings: widths and dropout of the probe.
        probe: name of the probe.
        view: what the states are.
        seed: of the order of the sentences and of the probes.
        title: of the progress bar.
        progress: whether to show a bar on standard error.

    Raises:
        InputError: a target whose labels should exclude each other does not have exactly one.
    """
    exclusive = probe != SEVERAL_LABELS
    labels = len(train.labels)
    order = np.random.default_rng([seed]).permutation(train.sentences)
    shuffled = train.take(order)
    if exclusive and (shuffled.gold.sum(axis=1) != 1).any():
        raise InputError(
            f"probing.corpora: probe {probe}",
            f"{int((shuffled.gold.sum(axis=1) != 1).sum())} targets do not have exactly one label",
            "Take the probe off the experiment of online codes",
        )
    uniform = math.log2(labels) if exclusive else float(labels)
    bounds = block_bounds(train.sentences, settings.portions)
    bits = np.full(len(shuffled.rows), uniform)
    blocks = np.zeros(len(bits), np.int64)
    objective = _objective(exclusive=exclusive)
    steps: dict[int, int] = {}
    for number, (start, stop) in enumerate(
        tqdm(list(pairwise(bounds)), desc=title, disable=not progress), start=1
    ):
        sent, following = shuffled.take(np.arange(start)), shuffled.take(np.arange(start, stop))
        trained = train_probe(
            sent,
            following if settings.stopping == "next" else validation,
            _schedule(settings, probe_settings, sent.sentences),
            seed=seed,
            objective=objective,
            title=f"{title}, block {number}",
            progress=False,
        )
        steps[number] = trained.best.step
        coded = slice(*shuffled.first_targets[[start, stop]])
        logits = predict(trained.probe, following)
        bits[coded] = label_bits(logits, following.gold, exclusive=exclusive)
        blocks[coded] = number
    code = OnlineCode(probe, view, seed, shuffled.rows, bits, blocks, uniform, labels, steps)
    _LOG.info("%s: %.0f bits, compression %.2f", title, code.length, code.compression)
    return code


def _objective(*, exclusive: bool) -> Objective:
    """Training by the code length itself, and validation by it."""

    def loss(logits: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
        if exclusive:
            return functional.cross_entropy(logits, gold)
        return functional.binary_cross_entropy_with_logits(logits, gold)

    def score(logits: npt.NDArray[np.float32], data: EdgeData) -> float:
        gold = data.gold[: len(logits)]
        known = data.unseen[: len(logits)] == 0
        return -float(label_bits(logits[known], gold[known], exclusive=exclusive).mean())

    return Objective(loss, score)


def _schedule(
    settings: OnlineCodeSettings, probe: EdgeProbeSettings, sentences: int
) -> EdgeProbeSettings:
    """A validation an epoch, over all sentences."""
    return probe.model_copy(
        update={
            "learning_rate": settings.learning_rate,
            "batch_size": settings.batch_size,
            "validation_interval": math.ceil(sentences / settings.batch_size),
            "max_validations": settings.epochs,
            "validation_sentences": 2**31 - 1,
            "halve_after": settings.halve_after,
            "stop_after": settings.stop_after,
            "min_learning_rate": 0.0,
        }
    )
