"""pcst: answers worked out by hand, properties, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graph_cases import is_forest, multigraphs, objective
from graphiht.pcst import PRUNINGS, pcst

PATH = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
ONES = np.ones(4)


def answer(*args, **kwargs):
    vertices, edges = pcst(*args, **kwargs)
    return vertices.tolist(), edges.tolist()


@pytest.mark.parametrize(
    ("prizes", "costs", "options", "vertices", "edges"),
    [
        pytest.param([5, 0, 5, 5, 5], ONES, {}, [0, 1, 2, 3, 4], [0, 1, 2, 3], id="a cheap connector is taken"),
        pytest.param([5, 0, 0, 5, 6], [3, 3, 3, 1], {}, [3, 4], [3], id="a dear connector is not"),
        pytest.param([5, 4, 0, 5, 6], [1, 9, 9, 1], {"num_clusters": 2}, [0, 1, 3, 4], [0, 3], id="two trees"),
        pytest.param([0, 0, 0, 0.4, 0.4], ONES, {"root": 0}, [0], [], id="a root without a prize"),
        pytest.param([0, 0, 9, 0.4, 0.4], ONES, {"root": 0}, [0, 1, 2], [0, 1], id="a root and what is worth it"),
        pytest.param(np.zeros(5), ONES, {"num_clusters": 2}, [0, 1], [], id="without prizes the lowest nodes"),
        pytest.param([1, 2, 0, 0, 3], ONES, {"num_clusters": 9}, [0, 1, 2, 3, 4], [], id="more trees than nodes"),
    ],
)
def test_small_answers_by_hand(prizes, costs, options, vertices, edges):
    assert answer(PATH, np.array(prizes, float), np.array(costs, float), **options) == (vertices, edges)


def test_the_cheaper_of_two_parallel_edges_is_used():
    assert answer([[0, 1], [1, 0]], [3.0, 2.0], [0.5, 0.4]) == ([0, 1], [1])


def test_each_pruning_on_a_forest_worked_out_by_hand():
    # The pair 3-4 (prizes .7) merges at time .5 and dies at .9; the pair 0-1 (prizes .9) merges at .5 and
    # would live until 1.3, but at .9 it is alone and the growth stops. Its edge costs more than either end
    # is worth.
    prizes = [0.9, 0.9, 0.0, 0.7, 0.7]
    costs = [1.0, 4.0, 4.0, 1.0]
    assert answer(PATH, prizes, costs, pruning="none") == ([0, 1, 3, 4], [0, 3])
    assert answer(PATH, prizes, costs, pruning="simple") == ([0, 1], [0])
    assert answer(PATH, prizes, costs, pruning="gw") == ([0, 1], [0])
    assert answer(PATH, prizes, costs, pruning="strong")[0] in ([0], [1])


def test_gw_pruning_drops_a_node_taken_in_after_its_death():
    # Node 2 (prize .2) is dead when the pair 0-1 reaches it at about .8 of its life; node 3 keeps the
    # growth going.
    edges = [[0, 1], [1, 2]]
    prizes = [3.0, 3.0, 0.2, 2.0]
    assert answer(edges, prizes, [1.0, 1.0], pruning="simple") == ([0, 1, 2], [0, 1])
    assert answer(edges, prizes, [1.0, 1.0], pruning="gw") == ([0, 1], [0])


@st.composite
def instances(draw):
    edges, n_nodes = draw(multigraphs())
    prize = st.one_of(st.just(0.0), st.floats(1e-3, 10.0))
    prizes = draw(arrays(np.float64, n_nodes, elements=prize))
    costs = draw(arrays(np.float64, len(edges), elements=st.one_of(st.just(1.0), st.floats(1e-2, 10.0))))
    root = draw(st.integers(-1, n_nodes - 1))
    n_trees = 1 if root >= 0 else draw(st.integers(1, n_nodes + 2))
    return edges, prizes, costs, root, n_trees


@given(instances())
@settings(deadline=None, max_examples=200)
def test_the_answer_is_a_forest_with_the_wanted_number_of_trees(instance):
    edges, prizes, costs, root, n_trees = instance
    expected = min(n_trees, len(prizes))
    for pruning in PRUNINGS[1:]:
        vertices, edge_indices = pcst(edges, prizes, costs, root, n_trees, pruning)
        assert is_forest(vertices, edge_indices, edges, expected)
        assert root < 0 or root in vertices


@given(instances())
@settings(deadline=None, max_examples=200)
def test_each_pruning_keeps_part_of_the_one_before(instance):
    edges, prizes, costs, root, n_trees = instance
    answers = {pruning: pcst(edges, prizes, costs, root, n_trees, pruning) for pruning in PRUNINGS}
    for smaller, larger in [("simple", "none"), ("gw", "simple"), ("strong", "simple")]:
        for part in range(2):
            assert set(answers[smaller][part]) <= set(answers[larger][part])
    values = {pruning: objective(*answers[pruning], prizes, costs) for pruning in PRUNINGS}
    assert values["strong"] <= min(values["gw"], values["simple"]) + 1e-9


@given(instances(), st.integers(-30, 40))
@settings(deadline=None)
def test_prizes_and_costs_in_other_units_change_nothing(instance, exponent):
    edges, prizes, costs, root, n_trees = instance
    unit = 2.0**exponent
    for pruning in PRUNINGS:
        plain = answer(edges, prizes, costs, root, n_trees, pruning)
        assert answer(edges, unit * prizes, unit * costs, root, n_trees, pruning) == plain


@pytest.mark.parametrize(("n_trees", "expected"), [(1, [0]), (2, [0, 2])])
def test_prizes_near_the_largest_number_end_the_growth(n_trees, expected):
    """Two pairs, each of a huge prize and one that is not worth its edge; the growth ends later than any event can."""
    prizes = [1.2e308, 0.1, 1.1e308, 0.2]
    assert answer([[0, 1], [2, 3]], prizes, [1.0, 1.0], num_clusters=n_trees) == (expected, [])


def test_costs_far_below_and_above_the_prizes_end_the_growth():
    rng = np.random.default_rng(6)
    edges = np.array([[a, b] for a in range(20) for b in range(a) if rng.random() < 0.3])
    prizes = rng.exponential(size=20)
    assert len(pcst(edges, prizes, 1e-300 * rng.uniform(0.1, 2, len(edges)))[0]) == 20
    assert len(pcst(edges, prizes, 1e-17 * rng.uniform(0.1, 2, len(edges)))[0]) == 20
    assert answer(edges, prizes, np.full(len(edges), 1e300)) == ([int(prizes.argmax())], [])


GOOD = {"edges": PATH, "prizes": np.ones(5), "costs": ONES}


@pytest.mark.parametrize(
    ("parameter", "change"),
    [
        ("prizes", {"prizes": [1.0, 1.0, -1.0, 1.0, 1.0]}),
        ("prizes", {"prizes": [1.0, 1.0, np.nan, 1.0, 1.0]}),
        ("prizes", {"prizes": [1.0, 1.0, np.inf, 1.0, 1.0]}),
        ("prizes", {"prizes": np.ones((5, 1))}),
        ("prizes", {"prizes": []}),
        ("prizes", {"prizes": ["1"] * 5}),
        ("prizes", {"prizes": np.ones(5, dtype=complex)}),
        ("costs", {"costs": [1.0, 0.0, 1.0, 1.0]}),
        ("costs", {"costs": [1.0, -1.0, 1.0, 1.0]}),
        ("costs", {"costs": [1.0, np.nan, 1.0, 1.0]}),
        ("costs", {"costs": np.ones(3)}),
        ("edges", {"edges": [[0, 5], [1, 2], [2, 3], [3, 4]]}),
        ("edges", {"edges": [[0, -1], [1, 2], [2, 3], [3, 4]]}),
        ("edges", {"edges": [[0, 0], [1, 2], [2, 3], [3, 4]]}),
        ("edges", {"edges": PATH.astype(float)}),
        ("edges", {"edges": PATH.T}),
        ("num_clusters", {"num_clusters": 0}),
        ("num_clusters", {"num_clusters": -1}),
        ("num_clusters", {"num_clusters": 1.5}),
        ("num_clusters", {"num_clusters": 2, "root": 0}),
        ("root", {"root": 5}),
        ("root", {"root": -2}),
        ("pruning", {"pruning": "weak"}),
    ],
)
def test_bad_input_is_named(parameter, change):
    with pytest.raises(ValueError, match=rf"^{parameter}: expected .*, got "):
        pcst(**{**GOOD, **change})
