from pathlib import Path

import numpy as np
import pytest

from tunescope.corpora.conllu import read_conllu
from tunescope.finetuning.attachment import attachment_scorer
from tunescope.finetuning.parses import NOTHING, Parses

#: Two sentences; beside HEAD and DEPREL stand what a parser is made to say and a word's pieces.
GOLD = """\
1 Red   _ _ _ _ 2 amod  | 2 amod   1
2 trees _ _ _ _ 3 nsubj | 3 obj    2
3 grow  _ _ _ _ 0 root  | 0 root   1
4 there _ _ _ _ 3 advmod| 2 advmod 3
5 .     _ _ _ _ 3 punct | 3 punct  1

1 Well  _ _ _ _ 2 discourse| 2 discourse 1
2 done  _ _ _ _ 0 root | 0 root 1
3 unbelievably _ _ _ _ 2 advmod | - - 5
"""
LABELS = ("advmod", "amod", "discourse", "nsubj", "obj", "punct", "root")


def parses(folder: Path) -> Parses:
    """The gold half goes through the reader of treebanks, the other half beside it."""
    lines, heads, labels, pieces = [], [], [], []
    for line in GOLD.splitlines():
        if not line:
            lines.append("")
            continue
        gold, said = line.split("|")
        lines.append("\t".join([*gold.split(), "_", "_"]))
        head, label, count = said.split()
        heads.append(NOTHING if head == "-" else int(head))
        labels.append(NOTHING if label == "-" else LABELS.index(label))
        pieces.append(int(count))
    path = folder / "gold.conllu"
    path.write_text("\n".join([*lines, ""]) + "\n")
    table = read_conllu(path).table
    relations = [one for names in table["deprels"].to_pylist() for one in names]
    return Parses(
        labels=LABELS,
        known=len(LABELS),
        rows=np.arange(2),
        offsets=np.array([0, 5, 8]),
        pieces=np.array(pieces),
        gold_heads=np.array([one for tree in table["heads"].to_pylist() for one in tree], np.int32),
        gold_labels=np.array([LABELS.index(one) for one in relations], np.int32),
        heads=np.array([heads], np.int32),
        head_labels=np.array([labels], np.int32),
        origin={},
    )


@pytest.mark.parametrize(
    ("metric", "first", "second"),
    [
        ("uas", (4, 5), (2, 3)),  # there: wrong head; unbelievably: no head
        ("label_accuracy", (4, 5), (2, 3)),  # trees: wrong label
        ("las", (3, 5), (2, 3)),
        ("las_pieces", (3, 8), (2, 7)),  # Red, grow and the full stop; Well and done
    ],
)
def test_scores_equal_a_count_by_hand(tmp_path, metric, first, second):
    scorer = attachment_scorer(metric, parses(tmp_path), 0)
    assert scorer.value(np.array([0])) == first[0] / first[1]
    assert scorer.value(np.array([1])) == second[0] / second[1]
    both = (first[0] + second[0]) / (first[1] + second[1])
    assert scorer.value() == both
    twice = (2 * first[0] + second[0]) / (2 * first[1] + second[1])
    assert scorer.value(np.array([0, 1, 0])) == twice
    assert not scorer.constant


def test_one_label_for_all_words_is_constant(tmp_path):
    found = parses(tmp_path)
    found.head_labels[:] = 3
    assert attachment_scorer("uas", found, 0).constant


def test_another_metric_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no metric of parses: accuracy"):
        attachment_scorer("accuracy", parses(tmp_path), 0)
