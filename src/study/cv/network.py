"""The network of a study, for learners that use it."""

import numpy as np

from graphiht.network import Network
from graphiht.projection import tail, top_s
from graphiht.solver import HEAD, SLACK
from study.data.studyfile import Study


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


def select(
    values: np.ndarray, sparsity: int, network: Network | None, n_components: int, slack: float = SLACK
) -> np.ndarray:
    """Return the genes of a graph projection of values; without a network, of the largest in absolute value."""
    if network is None:
        return top_s(values, sparsity).support
    return tail(values, network, sparsity, n_components, slack=slack).support
