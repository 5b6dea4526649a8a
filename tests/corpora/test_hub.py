"""The hub's path through `datasets.load_dataset`, on parquet data sets in a folder: no network."""

import shutil
from pathlib import Path
from typing import Any

import datasets
import huggingface_hub.constants
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value

from tunescope.config.corpora import CorpusSettings
from tunescope.corpora import hub
from tunescope.corpora.canonical import Split
from tunescope.corpora.glue import NO_GOLD_LABEL
from tunescope.corpora.hub import read_hub
from tunescope.corpora.hub_rows import NO_WORD
from tunescope.corpora.read import read_corpus
from tunescope.errors import InputError

REVISION = "0" * 40
TEXT = Value("string")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()


def publish(folder: Path, rows: dict[str, list[Any]], features: dict[str, Any]) -> str:
    """Put a data set where `load_dataset` finds it, as a repository in parquet has it."""
    dataset = Dataset.from_dict(rows, features=Features(features))
    path = folder / "repository" / "data"
    path.mkdir(parents=True)
    dataset.to_parquet(path / "validation-00000-of-00001.parquet")
    return str(path.parent)


def read(repository: str, layout: str, **options: Any) -> Split:
    return read_hub(
        repository,
        layout=layout,
        configuration=None,
        revision=REVISION,
        split="validation",
        **options,
    )


def nli(folder: Path, labels: list[int], names: list[str] | None) -> str:
    count = len(labels)
    rows = {
        "premise": [f"p{n}" for n in range(count)],
        "hypothesis": [f"h{n}" for n in range(count)],
        "label": labels,
        "idx": list(range(count)),
    }
    label = Value("int64") if names is None else ClassLabel(names=names)
    return publish(
        folder,
        rows,
        {"premise": TEXT, "hypothesis": TEXT, "label": label, "idx": Value("int32")},
    )


OFFICIAL = ["entailment", "neutral", "contradiction"]


def test_labels_go_by_name_whatever_their_order(tmp_path: Path) -> None:
    # The order of the old BERT processors, in which the same numbers mean other things.
    old_order = ["contradiction", "entailment", "neutral"]
    split = read(nli(tmp_path, [0, 1, 2], old_order), "glue-mnli")
    assert split.table["label"].to_pylist() == old_order
    assert split.labels == tuple(OFFICIAL)
    assert split.table["text_a"].to_pylist() == ["p0", "p1", "p2"]
    assert split.table["text_b"].to_pylist() == ["h0", "h1", "h2"]
    assert split.accounting.source.endswith(f"@{REVISION}:validation")
    assert len(split.accounting.sha256) == 64


def test_files_and_hub_give_the_same_rows(tmp_path: Path) -> None:
    rows = {"sentence": ["good ", "bad "], "label": [1, 0], "idx": [0, 1]}
    names = ClassLabel(names=["negative", "positive"])
    repository = publish(tmp_path, rows, {"sentence": TEXT, "label": names, "idx": Value("int32")})
    (tmp_path / "dev.tsv").write_text("sentence\tlabel\ngood \t1\nbad \t0\n")
    common = {"format": "glue-sst-2"}
    from_hub = CorpusSettings.model_validate(
        {**common, "hub": repository, "revision": REVISION, "splits": {"dev": "validation"}}
    )
    from_file = CorpusSettings.model_validate({**common, "files": {"dev": "dev.tsv"}})
    theirs = read_corpus(from_hub, data_root=None)["dev"]
    ours = read_corpus(from_file, data_root=tmp_path)["dev"]
    assert theirs.table.equals(ours.table)
    assert theirs.labels == ours.labels


def test_scores_are_those_of_the_official_file(tmp_path: Path) -> None:
    rows = {"sentence1": ["a"], "sentence2": ["b"], "label": [3.8]}
    features = {"sentence1": TEXT, "sentence2": TEXT, "label": Value("float32")}
    split = read(publish(tmp_path, rows, features), "glue-sts-b")
    assert split.table["score"].to_pylist() == [3.8]


@pytest.mark.parametrize("score", [float("nan"), -1.0, 5.5])
def test_scores_outside_the_scale_are_refused(tmp_path: Path, score: float) -> None:
    rows = {"sentence1": ["a"], "sentence2": ["b"], "label": [score]}
    features = {"sentence1": TEXT, "sentence2": TEXT, "label": Value("float32")}
    with pytest.raises(InputError, match=r"row 0: score .* is no number from 0 to 5"):
        read(publish(tmp_path, rows, features), "glue-sts-b")


