from math import log2

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from torch.nn import functional

from probing.planted import QUICK, make_store, planted_states, tagged, treebank
from tunescope.config.online_codes import OnlineCodeSettings
from tunescope.config.probing import ProbedCorpus
from tunescope.errors import InputError
from tunescope.probing.edge_parts import Part
from tunescope.probing.online_code_results import RunCodes, read_codes, tabulate_codes, write_codes
from tunescope.probing.online_codes import block_bounds, code_run, label_bits
from tunescope.probing.summaries import ProbedRun

CORPUS = ProbedCorpus(probes=("pos",))
CODES = OnlineCodeSettings(
    portions=(2, 5, 12.5, 25, 50, 100), learning_rate=0.02, epochs=6, batch_size=10
)


def parts_of(folder, change=lambda states: states, rows=None):
    folder.mkdir(exist_ok=True)
    parts = {}
    for number, (name, size) in enumerate({"train": 200, "dev": 30, "test": 10}.items()):
        split = rows or tagged(size, seed=number)
        states = change(planted_states(split, seed=number)) if rows is None else rows_states(split)
        parts[name] = Part(split, make_store(folder / f"{name}.h5", split, states))
    return parts


def rows_states(split):
    words = sum(map(len, split.table["words"].to_pylist()))
    return {layer: np.zeros((words, 4)) for layer in ("embeddings", "00", "01")}


@pytest.fixture(scope="module")
def codes(tmp_path_factory):
    parts = parts_of(tmp_path_factory.mktemp("codes"))
    return code_run(parts, CORPUS, CODES, QUICK, views=("top", "lexical"), progress=False)


def test_what_states_hold_is_sent_in_fewer_bits(codes):
    top, lexical = codes
    assert top.compression > 3
    assert 0.7 < lexical.compression < 1.3  # noise tells nothing of the labels


def test_the_first_block_is_sent_by_the_uniform_code(codes):
    for code in codes:
        first = code.blocks == 0
        assert 0 < first.sum() < len(code.bits) / 10
        np.testing.assert_array_equal(code.bits[first], log2(3))
        assert set(code.blocks.tolist()) == {0, 1, 2, 3, 4, 5}
        assert code.length == pytest.approx(code.bits.sum())
    assert codes[0].rows.tolist() == codes[1].rows.tolist()  # both send in the same order
    top = codes[0]
    assert top.bits[top.blocks == 5].mean() < top.bits[top.blocks == 1].mean()


def test_a_probe_stopped_by_other_sentences_codes_as_well(tmp_path):
    settings = CODES.model_copy(update={"stopping": "validation"})
    code = code_run(parts_of(tmp_path), CORPUS, settings, QUICK, views=("top",), progress=False)[0]
    assert code.compression > 2.5


def test_the_same_seed_gives_the_same_code(tmp_path, codes):
    again = code_run(parts_of(tmp_path), CORPUS, CODES, QUICK, views=("top",), progress=False)[0]
    np.testing.assert_array_equal(again.bits, codes[0].bits)


@given(
    sentences=st.integers(1, 3_000),
    portions=st.lists(st.floats(0.01, 99), max_size=8).map(lambda some: [*sorted(some), 100.0]),
)
def test_blocks_partition_the_sentences(sentences, portions):
    bounds = block_bounds(sentences, portions)
    assert bounds[-1] == sentences
    assert all(first < second for first, second in zip([0, *bounds], bounds, strict=False))


def test_blocks_of_the_published_portions():
    portions = OnlineCodeSettings().portions
    assert block_bounds(10_000, portions) == [
        10, 20, 40, 80, 160, 320, 625, 1250, 2500, 5000, 10000,
    ]  # fmt: skip
    assert block_bounds(100, portions) == [1, 2, 3, 6, 12, 25, 50, 100]


