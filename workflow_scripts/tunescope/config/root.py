"""The whole configuration: its sections, and what they must agree on."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from tunescope.config.base import Settings
from tunescope.config.corpora import CorpusSettings
from tunescope.config.encoders import EncoderSettings
from tunescope.config.experiments import Experiments
from tunescope.config.finetuning import PUBLISHED, FinetuningSettings, TaskSettings
from tunescope.config.language import LanguageSettings
from tunescope.config.pretraining import PretrainingSettings
from tunescope.config.similarity import SimilaritySettings, StimuliSettings
from tunescope.errors import InputError

#: Names end up in paths and are told apart from seeds and variants there.
_NAME = r"^[a-z0-9]+([.-]?[a-z0-9]+)*$"


class Config(Settings):
    """Settings of one run of the workflow."""

    results: str = "results"
    """Folder that everything generated goes to."""
    data_root: str | None = None
    """Folder of official files; the paths of corpora and encoders start there."""
    threads: int = Field(1, ge=1)
    """CPU threads of a job that computes; fixed here since it changes sums in their last digits."""
    seeds: tuple[int, ...] = (0,)
    """Fine-tuning seeds of every encoder that names none of its own."""
    languages: dict[str, LanguageSettings] = Field(default_factory=dict)
    """Generated languages, by name."""
    encoders: dict[str, EncoderSettings] = Field(min_length=1)
    """Encoders, by the name that paths and tables use."""
    pretraining: PretrainingSettings = PretrainingSettings()
    """Masked language modelling of the encoders that are pre-trained here."""
    corpora: dict[str, CorpusSettings] = Field(min_length=1)
    """Corpora, by name."""
    tasks: dict[str, TaskSettings] = Field(default_factory=dict)
    """Fine-tuning tasks, by name."""
    finetuning: FinetuningSettings = FinetuningSettings()
    """Fine-tuning, for all tasks that say nothing else."""
    stimuli: dict[str, StimuliSettings] = Field(default_factory=dict)
    """Inputs on which hidden states are compared, by name."""
    similarity: SimilaritySettings = SimilaritySettings()
    """Representational similarity analysis."""
    experiments: Experiments = Experiments()
    """Which experiments run on what."""

    @model_validator(mode="after")
    def _names_agree(self) -> Self:
        problems = [
            *_bad_names("languages", self.languages),
            *_bad_names("encoders", self.encoders),
            *_bad_names("corpora", self.corpora),
            *_bad_names("tasks", self.tasks),
            *_bad_names("stimuli", self.stimuli),
            *self._unknown_names(),
        ]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _unknown_names(self) -> Iterable[str]:
        """Each name that one section takes from another which does not define it."""
        for name, encoder in self.encoders.items():
            if encoder.pretrain:
                key = f"encoders.{name}.pretrain.language"
                yield from _unknown(key, [encoder.pretrain.language], self.languages)
            yield from _unknown(f"encoders.{name}.seen_tasks", encoder.seen_tasks, self.tasks)
        for name, corpus in self.corpora.items():
            if corpus.generated:
                key = f"corpora.{name}.generated.language"
                yield from _unknown(key, [corpus.generated.language], self.languages)
        for name, task in self.tasks.items():
            unknown = list(_unknown(f"tasks.{name}.corpus", [task.corpus], self.corpora))
            yield from unknown
            if not unknown:
                splits = self.corpora[task.corpus].split_names
                key = f"tasks.{name}.evaluation_split"
                yield from _unknown(key, [task.evaluation_split], splits)
                yield from _unknown(f"corpora.{task.corpus}: split", ["train"], splits)
            yield from _bad_override(f"tasks.{name}.finetuning", self.finetuning, task.finetuning)
        for name, stimuli in self.stimuli.items():
            unknown = list(_unknown(f"stimuli.{name}.corpus", [stimuli.corpus], self.corpora))
            yield from unknown
            if not unknown:
                splits = self.corpora[stimuli.corpus].split_names
                yield from _unknown(f"stimuli.{name}.split", [stimuli.split], splits)
        chosen = self.experiments
        yield from _unknown("experiments.finetuning.tasks", chosen.finetuning.tasks, self.tasks)
        yield from _unknown("experiments.similarity.tasks", chosen.similarity.tasks, self.tasks)
        key = "experiments.similarity.stimuli"
        yield from _unknown(key, chosen.similarity.stimuli, self.stimuli)

    def finetuning_of(self, task: str) -> FinetuningSettings:
        """The published settings, with what `finetuning` and then the task change."""
        corpus = self.corpora[self.tasks[task].corpus]
        kind = corpus.generated.part if corpus.generated else str(corpus.format)
        changed = {
            **PUBLISHED.get(kind, {}),
            **self.finetuning.model_dump(exclude_unset=True),
            **self.tasks[task].finetuning,
        }
        return FinetuningSettings.model_validate(changed)

    def seeds_of(self, encoder: str) -> tuple[int, ...]:
        """Fine-tuning seeds of an encoder."""
        return self.encoders[encoder].seeds or self.seeds

    def pretraining_seed(self, encoder: str) -> int | None:
        """Pre-training seed of an encoder, where it is one of a family that differs by it."""
        settings = self.encoders[encoder]
        return settings.pretrain.seed if settings.pretrain else settings.pretraining_seed

    def domain(self, task: str, stimuli: str) -> str | None:
        """`in` or `out` of a task's domain; None for stimuli that belong to another task."""
        corpus = self.stimuli[stimuli].corpus
        if corpus == self.tasks[task].corpus:
            return "in"
        return None if corpus in {t.corpus for t in self.tasks.values()} else "out"

    def located(self, path: str) -> str:
        """A path of the configuration, seen from the working folder."""
        return str(Path(self.data_root or "", path))


