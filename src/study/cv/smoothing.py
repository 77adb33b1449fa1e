"""The network as a smoother: sparse systems of equations on it, factored once.

Functions of genes in which neighbours are similar, without asking that genes be connected.
"""

from collections.abc import Callable

import numpy as np

Solve = Callable[[np.ndarray], np.ndarray]


def laplacian_solver(edges: np.ndarray, n_genes: int, gamma: float) -> Solve:
    """Return what solves (I + gamma L) z = v, L the normalised Laplacian of the network; v may have columns."""
    from scipy.sparse.csgraph import laplacian

    return _identity_plus(gamma * laplacian(_adjacency(edges, n_genes), normed=True))


def walk_solver(edges: np.ndarray, n_genes: int, alpha: float) -> Solve:
    """Return what smooths values of genes by random walks with restart.

    A walk begins at a gene, goes on to a random neighbour with probability alpha and stops otherwise; the gene gets the
    mean of the values where its walks stop. So alpha 0 leaves all values as they are.
    """
    from scipy.sparse import diags_array

    adjacency = _adjacency(edges, n_genes)
    degree = adjacency.sum(axis=1)
    # A gene without neighbours keeps its value: its walks stay.
    step = diags_array(1 / np.maximum(degree, 1)) @ adjacency + diags_array((degree == 0).astype(float))
    solve = _identity_plus(-alpha * step)
    return lambda values: (1 - alpha) * solve(values)


def _adjacency(edges: np.ndarray, n_genes: int):
    # Imported when needed: it takes longer than most fits.
    from scipy.sparse import coo_array

    both = np.concatenate([edges, edges[:, ::-1]])
    return coo_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(n_genes, n_genes)).tocsr()


def _identity_plus(matrix) -> Solve:
    """Return what solves (I + matrix) z = v; an ordering for symmetric patterns keeps the factors sparse."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    return splu((eye_array(matrix.shape[0]) + matrix).tocsc(), permc_spec="MMD_AT_PLUS_A").solve
