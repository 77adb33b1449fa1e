"""Rewired networks: degrees exactly kept, simple, connected, and random."""

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

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
    found, again = (rewire(edges, np.random.default_rng(seed)) for _ in range(2))
    np.testing.assert_array_equal(found, again)
    np.testing.assert_array_equal(edges, graph.edges)
    np.testing.assert_array_equal(degrees(found, n_nodes), degrees(edges, n_nodes))
    rewired = nx.Graph(found.tolist())
    assert rewired.number_of_edges() == len(edges)  # no parallel edges
    assert nx.number_of_selfloops(rewired) == 0
    assert nx.is_connected(rewired)


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
