from dataclasses import replace

import numpy as np
import pytest
import torch

from probing.planted import QUICK, make_store, planted_states, tagged
from tunescope.config.probing import EdgeProbeSettings
from tunescope.probing.edge_data import make_edge_data, multi_hot, view_of
from tunescope.probing.edge_training import Plateau, new_probe, predict, train_probe
from tunescope.probing.metrics import decision_counts, f1
from tunescope.probing.placing import needed_units, place_targets, store_units
from tunescope.probing.states import gather_states
from tunescope.probing.targets import read_targets


def edge_data(folder, probe="coreference", *, sentences=120, seed=0, labels=None):
    split = tagged(sentences, seed=seed)
    store = make_store(folder / f"{seed}.h5", split, planted_states(split, seed=seed))
    units = store_units(store, "words")
    placed = place_targets(read_targets(split, probe), store, units)
    needed = needed_units(units.units, [placed])
    states = gather_states(store, store.layers, needed, units="words", memory_gib=1, progress=False)
    labels = labels or placed.targets.labels_used
    return make_edge_data(torch.from_numpy(states), needed, placed, labels)


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Training and development data of a probe of two spans."""
    folder = tmp_path_factory.mktemp("stores")
    return edge_data(folder, sentences=300), edge_data(folder, seed=1)


def test_the_rate_halves_after_five_and_training_stops_after_twenty():
    plateau = Plateau(EdgeProbeSettings())
    assert plateau.observe(0.5)
    rates = []
    for _ in range(20):
        assert plateau.stopped is None
        assert not plateau.observe(0.5)  # as good is not better
        rates.append(plateau.rate)
    assert rates == [1e-4] * 4 + [5e-5] * 5 + [2.5e-5] * 5 + [1.25e-5] * 5 + [6.25e-6]
    assert plateau.stopped == "no improvement"


def test_a_better_score_starts_the_count_again():
    plateau = Plateau(EdgeProbeSettings())
    for score in (0.5, 0.4, 0.4, 0.4, 0.4, 0.6, 0.5, 0.5, 0.5, 0.5):
        plateau.observe(score)
    assert plateau.rate == 1e-4
    plateau.observe(0.5)
    assert plateau.rate == 5e-5


def test_training_stops_below_the_lowest_rate():
    plateau = Plateau(EdgeProbeSettings(learning_rate=3e-6, halve_after=1))
    for score in (0.5, 0.4):
        plateau.observe(score)
    assert plateau.stopped is None
    plateau.observe(0.4)
    assert plateau.stopped == "low learning rate"


def test_labels_that_are_no_outputs_are_counted_as_unseen():
    ids, offsets = np.array([0, 2, 1, 2]), np.array([0, 2, 2, 4])
    gold, unseen = multi_hot(("a", "b", "c"), ids, offsets, ("c", "a"))
    assert gold.tolist() == [[True, True], [False, False], [True, False]]
    assert unseen.tolist() == [0, 0, 1]


def test_the_same_seed_gives_the_same_weights_and_another_others(pair):
    runs = [
        train_probe(*pair, QUICK, seed=seed, progress=False).probe.state_dict()
        for seed in (0, 0, 1)
    ]
    for name, values in runs[0].items():
        assert torch.equal(values, runs[1][name]), name
    assert not torch.equal(
        runs[0]["pooling.0.projection.weight"], runs[2]["pooling.0.projection.weight"]
    )


def test_training_leaves_the_random_state_alone(pair):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    train_probe(*pair, QUICK, seed=0, progress=False)
    assert torch.equal(torch.get_rng_state(), before)


def test_the_best_weights_are_kept(pair):
    train, validation = pair
    settings = QUICK.model_copy(update={"learning_rate": 0.5, "max_validations": 6})
    trained = train_probe(train, validation, settings, seed=0, progress=False)
    found = predict(trained.probe, validation)
    score = f1(decision_counts(found, validation.gold, validation.unseen).sum(axis=0))
    assert score == trained.best.score == max(one.score for one in trained.validations)
    assert trained.stopped == "longest training"
    assert [one.step for one in trained.validations] == [15, 30, 45, 60, 75, 90]


def test_a_validation_looks_at_the_first_sentences(pair):
    train, validation = pair
    settings = QUICK.model_copy(update={"validation_sentences": 7, "max_validations": 1})
    trained = train_probe(train, validation, settings, seed=0, progress=False)
    count = validation.first_targets[7]
    found = predict(trained.probe, validation, np.arange(7))
    assert len(found) == count
    assert trained.best.score == f1(decision_counts(found, validation.gold[:count]).sum(axis=0))


@pytest.mark.parametrize("probe", ["coreference", "entities", "pos"])
def test_what_is_said_of_a_target_does_not_depend_on_its_batch(tmp_path, probe):
    data = edge_data(tmp_path, probe, sentences=40)
    torch.manual_seed(0)
    model = new_probe(data, QUICK).eval()
    together = predict(model, data)
    order = np.random.default_rng(0).permutation(data.sentences)
    for batch in np.array_split(order, 7):
        found = predict(model, data, batch)
        places = np.concatenate([np.arange(*data.first_targets[[one, one + 1]]) for one in batch])
        np.testing.assert_allclose(found, together[places], rtol=1e-5, atol=1e-6)


def test_gaps_between_spans_are_not_read(tmp_path):
    """Two targets of a sentence with unneeded words between them keep their own states."""
    data = edge_data(tmp_path, "entities", sentences=40)
    batch = data.batch(np.array([3, 17]))
    for number, sentence in enumerate((3, 17)):
        start = int(batch.spans[0].starts[number])
        unit = data.starts[data.first_targets[sentence], 0]
        expected = data.states[:, unit : unit + 2].float()
        torch.testing.assert_close(batch.states[:, start : start + 2], expected)


def test_a_view_has_its_layers_only(pair):
    train, _ = pair
    assert torch.equal(view_of(train, "top").states, train.states[2:])
    assert torch.equal(view_of(train, "lexical").states, train.states[:1])
    assert view_of(train, "mix").states is not None
    assert view_of(train, "mix").states.shape[0] == 3


def test_a_loss_that_is_not_finite_is_refused(pair):
    train, validation = pair
    broken = replace(train, states=torch.full_like(train.states, torch.nan))
    with pytest.raises(FloatingPointError, match="probe: loss is nan"):
        train_probe(broken, validation, QUICK, seed=0, progress=False)
