"""The exchange after the forest: a local optimum within the model, checked with networkx and by the exact solver."""

import networkx as nx
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bench.exact import Optimum
from graph_cases import FAMILIES, multigraphs, random_edges
from graphiht._pcst.exchange import exchange, parts
from graphiht.network import Network
from graphiht.projection import tail, window


@numba.njit
def count_parts(ws, size):
    return parts(ws, size)


@numba.njit
def exchanged(ws, size, high):
    return exchange(ws, size, high, 1)


def graph_of(network):
    graph = nx.Graph()
    graph.add_nodes_from(range(network.n_nodes))
    graph.add_edges_from(network.edges.tolist())
    return graph


@given(multigraphs(14), st.data())
@settings(deadline=None, max_examples=200)
def test_needed_nodes_are_networkx_s_articulation_points(graph, data):
    network = Network(*graph)
    chosen = data.draw(st.lists(st.integers(0, network.n_nodes - 1), min_size=1, unique=True))
    ws = network.workspace
    ws.lists["best"][: len(chosen)] = chosen
    ws.spots["inside"][chosen] = 1
    induced = graph_of(network).subgraph(chosen)
    assert count_parts(ws, len(chosen)) == nx.number_connected_components(induced)
    assert {node for node in chosen if ws.spots["needed"][node]} == set(nx.articulation_points(induced))


@st.composite
def problems(draw):
    edges, n_nodes = draw(multigraphs(14))
    v = draw(arrays(np.float64, n_nodes, elements=st.floats(0.0, 10.0), unique=True))
    size = draw(st.integers(1, n_nodes))
    return Network(edges, n_nodes), v, size, draw(st.integers(1, size))


@given(problems(), st.sampled_from([0.0, 0.3]))
@settings(deadline=None, max_examples=300)
def test_no_single_trade_with_the_best_neighbour_raises_the_energy(problem, slack):
    network, v, size, n_parts = problem
    graph, (_, high) = graph_of(network), window(size, slack, network.n_nodes)
    support = set(tail(v, network, size, n_parts, slack=slack).support.tolist())
    n_used = nx.number_connected_components(graph.subgraph(support))
    reachable = {node for node in graph if node not in support and (set(graph[node]) & support or n_used < n_parts)}
    # The square of a tiny entry is zero.
    reachable = {node for node in reachable if v[node] ** 2 > 1e-300 * max(v.max() ** 2, 1e-300)}
    if len(support) < high:
        assert not reachable, "there was room for a neighbour"
    elif reachable:
        new = max(reachable, key=lambda node: v[node])
        grown = graph.subgraph(support | {new})
        spare = support - set(nx.articulation_points(grown))
        assert all(v[node] >= v[new] for node in spare)


def plainly_exchanged(graph, prizes, support, high):
    """What the exchange is said to do, one node at a time and without a queue; the support is one part."""
    support = set(support)
    for _ in range(len(graph) * high):
        near = {other for node in support for other in graph[node]} - support
        if not near:
            break
        new = max(near, key=prizes.__getitem__)
        grown = support | {new}
        if len(grown) > high:
            spare = support - set(nx.articulation_points(graph.subgraph(grown)))
            old = min(spare, key=prizes.__getitem__, default=None)
            if old is None or prizes[old] >= prizes[new]:
                break
            grown.remove(old)
        support = grown
    return support


@pytest.mark.parametrize("sorted_above", [np.inf, 0.5, 1e-2, 1e-4, -1.0])
def test_prizes_of_all_sizes_are_exchanged_as_if_all_neighbours_were_queued(sorted_above):
    rng = np.random.default_rng(8)
    for family in FAMILIES:
        edges, n_nodes = random_edges(family, 60, rng)
        network = Network(edges, n_nodes)
        graph, ws = graph_of(network), network.workspace
        for size in (2, 5, 12):
            prizes = 10.0 ** rng.uniform(-6, 0, n_nodes)
            # A walk of the network: connected, and of whatever prizes are on its way.
            start = list(nx.bfs_tree(graph, int(rng.integers(n_nodes))))[:size]
            high = len(start) + 3
            ws.nodes["prize"] = prizes
            ws.state["sorted_above"] = sorted_above
            ws.lists["best"][: len(start)] = start
            n_kept = exchanged(ws, len(start), high)
            assert set(ws.lists["best"][:n_kept].tolist()) == plainly_exchanged(graph, prizes, start, high)


def test_random_graphs_are_near_the_optimum():
    gaps = []
    for family in FAMILIES:
        rng = np.random.default_rng([11, FAMILIES.index(family)])
        for _ in range(5):
            edges, n_nodes = random_edges(family, 32, rng)
            network, v, size = Network(edges, n_nodes), rng.standard_normal(n_nodes) ** 2, int(rng.integers(4, 12))
            support = tail(v, network, size, slack=0.0).support
            bound, best = Optimum(edges, n_nodes, v**2, size).solve(seconds=np.inf)
            assert 0 < len(best) <= size
            assert nx.is_connected(graph_of(network).subgraph(best))
            gaps.append(1 - (v[support] ** 2).sum() / bound)
    assert min(gaps) >= -1e-6
    assert np.mean(np.array(gaps) < 1e-6) >= 0.4
    assert np.mean(gaps) < 0.05
