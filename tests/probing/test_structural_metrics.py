import networkx
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from probing.plain_structural import plain_scores, whole
from probing.synthetic_trees import LONGEST, tree_states
from tunescope.config.structural import StructuralProbeSettings
from tunescope.probing.structural import StructuralProbes, predict
from tunescope.probing.structural_metrics import (
    DistanceScores,
    root_accuracy,
    score_depths,
    score_distances,
    spanning_trees,
    spearman_by_length,
    unlabelled_attachment,
)

DATA = tree_states(80, seed=4, layers=2, spoiled=1)  # punctuation anywhere
WEIGHTS = torch.randn((2, LONGEST, 5), generator=torch.Generator().manual_seed(1)).double()
SETTINGS = StructuralProbeSettings(shortest=4, longest=8)


def probes(kind):
    return StructuralProbes(kind, DATA.layers, WEIGHTS, ())


def plain(kind, layer):
    predictions = [
        predict(probes(kind), DATA, np.array([one]))[layer, 0] for one in range(len(DATA))
    ]
    return plain_scores(kind, predictions, DATA)


@pytest.mark.filterwarnings("ignore:An input array is constant")
@pytest.mark.parametrize("layer", [0, 1])
def test_distances_are_scored_as_the_plain_way(layer):
    found = score_distances(probes("distance"), DATA)
    for one, (correlation, edges) in enumerate(plain("distance", layer)):
        if DATA.lengths[one] > 1:
            assert found.spearman[layer, one] == pytest.approx(correlation)
        assert found.edges_found[layer, one] == edges
    kept = np.add.reduceat(~DATA.punctuation, DATA.offsets[:-1], dtype=int)
    assert found.edges.tolist() == np.maximum(kept - 1, 0).tolist()
    expected = found.edges_found[layer].sum() / found.edges.sum()
    assert unlabelled_attachment(found)[layer] == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:An input array is constant")
@pytest.mark.parametrize("layer", [0, 1])
def test_depths_are_scored_as_the_plain_way(layer):
    found = score_depths(probes("depth"), DATA)
    roots = []
    for one, (correlation, root) in enumerate(plain("depth", layer)):
        if DATA.lengths[one] > 1:
            assert found.spearman[layer, one] == pytest.approx(correlation)
        assert found.root_found[layer, one] == root
        roots.append(root)
    assert root_accuracy(found)[layer] == pytest.approx(sum(roots) / found.has_words.sum())
    assert not found.has_words.all(), "the case must hold a sentence of punctuation alone"


def test_correlations_are_averaged_by_length_within_the_limits():
    lengths = np.array([3, 5, 5, 7, 60])
    spearman = np.array([[9.0, 0.2, 0.4, 0.9, 9.0]])
    zeros = np.zeros((1, 5), np.int64)
    scores = DistanceScores(spearman, zeros, zeros[0], lengths)
    settings = StructuralProbeSettings()
    assert spearman_by_length(scores, settings)[0] == pytest.approx((0.3 + 0.9) / 2)
    weighted = spearman_by_length(scores, settings, [1, 3, 1, 0, 1])
    assert weighted[0] == pytest.approx(0.25)
    with pytest.raises(ValueError, match="no sentence of 5 to 50"):
        spearman_by_length(scores, settings, [1, 0, 0, 0, 1])


def test_repeating_sentences_is_weighting_them():
    found = score_distances(probes("distance"), DATA)
    weights = np.random.default_rng(0).integers(0, 3, len(DATA))
    again = np.repeat(np.arange(len(DATA)), weights)
    repeated = DistanceScores(
        found.spearman[:, again], found.edges_found[:, again], found.edges[again],
        found.lengths[again],
    )  # fmt: skip
    np.testing.assert_allclose(
        unlabelled_attachment(found, weights), unlabelled_attachment(repeated)
    )
    np.testing.assert_allclose(
        spearman_by_length(found, SETTINGS, weights), spearman_by_length(repeated, SETTINGS)
    )


def test_predictions_that_do_not_vary_count_as_no_correlation():
    flat = StructuralProbes("depth", DATA.layers, torch.zeros_like(WEIGHTS), ())
    assert (score_depths(flat, DATA).spearman == 0).all()


@given(words=st.integers(1, 10), seed=st.integers(0, 10_000))
def test_spanning_trees_are_minimal(words, seed):
    points = np.random.default_rng(seed).normal(size=(3, words, 2))
    distances = np.linalg.norm(points[:, :, None] - points[:, None], axis=-1)
    for tree, sides in zip(spanning_trees(distances), distances, strict=True):
        assert tree.sum() == 2 * (words - 1)
        assert networkx.is_tree(networkx.from_numpy_array(tree))
        expected = networkx.minimum_spanning_tree(whole(sides, range(words)))
        assert sides[tree].sum() / 2 == pytest.approx(expected.size(weight="weight"))
