"""All edge probes of a run on a corpus."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tunescope.config.probing import EdgeProbeSettings, Probe, ProbedCorpus, View
from tunescope.probing.edge_data import view_of
from tunescope.probing.edge_parts import Part, ProbeParts, Relabel, load_parts
from tunescope.probing.edge_predictions import (
    EdgePredictions,
    ProbeOutcome,
    ProbePredictions,
    with_outputs_first,
)
from tunescope.probing.edge_training import TrainedProbe, predict, train_probe

_LOG = logging.getLogger(__name__)


def probe_run(
    parts: Mapping[str, Part],
    corpus: ProbedCorpus,
    settings: EdgeProbeSettings,
    *,
    views: Sequence[View],
    relabel: Mapping[Probe, Relabel] | None = None,
    scratch: Path | None = None,
    progress: bool = True,
) -> EdgePredictions:
    """Train every probe of a corpus on a run, for every view and probe seed, and test it.

    Args:
        parts: the splits that `corpus` names, with their stores, all of one run.
        corpus: probes and splits.
        settings: probe and schedule.
        views: what probes see.
        relabel: other labels for the targets, by probe (control tasks).
        scratch: folder for states that memory does not hold.
        progress: whether to show bars on standard error.

    Raises:
        InputError: stores that do not fit the splits or each other, or a part without targets.
    """
    loaded = load_parts(
        parts, corpus, settings, relabel=relabel, scratch=scratch, progress=progress
    )
    store = parts[corpus.test].store
    return EdgePredictions(
        encoder=store.attributes.encoder,
        run=store.attributes.run,
        weights_hash=store.attributes.weights_hash,
        corpus_hash=store.attributes.corpus_hash,
        layers=store.layers,
        probes=tuple(
            ProbePredictions(
                probe=one.probe,
                targets=with_outputs_first(one.targets, one.test.labels),
                outputs=len(one.test.labels),
                outcomes=tuple(
                    probe_outcome(
                        one,
                        settings,
                        view=view,
                        seed=seed,
                        title=f"{store.attributes.run} {one.probe} {view} seed {seed}",
                        progress=progress,
                    )
                    for view in views
                    for seed in settings.seeds
                ),
                training=one.training,
            )
            for one in loaded
        ),
        origin={"settings": settings.model_dump(exclude={"memory_gib"})},
    )


def probe_outcome(
    parts: ProbeParts,
    settings: EdgeProbeSettings,
    *,
    view: View,
    seed: int,
    title: str,
    progress: bool = True,
) -> ProbeOutcome:
    """Train one probe and test it."""
    train, validation = view_of(parts.train, view), view_of(parts.validation, view)
    trained = train_probe(train, validation, settings, seed=seed, title=title, progress=progress)
    best = trained.best
    _LOG.info("%s: F1 %.4f at step %d; stopped: %s", title, best.score, best.step, trained.stopped)
    return _outcome(trained, predict(trained.probe, view_of(parts.test, view)), view, seed)


def _outcome(
    trained: TrainedProbe, logits: npt.NDArray[np.float32], view: View, seed: int
) -> ProbeOutcome:
    mix = trained.probe.mix
    history = [[v.step, v.loss, v.learning_rate, v.score] for v in trained.validations]
    return ProbeOutcome(
        view=view,
        seed=seed,
        logits=logits,
        mix=np.zeros(0) if mix is None else mix.weights.detach().cpu().double().numpy(),
        gamma=1.0 if mix is None else float(mix.gamma.detach()),
        history=np.asarray(history, dtype=np.float64),
        stopped=trained.stopped,
        best_step=trained.best.step,
    )
