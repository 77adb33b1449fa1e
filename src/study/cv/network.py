"""The network of a study, for learners that use it: projections on it, and smoothing, factored once."""

from collections.abc import Callable

import numpy as np

from graphiht.network import Network
from graphiht.projection import tail, top_s
from graphiht.solver import HEAD, SLACK
from study.data.studyfile import Study
from study.methods import Method

Solve = Callable[[np.ndarray], np.ndarray]


def network_of(study: Study, settings: dict) -> Network:
    """Return the network with the configured edge costs."""
    return Network(study.edges, study.X.shape[1], study.costs(settings["edge_cost"]), study.symbol)


def solver_options(study: Study, settings: dict, uses_network: bool = True) -> dict:
    """Return the options of `graphiht.fitting.fit` that the configuration sets."""
    return {
        "network": network_of(study, settings) if uses_network else None,
        "n_components": settings["n_components"],
        "head": settings.get("head", HEAD),
        "slack": settings.get("slack", SLACK),
        "tol": settings["tolerance"],
    }


def selector(method: Method, study: Study, settings: dict) -> Callable[[np.ndarray, int], np.ndarray]:
    """Return what selects so many genes by values: by a graph projection or, without the network, the largest."""
    if not method.uses_network:
        return lambda values, sparsity: top_s(values, sparsity).support
    network, n_components, slack = network_of(study, settings), settings["n_components"], settings.get("slack", SLACK)
    return lambda values, sparsity: tail(values, network, sparsity, n_components, slack=slack).support


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
