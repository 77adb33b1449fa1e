"""Head and tail projections onto the weighted graph model, and the plain top-s projection."""

import math
from typing import NamedTuple

import numpy as np

from graphiht._jit import compiled
from graphiht._search import search
from graphiht.network import check_floats


class Projection(NamedTuple):
    """A projected support, and how it was found."""

    support: np.ndarray  # sorted nodes
    n_solves: int
    lam: float  # relative to a reference prize: what the next call takes as `warm`
    in_window: bool


def tail(v, network, size, n_components=1, *, slack=0.1, warm=None, max_solves=30, backend="native"):
    """Return a support of about `size` nodes in `n_components` trees that leaves little of v out."""
    v, high = _check(v, network, size, n_components, slack)
    return project(v, network, size, high, n_components, warm, max_solves)


head = tail


def _check(v, network, size, n_components, slack):
    v = check_floats("v", v, network.n_nodes)
    if not 1 <= size <= network.n_nodes:
        raise ValueError(f"size: expected 1..{network.n_nodes}, got {size}")
    if not 1 <= n_components <= size:
        raise ValueError(f"n_components: expected 1..size ({size}), got {n_components}")
    return v, min(int((1 + slack) * size), network.n_nodes)


def project(v, network, low, high, n_components, warm, max_solves):
    """Unchecked."""
    ws = network.workspace
    size, n_solves, lam, reached = _project(
        ws, v, network.min_cost, low, high, n_components, np.nan if warm is None else warm, max_solves
    )
    return Projection(np.sort(ws.lists["best"][:size]), n_solves, lam, reached)


@compiled
def _project(ws, v, min_cost, low, high, n_components, warm, max_solves):
    largest = np.abs(v).max()
    scale = 1.0 if largest == 0.0 else 0.5 ** math.frexp(largest)[1]
    for node in range(len(v)):
        entry = v[node] * scale
        ws.nodes[node].prize = entry * entry
    return search(ws, min_cost, low, high, n_components, warm, max_solves)


def top_s(v, s):
    """Return the support of the s entries of v that are largest in absolute value; ties go to the lower index."""
    order = np.argsort(-np.abs(v), kind="stable")
    return Projection(np.sort(order[:s]), 0, float("nan"), True)
