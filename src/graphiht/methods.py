"""The ten methods: a gradient estimator, how the weights move, and a projection each.

update   gradient \\ projection   top-s        graph
step     full                     iht          graph-iht
step     block                    sto-iht      graph-sto-iht
step     SVRG                     svrg-iht     graph-svrg-iht      (Algorithm 1)
step     SCSG                     scsg-iht     graph-scsg-iht      (Algorithm 2)
refit    full                     htp          graph-htp           (hard thresholding pursuit)

Methods that step follow the gradient and project (`solver`). Methods that refit project what each feature is worth and
minimise the loss on that support (`pursuit`).

Imports nothing heavy, so that a workflow can read the table each time it starts.
"""

from __future__ import annotations

from typing import NamedTuple


class Method(NamedTuple):
    """A row of the table.

    Attributes
    ----------
    name, label : str
        As written in files and on the command line, and as the paper writes it.
    gradient : {"full", "block", "svrg", "scsg"}
        A key of `gradients.ESTIMATORS`.
    projection : {"top", "graph"}
        Supports are the s largest entries, or connected in the network.
    update : {"step", "refit"}
        How the weights move: along the gradient, or to the minimum on the support.
    """

    name: str
    label: str
    gradient: str
    projection: str
    update: str = "step"

    @property
    def uses_network(self) -> bool:
        """Whether supports follow the network."""
        return self.projection == "graph"


METHODS = {
    row.name: row
    for row in (
        Method("iht", "IHT", "full", "top"),
        Method("sto-iht", "StoIHT", "block", "top"),
        Method("svrg-iht", "SVRG-IHT", "svrg", "top"),
        Method("scsg-iht", "SCSG-IHT", "scsg", "top"),
        Method("graph-iht", "GraphIHT", "full", "graph"),
        Method("graph-sto-iht", "GraphStoIHT", "block", "graph"),
        Method("graph-svrg-iht", "GraphSVRG-IHT", "svrg", "graph"),
        Method("graph-scsg-iht", "GraphSCSG-IHT", "scsg", "graph"),
        Method("htp", "HTP", "full", "top", "refit"),
        Method("graph-htp", "GraphHTP", "full", "graph", "refit"),
    )
}
STEP_METHODS = {name: row for name, row in METHODS.items() if row.update == "step"}


def find_method(name: str) -> Method:
    """Return the row of the table with this name."""
    if not isinstance(name, str) or name not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}; got {name!r}")
    return METHODS[name]


def same_estimator(method: str, projection: str) -> str:
    """Return the name of the method with the gradients and updates of `method` and another projection."""
    row = find_method(method)._replace(projection=projection)
    return next(other.name for other in METHODS.values() if other[2:] == row[2:])


def equivalent(method: str, n_blocks: int) -> str:
    """Return the method that computes the same weights, to the bit, with this number of blocks.

    Over one block, block gradients and (with one inner step) SVRG are the full gradient, so a study needs
    them once. SCSG's batch is all rows then, but its mini-batches are not.
    """
    row = find_method(method)
    if n_blocks == 1 and row.gradient in ("block", "svrg"):
        return same_estimator("iht", row.projection)
    return method
