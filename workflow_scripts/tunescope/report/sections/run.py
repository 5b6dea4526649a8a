"""What was run: encoders, seeds, settings, versions, hashes, machine and times."""

import json
from typing import Any

from tunescope.config.encoders import EncoderSettings
from tunescope.report.content import Block, Cell, Code, Facts, Section, Table
from tunescope.report.material import Material


def run_section(material: Material) -> Section:
    """Everything a reader needs to judge or repeat the run."""
    blocks: list[Block] = [Facts(_facts(material)), _encoders(material)]
    blocks += [
        table
        for table in (_tasks(material), _jobs(material), _tables(material), _weights(material))
        if table is not None
    ]
    if material.provenance.versions:
        versions = material.provenance.versions
        rows = tuple((name, Cell(versions[name], look="code")) for name in sorted(versions))
        blocks.append(
            Table("Versions of packages", ("Package", "Version"), rows, folded="Package versions")
        )
    settings = material.settings.model_dump(mode="json", exclude_defaults=True)
    text = json.dumps(_short(settings), indent=2, ensure_ascii=False)
    blocks.append(Code(text, summary="The whole configuration, without defaults"))
    return Section(anchor="run", title="What was run", blocks=tuple(blocks))


def _facts(material: Material) -> tuple[tuple[str, str], ...]:
    settings = material.settings
    seeds = sorted({seed for name in settings.encoders for seed in settings.seeds_of(name)})
    facts = [
        ("Encoders", ", ".join(settings.encoders)),
        ("Fine-tuning seeds", ", ".join(map(str, seeds))),
        ("Untrained classifiers", str(settings.experiments.finetuning.untrained_heads)),
        ("Intervals", f"{settings.similarity.confidence:.0%}"),
    ]
    if material.provenance.device:
        facts.append(("Page made on", material.provenance.device))
    if python := material.provenance.versions.get("python"):
        facts.append(("Python", python))
    return tuple(facts)


def _encoders(material: Material) -> Table:
    rows = []
    for name, encoder in material.settings.encoders.items():
        seed = material.settings.pretraining_seed(name)
        rows.append(
            (
                name,
                Cell(_origin(encoder), material.provenance.encoders.get(name, ""), number=False),
                Cell("" if seed is None else str(seed)),
                Cell(", ".join(map(str, material.settings.seeds_of(name)))),
                Cell(", ".join(encoder.seen_tasks), number=False),
            )
        )
    return Table(
        caption="Encoders",
        columns=(
            "Name",
            "Origin",
            "Pre-training seed",
            "Fine-tuning seeds",
            "Has seen the text of",
        ),
        rows=tuple(rows),
    )


def _origin(encoder: EncoderSettings) -> str:
    if encoder.pretrain:
        return f"pre-trained here on the generated language {encoder.pretrain.language}"
    if encoder.hub:
        return f"{encoder.hub} at {(encoder.revision or '')[:12]}"
    if encoder.wheel:
        return f"package {encoder.wheel}"
    return f"folder {encoder.path}"


def _tasks(material: Material) -> Table | None:
    settings = material.settings
    rows = []
    for name, task in settings.tasks.items():
        schedule = settings.finetuning_of(name)
        rows.append(
            (
                name,
                Cell(task.corpus, number=False),
                Cell(", ".join(task.metrics), number=False),
                Cell(f"{schedule.learning_rate:g}"),
                Cell(str(schedule.epochs)),
                Cell(str(schedule.batch_size)),
                Cell(str(schedule.max_length)),
                Cell(schedule.optimizer, number=False),
            )
        )
    if not rows:
        return None
    return Table(
        caption="Fine-tuning, task by task",
        columns=(
            "Task",
            "Corpus",
            "Metrics",
            "Peak rate",
            "Epochs",
            "Batch",
            "Longest input",
            "Optimiser",
        ),
        rows=tuple(rows),
    )


def _jobs(material: Material) -> Table | None:
    jobs = material.provenance.jobs
    if not jobs:
        return None
    rows = [
        (
            name.replace("_", " "),
            Cell(f"{count:,}"),
            Cell("" if seconds is None else f"{seconds:,.0f}"),
        )
        for name, (count, seconds) in sorted(jobs.items())
    ]
    notes = ("Seconds are summed over jobs, some of which ran side by side.",)
    columns = ("Step", "Jobs", "Seconds")
    return Table("Jobs behind this report", columns, tuple(rows), notes=notes)


def _tables(material: Material) -> Table | None:
    hashes = material.provenance.tables
    rows = [
        (
            f"{name}.csv",
            Cell(f"{len(material.tables[name]):,}"),
            Cell(hashes[name], look="code", number=False),
            Cell(material.provenance.code.get(name, "")[:12], look="code", number=False),
        )
        for name in sorted(hashes)
        if name in material.tables
    ]
    if not rows:
        return None
    columns = ("Table", "Rows", "SHA-256", "Code")
    return Table("Tables this page was made from", columns, tuple(rows), folded="Hashes of tables")


def _weights(material: Material) -> Table | None:
    hashes = material.provenance.weights
    if not hashes:
        return None
    rows = [(name, Cell(hashes[name], look="code", number=False)) for name in sorted(hashes)]
    columns = ("Encoder and run", "SHA-256 of the weights")
    return Table("Weights", columns, tuple(rows), folded="Hashes of weights")


def _short(value: Any) -> Any:
    """The configuration without empty parts, for reading."""
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items() if item not in (None, {}, [])}
    return value
