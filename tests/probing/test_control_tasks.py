from collections import Counter

import numpy as np
import pytest

from probing.planted import QUICK, make_store, treebank
from tunescope.config.control_tasks import ControlTaskSettings
from tunescope.config.probing import ProbedCorpus
from tunescope.corpora.canonical import write_split
from tunescope.errors import InputError
from tunescope.probing.control_tables import tabulate_control_tasks
from tunescope.probing.control_tasks import make_control_task
from tunescope.probing.edge_parts import opened_parts
from tunescope.probing.edge_predictions import write_edge_predictions
from tunescope.probing.edge_run import probe_run
from tunescope.probing.summaries import ProbedRun
from tunescope.probing.targets import read_targets

TYPES = 40
CORPUS = ProbedCorpus(probes=("pos",))


def corpus(sentences, *, seed):
    """Words w0, w1, ...; half of the types are nouns, and three quarters of the rest verbs."""
    generator = np.random.default_rng(seed)
    rows = []
    for _ in range(sentences):
        types = generator.integers(TYPES, size=5)
        rows.append(
            {
                "words": [f"W{one}" if generator.random() < 0.5 else f"w{one}" for one in types],
                "xpos": ["N" if one < 20 else "V" if one < 35 else "X" for one in types],
            }
        )
    return treebank(rows)


def labels_by_type(targets, split):
    words = split.table["words"].to_pylist()
    found = {}
    for row, span, label in zip(targets.rows, targets.spans[:, 0], targets.label_ids, strict=True):
        word = words[row][span[0]].lower()
        found.setdefault(word, set()).add(targets.labels[label])
    return found


def test_a_type_has_one_label_in_every_split():
    train, test = corpus(100, seed=0), corpus(50, seed=1)
    targets = read_targets(train, "pos")
    task = make_control_task(targets, ControlTaskSettings())
    ours = labels_by_type(task.apply(targets, train), train)
    theirs = labels_by_type(task.apply(read_targets(test, "pos"), test), test)
    assert all(len(labels) == 1 for labels in ours.values())
    assert ours == theirs | ours
    assert set.union(*ours.values()) == {"N", "V", "X"}


def test_the_seed_and_case_decide_what_is_a_type():
    train = corpus(100, seed=0)
    targets = read_targets(train, "pos")

    def drawn(**settings):
        changed = make_control_task(targets, ControlTaskSettings(**settings)).apply(targets, train)
        return changed, labels_by_type(changed, train)

    assert drawn(seed=0)[1] == drawn(seed=0)[1] != drawn(seed=1)[1]
    cased, found = drawn(lowercase=False)
    assert any(len(labels) > 1 for labels in found.values())
    assert cased.counts["types"] > drawn()[0].counts["types"] == TYPES


def test_labels_come_from_the_distribution_of_the_task():
    """Of many types, as many have a label as targets of the task do."""
    rows = [{"words": [f"w{n}"], "xpos": ["N" if n % 4 else "V"]} for n in range(4_000)]
    split = treebank(rows)
    targets = read_targets(split, "pos")
    changed = make_control_task(targets, ControlTaskSettings()).apply(targets, split)
    counts = Counter(changed.labels[number] for number in changed.label_ids)
    assert counts["N"] / 4_000 == pytest.approx(0.75, abs=0.03)


def test_sets_of_labels_are_drawn_whole():
    spans = {"span1": {"start": 0, "end": 1}, "span2": {"start": 1, "end": 2}}
    sets = [["a", "b"], [], ["c"]]
    rows = [
        {"words": [f"w{n}", "x"], "proto_roles": [{**spans, "labels": sets[n % 3]}]}
        for n in range(60)
    ]
    split = treebank(rows)
    targets = read_targets(split, "proto_roles")
    changed = make_control_task(targets, ControlTaskSettings()).apply(targets, split)
    found = {
        tuple(changed.labels[number] for number in ids)
        for ids in np.split(changed.label_ids, changed.label_offsets[1:-1])
    }
    assert found == {("a", "b"), (), ("c",)}


def test_selectivity_tells_a_rule_from_memory(tmp_path):
    """Where states hold the tag alone, the probe learns the task and not its control task."""
    sizes = {"train": 300, "dev": 50, "test": 80}
    for number, (name, size) in enumerate(sizes.items()):
        split = corpus(size, seed=number)
        write_split(split, tmp_path / f"{name}.parquet")
        tags = ["NVX".index(tag) for row in split.table["xpos"].to_pylist() for tag in row]
        states = np.random.default_rng(number).standard_normal((len(tags), 6)) * 0.1
        states[np.arange(len(tags)), tags] += 1
        layers = dict.fromkeys(("embeddings", "00", "01"), states)
        make_store(tmp_path / f"{name}.h5", split, layers)
    files = [[tmp_path / f"{name}.{kind}" for name in sizes] for kind in ("parquet", "h5")]
    with opened_parts(CORPUS, *files) as parts:
        train = parts["train"].split
        task = make_control_task(read_targets(train, "pos"), ControlTaskSettings())
        for name, relabel in (("task", None), ("control", {"pos": task.apply})):
            found = probe_run(parts, CORPUS, QUICK, views=("top",), relabel=relabel, progress=False)
            write_edge_predictions(found, tmp_path / f"{name}.predictions")
    run = ProbedRun("lab-p0", 0, "base", None, None, "treebank", tmp_path / "task.predictions")
    values, summary = tabulate_control_tasks(
        [run], [tmp_path / "control.predictions"], resamples=200
    )
    found = values.set_index("metric")["value"]
    assert found["task_f1"] > 0.95
    assert found["control_f1"] < 0.7
    assert found["selectivity"] == pytest.approx(found["task_f1"] - found["control_f1"])
    cell = summary.set_index("metric").loc["selectivity"]
    assert 0 < cell["low"] < cell["value"] < cell["high"]


def test_a_control_of_other_targets_is_refused(tmp_path):
    def predictions(size, name):
        split = corpus(size, seed=0)
        zeros = dict.fromkeys(("embeddings", "00", "01"), np.zeros((5 * size, 4)))
        for part in CORPUS.splits:
            write_split(split, tmp_path / f"{name}.{part}.parquet")
            make_store(tmp_path / f"{name}.{part}.h5", split, zeros)
        settings = QUICK.model_copy(update={"max_validations": 1})
        files = [
            [tmp_path / f"{name}.{part}.{kind}" for part in CORPUS.splits]
            for kind in ("parquet", "h5")
        ]
        with opened_parts(CORPUS, *files) as parts:
            found = probe_run(parts, CORPUS, settings, views=("top",), progress=False)
        write_edge_predictions(found, tmp_path / f"{name}.predictions")
        return tmp_path / f"{name}.predictions"

    run = ProbedRun("lab-p0", 0, "base", None, None, "t", predictions(10, "one"))
    with pytest.raises(InputError, match=r"its pos targets are not those of .*one"):
        tabulate_control_tasks([run], [predictions(12, "two")])
