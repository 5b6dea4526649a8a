"""What sections are built from, and how they write numbers."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from tunescope.config.root import Config
from tunescope.names import task_name, task_order
from tunescope.report.content import Block, Note
from tunescope.tables import family, read_published, read_table

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
MISSING = "\N{EM DASH}"


@dataclass(frozen=True)
class Provenance:
    """Where the numbers come from, as far as it is known; what is empty is left out.

    Attributes:
        device: the machine in words.
        versions: version of each package, by name.
        encoders: origin of each encoder's weights in words, by encoder.
        weights: SHA-256 of each run's weights, by encoder and run.
        tables: SHA-256 of each table, by name.
        jobs: number of jobs and their seconds together, by rule or stage; None where not measured.
        code: fingerprint of the code behind each table, by name.
    """

    device: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    encoders: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    jobs: Mapping[str, tuple[int, float | None]] = field(default_factory=dict)
    code: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Material:
    """Everything a section may look at.

    Attributes:
        paths: CSV tables by name (`summary_rsa`).
        figures: pictures by name (`merchant2020_figure2`).
        reference: folder of published numbers.
        settings: the configuration.
        provenance: where the numbers come from.
    """

    paths: Mapping[str, Path]
    figures: Mapping[str, Path]
    reference: Path
    settings: Config
    provenance: Provenance

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables, read."""
        return {name: read_table(path) for name, path in self.paths.items()}

    def published(self, name: str) -> pd.DataFrame:
        """A published table or figure."""
        return read_published(self.reference, name)

    @cached_property
    def published_encoders(self) -> frozenset[str]:
        """Names of encoders and families that are the published one (BERT-base, uncased)."""
        settings = self.settings.encoders
        same = {
            name
            for name, encoder in settings.items()
            if encoder.hub and is_published_encoder(encoder.hub)
        }
        return frozenset(same | {family(name) for name in same})

    @cached_property
    def seen(self) -> dict[str, set[str]]:
        """Tasks whose text the pre-training has seen, by encoder and by family."""
        seen: dict[str, set[str]] = {}
        for name, encoder in self.settings.encoders.items():
            for label in (name, family(name)):
                seen.setdefault(label, set()).update(encoder.seen_tasks)
        return seen

    def seen_note(self, encoders: Iterable[str], tasks: Iterable[str]) -> list[Block]:
        """A warning for each encoder whose pre-training has seen the text of a task shown."""
        shown_tasks = set(tasks)
        return [
            Note(
                "Seen before",
                f"The pre-training of {encoder} has seen the text of "
                f"{listed([task_name(task) for task in task_order(known)])}; read its results on "
                "them with that in mind.",
                caution=True,
            )
            for encoder in encoders
            if (known := self.seen.get(encoder, set()) & shown_tasks)
        ]


def is_published_encoder(hub: str) -> bool:
    """Whether a hub id names BERT-base, uncased, or a repetition of its pre-training."""
    name = hub.rpartition("/")[2]
    return name == "bert-base-uncased" or name.startswith("multiberts-seed")


def shown(value: float, places: int = 3) -> str:
    """A number with a true minus sign; a dash for a missing one."""
    if not math.isfinite(value):
        return MISSING
    return f"{value:.{places}f}".replace("-", MINUS)


def percent(value: float, places: int = 1) -> str:
    """A fraction times 100."""
    return shown(100 * value, places)


def interval(low: float, high: float, *, places: int = 3, factor: float = 1) -> str:
    """An interval in brackets; empty where there is none."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"[{shown(factor * low, places)}, {shown(factor * high, places)}]"


def counted(number: int, what: str) -> str:
    """A number with its noun: `1 seed`, `3 seeds`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def listed(names: list[str]) -> str:
    """Names as a list in words: `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