def parse_config(values: Mapping[str, Any], source: str = "config.yaml") -> Config:
    """Check a configuration.

    Raises:
        InputError: an unknown key, a value of the wrong kind, or a name nobody defined.
    """
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        lines = [_describe(problem) for problem in error.errors()]
        remedy = f"config.yaml documents every key; correct {source} and run again"
        raise InputError(source, "\n  ".join(["settings refused", *lines]), remedy) from None


def _describe(problem: Mapping[str, Any]) -> str:
    """One problem in a line: key, what is wrong, value found and, for unknown keys, the choices."""
    location = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        known = _known_keys(problem["loc"][:-1])
        return f"{location}: unknown key; known here: {', '.join(known)}"
    message = problem["msg"].removeprefix("Value error, ")
    found = problem["input"]
    shown = "" if isinstance(found, dict) else f" (found {found!r})"
    return f"{location or 'configuration'}: {message}{shown}"


def _known_keys(location: tuple[str | int, ...]) -> list[str]:
    """Keys of the section at a location of the configuration."""
    model: Any = Config
    for part in location:
        field = model.model_fields.get(str(part)) if hasattr(model, "model_fields") else None
        annotation = field.annotation if field else model
        arguments = [a for a in getattr(annotation, "__args__", ()) if isinstance(a, type)]
        models = [a for a in [annotation, *arguments] if hasattr(a, "model_fields")]
        if not models:
            return []
        model = models[0]
    return sorted(model.model_fields)


def _unknown(key: str, names: Iterable[str], defined: Iterable[str]) -> Iterable[str]:
    choices = sorted(defined)
    for name in names:
        if name not in choices:
            yield f"{key}: {name!r} is not defined; choices: {', '.join(choices) or 'none'}"


def _bad_names(section: str, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        if not re.fullmatch(_NAME, name):
            yield (
                f"{section}.{name}: names are made of a-z, 0-9, single hyphens and dots, "
                "since they become parts of paths"
            )


def _bad_override(key: str, base: Settings, changes: Mapping[str, object]) -> Iterable[str]:
    try:
        type(base).model_validate({**base.model_dump(), **changes})
    except ValidationError as error:
        for problem in error.errors():
            yield f"{key}.{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
