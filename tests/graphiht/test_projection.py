"""Head, tail and top-s projections, and the exchange after the forest: properties, networkx, brute force, HiGHS."""

from itertools import combinations

import networkx as nx
import numba
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bench.exact import Optimum
from graph_cases import FAMILIES, as_networkx, multigraphs, needs_pcst_fast, random_edges
from graphiht._pcst.exchange import exchange, parts
from graphiht.network import Network
from graphiht.projection import GraphSparsity, TopS, tail, top_s, window
from synthetic import grid_edges

PATH = Network([[0, 1], [1, 2], [2, 3], [3, 4]], 5)


@st.composite
def problems(draw, elements=None, unique=False):
    edges, n_nodes = draw(multigraphs())
    unit = draw(st.booleans())
    costs = None if unit else draw(arrays(np.float64, len(edges), elements=st.floats(0.1, 5.0)))
    if elements is None:
        elements = st.one_of(st.just(0.0), st.floats(-10.0, 10.0, allow_subnormal=False))
    v = draw(arrays(np.float64, n_nodes, elements=elements, unique=unique))
    size = draw(st.integers(1, n_nodes))
    return Network(edges, n_nodes, costs), v, size, draw(st.integers(1, size))


@given(problems(), st.sampled_from([0.0, 0.1, 0.5]))
@settings(deadline=None, max_examples=300)
def test_the_support_is_in_the_model_and_in_the_window_or_flagged(problem, slack):
    network, v, size, n_components = problem
    low, high = window(size, slack, network.n_nodes)
    result = tail(v, network, size, n_components, slack=slack, max_solves=20)
    support = result.support
    assert support.tolist() == sorted(set(support.tolist()))
    assert 1 <= len(support) <= high
    assert network.n_components(support) <= n_components
    assert result.in_window == (len(support) >= low)
    assert result.n_solves <= 20


@given(problems(), st.integers(-660, 660))
@settings(deadline=None, max_examples=100)
def test_the_unit_of_v_does_not_matter(problem, exponent):
    network, v, size, n_components = problem
    # A power of two is exact, unless it makes an entry leave the range of floats.
    assume(np.all((v == 0) | (np.abs(v) > 1e-100)))
    plain = tail(v, network, size, n_components)
    scaled = tail(v * 2.0**exponent, network, size, n_components)
    assert scaled.support.tolist() == plain.support.tolist()
    assert scaled.n_solves == plain.n_solves


