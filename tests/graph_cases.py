"""Graphs, prizes and objectives that several tests share."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import strategies as st

try:
    import pcst_fast  # noqa: F401
except ImportError:
    HAS_PCST_FAST = False
else:
    HAS_PCST_FAST = True

needs_pcst_fast = pytest.mark.skipif(
    not HAS_PCST_FAST, reason="pcst-fast is not installed (building it needs a C++ compiler)"
)

FAMILIES = ("sparse random", "grid", "scale-free", "tree")
PRIZE_LAWS = ("exponential", "sparse", "heavy-tailed")


def random_edges(family, n_nodes, rng):
    """Return (edges, n_nodes) of a random graph of the family, with about n_nodes nodes."""
    seed = int(rng.integers(2**31))
    if family == "sparse random":
        graph = nx.gnm_random_graph(n_nodes, int(rng.integers(n_nodes // 2, 4 * n_nodes)), seed=seed)
    elif family == "grid":
        graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(n_nodes // 8, 8))
    elif family == "scale-free":
        graph = nx.barabasi_albert_graph(n_nodes, 3, seed=seed)
    else:
        graph = nx.random_labeled_tree(n_nodes, seed=seed)
    return np.array(graph.edges, dtype=np.int64).reshape(-1, 2), graph.number_of_nodes()


def random_prizes(law, n_nodes, rng):
    """Return n_nodes prizes, at least eight of them positive."""
    if law == "exponential":
        return rng.exponential(size=n_nodes)
    if law == "heavy-tailed":
        return np.exp(2 * rng.standard_normal(n_nodes))
    prizes = rng.standard_normal(n_nodes) ** 2 * (rng.random(n_nodes) < 0.2)
    prizes[rng.choice(n_nodes, 8, replace=False)] = rng.exponential(size=8)
    return prizes


def as_networkx(network):
    """Return a network as a simple graph of networkx."""
    graph = nx.empty_graph(network.n_nodes)
    graph.add_edges_from(network.edges.tolist())
    return graph


def objective(vertices, edge_indices, prizes, costs):
    """Return cost of the edges + prizes of the nodes that are left out."""
    return costs[edge_indices].sum() + prizes.sum() - prizes[vertices].sum()


def is_forest(vertices, edge_indices, edges, n_trees):
    """Whether the edges join exactly the vertices, without a cycle, into n_trees trees."""
    graph = nx.MultiGraph()
    graph.add_nodes_from(map(int, vertices))
    graph.add_edges_from(tuple(map(int, edge)) for edge in edges[edge_indices])
    return (
        graph.number_of_nodes() == len(vertices)
        and nx.is_forest(graph)
        and nx.number_connected_components(graph) == n_trees
    )


@st.composite
def multigraphs(draw, max_nodes=14):
    """Edges (parallel ones and none allowed) and number of nodes (isolated ones allowed)."""
    n_nodes = draw(st.integers(1, max_nodes))
    if n_nodes == 1:
        return np.empty((0, 2), dtype=np.int64), 1
    pair = st.tuples(st.integers(0, n_nodes - 1), st.integers(1, n_nodes - 1))
    edges = [(a, (a + shift) % n_nodes) for a, shift in draw(st.lists(pair, max_size=3 * n_nodes))]
    return np.array(edges, dtype=np.int64).reshape(-1, 2), n_nodes
