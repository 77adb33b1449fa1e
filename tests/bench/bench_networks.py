"""The graphs and vectors that the projection benchmark runs on."""

from typing import NamedTuple

import numba
import numpy as np
from common import projected_vectors


class Task(NamedTuple):
    """A vector to project, as head or tail; tasks of one `run` follow each other and are warm-started."""

    run: str
    kind: str
    v: np.ndarray
    size: int


def fit_tasks(loss, network, sparsity, head_size, n_steps=40):
    """Return the head and tail projections of one fit of graph-iht."""
    seen = projected_vectors(network, loss, sparsity, head=head_size, max_epochs=n_steps, tol=-1.0)
    run = f"s={sparsity}, head {head_size}"
    return [Task(run, "tail" if size == sparsity else "head", v, size) for v, size in seen]


@numba.njit
def _attach(n_nodes, n_links, draws):
    ends = np.empty(2 * n_nodes * n_links, np.int64)
    for link in range(n_nodes * n_links):
        ends[2 * link] = link // n_links
        ends[2 * link + 1] = ends[int(draws[link] * (2 * link + 1))]
    return ends


def scale_free_edges(n_nodes, n_links, rng):
    """Return the edges of a preferential-attachment graph: about n_links per node, no loops, no doubles."""
    edges = np.sort(_attach(n_nodes, n_links, rng.random(n_nodes * n_links)).reshape(-1, 2), axis=1)
    keys = np.unique(edges[edges[:, 0] != edges[:, 1]] @ np.array([n_nodes, 1]))
    return np.stack([keys // n_nodes, keys % n_nodes], axis=1)


def walk_support(network, size, rng):
    """Return a connected set of `size` nodes: those a random walk visits first."""
    start = int(rng.integers(network.n_nodes))
    support, node = {start}, start
    while len(support) < size:
        around = network.neighbours[network.indptr[node] : network.indptr[node + 1]]
        node = int(rng.choice(around))
        support.add(node)
    return np.array(sorted(support))


def planted_tasks(network, size, noise, n_vectors, rng):
    """Return slowly changing vectors to project: N(0, 1) on a connected support, N(0, noise^2) elsewhere."""
    support = walk_support(network, size, rng)
    v = noise * rng.standard_normal(network.n_nodes)
    v[support] = rng.standard_normal(size)
    tasks = []
    for _ in range(n_vectors):
        v = v * (1.0 + 0.05 * rng.standard_normal(network.n_nodes))
        tasks.append(Task(f"planted {size}", "tail", v, size))
    return tasks


def grid_edges(side):
    """Return the edges of the side x side grid with four neighbours."""
    node = np.arange(side * side).reshape(side, side)
    across = np.stack([node[:, :-1], node[:, 1:]], axis=-1).reshape(-1, 2)
    down = np.stack([node[:-1], node[1:]], axis=-1).reshape(-1, 2)
    return np.concatenate([across, down])