def refusal(repository: str, layout: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read(repository, layout)
    assert caught.value.remedy
    return caught.value


def test_withheld_labels_are_refused(tmp_path: Path) -> None:
    error = refusal(nli(tmp_path, [0, -1], OFFICIAL), "glue-mnli")
    assert error.where.endswith("row 1")
    assert "label -1" in error.found
    assert "withheld" in error.found


def test_in_snli_they_mean_that_annotators_disagreed(tmp_path: Path) -> None:
    split = read(nli(tmp_path, [0, -1], OFFICIAL), "glue-snli")
    assert split.accounting.dropped == {NO_GOLD_LABEL: 1}
    assert split.table["label"].to_pylist() == ["entailment"]


def test_numbers_without_names_are_refused(tmp_path: Path) -> None:
    error = refusal(nli(tmp_path, [0, 1], None), "glue-mnli")
    assert "numbers without names" in error.found


def test_names_of_another_task_are_refused(tmp_path: Path) -> None:
    error = refusal(nli(tmp_path, [0, 1], ["yes", "no"]), "glue-mnli")
    assert "labels yes, no are not those of the task" in error.found


def test_a_missing_column_is_refused(tmp_path: Path) -> None:
    error = refusal(nli(tmp_path, [0], OFFICIAL), "glue-rte")
    assert "no column 'sentence1', 'sentence2' (columns: premise, hypothesis" in error.found


def test_an_unknown_split_is_refused(tmp_path: Path) -> None:
    repository = nli(tmp_path, [0], OFFICIAL)
    with pytest.raises(InputError, match="no such configuration or split"):
        read_hub(repository, layout="glue-mnli", configuration=None, revision=REVISION, split="dev")


def test_an_unreachable_data_set_is_refused_with_a_remedy() -> None:
    error = refusal("someone/something", "glue-mnli")
    assert error.where == f"someone/something@{REVISION}:validation"
    assert "cannot be reached, and the data set is not in the cache" in error.found
    assert "HF_DATASETS_OFFLINE" in error.remedy


def test_offline_only_the_pinned_commit_of_the_cache_is_taken(tmp_path: Path) -> None:
    rows = datasets.load_dataset(nli(tmp_path, [2], OFFICIAL), split="validation")
    [arrow] = [Path(file["filename"]) for file in rows.cache_files]
    cached = tmp_path / "cache" / "someone___nli" / "default" / "0.0.0" / REVISION
    cached.mkdir(parents=True)
    shutil.copy(arrow.with_name("dataset_info.json"), cached)
    shutil.copy(arrow, cached / "nli-validation.arrow")
    assert read("someone/nli", "glue-mnli").table["label"].to_pylist() == ["contradiction"]
    # `datasets` itself would hand out this other commit with a mere warning.
    cached.rename(cached.with_name("1" * 40))
    error = refusal("someone/nli", "glue-mnli")
    assert f"the cache gave commit {'1' * 40}, not the pinned one" in error.found


def test_a_loading_script_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object, **__: object) -> None:
        raise RuntimeError("Dataset scripts are no longer supported, but found glue.py")

    monkeypatch.setattr(datasets, "load_dataset", load)
    error = refusal("someone/something", "glue-mnli")
    assert "a loading script, which is not run" in error.found


def test_squad(tmp_path: Path) -> None:
    rows = {
        "id": ["q"],
        "title": ["T"],
        "context": [" Birds sing."],
        "question": ["Who?"],
        "answers": [{"text": ["Birds", "Birds sing"], "answer_start": [1, 1]}],
    }
    answers = {"text": List(TEXT), "answer_start": List(Value("int32"))}
    features = {**dict.fromkeys(("id", "title", "context", "question"), TEXT), "answers": answers}
    repository = publish(tmp_path, rows, features)
    assert read(repository, "squad").table["answers"].to_pylist() == [
        [{"text": "Birds", "start": 1}, {"text": "Birds sing", "start": 1}]
    ]


def test_squad_2_is_refused(tmp_path: Path) -> None:
    rows = {
        "id": ["q"],
        "title": ["T"],
        "context": ["c"],
        "question": ["?"],
        "answers": [{"text": [], "answer_start": []}],
    }
    answers = {"text": List(TEXT), "answer_start": List(Value("int32"))}
    features = {**dict.fromkeys(("id", "title", "context", "question"), TEXT), "answers": answers}
    assert "lack a text" in refusal(publish(tmp_path, rows, features), "squad").found


def treebank(folder: Path, heads: list[str]) -> str:
    size = len(heads)
    rows = {
        "idx": ["s-1"],
        "text": ["don't go"],
        "tokens": [["don't", "do", "n't", "go"][:size]],
        "upos": [[1, 0, 0, 0][:size]],
        "xpos": [[None, "VB", "RB", "VB"][:size]],
        "head": [heads],
        "deprel": [["_", "aux", "advmod", "root"][:size]],
    }
    features = {
        "idx": TEXT,
        "text": TEXT,
        "tokens": List(TEXT),
        "upos": List(ClassLabel(names=["VERB", "_"])),
        "xpos": List(TEXT),
        "head": List(TEXT),
        "deprel": List(TEXT),
    }
    return publish(folder, rows, features)


def test_treebanks_lose_their_multiword_tokens(tmp_path: Path) -> None:
    split = read(treebank(tmp_path, ["None", "3", "3", "0"]), "conllu")
    [row] = split.table.to_pylist()
    assert row["words"] == ["do", "n't", "go"]
    assert row["upos"] == ["VERB"] * 3
    assert row["heads"] == [3, 3, 0]
    assert row["deprels"] == ["aux", "advmod", "root"]
    assert (row["id"], row["text"]) == ("s-1", "don't go")
    assert split.accounting.notes == {NO_WORD: 1}


def test_treebanks_that_are_no_trees_are_refused(tmp_path: Path) -> None:
    error = refusal(treebank(tmp_path, ["None", "2", "1", "0"]), "conllu")
    assert error.where.endswith("row 0")
    assert "cycle" in error.found


def test_lines_of_text(tmp_path: Path) -> None:
    lines = ["", " = Heading = \n", " A sentence of several words . And another one of them . \n"]
    repository = publish(tmp_path, {"text": lines}, {"text": TEXT})
    assert read(repository, "wikitext").table["text"].to_pylist() == [
        "A sentence of several words .",
        "And another one of them .",
    ]
    assert len(read(repository, "text").table) == 2


def test_an_empty_split_is_refused() -> None:
    empty = Dataset.from_dict({"text": []}, features=Features({"text": TEXT}))
    with pytest.raises(InputError, match="the split has no rows"):
        hub.convert(empty, name="a/b", layout="text")
