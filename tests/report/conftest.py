from dataclasses import dataclass
from pathlib import Path

import pytest

from figures.synthetic import corpora_account, finetuning_scores, finetuning_summary, rsa_summary
from tunescope.config.root import Config, parse_config
from tunescope.figures.rsa import draw_rsa_by_layer
from tunescope.figures.style import save_figure

METRICS = {"mrpc": ("f1", "accuracy"), "sts-b": ("pearson",), "mnli": ("accuracy",)}


@dataclass(frozen=True)
class Inputs:
    tables: dict[str, Path]
    figures: dict[str, Path]
    reference: Path
    settings: Config


def settings(encoders: dict[str, dict[str, object]]) -> Config:
    return parse_config(
        {
            "languages": {"lab": {}},
            "encoders": encoders,
            "corpora": {name: {"generated": {"language": "lab", "part": name}} for name in METRICS},
            "tasks": {
                name: {
                    "corpus": name,
                    "metrics": metrics,
                    **({"positive_label": "equivalent"} if "f1" in metrics else {}),
                }
                for name, metrics in METRICS.items()
            },
        }
    )


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Tables of three laboratory encoders pooled to one family, and one figure."""
    folder = tmp_path_factory.mktemp("results")
    scores = finetuning_scores(METRICS, encoders=("lab-p0",))
    tables = {
        "finetuning": scores,
        "summary_finetuning": finetuning_summary(scores).assign(encoder="lab"),
        "summary_rsa": rsa_summary(("mnli", "mrpc")),
        "corpora": corpora_account(),
    }
    paths = {name: folder / f"{name}.csv" for name in tables}
    for name, table in tables.items():
        table.to_csv(paths[name], index=False)
    figures = {"merchant2020_figure2": folder / "merchant2020_figure2.png"}
    save_figure(
        draw_rsa_by_layer(tables["summary_rsa"]),
        folder / "merchant2020_figure2.pdf",
        figures["merchant2020_figure2"],
    )
    encoders = {f"lab-p{n}": {"pretrain": {"language": "lab", "seed": n}} for n in range(3)}
    reference = Path(__file__).parents[2] / "reference"
    return Inputs(paths, figures, reference, settings(dict(encoders)))