@needs_pcst_fast
@pytest.mark.parametrize("family", FAMILIES)
def test_both_backends_find_the_same_supports(family):
    rng = np.random.default_rng([8, FAMILIES.index(family)])
    for _ in range(20):
        edges, n_nodes = random_edges(family, int(rng.integers(20, 150)), rng)
        network = Network(edges, n_nodes, rng.uniform(0.5, 2.0, len(edges)))
        v = rng.standard_normal(n_nodes) ** 3
        size, g = int(rng.integers(5, n_nodes // 2)), int(rng.integers(1, 5))
        native = tail(v, network, size, g)
        library = tail(v, network, size, g, backend="pcst_fast")
        assert native.support.tolist() == library.support.tolist()
        assert (native.n_solves, native.in_window) == (library.n_solves, library.in_window)
        assert native.multiplier == pytest.approx(library.multiplier, rel=1e-12)


@given(problems(elements=st.floats(0.1, 10.0)))
@settings(deadline=None)
def test_without_edges_the_projection_is_top_s(problem):
    network, v, size, _ = problem
    result = tail(v, Network(np.empty((0, 2), dtype=int), network.n_nodes), size, size)
    assert result.support.tolist() == top_s(v, size).support.tolist()
    assert result.in_window


@pytest.mark.parametrize(
    ("v", "edges", "size", "n_components", "support", "in_window"),
    [
        pytest.param([3, 0, 3, 0, 0], PATH.edges, 3, 1, [0, 1, 2], True, id="a connector without weight"),
        pytest.param([0, 2, 1, 0, 0], PATH.edges, 4, 1, [1, 2], False, id="too few entries"),
        pytest.param([0, 0, 0, 0, 0], PATH.edges, 3, 2, [0, 1], False, id="a zero vector"),
        pytest.param([1, 2, 3, 4], [[0, 1], [2, 3]], 4, 4, [0, 1, 2, 3], True, id="more components than there are"),
        # Equal leaves come into the forest all together: 1 or 9 nodes, never 4. The exchange adds single ones.
        pytest.param([5] + [1] * 8, [[0, i] for i in range(1, 9)], 4, 1, None, True, id="between two forests"),
    ],
)
def test_small_supports_by_hand(v, edges, size, n_components, support, in_window):
    result = tail(np.array(v, float), Network(edges, len(v)), size, n_components, slack=0.0)
    assert result.in_window == in_window
    if support is None:
        assert len(result.support) == size
        assert 0 in result.support
    else:
        assert result.support.tolist() == support


def test_a_warm_start_saves_solves_and_stays_in_the_window():
    rng = np.random.default_rng(10)
    edges, n_nodes = random_edges("scale-free", 500, rng)
    network = Network(edges, n_nodes)
    v = rng.standard_normal(n_nodes) ** 3
    cold, warm = [], []
    multiplier = None
    for _ in range(40):
        v += 0.02 * rng.standard_normal(n_nodes)
        cold.append(tail(v, network, 50))
        warm.append(tail(v, network, 50, warm=multiplier))
        multiplier = warm[-1].multiplier
    assert sum(r.n_solves for r in warm) < 0.8 * sum(r.n_solves for r in cold)
    assert all(len(r.support) <= 55 for r in warm)
    assert sum(r.in_window for r in warm) >= sum(r.in_window for r in cold) - 2


def test_no_result_depends_on_what_was_computed_before():
    rng = np.random.default_rng(11)
    edges, n_nodes = random_edges("scale-free", 200, rng)
    vectors = rng.standard_normal((12, n_nodes)) ** 3
    sizes = rng.integers(5, 100, 12)
    shared = Network(edges, n_nodes)
    in_order = [tail(v, shared, s) for v, s in zip(vectors, sizes, strict=True)]
    reverse = [tail(v, shared, s) for v, s in zip(vectors[::-1], sizes[::-1], strict=True)][::-1]
    fresh = [tail(v, Network(edges, n_nodes), s) for v, s in zip(vectors, sizes, strict=True)]
    for a, b, c in zip(in_order, reverse, fresh, strict=True):
        assert a.support.tolist() == b.support.tolist() == c.support.tolist()
        assert a.multiplier == b.multiplier == c.multiplier


@pytest.mark.parametrize(
    ("size", "slack", "expected"), [(10, 0.1, (10, 11)), (100, 0.15, (100, 115)), (9, 0.1, (9, 9))]
)
def test_window(size, slack, expected):
    assert window(size, slack, 200) == expected
    assert window(size, slack, 9) == (9, 9)


@given(arrays(np.float64, st.integers(1, 30), elements=st.floats(-5, 5) | st.integers(-3, 3).map(float)), st.data())
@settings(deadline=None)
def test_top_s_holds_the_largest_entries_and_of_ties_the_lowest(v, data):
    s = data.draw(st.integers(1, len(v)))
    expected = sorted(sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[:s])
    result = top_s(v, s)
    assert (result.support.tolist(), result.n_solves, result.in_window) == (expected, 0, True)
    assert TopS(s).tail(v).tolist() == expected


def head_of(v, *model, **options):
    """Return the support of the head projection of a model."""
    sparsity = GraphSparsity(*model, **options)
    return tail(v, sparsity.network, sparsity.head_size, sparsity.head_components, slack=sparsity.slack).support


@pytest.mark.parametrize(("head", "size"), [("half", 50), ("2s", 20), (30, 30)])
def test_size_of_a_head(head, size):
    v = np.random.default_rng(0).standard_normal(100)
    # The window [size, 1.1 size] may be out of reach; its upper end is a promise.
    assert 0.9 * size <= len(head_of(v, Network(grid_edges(10), 100), 10, head=head)) <= 1.1 * size


def best_union(network, v, s, g):
    """The most of ||v||^2 that two sets of at most s nodes in at most g components hold together, by trying all."""
    nodes = range(network.n_nodes)
    model = [
        frozenset(chosen)
        for size in range(1, s + 1)
        for chosen in combinations(nodes, size)
        if network.n_components(np.array(chosen)) <= g
    ]
    return max((v[list(a | b)] ** 2).sum() for a in model for b in model)


@pytest.mark.parametrize(("s", "g"), [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2)])
def test_head_of_2s_holds_about_as_much_as_the_best_two_sets_of_the_model(s, g):
    """M (+) M: 2s nodes in 2g components, so no less than any two sets, up to what the search misses."""
    shares = []
    for family in FAMILIES:
        rng = np.random.default_rng([14, s, g, FAMILIES.index(family)])
        for _ in range(5):
            network = Network(*random_edges(family, 9, rng))
            v = rng.standard_normal(network.n_nodes)
            support = head_of(v, network, s, g, head="2s", slack=0.0)
            assert len(support) <= 2 * s
            assert network.n_components(support) <= 2 * g
            shares.append((v[support] ** 2).sum() / best_union(network, v, s, g))
    assert min(shares) > 0.8
    assert np.mean(shares) > 0.98


@pytest.mark.parametrize(("head", "support"), [("2s", [0, 1, 7, 8]), (4, [0, 1, 2, 3])])
def test_only_the_head_of_2s_has_twice_the_components(head, support):
    path = Network([[i, i + 1] for i in range(8)], 9)
    v = np.array([4.0, 4.0, 1.0, 1.0, 0.1, 0.1, 0.1, 3.0, 3.0])
    assert head_of(v, path, 2, 1, head=head, slack=0.0).tolist() == support


@numba.njit
def count_parts(ws, size):
    return parts(ws, size)


@numba.njit
def exchanged(ws, size, high):
    return exchange(ws, size, high, 1)


@given(multigraphs(), st.data())
@settings(deadline=None, max_examples=200)
def test_needed_nodes_are_networkx_s_articulation_points(graph, data):
    network = Network(*graph)
    chosen = data.draw(st.lists(st.integers(0, network.n_nodes - 1), min_size=1, unique=True))
    ws = network.workspace
    ws.lists["best"][: len(chosen)] = chosen
    ws.spots["inside"][chosen] = 1
    induced = as_networkx(network).subgraph(chosen)
    assert count_parts(ws, len(chosen)) == nx.number_connected_components(induced)
    assert {node for node in chosen if ws.spots["needed"][node]} == set(nx.articulation_points(induced))


@given(problems(elements=st.floats(0.0, 10.0), unique=True), st.sampled_from([0.0, 0.3]))
@settings(deadline=None, max_examples=300)
def test_no_single_trade_with_the_best_neighbour_raises_the_energy(problem, slack):
    network, v, size, n_parts = problem
    graph, (_, high) = as_networkx(network), window(size, slack, network.n_nodes)
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
        graph, ws = as_networkx(network), network.workspace
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
            assert nx.is_connected(as_networkx(network).subgraph(best))
            gaps.append(1 - (v[support] ** 2).sum() / bound)
    assert min(gaps) >= -1e-6
    assert np.mean(np.array(gaps) < 1e-6) >= 0.4
    assert np.mean(gaps) < 0.05
