from dataclasses import replace

import numpy as np
import pytest

from probing.planted import QUICK, make_store, planted_states, tagged, treebank
from tunescope.config.probing import ProbedCorpus
from tunescope.errors import InputError
from tunescope.probing.edge_parts import Part, load_parts
from tunescope.probing.edge_predictions import (
    read_edge_predictions,
    with_outputs_first,
    write_edge_predictions,
)
from tunescope.probing.edge_run import probe_run
from tunescope.probing.metrics import decision_counts, f1
from tunescope.probing.targets import read_targets

CORPUS = ProbedCorpus(probes=("pos", "coreference"))
SIZES = {"train": 500, "dev": 60, "test": 120}


def parts_of(folder, change=lambda states: states, *, names=tuple(SIZES), run="base"):
    folder.mkdir(exist_ok=True)
    parts = {}
    for number, name in enumerate(names):
        split = tagged(SIZES[name], seed=number)
        states = change(planted_states(split, seed=number))
        parts[name] = Part(split, make_store(folder / f"{name}.h5", split, states, run=run))
    return parts


def scores(predictions):
    found = {}
    for probe in predictions.probes:
        targets = probe.targets
        names = [targets.labels[number] for number in targets.label_ids]
        gold = np.array([[name == label for label in probe.labels] for name in names])
        for one in probe.outcomes:
            counts = decision_counts(one.logits, gold).sum(axis=0)
            found[probe.probe, one.view] = float(f1(counts))
    return found


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    views = ("mix", "top", "lexical")
    return probe_run(parts_of(folder), CORPUS, QUICK, views=views, progress=False)


def test_probes_recover_what_the_states_hold(planted):
    found = scores(planted)
    for view in ("mix", "top"):
        assert found["pos", view] > 0.95
        assert found["coreference", view] > 0.8
    assert found["pos", "lexical"] < 0.6
    assert found["coreference", "lexical"] < 0.75


def test_the_mix_turns_from_layers_that_hold_nothing(planted):
    mix = planted.probes[0].outcomes[0].mix
    assert mix.sum() == pytest.approx(1)
    assert mix[0] < mix[1:].min()


def test_what_only_the_top_layer_lost_is_lost_to_the_top_view_alone(tmp_path):
    def forget_at_the_top(states):
        return {**states, "01": np.full_like(states["01"], 0.5)}

    parts = parts_of(tmp_path, forget_at_the_top)
    found = scores(probe_run(parts, CORPUS, QUICK, views=("mix", "top"), progress=False))
    assert found["pos", "mix"] > 0.95
    assert found["pos", "top"] < 0.6
    assert found["coreference", "mix"] > 0.8
    assert found["coreference", "top"] < 0.75


def test_pieces_serve_as_well_as_words(tmp_path):
    settings = QUICK.model_copy(update={"units": "pieces"})
    corpus = ProbedCorpus(probes=("pos",))
    found = scores(probe_run(parts_of(tmp_path), corpus, settings, views=("mix",), progress=False))
    assert found["pos", "mix"] > 0.95


def test_files_hold_what_was_said(planted, tmp_path):
    path = tmp_path / "predictions.h5"
    write_edge_predictions(planted, path)
    again = read_edge_predictions(path)
    assert (again.encoder, again.run, again.layers) == (
        "planted",
        "base",
        ("embeddings", "00", "01"),
    )
    assert scores(again) == scores(planted)
    by_name = {probe.probe: probe for probe in again.probes}
    for one in planted.probes:
        other = by_name[one.probe]
        assert other.targets.counts == one.targets.counts
        assert other.training == one.training
        np.testing.assert_array_equal(other.targets.spans, one.targets.spans)
        for ours, theirs in zip(one.outcomes, other.outcomes, strict=True):
            np.testing.assert_array_equal(ours.logits, theirs.logits)
            np.testing.assert_array_equal(ours.history, theirs.history)
            assert (ours.view, ours.seed, ours.gamma, ours.best_step, ours.stopped) == (
                theirs.view, theirs.seed, theirs.gamma, theirs.best_step, theirs.stopped,
            )  # fmt: skip


