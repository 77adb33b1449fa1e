"""Planted problems: a connected support, a Gaussian design, observations with or without noise."""

from typing import NamedTuple

import numpy as np

from graphiht.losses import Loss, least_squares
from graphiht.network import Network
from study.simulation.graphs import connected_support


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
