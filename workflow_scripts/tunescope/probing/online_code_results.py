"""Online codes of a run on a corpus, on disk (one HDF5 file), and their table."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from tunescope.activations.whole_file import read_whole, write_whole
from tunescope.config.probing import Probe, View
from tunescope.errors import InputError
from tunescope.probing.online_codes import OnlineCode
from tunescope.probing.summaries import (
    RUN_COLUMNS,
    ProbedRun,
    Scored,
    Statistic,
    sentence_sums,
    summarise,
    whole_numbers,
)
from tunescope.statistics import FloatArray
from tunescope.tables import family

FORMAT = "tunescope online codes 1"
_REMEDY = "Delete it; the workflow makes it again"

COLUMNS = (*RUN_COLUMNS, "view", "metric", "value", "targets", "sentences", "labels")
#: Metrics of the table: bits a target, and the uniform code's length over the code's.
BITS, COMPRESSION = "bits_per_target", "compression"


@dataclass(frozen=True)
class RunCodes:
    """The codes of a run on a corpus.

    Attributes:
        weights_hash: SHA-256 of the run's weights.
        corpus_hash: of the training inputs (`Inputs.content_hash`).
        codes: one a probe, view and seed.
    """

    weights_hash: str
    corpus_hash: str
    codes: tuple[OnlineCode, ...]


def write_codes(codes: RunCodes, path: Path) -> None:
    """Write codes, all of them or nothing.

    Raises:
        FloatingPointError: a code length is not finite.
    """
    with write_whole(path) as file:
        file.attrs["format"] = FORMAT
        file.attrs["weights_hash"] = codes.weights_hash
        file.attrs["corpus_hash"] = codes.corpus_hash
        for one in codes.codes:
            if not np.isfinite(one.bits).all():
                raise FloatingPointError(f"{path}: {one.probe}, {one.view}: bits are not finite")
            group = file.create_group(f"{one.probe}/{one.view}/{one.seed}")
            group["rows"], group["bits"], group["blocks"] = one.rows, one.bits, one.blocks
            group.attrs["uniform"], group.attrs["labels"] = one.uniform, one.labels
            group.attrs["steps"] = json.dumps(one.steps)


def read_codes(path: Path) -> RunCodes:
    """Read codes.

    Raises:
        InputError: the file is missing, unfinished or of another format.
    """
    with read_whole(path, remedy=_REMEDY) as file:
        if file.attrs.get("format") != FORMAT:
            found = f"format {file.attrs.get('format')!r}, {FORMAT!r} expected"
            raise InputError(path, found, _REMEDY)
        codes = [
            OnlineCode(
                probe=probe,
                view=view,
                seed=int(seed),
                rows=group["rows"][:],
                bits=group["bits"][:],
                blocks=group["blocks"][:],
                uniform=float(group.attrs["uniform"]),
                labels=int(group.attrs["labels"]),
                steps={int(n): steps for n, steps in json.loads(group.attrs["steps"]).items()},
            )
            for probe in get_args(Probe)
            if probe in file
            for view in get_args(View)
            if view in file[probe]
            for seed, group in sorted(file[f"{probe}/{view}"].items(), key=lambda one: int(one[0]))
        ]
        return RunCodes(file.attrs["weights_hash"], file.attrs["corpus_hash"], tuple(codes))


def tabulate_codes(
    runs: Sequence[ProbedRun],
    *,
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate code lengths, and summarise them over runs and seeds (see `summarise`).

    `bits_per_target` is the length of the code over the targets, `compression` the length of the
    uniform code over it. Intervals draw the sentences that were coded, by the probes as trained.

    Returns:
        Tables with `COLUMNS` (a row a code and metric) and `summaries.SUMMARY_COLUMNS`.

    Raises:
        InputError: a file cannot be used, or runs that belong together coded different targets.
    """
    scored: list[Scored] = []
    values: list[list[object]] = []
    known: dict[tuple[str, str, str], tuple[ProbedRun, npt.NDArray[np.int64]]] = {}
    for run in runs:
        for code in read_codes(run.predictions).codes:
            rows = np.sort(code.rows)
            key = family(run.encoder), run.corpus, code.probe
            first, first_rows = known.setdefault(key, (run, rows))
            if not np.array_equal(rows, first_rows):
                raise InputError(
                    run.predictions,
                    f"its {code.probe} targets are not those of {first.predictions}",
                    "Delete both; the workflow makes them again",
                )
            for one in _score(run, code):
                scored.append(one)
                values.append(one.row(code.labels))
    return (
        whole_numbers(pd.DataFrame(values, columns=list(COLUMNS))),
        summarise(scored, resamples=resamples, confidence=confidence, seed=seed),
    )


def _score(run: ProbedRun, code: OnlineCode) -> Iterator[Scored]:
    uniform = np.full(len(code.bits), code.uniform)
    parts = sentence_sums(np.stack([code.bits, uniform, np.ones(len(uniform))], 1), code.rows)
    statistics: dict[str, Statistic] = {BITS: _bits, COMPRESSION: _compression}
    for metric, statistic in statistics.items():
        yield Scored(
            run, code.probe, code.view, code.seed, metric, parts, statistic, len(code.bits)
        )


def _bits(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 2])


def _compression(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 1] / sums[..., 0])
