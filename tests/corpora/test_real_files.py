"""Counts of the official files, where `TUNESCOPE_DATA` names a folder that has them."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tunescope.config.corpora import CorpusSettings
from tunescope.corpora.canonical import Split
from tunescope.corpora.conll2012 import BARE_PREDICATES, PREDICATES
from tunescope.corpora.glue import read_glue
from tunescope.corpora.read import read_corpus
from tunescope.corpora.semeval2010 import RELATIONS
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


def targets(split: Split, name: str) -> list[dict[str, Any]]:
    return [one for row in split.table[name].to_pylist() for one in row]


def labels(split: Split, name: str) -> set[str]:
    return {label for one in targets(split, name) for label in one["labels"]}


#: Sentences, predicates, those with an argument (and so SRL records), labels of constituents.
PROPBANK = [("dev", 1_972, 4_976, 4_142, 28), ("train", 1_018, 3_352, 2_743, 27)]


@pytest.mark.parametrize(("part", "sentences", "predicates", "records", "nodes"), PROPBANK)
def test_roles_and_constituents_of_propbank(
    part: str, sentences: int, predicates: int, records: int, nodes: int
) -> None:
    split = read("conll-2012", f"propbank-ewt/en_ewt.{part}.gold_conll")
    assert split.accounting.kept == sentences
    assert split.accounting.notes[PREDICATES] == predicates
    assert predicates - split.accounting.notes[BARE_PREDICATES] == records
    assert len(labels(split, "constituents")) == nodes
    assert split.table["entities"].null_count == split.table["coreference"].null_count == sentences


@pytest.mark.parametrize(
    ("part", "sentences", "entities"), [("dev", 2_001, 966), ("test", 2_077, 1_088)]
)
def test_entities_of_universal_ner(part: str, sentences: int, entities: int) -> None:
    split = read("uner-iob2", f"uner-english-ewt/en_ewt-ud-{part}.iob2")
    assert split.accounting.kept == sentences
    assert len(targets(split, "entities")) == entities
    assert labels(split, "entities") == {"PER", "LOC", "ORG"}


@pytest.mark.parametrize(
    ("file", "records"), [("TRAIN_FILE.TXT", 8_000), ("TEST_FILE_FULL.TXT", 2_717)]
)
def test_relations_of_semeval(file: str, records: int) -> None:
    split = read("semeval-2010-task8", f"semeval-2010-task8/{file}")
    assert len(targets(split, "relations")) == split.accounting.kept == records
    counts = Counter(one["labels"][0] for one in targets(split, "relations"))
    assert set(counts) == set(RELATIONS)
    if records == 8_000:
        assert (counts["Other"], counts["Entity-Destination(e2,e1)"]) == (1_410, 1)


@pytest.mark.parametrize(("part", "graphs", "pairs"), [("dev", 291, 630), ("test", 276, 582)])
def test_proto_roles_of_uds(part: str, graphs: int, pairs: int) -> None:
    sentences = {"dev": f"uds-protoroles/en-ud-{part}.uds-sentences.conllu"}
    split = read(
        "uds-protoroles", f"uds-protoroles/protoroles.raw.{part}.json", companions=sentences
    )
    assert split.accounting.kept == graphs
    assert len(targets(split, "proto_roles")) == pairs
    # Predicates are verbs: the two files speak of the same words.
    verbs = [
        row["upos"][one["span1"]["start"]]
        for row in split.table.to_pylist()
        for one in row["proto_roles"]
    ]
    assert set(verbs) == {"VERB"}


@pytest.mark.parametrize(
    ("part", "trees", "words"),
    [("train", 1_342, 21_659), ("dev", 1_341, 23_909), ("test", 1_285, 23_991)],
)
def test_trees_of_gum(part: str, trees: int, words: int) -> None:
    coreference = {"dev": f"gum/{part}/coref/ontogum/conll"}
    split = read("gum", f"gum/{part}/const", companions=coreference)
    assert split.accounting.kept == trees
    assert sum(map(len, split.table["words"].to_pylist())) == words
    assert labels(split, "coreference") == {"0", "1"}
