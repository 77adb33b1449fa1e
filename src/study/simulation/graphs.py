"""Graph families and random connected node sets in them."""

from __future__ import annotations

from functools import cache

import numpy as np

from graphiht.network import Network
from study.run.errors import StudyError

FAMILIES = ("grid", "scale-free", "small-world")

_LINKS_PER_NODE = 2
_REWIRED = 0.1


def grid_edges(rows: int, columns: int) -> np.ndarray:
    """Return the edges of a rows x columns grid: every node is linked to its (at most four) neighbours."""
    nodes = np.arange(rows * columns).reshape(rows, columns)
    right = np.column_stack([nodes[:, :-1].ravel(), nodes[:, 1:].ravel()])
    down = np.column_stack([nodes[:-1].ravel(), nodes[1:].ravel()])
    return np.concatenate([right, down])


def scale_free_edges(n_nodes: int, rng: np.random.Generator) -> np.ndarray:
    """Return the edges of a graph grown by preferential attachment, two links per new node.

    Each new node links to two different older ones, drawn with probability proportional to their degree, so
    that a few nodes become hubs (Barabasi and Albert 1999).
    """
    edges, ends = [(0, 1), (0, 2), (1, 2)], [0, 0, 1, 1, 2, 2]
    for node in range(3, n_nodes):
        chosen: list[int] = []
        while len(chosen) < _LINKS_PER_NODE:
            other = ends[rng.integers(len(ends))]
            if other not in chosen:
                chosen.append(other)
        for other in chosen:
            edges.append((other, node))
            ends += [other, node]
    return np.array(edges)


def small_world_edges(n_nodes: int, rng: np.random.Generator) -> np.ndarray:
    """Return the edges of a ring whose second-neighbour links are rewired with probability 0.1.

    Links to the next node stay, so that the graph is connected (after Watts and Strogatz 1998).
    """
    edges = {(i, i + 1) for i in range(n_nodes - 1)} | {(0, n_nodes - 1)}
    for node in range(n_nodes):
        other = (node + 2) % n_nodes
        if rng.random() < _REWIRED:
            other = int(rng.integers(n_nodes))
        if other != node:
            edges.add((min(node, other), max(node, other)))
    return np.array(sorted(edges))


@cache
def grid(side: int) -> Network:
    """Return the side x side grid with unit costs; made once per process."""
    return Network(grid_edges(side, side), side * side)


def make_network(family: str, side: int, rng: np.random.Generator) -> Network:
    """Return a connected graph of side^2 nodes of one of the `FAMILIES`."""
    if family == "grid":
        return grid(side)
    makers = {"scale-free": scale_free_edges, "small-world": small_world_edges}
    if family not in makers:
        raise StudyError(f"graph family: expected one of {', '.join(FAMILIES)}; found {family}.")
    return Network(makers[family](side * side, rng), side * side)


def connected_support(network: Network, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return exactly `size` nodes visited by a random walk from a random node, sorted.

    The nodes of a walk are connected. A walk that has not met a new node for long starts to be led: it then steps
    to a random unvisited neighbour of what it has visited, so that it ends on every connected graph.
    """
    labels = network.components()
    largest = int(np.bincount(labels).max())
    if size > largest:
        raise StudyError(
            f"sparsity: expected at most {largest}, the size of the graph's largest component; found {size}."
        )
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
