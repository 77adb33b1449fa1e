"""Network: adjacency, components, subgraphs."""

import pickle

import networkx as nx
import numpy as np
from hypothesis import given, settings

from graph_cases import as_networkx, multigraphs
from graphiht.network import Network
from graphiht.projection import tail


@given(multigraphs())
@settings(deadline=None)
def test_adjacency_lists_every_edge_from_both_ends(graph):
    edges, n_nodes = graph
    network = Network(edges, n_nodes)
    listed = [
        (node, int(network.neighbours[arc]), int(network.edge_ids[arc]))
        for node in range(n_nodes)
        for arc in range(network.indptr[node], network.indptr[node + 1])
    ]
    expected = [(a, b, e) for e, (a, b) in enumerate(edges)] + [(b, a, e) for e, (a, b) in enumerate(edges)]
    assert sorted(listed) == sorted(expected)


@given(multigraphs())
@settings(deadline=None)
def test_components_equal_networkx_in_order_of_their_lowest_node(graph):
    edges, n_nodes = graph
    network = Network(edges, n_nodes)
    labels = network.components()
    for label, nodes in enumerate(sorted(nx.connected_components(as_networkx(network)), key=min)):
        assert np.flatnonzero(labels == label).tolist() == sorted(nodes)


def test_subnetwork_equals_networkx():
    graph = nx.gnm_random_graph(30, 60, seed=1)
    network = Network(np.array(graph.edges), 30, np.arange(1.0, 61.0))
    sub, nodes = network.subnetwork([29, 3, 4, 5, 17, 18, 3])
    assert nodes.tolist() == [3, 4, 5, 17, 18, 29]
    expected = graph.subgraph(nodes.tolist())
    assert {frozenset(nodes[edge].tolist()) for edge in sub.edges} == set(map(frozenset, expected.edges))
    costs = dict(zip(map(frozenset, graph.edges), network.costs, strict=True))
    assert [costs[frozenset(nodes[edge].tolist())] for edge in sub.edges] == sub.costs.tolist()
    assert network.n_components(nodes) == nx.number_connected_components(expected)


def test_largest_component_keeps_its_nodes_in_order():
    network = Network([[5, 6], [0, 2], [2, 4], [7, 6]], 8)
    sub, nodes = network.largest_component()
    assert nodes.tolist() == [0, 2, 4]
    assert sub.edges.tolist() == [[0, 1], [1, 2]]


def test_a_network_survives_pickling():
    network = Network([[0, 1], [1, 2], [2, 3]], 4, [1.0, 2.0, 3.0])
    v = np.array([3.0, 0.1, 2.0, 0.0])
    before = tail(v, network, 3)
    assert tail(v, pickle.loads(pickle.dumps(network)), 3).support.tolist() == before.support.tolist()
