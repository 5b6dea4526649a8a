from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from tunescope.config.corpora import CorpusSettings, FileFormat, Generated
from tunescope.corpora.read import read_corpus
from tunescope.corpora.subsample import REASON
from tunescope.errors import InputError


def settings(**values: object) -> CorpusSettings:
    return CorpusSettings.model_validate(values)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data root" / "SST-2"
    folder.mkdir(parents=True)
    lines = [f"sentence {n}\t{n % 2}" for n in range(20)]
    for name in ("train", "dev"):
        (folder / f"{name}.tsv").write_text("\n".join(["sentence\tlabel", *lines, ""]))
    return folder.parent


def test_files_are_found_under_data_root_and_training_rows_capped(data: Path) -> None:
    files = {"train": "SST-2/train.tsv", "dev": "SST-2/dev.tsv"}
    splits = read_corpus(settings(format="glue-sst-2", files=files, train_rows=5), data_root=data)
    assert list(splits) == ["train", "dev"]
    assert len(splits["train"].table) == 5
    assert splits["train"].accounting.dropped == {REASON: 15}
    assert len(splits["dev"].table) == 20
    # The account names the file as configured, so that tables agree between machines.
    assert splits["dev"].accounting.source == "SST-2/dev.tsv"


def test_absolute_paths_need_no_data_root(data: Path) -> None:
    path = data / "SST-2" / "dev.tsv"
    splits = read_corpus(settings(format="glue-sst-2", files={"dev": str(path)}), data_root=None)
    assert splits["dev"].accounting.kept == 20


def test_a_missing_file_names_data_root_and_the_path_looked_for(data: Path) -> None:
    corpus = settings(format="glue-sst-2", files={"dev": "SST-2/dev_.tsv"})
    with pytest.raises(InputError) as caught:
        read_corpus(corpus, data_root=data)
    assert caught.value.where == "files.dev: SST-2/dev_.tsv"
    assert f"looked for {data / 'SST-2/dev_.tsv'} (data_root is {data})" in caught.value.found
    assert "set data_root" in caught.value.remedy
    with pytest.raises(InputError, match="data_root is not set"):
        read_corpus(corpus, data_root=None)


@pytest.mark.parametrize("layout", ["text", "wikitext"])
def test_text_formats(data: Path, layout: str) -> None:
    (data / "t.txt").write_text("A line of quite some words .\n")
    splits = read_corpus(settings(format=layout, files={"train": "t.txt"}), data_root=data)
    assert splits["train"].table["text"].to_pylist() == ["A line of quite some words ."]


def test_conllu_options_and_squad_training_reach_the_readers(data: Path) -> None:
    rest = "_\t_\t_\t0\troot\t_\t_"
    node = "1.1\tb\tb\t_\t_\t_\t_\t_\t_\t_"
    sentences = [f"1\ta\ta\t{rest}\n\n", f"1\ta\ta\t{rest}\n{node}\n\n"]
    (data / "t.conllu").write_text("".join(sentences))
    files = {"dev": "t.conllu"}
    kept = read_corpus(settings(format="conllu", files=files), data_root=data)
    few = read_corpus(
        settings(format="conllu", files=files, empty_node_sentences="dropped"), data_root=data
    )
    assert [len(splits["dev"].table) for splits in (kept, few)] == [2, 1]
    answer = '{"text": "a", "answer_start": %s}'
    question = '{"id": "%s", "question": "?", "answers": [' + answer + "]}"
    questions = ", ".join([question % ("p", "null"), question % ("q", "0")])
    document = '{"data": [{"title": "", "paragraphs": [{"context": "a a", "qas": [%s]}]}]}'
    (data / "s.json").write_text(document % questions)
    squad = settings(format="squad", files={"train": "s.json", "dev": "s.json"})
    splits = read_corpus(squad, data_root=data)
    assert [len(split.table) for split in splits.values()] == [1, 2]


def test_formats_of_two_files_need_both(data: Path) -> None:
    (data / "const").mkdir()
    (data / "const" / "d.ptb").write_text("(ROOT (NN a))\n")
    corpus = settings(format="gum", files={"dev": "const"}, companions={"dev": "coref"})
    with pytest.raises(InputError, match=f"companions.dev: coref: no such file: looked for {data}"):
        read_corpus(corpus, data_root=data)
    (data / "coref").mkdir()
    (data / "coref" / "d.conll").write_text("0\ta\t_\n")
    split = read_corpus(corpus, data_root=data)["dev"]
    assert split.table["words"].to_pylist() == [["a"]]
    assert split.accounting.source == "const"


def test_edge_probing_is_told_what_its_targets_are(data: Path) -> None:
    (data / "x.jsonl").write_text('{"text": "a", "targets": [{"span1": [0, 1], "label": "X"}]}\n')
    corpus = settings(format="edge-probing", files={"dev": "x.jsonl"}, annotation="pos")
    assert read_corpus(corpus, data_root=data)["dev"].table["xpos"].to_pylist() == [["X"]]


def test_every_format_has_a_reader(data: Path) -> None:
    (data / "empty").write_text("")
    for layout in get_args(FileFormat):
        extra = {"annotation": "pos"} if layout == "edge-probing" else {}
        if layout in ("gum", "uds-protoroles"):
            extra = {"companions": {"dev": "empty"}}
        corpus = settings(format=layout, files={"dev": "empty"}, **extra)
        with pytest.raises(InputError):
            read_corpus(corpus, data_root=data)


def test_generated_corpora_are_read_elsewhere() -> None:
    corpus = settings(generated=Generated(language="english", part="rte"))
    with pytest.raises(ValueError, match=r"tunescope\.corpora\.language"):
        read_corpus(corpus, data_root=None)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "give exactly one of generated, files, hub"),
        ({"files": {"dev": "a"}}, "format: name the layout"),
        ({"files": {"dev": "a"}, "format": "csv"}, "Input should be"),
        ({"hub": "a/b", "format": "squad"}, "needs revision"),
        ({"hub": "a/b", "format": "squad", "revision": "main", "splits": {"dev": "d"}}, "revision"),
        ({"files": {"dev": "a"}, "format": "text", "splits": {"dev": "d"}}, "belongs to a hub"),
        (
            {"files": {"dev": "a"}, "format": "text", "empty_node_sentences": "dropped"},
            "only files in the format conllu",
        ),
        (
            {"files": {"dev": "a"}, "format": "gum"},
            "companions: give one for each of the splits dev",
        ),
        (
            {"files": {"dev": "a"}, "format": "text", "companions": {"dev": "b"}},
            "companions: give one for each of the splits none",
        ),
        ({"files": {"dev": "a"}, "format": "edge-probing"}, "annotation: say it"),
        ({"files": {"dev": "a"}, "format": "text", "annotation": "pos"}, "for no other"),
        ({"generated": {"language": "e", "part": "rte"}, "format": "text"}, "has none"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(
    values: dict[str, object], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        settings(**values)
