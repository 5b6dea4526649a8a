"""All experiments of the two papers, in the order of the report, with the section of each."""

from collections.abc import Callable
from dataclasses import dataclass

from tunescope.report.content import Section
from tunescope.report.material import Material
from tunescope.report.sections.finetuning import finetuning_section
from tunescope.report.sections.similarity import (
    similarity_by_domain_section,
    similarity_by_layer_section,
)


@dataclass(frozen=True)
class Experiment:
    """One experiment of the papers.

    Attributes:
        title: what it is.
        source: where it was published.
        tables: tables its section reads; without them it counts as not run.
        section: builds its section, or None where the tables hold nothing for it.
    """

    title: str
    source: str
    tables: tuple[str, ...] = ()
    section: Callable[[Material], Section | None] | None = None


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "Scores after fine-tuning",
        "kovaleva2019, Table 1",
        ("summary_finetuning", "finetuning"),
        finetuning_section,
    ),
    Experiment(
        "RSA against the pre-trained encoder",
        "merchant2020, Figure 2",
        ("summary_rsa",),
        similarity_by_layer_section,
    ),
    Experiment(
        "RSA in and out of the task's domain",
        "merchant2020, Figure 5",
        ("summary_rsa",),
        similarity_by_domain_section,
    ),
    Experiment("Edge probing", "merchant2020, Table 1"),
    Experiment("Structural probes", "merchant2020, Figure 1"),
    Experiment("Partial freezing", "merchant2020, Figure 3"),
    Experiment("Truncation", "merchant2020, Figure 4"),
    Experiment("Attention patterns", "kovaleva2019, Figures 1, 2 and 10"),
    Experiment("Attention to frame elements", "kovaleva2019, Figures 3 and 4"),
    Experiment("Change of attention", "kovaleva2019, Figure 5"),
    Experiment("Attention to linguistic features", "kovaleva2019, Figure 6"),
    Experiment("Attention of [CLS] in the last layer", "kovaleva2019, Figure 7"),
    Experiment("Disabled heads", "kovaleva2019, Figure 8"),
    Experiment("Disabled layers", "kovaleva2019, Figure 9"),
)