def test_bits_are_those_of_the_loss():
    generator = np.random.default_rng(0)
    logits = (5 * generator.standard_normal((30, 4))).astype(np.float32)
    gold = np.eye(4, dtype=bool)[generator.integers(4, size=30)]
    ours = label_bits(logits, gold, exclusive=True).sum()
    nats = functional.cross_entropy(
        torch.from_numpy(logits).double(), torch.from_numpy(gold.argmax(1)), reduction="sum"
    )
    assert ours == pytest.approx(float(nats) / np.log(2))
    several = generator.random((30, 4)) < 0.5
    nats = functional.binary_cross_entropy_with_logits(
        torch.from_numpy(logits).double(), torch.from_numpy(several).double(), reduction="sum"
    )
    assert label_bits(logits, several, exclusive=False).sum() == pytest.approx(
        float(nats) / np.log(2)
    )


def test_several_labels_are_coded_one_by_one(tmp_path):
    spans = {"span1": {"start": 0, "end": 1}, "span2": {"start": 1, "end": 2}}
    labels = [["a"], [], ["a", "b"], ["b"]]
    rows = [{"words": ["x", "y"], "proto_roles": [{**spans, "labels": labels[n % 4]}]}
            for n in range(40)]  # fmt: skip
    corpus = ProbedCorpus(probes=("proto_roles",))
    parts = parts_of(tmp_path, rows=treebank(rows))
    code = code_run(parts, corpus, CODES, QUICK, views=("top",), progress=False)[0]
    assert code.uniform == 2  # a bit a label
    assert (code.bits[code.blocks == 0] == 2).all()


def test_targets_without_their_label_are_refused(tmp_path):
    span = {"span1": {"start": 0, "end": 1}, "span2": None}
    rows = [{"words": ["x"], "entities": [{**span, "labels": ["a"] * (n % 2)}]} for n in range(8)]
    corpus = ProbedCorpus(probes=("entities",))
    with pytest.raises(InputError, match="4 targets do not have exactly one label"):
        code_run(
            parts_of(tmp_path, rows=treebank(rows)), corpus, CODES, QUICK, views=("top",),
            progress=False,
        )  # fmt: skip


@pytest.mark.parametrize("portions", [(), (0, 100), (10, 50), (50, 10, 100)])
def test_portions_that_do_not_rise_to_the_whole_are_refused(portions):
    with pytest.raises(ValidationError, match="portions"):
        OnlineCodeSettings(portions=portions)


def test_files_and_table(tmp_path, codes):
    path = tmp_path / "base.h5"
    write_codes(RunCodes("weights", "corpus", tuple(codes)), path)
    again = read_codes(path)
    assert again.weights_hash == "weights"
    for one, other in zip(codes, again.codes, strict=True):
        np.testing.assert_array_equal(one.bits, other.bits)
        assert (one.probe, one.view, one.seed, one.steps) == (
            other.probe, other.view, other.seed, other.steps,
        )  # fmt: skip
    run = ProbedRun("lab-p0", 0, "base", None, None, "treebank", path)
    tuned = ProbedRun("lab-p0", 0, "mnli-s0", "mnli", 0, "treebank", path)
    values, summary = tabulate_codes([run, tuned], resamples=200)
    found = values[values["run"] == "base"].set_index(["view", "metric"])["value"]
    assert found["top", "compression"] == pytest.approx(codes[0].compression)
    assert found["top", "bits_per_target"] == pytest.approx(codes[0].bits.mean())
    assert set(values["labels"]) == {3}
    cells = summary.set_index(["run", "view", "metric"])
    assert cells.loc[("mnli", "top", "compression"), "difference"] == 0
    top = cells.loc[("base", "top", "compression")]
    assert top["low"] < top["value"] < top["high"]


def test_codes_of_other_targets_are_refused(tmp_path, codes):
    runs = []
    for number, some in enumerate((codes[0], codes[0])):
        path = tmp_path / f"{number}.h5"
        changed = type(some)(**{**vars(some), "rows": some.rows + number})
        write_codes(RunCodes("w", "c", (changed,)), path)
        runs.append(ProbedRun(f"lab-p{number}", number, "base", None, None, "treebank", path))
    with pytest.raises(InputError, match=r"1\.h5: its pos targets are not those of .*0\.h5"):
        tabulate_codes(runs)
