from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from report.conftest import Inputs, settings
from tunescope.config.availability import NotRun
from tunescope.errors import InputError
from tunescope.report.experiments import EXPERIMENTS
from tunescope.report.material import Provenance, is_published_encoder
from tunescope.report.page import build_ledger, build_report

VOID = {"img", "meta", "br", "link", "hr", "input"}


class Page(HTMLParser):
    """What tests ask of a page: its elements, their nesting and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def build(inputs: Inputs, **options: object) -> str:
    return build_report(
        inputs.tables,
        inputs.figures,
        inputs.reference,
        settings=inputs.settings,
        **options,  # type: ignore[arg-type]  # tests pass any of the keywords
    )


@pytest.fixture(scope="module")
def page(inputs: Inputs) -> Page:
    return Page(build(inputs))


def test_same_input_same_bytes(inputs: Inputs) -> None:
    assert build(inputs) == build(inputs)


def test_page_stands_alone(inputs: Inputs) -> None:
    page = Page(build(inputs))
    assert page.all("script") == []
    assert page.all("link") == []
    assert all(str(image["src"]).startswith("data:image/png;base64,") for image in page.all("img"))
    anchors = [str(link["href"]) for link in page.all("a")]
    assert [anchor for anchor in anchors if not anchor.startswith("#")] == []
    names = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(names) == len(set(names))
    assert {anchor[1:] for anchor in anchors} <= set(names)


def test_page_is_accessible(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert all(image["alt"] for image in page.all("img"))
    assert all("scope" in head for head in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(nav["aria-label"] for nav in page.all("nav"))
    assert len(page.all("h1")) == 1


def test_sections_of_what_was_run(page: Page) -> None:
    anchors = [section["id"] for section in page.all("section")]
    assert anchors == [
        "glance",
        "run",
        "finetuning",
        "similarity-by-layer",
        "similarity-by-domain",
        "ledger",
        "corpora",
        "not-run",
        "citing",
    ]
    contents = [str(link["href"])[1:] for link in page.all("a")][1 : len(anchors) + 1]
    assert contents == anchors


def test_no_missing_value_shows(page: Page) -> None:
    words = page.text.split()
    assert "nan" not in words
    assert "None" not in words
    assert "<NA>" not in words


def test_scores_stand_beside_the_published_ones(inputs: Inputs, page: Page) -> None:
    summary = pd.read_csv(inputs.tables["summary_finetuning"], keep_default_na=False)
    row = summary.query("task == 'mnli' and initialisation == 'pretrained'").iloc[0]
    assert f"{100 * row['value']:.1f}" in page.text
    assert "78.6" in page.text  # kovaleva2019, Table 1, MNLI
    assert "3 of 3 constant" in page.text
    assert "compares, their level does not" in page.text


def test_findings_are_counted_from_the_tables(page: Page) -> None:
    assert "random weights on 3 of 3 tasks; the interval of the difference lies above 0 on 3" in (
        page.text
    )
    assert "lab: similarity falls at every block on 2 of 2 curves; of all 8 steps" in page.text
    assert "the interval of the fall lies above 0 on 6." in page.text
    assert "in 6 of 6 comparisons of a task, corpus and layer" in page.text
    assert "the interval of the difference lies below 0 in 6." in page.text


def test_what_was_not_run_is_listed_with_its_reason(inputs: Inputs) -> None:
    reason = "file not found: glue/QQP/train.tsv"
    page = Page(build(inputs, not_run=[NotRun("tasks", "qqp", reason)]))
    assert reason in page.text
    for experiment in EXPERIMENTS:
        if experiment.section is None:
            assert experiment.title in page.text


def test_experiments_without_tables_are_not_run(inputs: Inputs) -> None:
    tables = {name: path for name, path in inputs.tables.items() if "rsa" not in name}
    page = Page(build(replace(inputs, tables=tables, figures={})))
    assert "similarity-by-layer" not in [section["id"] for section in page.all("section")]
    assert "RSA against the pre-trained encoder" in page.text
    assert "asks for no such runs" in page.text
    assert page.all("img") == []


def test_a_page_of_nothing_says_so(inputs: Inputs) -> None:
    page = Page(build(replace(inputs, tables={}, figures={})))
    assert "0 experiments of the two papers" in page.text
    assert "ledger" not in [section["id"] for section in page.all("section")]


def test_provenance_is_shown(inputs: Inputs) -> None:
    provenance = Provenance(
        device="a machine of two cores",
        versions={"python": "3.11.9", "torch": "2.13.0"},
        encoders={"lab-p0": "origin of the weights"},
        weights={"lab-p0/base": "ab" * 32},
        tables={"summary_rsa": "cd" * 32},
        jobs={"finetune": (9, 321.4), "dump_hidden_states": (4, None)},
        code={"summary_rsa": "ef" * 32},
    )
    text = Page(build(inputs, provenance=provenance)).text
    for words in (
        "a machine of two cores",
        "2.13.0",
        "origin of the weights",
        "ab" * 32,
        "cd" * 32,
        "321",
        "dump hidden states",
    ):
        assert words in text


def test_names_are_text_and_no_markup(inputs: Inputs, tmp_path: Path) -> None:
    table = pd.read_csv(inputs.tables["corpora"]).assign(source="<script>alert('x')</script>")
    path = tmp_path / "corpora.csv"
    table.to_csv(path, index=False)
    page = Page(build(replace(inputs, tables={**inputs.tables, "corpora": path})))
    assert page.all("script") == []
    assert "<script>alert('x')</script>" in page.text


def test_dropped_records_show_their_reasons(page: Page) -> None:
    assert "no label: 7" in page.text
    assert "quote in text: 41" in page.text


def test_the_published_encoder_needs_no_caution(inputs: Inputs, tmp_path: Path) -> None:
    name = "bert-base-uncased"
    origin = {"hub": f"google-bert/{name}", "revision": "0" * 40}
    tables = dict(inputs.tables)
    for table in ("finetuning", "summary_finetuning"):
        path = tmp_path / f"{table}.csv"
        pd.read_csv(tables[table], keep_default_na=False).assign(encoder=name).to_csv(
            path, index=False
        )
        tables[table] = path
    changed = replace(inputs, tables=tables, settings=settings({name: dict(origin)}))
    assert "their level does not" not in Page(build(changed)).text
    rows = build_ledger(tables, inputs.reference, settings=changed.settings)
    found = rows[rows["reproduced"].notna()]
    assert set(found["comparable"]) == {"yes"}


@pytest.mark.parametrize(
    ("hub", "same"),
    [
        ("google-bert/bert-base-uncased", True),
        ("google/multiberts-seed_2", True),
        ("google-bert/bert-base-cased", False),
        ("google-bert/bert-large-uncased", False),
    ],
)
def test_which_encoders_are_the_published_one(hub: str, same: bool) -> None:
    assert is_published_encoder(hub) is same


def test_a_missing_column_names_the_table(inputs: Inputs, tmp_path: Path) -> None:
    path = tmp_path / "summary_rsa.csv"
    pd.read_csv(inputs.tables["summary_rsa"]).drop(columns="domain").to_csv(path, index=False)
    with pytest.raises(InputError, match="summary_rsa: no column domain"):
        build(replace(inputs, tables={**inputs.tables, "summary_rsa": path}))


def test_a_missing_figure_is_named(inputs: Inputs, tmp_path: Path) -> None:
    figures = {"merchant2020_figure2": tmp_path / "absent.png"}
    with pytest.raises(InputError, match=r"absent\.png: no such file"):
        build(replace(inputs, figures=figures))


def test_tasks_seen_in_pretraining_carry_a_warning(inputs: Inputs) -> None:
    encoder = {"pretrain": {"language": "lab", "seed": 0}, "seen_tasks": ["mnli"]}
    page = Page(build(replace(inputs, settings=settings({"lab-p0": encoder}))))
    assert page.text.count("The pre-training of lab has seen the text of MNLI;") == 3
    assert "The pre-training of" not in Page(build(inputs)).text
