"""The network of a study, for learners that use it."""

from __future__ import annotations

from graphiht.network import Network
from study.data.studyfile import Study


def network_of(study: Study, settings: dict) -> Network:
    """Return the network with the configured edge costs."""
    return Network(study.edges, study.X.shape[1], study.costs(settings["edge_cost"]), study.symbol)
