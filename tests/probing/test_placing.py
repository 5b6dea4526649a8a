import numpy as np
import pytest

from probing.planted import LAYERS, make_store, planted_states, tagged, treebank
from tunescope.errors import InputError
from tunescope.probing.placing import (
    BEYOND,
    NOT_DRAWN,
    check_words,
    needed_units,
    place_targets,
    store_units,
)
from tunescope.probing.states import gather_states
from tunescope.probing.targets import read_targets


@pytest.fixture
def split():
    return tagged(12, seed=0)


@pytest.fixture
def states(split):
    return planted_states(split)


def test_each_span_is_found_at_the_states_of_its_words(tmp_path, split, states):
    chosen = [7, 2, 9]
    store = make_store(tmp_path / "s.h5", split, states, chosen=chosen)
    lengths = [len(words) for words in split.table["words"].to_pylist()]
    first = np.concatenate([[0], np.cumsum(lengths)])
    for kind in ("words", "pieces"):
        units = store_units(store, kind)
        assert check_words(split, store, units) == {"sentences": 3, "cut": 0}
        placed = place_targets(read_targets(split, "entities"), store, units)
        assert placed.targets.rows.tolist() == chosen
        assert placed.targets.counts[NOT_DRAWN] == 9
        needed = needed_units(units.units, [placed])
        read = gather_states(store, LAYERS, needed, units=kind, memory_gib=1, progress=False)
        compact = np.cumsum(needed) - 1
        for row, words, (start, stop) in zip(
            placed.targets.rows, placed.targets.spans[:, 0], placed.spans[:, 0], strict=True
        ):
            found = read[:, compact[start] : compact[stop - 1] + 1]
            if kind == "words":
                for number, layer in enumerate(LAYERS):
                    expected = states[layer][first[row] + words[0] : first[row] + words[1]]
                    np.testing.assert_allclose(found[number], expected, rtol=2e-3, atol=1e-3)
            else:
                word = np.flatnonzero(store.word_inputs == chosen.index(row))[words[0] : words[1]]
                assert (start, stop) == (
                    store.word_spans[word[0], 0],
                    store.word_spans[word[-1], 1],
                )


def test_states_beyond_the_memory_limit_are_the_same(tmp_path, split, states):
    store = make_store(tmp_path / "s.h5", split, states)
    needed = np.zeros(len(store.word_spans), bool)
    needed[3:20:2] = True
    both = [
        gather_states(
            store, LAYERS, needed, units="words", memory_gib=limit, scratch=tmp_path, progress=False
        )
        for limit in (1, 1e-9)
    ]
    assert not isinstance(both[0], np.memmap)
    assert isinstance(both[1], np.memmap)
    np.testing.assert_array_equal(*both)
    assert list(tmp_path.iterdir()) == [tmp_path / "s.h5"]


def test_targets_beyond_a_cut_are_dropped_and_counted(tmp_path):
    span = {"start": 2, "end": 3}
    row = {
        "words": list("abcde"),
        "entities": [
            {"span1": {"start": 0, "end": 2}, "span2": None, "labels": ["X"]},
            {"span1": span, "span2": None, "labels": ["Y"]},
            {"span1": {"start": 1, "end": 5}, "span2": None, "labels": ["X"]},
        ],
    }
    split = treebank([row, row])
    states = {layer: np.zeros((10, 4)) for layer in LAYERS}
    store = make_store(tmp_path / "s.h5", split, states, cut={1: 3})
    units = store_units(store, "words")
    assert check_words(split, store, units) == {"sentences": 2, "cut": 1}
    placed = place_targets(read_targets(split, "entities"), store, units)
    # The third word of the second sentence may have lost pieces, so its target goes as well.
    assert placed.targets.rows.tolist() == [0, 0, 0, 1]
    assert placed.targets.counts[BEYOND] == 2


@pytest.mark.parametrize("what", ["other words", "other rows", "short without a cut"])
def test_a_store_of_other_sentences_is_refused(tmp_path, split, states, what):
    other = {
        "other words": tagged(12, seed=1),
        "other rows": treebank([{"words": ["a"] * 9}] * 4),
        "short without a cut": split,
    }[what]
    if what == "short without a cut":
        words = [*split.table["words"].to_pylist()]
        split = treebank([{"words": [*one, "more"]} for one in words])
    store = make_store(tmp_path / "s.h5", other, {n: np.zeros((200, 4)) for n in LAYERS})
    with pytest.raises(InputError, match="not the states of planted: record"):
        check_words(split, store, store_units(store, "words"))
