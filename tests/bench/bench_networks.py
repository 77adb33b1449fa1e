"""The graphs and vectors that the projection benchmark runs on."""

from typing import NamedTuple

import numba
import numpy as np
from scipy.io import loadmat

from graphiht.network import Network
from graphiht.projection import head, tail


class Task(NamedTuple):
    """A vector to project, as head or tail; tasks of one `run` follow each other and are warm-started."""

    run: str
    kind: str
    v: np.ndarray
    size: int


def published_network(folder):
    """Return the published pathway network (3,243 genes, 19,931 edges) and its Entrez ids."""
    entrez = loadmat(folder / "entrez.mat")["entrez"].ravel().astype(np.int64)
    in_pathway = np.isin(entrez, np.loadtxt(folder / "pathways.txt", dtype=np.int64)[:, 1])
    edges = np.sort(np.loadtxt(folder / "edge.txt", dtype=np.int64) - 1, axis=1)
    edges = edges[in_pathway[edges].all(axis=1) & (edges[:, 0] != edges[:, 1])]
    network, genes = Network(np.unique(edges, axis=0), len(entrez)).largest_component()
    return network, entrez[genes]


def borrowed_expression(study, entrez, rng):
    """Return a matrix for these genes: a study's own columns where it has them, shuffled ones elsewhere."""
    column = {int(gene): i for i, gene in enumerate(study["entrez"])}
    n_patients, n_columns = study["X"].shape
    matrix = np.empty((n_patients, len(entrez)))
    for i, gene in enumerate(entrez):
        if int(gene) in column:
            matrix[:, i] = study["X"][:, column[int(gene)]]
        else:
            matrix[:, i] = rng.permutation(study["X"][:, rng.integers(n_columns)])
    return matrix


def fit_tasks(X, y, network, sparsity, head_size, n_steps=40, ridge=0.1):
    """Return the head and tail projections of one GraphIHT fit (balanced logistic loss, backtracking)."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    sign = np.where(y > 0, 1.0, -1.0)
    weight = np.where(y > 0, np.mean(y <= 0), np.mean(y > 0))

    def loss(w, c):
        return np.mean(weight * np.logaddexp(0.0, -sign * (X @ w + c))) + 0.5 * ridge * w @ w

    tasks, w, c, warm = [], np.zeros(X.shape[1]), 0.0, {"head": None, "tail": None}
    run = f"s={sparsity}, head {head_size}"
    for _ in range(n_steps):
        residual = -weight * sign / (1.0 + np.exp(sign * (X @ w + c)))
        gradient, slope = X.T @ residual / len(y) + ridge * w, residual.mean()
        tasks.append(Task(run, "head", gradient, head_size))
        chosen = head(gradient, network, head_size, warm=warm["head"])
        direction = np.zeros_like(w)
        direction[chosen.support] = gradient[chosen.support]
        step, start = 1.0, loss(w, c)
        while step > 1e-5 and loss(w - step * direction, c - step * slope) > start - 0.5 * step * (
            direction @ direction + slope * slope
        ):
            step *= 0.6
        moved, c = w - step * direction, c - step * slope
        tasks.append(Task(run, "tail", moved, sparsity))
        kept = tail(moved, network, sparsity, warm=warm["tail"])
        w = np.zeros_like(w)
        w[kept.support] = moved[kept.support]
        warm = {"head": chosen.multiplier, "tail": kept.multiplier}
    return tasks


def grid_network(side):
    """Return the side x side grid with four neighbours and unit costs."""
    node = np.arange(side * side).reshape(side, side)
    across = np.stack([node[:, :-1], node[:, 1:]], axis=-1).reshape(-1, 2)
    down = np.stack([node[:-1], node[1:]], axis=-1).reshape(-1, 2)
    return Network(np.concatenate([across, down]), side * side)


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
