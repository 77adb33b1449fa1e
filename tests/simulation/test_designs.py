"""Planted problems: connected supports of exactly s nodes, column norms, seeds, graph families."""

import networkx as nx
import numpy as np
import pytest

from graph_cases import as_networkx
from graphiht.network import Network
from study.errors import StudyError
from study.simulation.graphs import FAMILIES, connected_support, grid, grid_edges, make_network, planted
from study.simulation.scaling import shape


@pytest.mark.parametrize(("rows", "columns"), [(1, 5), (4, 4), (3, 7)])
def test_grid_is_networkx_grid(rows, columns):
    ours = as_networkx(Network(grid_edges(rows, columns), rows * columns))
    theirs = nx.convert_node_labels_to_integers(nx.grid_2d_graph(rows, columns), ordering="sorted")
    assert set(map(frozenset, ours.edges)) == set(map(frozenset, theirs.edges))


@pytest.mark.parametrize("family", FAMILIES)
def test_random_families_are_connected_simple_graphs_decided_by_the_seed(family):
    graphs = [make_network(family, 12, np.random.default_rng(seed)) for seed in (0, 1, 2, 2)]
    for network in graphs:
        assert (network.edges[:, 0] < network.edges[:, 1]).all()
        assert len(np.unique(network.edges, axis=0)) == len(network.edges)
        assert network.n_nodes == 144
        assert nx.is_connected(as_networkx(network))
    assert not np.array_equal(graphs[1].edges, graphs[2].edges)
    np.testing.assert_array_equal(graphs[2].edges, graphs[3].edges)


@pytest.mark.parametrize("family", ["grid", *FAMILIES])
@pytest.mark.parametrize("size", [1, 8, 36, 90])
def test_support_is_connected_and_has_exactly_s_nodes(family, size):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        network = make_network(family, 10, rng)
        support = connected_support(network, size, rng)
        assert len(np.unique(support)) == size
        assert (np.diff(support) > 0).all()
        assert nx.is_connected(as_networkx(network).subgraph(support.tolist()))


def test_walk_ends_where_a_plain_one_hardly_would():
    """All of a lollipop: a walk in a clique of 40 leaves it for the tail of 40 only every thousand steps."""
    lollipop = nx.lollipop_graph(40, 40)
    network = Network(np.array(lollipop.edges), 80)
    support = connected_support(network, 80, np.random.default_rng(1))
    np.testing.assert_array_equal(support, np.arange(80))


def test_support_stays_in_a_component_that_is_large_enough():
    pieces = np.concatenate([grid_edges(3, 3), grid_edges(5, 5) + 9])
    network = Network(pieces, 34)
    for seed in range(10):
        assert connected_support(network, 12, np.random.default_rng(seed)).min() >= 9
    with pytest.raises(StudyError, match=r"largest component has 25 nodes, a support 26"):
        connected_support(network, 26, np.random.default_rng(0))


def test_columns_have_norm_one_in_expectation():
    """The mean of 3,600 squared column norms, each of mean 1 and variance 2/n, within five standard errors."""
    n_rows, n_columns = 64, 3600
    squared = (planted(grid(60), 8, n_rows, np.random.default_rng(3)).A ** 2).sum(axis=0)
    assert abs(squared.mean() - 1) < 5 * np.sqrt(2 / n_rows / n_columns)
    assert abs(squared.var() / (2 / n_rows) - 1) < 0.2


def test_problem_is_what_it_says():
    problem = planted(grid(8), 10, 30, np.random.default_rng(5))
    assert (np.flatnonzero(problem.x) == problem.support).all()
    assert len(problem.support) == 10
    np.testing.assert_allclose(problem.y, problem.A @ problem.x, atol=1e-12)
    # F(x) = ||A x - y||^2 / 2, so at 0 it is ||y||^2 / 2, and its gradient there is -A^T y.
    zero = problem.loss.iterate(np.zeros(64), np.empty(0, dtype=np.intp), 0.0)
    assert problem.loss.value(zero) == pytest.approx(0.5 * problem.y @ problem.y)
    np.testing.assert_allclose(problem.loss.gradient(zero)[0], -problem.A.T @ problem.y, atol=1e-12)


def test_noise_only_adds_and_has_the_norm_asked_for():
    shares = []
    for seed in range(200):
        clean, noisy = (planted(grid(6), 8, 50, np.random.default_rng(seed), noise) for noise in (0.0, 0.3))
        np.testing.assert_array_equal(noisy.A, clean.A)
        np.testing.assert_array_equal(noisy.x, clean.x)
        noise = noisy.y - clean.y
        shares.append((noise @ noise) / (clean.x @ clean.x))
    assert np.mean(shares) == pytest.approx(0.09, rel=0.1)


@pytest.mark.parametrize(("n_nodes", "sides"), [(100, (10, 10)), (300, (15, 20)), (100_000, (250, 400)), (7, (1, 7))])
def test_grids_have_exactly_as_many_nodes(n_nodes, sides):
    assert shape(n_nodes) == sides
