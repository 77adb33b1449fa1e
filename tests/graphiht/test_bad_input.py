"""Bad arguments of the graph functions: the error names the parameter, what it should be and what it is."""

import numpy as np
import pytest

from graphiht.network import Network
from graphiht.pcst import pcst
from graphiht.projection import tail, top_s

PATH = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
NETWORK = Network(PATH, 5)


def among_ones(size, *values):
    """Return a vector of ones for each value, which replaces one of them."""
    return [np.r_[1.0, value, np.ones(size - 2)] for value in values]


def with_edge(edge):
    return np.vstack([PATH[:3], [edge]])


BAD_EDGES = [*map(with_edge, ([0, 5], [0, -1], [0, 0])), PATH.astype(float), PATH.astype(str), PATH.T, PATH[0]]
BAD_COSTS = [*among_ones(4, 0.0, -1.0, np.nan, np.inf), np.ones(3), ["1"] * 4]
BAD_COUNTS = [0, -1, 1.5, 2.0]
# A function, its good arguments, and bad values of some of them.
CASES = [
    (
        pcst,
        {"edges": PATH, "prizes": np.ones(5), "costs": np.ones(4)},
        {
            "edges": BAD_EDGES,
            "prizes": [*among_ones(5, -1.0, np.nan, np.inf), np.ones((5, 1)), [], ["1"] * 5, np.ones(5, complex)],
            "costs": BAD_COSTS,
            "num_clusters": BAD_COUNTS,
            "root": [5, -2],
            "pruning": ["weak"],
        },
    ),
    (pcst, {"edges": PATH, "prizes": np.ones(5), "costs": np.ones(4), "root": 0}, {"num_clusters": [2]}),
    (
        tail,
        {"v": np.ones(5), "network": NETWORK, "size": 3},
        {
            "v": [*among_ones(5, np.nan, np.inf), np.ones(4), np.ones((5, 1)), ["1"] * 5],
            "size": [*BAD_COUNTS, 6],
            "n_components": [*BAD_COUNTS, 4],
            "slack": [-0.1, np.nan, "0.1"],
            "warm": [-1.0, np.inf],
            "max_solves": [0],
            "backend": ["fast"],
        },
    ),
    (top_s, {"v": np.ones(5)}, {"s": [*BAD_COUNTS, 6]}),
    (Network, {"edges": PATH, "n_nodes": 5}, {"edges": BAD_EDGES, "n_nodes": [0, 5.0, 2**31], "costs": BAD_COSTS}),
    (NETWORK.subnetwork, {}, {"nodes": [[], [5], [-1]]}),
]


@pytest.mark.parametrize(
    ("function", "good", "parameter", "value"),
    [(function, good, name, value) for function, good, bad in CASES for name in bad for value in bad[name]],
)
def test_bad_arguments_are_named(function, good, parameter, value):
    with pytest.raises(ValueError, match=rf"^{parameter} must .*; got "):
        function(**{**good, parameter: value})
