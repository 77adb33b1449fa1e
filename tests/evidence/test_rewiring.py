"""Rewired networks: degrees exactly kept, simple, connected, and random."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from study.data.networks import join, read_scnet
from study.evidence.rewiring import rewire


def degrees(edges, n_nodes):
    return np.bincount(np.asarray(edges).ravel(), minlength=n_nodes)


def connected_graph(n_nodes, share, seed):
    """A random tree with random further edges."""
    graph = nx.random_labeled_tree(n_nodes, seed=seed)
    graph.add_edges_from(nx.gnp_random_graph(n_nodes, share, seed=seed).edges)
    return graph


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.floats(0, 0.3), st.integers(0, 10**6))
def test_degrees_are_kept_and_the_network_stays_simple_and_connected(n_nodes, share, seed):
    graph = connected_graph(n_nodes, share, seed)
    edges = np.array(graph.edges)
    found = rewire(edges, np.random.default_rng(seed))
    np.testing.assert_array_equal(degrees(found, n_nodes), degrees(edges, n_nodes))
    rewired = nx.Graph(found.tolist())
    assert rewired.number_of_edges() == len(edges)  # no parallel edges
    assert nx.number_of_selfloops(rewired) == 0
    assert nx.is_connected(rewired)


def test_hardly_an_edge_is_left_where_it_was():
    graph = connected_graph(300, 0.01, 1)
    edges = np.array(graph.edges)
    found = nx.Graph(rewire(edges, np.random.default_rng(0)).tolist())
    kept = sum(graph.has_edge(*edge) for edge in found.edges)
    # A random network with these degrees shares about sum over edges of d_a d_b / 2m with the old one.
    degree = degrees(edges, 300)
    expected = (degree[edges[:, 0]] * degree[edges[:, 1]]).sum() / (2 * len(edges))
    assert kept <= expected + 4 * np.sqrt(expected)


def test_all_networks_with_the_same_degrees_are_about_equally_likely():
    """A ring of six has degree two everywhere: 60 rings are connected, and the ten pairs of triangles are tied in."""
    ring = np.array([[i, (i + 1) % 6] for i in range(6)])
    counts = {}
    for seed in range(1800):
        found = rewire(ring, np.random.default_rng(seed), swaps_per_edge=20)
        key = tuple(sorted(map(tuple, found.tolist())))
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 60
    # Mean 30 each; Poisson spread of 5.5.
    assert min(counts.values()) > 6
    assert max(counts.values()) < 62


def test_the_same_generator_gives_the_same_network_and_the_input_is_left_alone():
    edges = np.array(connected_graph(50, 0.1, 3).edges)
    before = edges.copy()
    first, second = (rewire(edges, np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(edges, before)
    assert not np.array_equal(first, rewire(edges, np.random.default_rng(5)))


@pytest.mark.long
def test_the_real_network_keeps_its_degrees(nki, wheels):
    study = join(nki, *read_scnet(nki, {}, wheels["scnet"]), 0.5, "scnet")
    n_genes = study.X.shape[1]
    found = rewire(study.edges, np.random.default_rng(0))
    np.testing.assert_array_equal(degrees(found, n_genes), degrees(study.edges, n_genes))
    rewired = nx.Graph(found.tolist())
    assert nx.is_connected(rewired)
    assert rewired.number_of_nodes() == n_genes
    assert rewired.number_of_edges() == len(study.edges)