def test_the_same_settings_give_the_same_file(tmp_path):
    paths = []
    for name in ("one", "two"):
        parts = parts_of(tmp_path / name)
        paths.append(tmp_path / f"{name}.h5")
        corpus = ProbedCorpus(probes=("coreference",))
        found = probe_run(parts, corpus, QUICK, views=("mix",), progress=False)
        write_edge_predictions(found, paths[-1])
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_logits_that_are_not_finite_are_not_written(planted, tmp_path):
    probe = planted.probes[0]
    broken = replace(probe.outcomes[0], logits=np.full_like(probe.outcomes[0].logits, np.inf))
    path = tmp_path / "predictions.h5"
    with pytest.raises(FloatingPointError, match="pos, view mix, seed 0"):
        write_edge_predictions(replace(planted, probes=(replace(probe, outcomes=(broken,)),)), path)
    assert not path.exists()


def test_another_file_is_refused(tmp_path, planted):
    path = tmp_path / "predictions.h5"
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot be read as HDF5"):
        read_edge_predictions(path)
    store = parts_of(tmp_path / "stores", names=("test",))["test"].store
    with pytest.raises(InputError, match="'tunescope edge probes 1' expected"):
        read_edge_predictions(store.path)


def test_a_development_part_is_held_out_where_there_is_none(tmp_path):
    corpus = ProbedCorpus(probes=("entities", "pos"), train="dev", validation=None)
    parts = parts_of(tmp_path, names=("dev", "test"))
    loaded = load_parts(parts, corpus, QUICK, progress=False)
    for one in loaded:
        train, validation = set(one.train.rows.tolist()), set(one.validation.rows.tolist())
        assert not train & validation
        assert len(train | validation) == 60
        assert len(validation) == 12  # 15 % of 60 are 9: three documents of four
        assert not {row // 4 for row in train} & {row // 4 for row in validation}
    assert {*loaded[0].validation.rows} == {*loaded[1].validation.rows}


def test_labels_unseen_in_training_count_as_missed(tmp_path):
    def rows(tags):
        return treebank([{"words": ["a", "b"], "xpos": list(pair)} for pair in tags])

    splits = {"train": rows(["AB"] * 8), "dev": rows(["AB"] * 4), "test": rows(["AB", "CA", "DC"])}
    parts = {}
    for name, split in splits.items():
        states = {
            layer: np.random.default_rng(0).standard_normal((2 * len(split.table), 4))
            for layer in ("embeddings", "00", "01")
        }
        parts[name] = Part(split, make_store(tmp_path / f"{name}.h5", split, states))
    settings = QUICK.model_copy(update={"max_validations": 1})
    corpus = ProbedCorpus(probes=("pos",))
    found = probe_run(parts, corpus, settings, views=("top",), progress=False).probes[0]
    assert found.labels == ("A", "B")
    assert found.targets.labels == ("A", "B", "C", "D")
    assert [found.targets.labels[number] for number in found.targets.label_ids] == [*"ABCADC"]
    one = load_parts(parts, corpus, settings, progress=False)[0]
    assert one.test.unseen.tolist() == [0, 0, 1, 0, 1, 1]
    assert one.training["labels used"] == 2


def test_outputs_come_first_in_the_labels():
    targets = read_targets(treebank([{"words": [*"abcd"], "xpos": [*"DACB"]}]), "pos")
    moved = with_outputs_first(targets, ("C", "A", "E"))
    assert moved.labels == ("C", "A", "E", "B", "D")
    assert [moved.labels[number] for number in moved.label_ids] == [*"DACB"]


def test_stores_of_two_runs_are_refused(tmp_path):
    parts = parts_of(tmp_path)
    split = parts["test"].split
    other = make_store(tmp_path / "o.h5", split, planted_states(split), weights="others")
    with pytest.raises(InputError, match=r"o\.h5.*states of other weights"):
        load_parts({**parts, "test": Part(split, other)}, CORPUS, QUICK, progress=False)


def test_a_part_without_targets_is_refused(tmp_path):
    parts = parts_of(tmp_path)
    row = {"words": ["a", "b"], "xpos": ["A", "B"]}
    pair = {"span1": {"start": 0, "end": 1}, "span2": {"start": 1, "end": 2}, "labels": ["1"]}
    split = treebank([row] * 3 + [{**row, "coreference": [pair]}])
    states = {layer: np.zeros((8, 12)) for layer in ("embeddings", "00", "01")}
    store = make_store(tmp_path / "d.h5", split, states, chosen=[0, 1, 2])
    with pytest.raises(
        InputError, match=r"probe coreference: no target in the part used of planted"
    ):
        load_parts({**parts, "dev": Part(split, store)}, CORPUS, QUICK, progress=False)
