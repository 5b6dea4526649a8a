"""Counts of the official files, where `TUNESCOPE_DATA` names a folder that has them."""

import os
from pathlib import Path

import pytest

from tunescope.config.corpora import CorpusSettings
from tunescope.corpora.canonical import Split
from tunescope.corpora.glue import read_glue
from tunescope.corpora.read import read_corpus
from tunescope.corpora.squad import NO_OFFSET
from tunescope.errors import InputError

FOLDER = os.environ.get("TUNESCOPE_DATA")
pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not FOLDER, reason="TUNESCOPE_DATA names no folder of official files"),
]


def read(layout: str, file: str, **options: object) -> Split:
    values = {"format": layout, "files": {"dev": file}, **options}
    root = Path(FOLDER or "")
    return read_corpus(CorpusSettings.model_validate(values), data_root=root)["dev"]


#: Rows of whole official files (those of the hub too) and of the `_part` files beside them.
GLUE_ROWS = [
    ("glue-rte", "glue/RTE/train.tsv", 2_490),
    ("glue-rte", "glue/RTE/dev.tsv", 277),
    ("glue-mrpc", "glue/MRPC/train.tsv", 3_668),
    ("glue-mrpc", "glue/MRPC/dev.tsv", 408),
    ("glue-mrpc", "glue/MRPC/msr_paraphrase_train.txt", 4_076),
    ("glue-mrpc", "glue/MRPC/msr_paraphrase_test.txt", 1_725),
    ("glue-sst-2", "glue/SST-2/train.tsv", 67_349),
    ("glue-sst-2", "glue/SST-2/dev.tsv", 872),
    ("glue-qnli", "glue/QNLI/dev.tsv", 5_463),
    ("glue-qnli", "glue/QNLI/train.tsv", 320),
    ("glue-qnli", "glue/QNLI/train_part.tsv", 5_000),
    ("glue-qnli", "glue/QNLI/train_part_heldout.tsv", 1_000),
    ("glue-mnli", "glue/MNLI/dev_matched.tsv", 9_815),
    ("glue-mnli", "glue/MNLI/train.tsv", 480),
    ("glue-mnli", "glue/MNLI/train_part.tsv", 6_000),
    ("glue-mnli", "glue/MNLI/train_part_heldout.tsv", 1_000),
    ("glue-qqp", "glue/QQP/train.tsv", 320),
    ("glue-qqp", "glue/QQP/train_part.tsv", 6_000),
    ("glue-qqp", "glue/QQP/train_part_heldout.tsv", 1_000),
    ("glue-snli", "ood/snli/train.tsv", 480),
    ("glue-snli", "ood/snli/train_part.tsv", 3_000),
    ("glue-snli", "ood/snli/train_part_heldout.tsv", 1_000),
]


@pytest.mark.parametrize(("layout", "file", "rows"), GLUE_ROWS)
def test_every_row_of_a_glue_file_is_kept(layout: str, file: str, rows: int) -> None:
    account = read(layout, file).accounting
    assert (account.read, account.kept, account.dropped) == (rows, rows, {})


#: Majority baselines that Kovaleva et al. (2019) print, as counts.
MAJORITIES = [
    ("glue-mrpc", "glue/MRPC/dev.tsv", "equivalent", 279),
    ("glue-rte", "glue/RTE/dev.tsv", "entailment", 146),
    ("glue-qnli", "glue/QNLI/dev.tsv", "not_entailment", 2_761),
    ("glue-sst-2", "glue/SST-2/dev.tsv", "positive", 444),
    ("glue-mnli", "glue/MNLI/dev_matched.tsv", "entailment", 3_479),
]


@pytest.mark.parametrize(("layout", "file", "label", "rows"), MAJORITIES)
def test_majority_classes(layout: str, file: str, label: str, rows: int) -> None:
    assert read(layout, file).table["label"].to_pylist().count(label) == rows


def test_the_byte_order_mark_of_mrpc_is_noted() -> None:
    notes = read("glue-mrpc", "glue/MRPC/train.tsv").accounting.notes
    assert notes["byte order mark at the start of the file"] == 1


def test_snli_has_rows_of_15_fields() -> None:
    notes = read("glue-snli", "ood/snli/train.tsv").accounting.notes
    assert notes["rows with more annotators' labels than the header names"] == 27


def test_the_unlabelled_test_file_is_refused() -> None:
    with pytest.raises(InputError, match="the file has no labels"):
        read_glue(Path(FOLDER or "", "glue/MRPC/test.tsv"), layout="glue-mrpc")


#: UD English-EWT 2.2: sentences, those with empty nodes, words of the others.
EWT = [("train", 12_543, 20, 203_945), ("dev", 2_002, 1, 25_122), ("test", 2_077, 1, 25_069)]


@pytest.mark.parametrize(("part", "sentences", "with_empty_nodes", "words"), EWT)
def test_sentences_and_words_of_ewt(
    part: str, sentences: int, with_empty_nodes: int, words: int
) -> None:
    file = f"ud-english-ewt/en_ewt-ud-{part}.conllu"
    assert read("conllu", file).accounting.kept == sentences
    few = read("conllu", file, empty_node_sentences="dropped")
    assert (few.accounting.read, few.accounting.kept) == (sentences, sentences - with_empty_nodes)
    assert sum(map(len, few.table["words"].to_pylist())) == words


def test_ewt_has_49_relations() -> None:
    found = set()
    for part, *_ in EWT:
        file = f"ud-english-ewt/en_ewt-ud-{part}.conllu"
        table = read("conllu", file, empty_node_sentences="dropped").table
        found |= {relation for row in table["deprels"].to_pylist() for relation in row}
    assert len(found) == 49


def test_questions_and_answers_of_squad() -> None:
    dev = read("squad", "squad-v1.1/dev-v1.1.json")
    rest = read("squad", "squad-v1.1/dev-v1.1.no-offset.json")
    assert (dev.accounting.kept, rest.accounting.kept) == (8_911, 1_659)
    answers = [split.table["answers"].to_pylist() for split in (dev, rest)]
    assert sum(map(len, answers[0])) == 29_138
    assert sum(len(row) for split in answers for row in split) == 34_726
    starts = [a["start"] for row in answers[1] for a in row]
    assert starts.count(None) == rest.accounting.notes[NO_OFFSET] > 0
    assert read("squad", "squad-v1.1/train-v1.1.json").accounting.kept == 4_370


@pytest.mark.parametrize(
    ("part", "kept", "headings"), [("valid", 2_553, 620), ("test", 2_643, 706)]
)
def test_sentences_of_wikitext(part: str, kept: int, headings: int) -> None:
    split = read("wikitext", f"ood/wikitext-2/{part}.txt")
    assert split.accounting.kept == kept
    assert split.accounting.dropped["heading"] == headings
    assert not any("<unk>" in text or "@-@" in text for text in split.table["text"].to_pylist())
