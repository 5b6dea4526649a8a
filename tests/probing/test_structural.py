import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from probing.plain_structural import plain_predictions, plain_training
from probing.synthetic_trees import LONGEST, layer_maps, tree_states
from tunescope.config.structural import StructuralProbeSettings
from tunescope.probing.structural import (
    StructuralProbes,
    predict,
    squared_distances,
    train_structural_probes,
)
from tunescope.probing.structural_data import make_tree_states
from tunescope.probing.structural_metrics import (
    root_accuracy,
    score_depths,
    score_distances,
    spearman_by_length,
    unlabelled_attachment,
)

KINDS = pytest.mark.parametrize("kind", ["distance", "depth"])
SHORT = StructuralProbeSettings(rank=6, epochs=14, learning_rate=0.02, patience=3, shortest=4)


@pytest.fixture(scope="module")
def train():
    return tree_states(90, seed=0)


@pytest.fixture(scope="module")
def development():
    return tree_states(40, seed=1)


def all_predictions(probes, data):
    return [predict(probes, data, np.array([one]))[:, 0] for one in range(len(data))]


@KINDS
def test_together_is_one_by_one(kind, train, development):
    probes = train_structural_probes(
        kind, train, development, SHORT, dtype=torch.float64, progress=False
    )
    stops = set()
    for layer, trajectory in enumerate(probes.trajectories):
        best, losses, rates = plain_training(kind, train, development, SHORT, layer)
        np.testing.assert_allclose(trajectory.development_losses, losses, rtol=1e-9)
        np.testing.assert_allclose(trajectory.learning_rates, rates, rtol=1e-12)
        np.testing.assert_allclose(probes.weights[layer], best, rtol=1e-7, atol=1e-9)
        assert rates[-1] < rates[0], "the case must lower a learning rate"
        stops.add(len(losses))
    assert len(stops) > 1, "the case must stop layers at different epochs"


@KINDS
def test_the_metrics_of_a_layer_do_not_depend_on_the_others(kind, train, development):
    score = score_distances if kind == "distance" else score_depths
    together = train_structural_probes(
        kind, train, development, SHORT, dtype=torch.float64, progress=False
    )
    alone = []
    for layer in range(3):
        parts = [make_one_layer(data, layer) for data in (train, development)]
        alone.append(
            score(
                train_structural_probes(kind, *parts, SHORT, dtype=torch.float64, progress=False),
                parts[1],
            ).spearman[0]
        )
    np.testing.assert_allclose(score(together, development).spearman, alone, atol=1e-6)


def make_one_layer(data, layer):
    return type(data)(
        **{**vars(data), "layers": data.layers[layer : layer + 1],
           "states": data.states[layer : layer + 1]}
    )  # fmt: skip


def test_float32_goes_nearly_the_same_way(train, development):
    wide, narrow = (
        train_structural_probes("distance", train, development, SHORT, dtype=dtype, progress=False)
        for dtype in (torch.float64, torch.float32)
    )
    for one, other in zip(wide.trajectories, narrow.trajectories, strict=True):
        assert min(one.development_losses) == pytest.approx(min(other.development_losses), rel=0.02)


@KINDS
def test_the_same_seed_gives_the_same_weights(kind, train, development):
    one, two = (
        train_structural_probes(kind, train, development, SHORT, progress=False) for _ in range(2)
    )
    assert torch.equal(one.weights, two.weights)
    assert one.trajectories == two.trajectories


@KINDS
def test_predictions_are_the_plain_ones(kind, development):
    weights = torch.randn((3, LONGEST, 4), generator=torch.Generator().manual_seed(0)).double()
    probes = StructuralProbes(kind, development.layers, weights, ())
    for one, found in enumerate(all_predictions(probes, development)):
        words = slice(development.offsets[one], development.offsets[one + 1])
        for layer in range(3):
            states = torch.from_numpy(development.states[layer, words])
            expected = plain_predictions(kind, states, weights[layer])
            np.testing.assert_allclose(found[layer], expected, atol=1e-9)
    with pytest.raises(ValueError, match="one length"):
        predict(probes, development, np.arange(len(development)))


@given(words=st.integers(1, 9), rank=st.integers(1, 5), seed=st.integers(0, 1_000))
@settings(deadline=None)
def test_squared_distances_are_those_of_differences(words, rank, seed):
    rows = torch.randn(
        (2, words, rank), generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    )
    expected = (rows[:, :, None] - rows[:, None]).square().sum(dim=-1)
    found = squared_distances(rows)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert (found.diagonal(dim1=-2, dim2=-1) == 0).all()


@pytest.fixture(scope="module")
def marked():
    """States that are the path marks themselves: B = I is the answer."""
    parts = []
    for count, seed in ((300, 2), (60, 3)):
        data = tree_states(count, seed=seed, layers=1, noise=0, shortest=4)
        marks = np.rint(data.states @ np.linalg.inv(layer_maps(1)))
        parts.append(type(data)(**{**vars(data), "states": marks}))
    return parts


def test_marks_of_the_path_from_the_root_are_read_with_the_identity(marked):
    identity = torch.eye(LONGEST, dtype=torch.float64)[None]
    distances = score_distances(StructuralProbes("distance", ("0",), identity, ()), marked[1])
    depths = score_depths(StructuralProbes("depth", ("0",), identity, ()), marked[1])
    assert unlabelled_attachment(distances) == 1
    assert root_accuracy(depths) == 1
    np.testing.assert_allclose(spearman_by_length(distances, SHORT), 1)
    np.testing.assert_allclose(spearman_by_length(depths, SHORT), 1)


def test_marks_of_the_path_from_the_root_are_read_after_training(marked):
    chosen = StructuralProbeSettings(
        rank=LONGEST, epochs=100, learning_rate=0.05, decay=0.8, patience=20, shortest=4
    )
    distance, depth = (
        train_structural_probes(kind, *marked, chosen, dtype=torch.float64, progress=False)
        for kind in ("distance", "depth")
    )
    development = marked[1]
    assert unlabelled_attachment(score_distances(distance, development)) == 1
    assert root_accuracy(score_depths(depth, development)) == 1
    for probes, gold in (
        (distance, development.distances),
        (depth, np.split(development.depths, development.offsets[1:-1])),
    ):
        found = all_predictions(probes, development)
        for one, truth in enumerate(gold):
            np.testing.assert_allclose(found[one][0], truth, atol=0.01)  # rounded, it is the gold
    # Gold values are often equal and trained ones never quite, so this is as far as ranks can go.
    ceiling = tie_ceiling(np.split(development.depths, development.offsets[1:-1]))
    found = score_depths(depth, development).spearman[0]
    np.testing.assert_allclose(found, ceiling, atol=1e-9)


def tie_ceiling(gold):
    """Highest Spearman correlation of values that are all different with gold ones that are not."""
    found = []
    for values in gold:
        _, ties = np.unique(values, return_counts=True)
        found.append(np.sqrt(1 - (ties**3 - ties).sum() / (len(values) ** 3 - len(values))))
    return found


def test_unmatched_or_missing_sentences_are_refused(train, development):
    with pytest.raises(ValueError, match="differ in layers"):
        train_structural_probes("depth", train, make_one_layer(development, 0), SHORT)
    none = make_tree_states(train.layers, train.states[:, :0], [], rows=[])
    with pytest.raises(ValueError, match="0 development sentences"):
        train_structural_probes("depth", train, none, SHORT)
