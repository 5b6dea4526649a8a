import numpy as np
import pytest

from tunescope.activations.inputs import Inputs
from tunescope.activations.store import HiddenStates, StoreAttributes, layer_names, write_store
from tunescope.corpora.canonical import Accounting, make_split
from tunescope.errors import InputError
from tunescope.probing.structural_data import make_tree_states, read_tree_states

SENTENCES = [
    {"words": ["a", "b", "."], "heads": [2, 0, 2], "xpos": ["NN", "VB", "."]},
    {"words": ["c"], "heads": [0], "xpos": ["UH"]},
    {"words": ["d", "e"], "heads": [0, 1], "xpos": ["VB", "NN"]},
]


def treebank(sentences=SENTENCES):
    rows = [
        {"row": 3 * number, "id": str(number), "text": " ".join(sentence["words"]), **sentence}
        for number, sentence in enumerate(sentences)
    ]
    for row in rows:
        row.setdefault("upos", ["X"] * len(row["words"]))
        row.setdefault("deprels", ["dep"] * len(row["words"]))
    return make_split("treebank", rows, (), Accounting("tree.conllu", "", len(rows), len(rows)))


def store_of(path, *, words=(3, 1, 2), rows=(0, 3, 6), cut=(False, False, False)):
    word_ids = [number for count in words for number in (-1, *range(count), -1)]
    inputs = Inputs(
        rows=np.array(rows),
        offsets=np.cumsum([0, *(count + 2 for count in words)]),
        piece_ids=np.arange(len(word_ids), dtype=np.int32),
        segments=np.zeros(len(word_ids), np.int8),
        word_ids=np.array(word_ids, np.int32),
        cut=np.array(cut),
        replaced_words=0,
        empty=0,
    )
    attributes = StoreAttributes("lab", "base", "w", inputs.content_hash, {})
    with write_store(path, inputs, attributes, layers=layer_names(1), hidden=4) as store:
        store.append(np.arange(2 * len(word_ids) * 4).reshape(2, -1, 4).astype(np.float16))
    return HiddenStates(path)


def test_words_meet_their_trees(tmp_path):
    store = store_of(tmp_path / "s.h5")
    data = read_tree_states(store, treebank(), progress=False)
    assert data.layers == ("embeddings", "00")
    assert data.lengths.tolist() == [3, 1, 2]
    assert data.rows.tolist() == [0, 3, 6]
    assert data.depths.tolist() == [1, 0, 1, 0, 0, 1]
    assert data.distances[2].tolist() == [[0, 1], [1, 0]]
    assert data.punctuation.tolist() == [False, False, True, False, False, False]
    np.testing.assert_array_equal(data.states[1], store.words("00"))


def test_sentences_that_were_cut_are_counted(tmp_path):
    store = store_of(tmp_path / "s.h5", words=(2, 1, 2), cut=(True, False, False))
    data = read_tree_states(store, treebank(), progress=False)
    assert data.rows.tolist() == [3, 6]
    assert data.dropped == {"cut": 1}
    np.testing.assert_array_equal(data.states[0], store.words("embeddings")[2:])


def test_what_does_not_fit_is_refused(tmp_path):
    with pytest.raises(InputError, match="row 0 has 3 heads, but 2 words"):
        read_tree_states(store_of(tmp_path / "a.h5", words=(2, 1, 2)), treebank(), progress=False)
    with pytest.raises(InputError, match="has row 7, which"):
        read_tree_states(store_of(tmp_path / "b.h5", rows=(0, 3, 7)), treebank(), progress=False)
    split = make_split("text", [{"row": 0, "text": "a"}], (), Accounting("plain.txt", "", 1, 1))
    with pytest.raises(InputError, match="need a treebank"):
        read_tree_states(store_of(tmp_path / "c.h5"), split, progress=False)


def test_arrays_of_another_size_and_missing_tags_are_refused():
    records = [{"heads": [0, 1], "xpos": ["VB", "NN"], "upos": None}]
    with pytest.raises(ValueError, match="1 layers and 2 words"):
        make_tree_states(["x"], np.zeros((1, 3, 4)), records)
    with pytest.raises(ValueError, match="without upos tags"):
        make_tree_states(["x"], np.zeros((1, 2, 4)), records, by="upos")
