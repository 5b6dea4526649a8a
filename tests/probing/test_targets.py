import numpy as np
import pytest

from probing.planted import treebank
from tunescope.corpora.canonical import Accounting, make_split
from tunescope.errors import InputError
from tunescope.probing.targets import ranges, read_targets


def span(start, end):
    return {"start": start, "end": end}


def target(first, second, *labels):
    return {"span1": span(*first), "span2": second and span(*second), "labels": list(labels)}


def listed(targets):
    """Targets as plain tuples: row, spans, labels."""
    return [
        (
            int(targets.rows[place]),
            *(tuple(one) for one in targets.spans[place].tolist()),
            [targets.labels[i] for i in targets.label_ids[slice(*bounds)]],
        )
        for place, bounds in enumerate(
            zip(targets.label_offsets[:-1], targets.label_offsets[1:], strict=True)
        )
    ]


def test_parts_of_speech_are_words_with_their_tag():
    split = treebank(
        [
            {"words": ["a", "b"], "upos": ["X", "Y"], "xpos": ["NN", "VB"]},
            {"words": ["c"], "upos": ["X"], "xpos": ["NN"]},
        ]
    )
    targets = read_targets(split, "pos")
    assert listed(targets) == [
        (0, (0, 1), ["NN"]),
        (0, (1, 2), ["VB"]),
        (1, (0, 1), ["NN"]),
    ]
    assert targets.labels == ("NN", "VB")
    assert targets.counts["targets"] == 3
    assert targets.counts["sentences of one word"] == 1


def test_universal_tags_serve_where_there_are_no_others():
    split = treebank([{"words": ["a", "b"], "upos": ["X", "Y"]}])
    assert read_targets(split, "pos").labels == ("X", "Y")


def test_words_without_a_tag_are_no_targets():
    split = treebank([{"words": ["a", "b", "c"], "xpos": ["NN", None, "_"]}])
    targets = read_targets(split, "pos")
    assert listed(targets) == [(0, (0, 1), ["NN"])]
    assert targets.counts["words without annotation"] == 2


def test_a_dependency_joins_word_and_head_and_the_root_is_its_own_head():
    split = treebank(
        [
            {"words": ["x"], "heads": [0], "deprels": ["root"]},
            {
                "words": ["the", "dog", "runs"],
                "heads": [2, 3, 0],
                "deprels": ["det", "nsubj:pass", "root"],
            },
        ]
    )
    assert listed(read_targets(split, "dependencies")) == [
        (0, (0, 1), (0, 1), ["root"]),
        (1, (0, 1), (1, 2), ["det"]),
        (1, (1, 2), (2, 3), ["nsubj:pass"]),
        (1, (2, 3), (2, 3), ["root"]),
    ]


def test_annotated_spans_may_overlap_and_labels_be_several_or_none():
    words = ["a", "b", "c", "d"]
    split = treebank(
        [
            {
                "words": words,
                "constituents": [target((0, 4), None, "S"), target((0, 4), None, "VP")],
            },
            {"words": words},
            {
                "words": words,
                "constituents": [target((1, 3), None, "NP")],
                "proto_roles": [
                    target((0, 1), (2, 4), "awareness", "volition"),
                    target((0, 1), (1, 2)),
                ],
            },
        ]
    )
    constituents = read_targets(split, "constituents")
    assert listed(constituents) == [
        (0, (0, 4), ["S"]),
        (0, (0, 4), ["VP"]),
        (2, (1, 3), ["NP"]),
    ]
    assert constituents.counts["on spans of another target"] == 1
    assert constituents.counts["sentences without targets"] == 1
    roles = read_targets(split, "proto_roles")
    assert listed(roles) == [
        (2, (0, 1), (2, 4), ["awareness", "volition"]),
        (2, (0, 1), (1, 2), []),
    ]
    assert roles.counts["without a label"] == 1


@pytest.mark.parametrize("bad", [(-1, 1), (1, 1), (2, 1), (1, 3)])
def test_a_span_that_is_empty_or_out_of_range_is_refused(bad):
    split = treebank(
        [{"words": ["a"]}, {"words": ["a", "b"], "entities": [target(bad, None, "X")]}]
    )
    with pytest.raises(InputError, match=r"record 1.*no range of its 2 words"):
        read_targets(split, "entities")


def test_a_missing_second_span_is_refused():
    split = treebank([{"words": ["a", "b"], "relations": [target((0, 1), None, "X")]}])
    with pytest.raises(InputError, match="lack span2"):
        read_targets(split, "relations")


@pytest.mark.parametrize("probe", ["pos", "dependencies", "entities", "coreference"])
def test_a_corpus_without_the_annotation_is_refused(probe):
    with pytest.raises(InputError, match=f"no annotation for the probe {probe}"):
        read_targets(treebank([{"words": ["a", "b"]}]), probe)


def test_only_treebanks_are_probed():
    split = make_split("text", [{"row": 0, "text": "x"}], (), Accounting("toy", "", 1, 1))
    with pytest.raises(InputError, match="no treebank"):
        read_targets(split, "pos")


def test_taking_targets_keeps_their_labels():
    split = treebank(
        [
            {
                "words": ["a", "b"],
                "proto_roles": [
                    target((0, 1), (1, 2), "p", "q"),
                    target((1, 2), (0, 1)),
                    target((0, 1), (0, 1), "q"),
                ],
            }
        ]
    )
    targets = read_targets(split, "proto_roles")
    whole = listed(targets)
    for places in ([2, 0], [1], [], [0, 1, 2], [1, 1, 0]):
        taken = targets.take(np.asarray(places, np.int64))
        assert listed(taken) == [whole[place] for place in places]
    assert targets.take(np.asarray([2])).labels_used == ("q",)


def test_ranges():
    assert ranges(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert ranges(np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []
