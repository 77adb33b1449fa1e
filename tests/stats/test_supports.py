"""Stability of gene sets: by hand, at the limits, by simulation, and against networkx."""

from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from graphiht.network import Network
from study.stats.supports import (
    frequencies_table,
    jaccard_between,
    jaccard_table,
    jaccard_within,
    largest_connected,
    nogueira,
    selects,
    stability_row,
    weight_matrices,
)


def test_nogueira_by_hand():
    """Three fits on four genes: {0, 1}, {0, 2}, {0, 1}.

    p = (1, 2/3, 1/3, 0); s^2 = 3/2 p (1 - p) = (0, 1/3, 1/3, 0), mean 1/6; k/d = 1/2, so 1 - (1/6)/(1/4) = 1/3.
    Influences: (Z p / 4 - 1/4 + (1/6)(1/2)) / (1/4), Z p = (5/3, 4/3, 5/3): 1, 2/3, 1; mean 8/9, squared deviations
    1/81, 4/81, 1/81, so v = 4/9 x 6/81.
    """
    supports = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], bool)
    index, low, high = nogueira(supports)
    assert index == pytest.approx(1 / 3, rel=1e-12)
    half = 1.959963984540054 * np.sqrt(4 / 9 * 6 / 81)
    assert (low, high) == (pytest.approx(1 / 3 - half, rel=1e-9), pytest.approx(1 / 3 + half, rel=1e-9))


def test_nogueira_is_the_mean_pairwise_kuncheva_index_for_equal_sizes():
    """For supports of one size k: the mean over pairs of (r - k^2/d) / (k - k^2/d), r genes in common."""
    rng = np.random.default_rng(2)
    d, k = 40, 9
    supports = np.array([np.isin(np.arange(d), rng.choice(d // 2, k, replace=False)) for _ in range(12)])
    pairs = [((a & b).sum() - k * k / d) / (k - k * k / d) for a, b in combinations(supports, 2)]
    assert nogueira(supports)[0] == pytest.approx(np.mean(pairs), rel=1e-10)


def test_nogueira_at_its_limits():
    same = np.tile(np.arange(50) < 7, (20, 1))
    assert nogueira(same) == pytest.approx((1, 1, 1))
    assert np.isnan(nogueira(np.ones((5, 8), bool))).all()
    assert np.isnan(nogueira(np.zeros((5, 8), bool))).all()
    assert np.isnan(nogueira(same[:1])).all()
    assert selects(same)
    assert not selects(np.ones((4, 6), bool))
    row = stability_row(np.ones((4, 6), bool))
    assert np.isnan(row["nogueira"])
    assert row["mean_genes"] == 6


def test_jaccard_by_hand_and_by_sets():
    rng = np.random.default_rng(1)
    first, second = rng.random((2, 6, 15)) < 0.3

    def index(a, b):
        a, b = set(np.flatnonzero(a)), set(np.flatnonzero(b))
        return len(a & b) / len(a | b) if a | b else 1.0

    assert jaccard_within(first) == pytest.approx(np.mean([index(a, b) for a, b in combinations(first, 2)]))
    assert jaccard_between(first, second) == pytest.approx(np.mean(list(map(index, first, second))))
    assert jaccard_within(np.zeros((3, 4), bool)) == 1
    assert np.isnan(jaccard_within(first[:1]))
    table = jaccard_table({"a": first, "b": second}).set_index(["method_a", "method_b"])["jaccard"]
    assert table["a", "b"] == table["b", "a"] == jaccard_between(first, second)
    assert table["b", "b"] == jaccard_within(second)


@pytest.fixture
def weights():
    nan = np.nan
    return np.array([[1.0, nan, -2, nan], [3, nan, 4, nan], [nan, nan, -1, nan], [2, 5, nan, nan]])


def test_frequencies_by_hand(weights):
    table = frequencies_table(weights)
    assert table["gene"].tolist() == [0, 2, 1]
    assert table["frequency"].tolist() == [0.75, 0.75, 0.25]
    assert table["mean_weight"].tolist() == pytest.approx([2, 1 / 3, 5])
    assert table["same_sign"].tolist() == pytest.approx([1, 2 / 3, 1])


def test_weight_matrices_place_every_gene_in_its_fold():
    metrics = pd.DataFrame(
        {"method": ["a"] * 3 + ["b"], "trial": [1, 1, 2, 1], "fold": [1, 2, 1, 1], "status": "converged"}
    )
    rows = [("a", 2, 1, "y", 0.5), ("a", 1, 1, "x", -1.0), ("b", 1, 1, "z", 2.0)]
    genes = pd.DataFrame(rows, columns=["method", "trial", "fold", "symbol", "weight"])
    found = weight_matrices(genes, metrics, np.array(["x", "y", "z"]))
    nan = np.nan
    # The second fold selected nothing, and counts.
    np.testing.assert_array_equal(found["a"], [[-1, nan, nan], [nan, nan, nan], [nan, 0.5, nan]])
    np.testing.assert_array_equal(found["b"], [[nan, nan, 2]])
    assert frequencies_table(found["a"])["frequency"].tolist() == pytest.approx([1 / 3, 1 / 3])


@pytest.mark.parametrize("seed", range(10))
def test_largest_connected_part_agrees_with_networkx(seed):
    rng = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(40, 0.06, seed=seed)
    frequent = rng.random(40) < 0.5
    chosen = largest_connected(frequent, Network(np.array(graph.edges), 40))
    parts = nx.connected_components(graph.subgraph(np.flatnonzero(frequent).tolist()))
    expected = sorted(max(parts, key=lambda part: (len(part), -min(part))))
    assert np.flatnonzero(chosen).tolist() == expected
    assert not largest_connected(np.zeros(40, bool), Network(np.array(graph.edges), 40)).any()
