"""Graph families, random connected node sets in them, and the problems planted on these."""

from functools import cache
from typing import NamedTuple

import networkx as nx
import numpy as np

from graphiht.losses import Loss, least_squares
from graphiht.network import Network
from study.errors import StudyError

# Nodes on a side of the grid in every figure.
SIDE = 16
FAMILIES = {
    # Hubs: each new node links to two older ones, drawn by their degree (Barabasi and Albert 1999).
    "scale-free": lambda n_nodes, seed: nx.barabasi_albert_graph(n_nodes, 2, seed=seed),
    # A ring with links to second neighbours, a tenth of them rewired (Watts and Strogatz 1998).
    "small-world": lambda n_nodes, seed: nx.connected_watts_strogatz_graph(n_nodes, 4, 0.1, seed=seed),
}


def grid_edges(rows: int, columns: int) -> np.ndarray:
    """Return the edges of a rows x columns grid: every node is linked to its (at most four) neighbours."""
    nodes = np.arange(rows * columns).reshape(rows, columns)
    right = np.column_stack([nodes[:, :-1].ravel(), nodes[:, 1:].ravel()])
    down = np.column_stack([nodes[:-1].ravel(), nodes[1:].ravel()])
    return np.concatenate([right, down])


@cache
def grid(side: int) -> Network:
    """Return the side x side grid with unit costs; made once per process."""
    return Network(grid_edges(side, side), side * side)


def make_network(family: str, side: int, rng: np.random.Generator) -> Network:
    """Return a connected graph of side^2 nodes: a grid, or one of the `FAMILIES`."""
    if family == "grid":
        return grid(side)
    graph = FAMILIES[family](side * side, int(rng.integers(2**32)))
    return Network(np.sort(np.array(graph.edges), axis=1), side * side)


def connected_support(network: Network, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return exactly `size` nodes visited by a random walk from a random node, sorted.

    The nodes of a walk are connected. A walk that has not met a new node for long starts to be led: it then steps
    to a random unvisited neighbour of what it has visited, so that it ends on every connected graph.
    """
    labels = network.components()
    largest = int(np.bincount(labels).max())
    if size > largest:
        raise StudyError(f"network: the largest component has {largest} nodes, a support {size}. Use a larger network.")
    node = int(rng.integers(network.n_nodes))
    while np.count_nonzero(labels == labels[node]) < size:
        node = int(rng.integers(network.n_nodes))
    seen, since = {node}, 0
    while len(seen) < size:
        around = network.neighbours[network.indptr[node] : network.indptr[node + 1]]
        node = int(around[rng.integers(len(around))])
        since = 0 if node not in seen else since + 1
        seen.add(node)
        if since > 50 * network.n_nodes:
            node, since = _step_out(network, seen, rng), 0
            seen.add(node)
    return np.array(sorted(seen))


def _step_out(network: Network, seen: set[int], rng: np.random.Generator) -> int:
    """Return a random node outside `seen` with a neighbour inside."""
    inside = np.zeros(network.n_nodes, bool)
    inside[list(seen)] = True
    ends = network.edges[inside[network.edges[:, 0]] != inside[network.edges[:, 1]]]
    outside = np.unique(np.where(inside[ends[:, 0]], ends[:, 1], ends[:, 0]))
    return int(outside[rng.integers(len(outside))])


class Problem(NamedTuple):
    """y = A x* + noise with supp(x*) connected in the network; the loss has f_i = (n/2)(a_i x - y_i)^2."""

    A: np.ndarray
    y: np.ndarray
    x: np.ndarray
    support: np.ndarray
    network: Network
    loss: Loss


def planted(network: Network, sparsity: int, n_rows: int, rng: np.random.Generator, noise: float = 0.0) -> Problem:
    """Return a problem with `sparsity` connected N(0, 1) coefficients.

    `noise` is its expected norm relative to the signal's: entries are N(0, (noise ||x*||)^2 / n_rows).
    """
    support = connected_support(network, sparsity, rng)
    x = np.zeros(network.n_nodes)
    x[support] = rng.standard_normal(sparsity)
    # In expectation columns have norm 1.
    A = rng.standard_normal((n_rows, network.n_nodes)) / np.sqrt(n_rows)
    # Drawn whatever the level, so that problems with more or less noise are otherwise the same.
    errors = rng.standard_normal(n_rows) / np.sqrt(n_rows)
    # Only the columns of the support: with 100,000 nodes the others cost time and change nothing.
    y = A[:, support] @ x[support] + noise * np.linalg.norm(x) * errors
    return Problem(A, y, x, support, network, least_squares(A, y, scale=n_rows))
