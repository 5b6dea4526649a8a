"""What a configuration asks for but cannot be run here, and why."""

from dataclasses import dataclass
from pathlib import Path

from tunescope.config.root import Config
from tunescope.errors import InputError


@dataclass(frozen=True)
class NotRun:
    """Something of the configuration that is left out, for the report to list.

    Attributes:
        section: section of the configuration (corpora, tasks, stimuli, encoders).
        name: name in that section.
        reason: why it cannot run, with the path expected.
    """

    section: str
    name: str
    reason: str


def not_run(config: Config) -> tuple[NotRun, ...]:
    """Find what rests on files that are not there; everything else runs without it.

    Raises:
        InputError: `data_root` is no folder, or nothing is left to run.
    """
    if config.data_root is not None and not Path(config.data_root).is_dir():
        raise InputError(
            "data_root",
            f"{config.data_root!r} is not a folder",
            "Name the folder of official files",
        )
    missing: dict[tuple[str, str], str] = {}
    for name, corpus in config.corpora.items():
        files = [*(corpus.files or {}).values(), *(corpus.companions or {}).values()]
        paths = map(config.located, files)
        if absent := [path for path in paths if not Path(path).exists()]:
            missing["corpora", name] = f"file not found: {', '.join(absent)}"
    missing |= {
        ("encoders", name): f"folder not found: {config.located(encoder.path)}"
        for name, encoder in config.encoders.items()
        if encoder.path is not None and not Path(config.located(encoder.path)).is_dir()
    }
    for section in ("tasks", "stimuli"):
        for name, settings in getattr(config, section).items():
            if reason := missing.get(("corpora", settings.corpus)):
                missing[section, name] = f"corpus {settings.corpus}: {reason}"
    if config.encoders and all(("encoders", name) in missing for name in config.encoders):
        raise InputError("encoders", "no encoder is there", "; ".join(missing.values()))
    if config.tasks and all(("tasks", name) in missing for name in config.tasks):
        raise InputError("tasks", "no task has its corpus", "; ".join(missing.values()))
    return tuple(NotRun(section, name, reason) for (section, name), reason in missing.items())
