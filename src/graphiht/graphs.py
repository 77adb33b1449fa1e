"""Make networks from edges by number or by name, networkx graphs and scipy adjacency matrices."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphiht.network import Network

EDGE_COSTS = ("unit", "confidence", "weight")
_NAMED = (
    "an edge table or a networkx graph by names, with X as a DataFrame (in a Pipeline: set_output(transform='pandas'))"
)


def as_network(graph: Any, n_features: int, names: Sequence[str] | None = None, edge_costs: str = "unit") -> Network:
    """Make the network between the features of a matrix.

    Edges to missing features are left out, because an earlier step may have selected features. So are self-loops of
    graphs, adjacency matrices and edges by name. Direction is ignored.

    Parameters
    ----------
    graph : Network, networkx graph, scipy sparse matrix, DataFrame or sequence of edges
        Numbers are columns of the matrix, unless the features are named by numbers; anything else is names.
    n_features : int
        Number of features of the matrix.
    names : sequence of str, optional
        Names of the features.
    edge_costs : {"unit", "confidence", "weight"}
        Cost of an edge: 1; 1.01 minus its weight, a confidence in (0, 1]; or its weight.

    Returns
    -------
    Network

    Examples
    --------
    >>> from graphiht.graphs import as_network
    >>> as_network([("A", "B"), ("B", "C")], 3, names=["A", "B", "C"])
    Network(n_nodes=3, n_edges=2)
    """
    if edge_costs not in EDGE_COSTS:
        raise ValueError(f"edge_costs must be one of {', '.join(EDGE_COSTS)}; got {edge_costs!r}")
    if isinstance(graph, Network):
        return _checked_size(graph, graph.n_nodes, n_features)
    ends, weights, loops_allowed = _edges(graph, n_features)
    if ends.dtype.kind not in "iu" or (names is not None and len(names) and all(str(n).isdigit() for n in names)):
        ends, weights = _by_name(ends, weights, names)
        loops_allowed = True
    if loops_allowed and len(ends):
        proper = ends[:, 0] != ends[:, 1]
        ends, weights = ends[proper], None if weights is None else weights[proper]
    as_text = None if names is None else np.asarray(names).astype(str)
    return Network(ends, n_features, _costs(weights, edge_costs), names=as_text)


def _edges(graph: Any, n_features: int) -> tuple[np.ndarray, np.ndarray | None, bool]:
    """Return (ends, weights, whether self-loops are dropped silently)."""
    from scipy.sparse import issparse

    if issparse(graph):
        _checked_size(graph, graph.shape[0], n_features)
        entries = graph.tocoo()
        kept = entries.data != 0
        return np.column_stack([entries.row, entries.col])[kept], entries.data[kept].astype(float), True
    if hasattr(graph, "nodes") and callable(getattr(graph, "edges", None)):
        rows = list(graph.edges(data="weight", default=1.0))
        return _ends([row[:2] for row in rows]), np.array([row[2] for row in rows], dtype=float), True
    if hasattr(graph, "iloc"):
        if graph.shape[1] < 2:
            raise ValueError(f"network must have two columns, the ends of each edge; got {graph.shape[1]}")
        third = graph.iloc[:, 2].to_numpy(dtype=float) if graph.shape[1] > 2 else None
        return _ends(graph.iloc[:, :2].to_numpy().tolist()), third, False
    if isinstance(graph, np.ndarray) and graph.ndim == 2 and graph.shape == (n_features, n_features) and n_features > 3:
        raise ValueError("network must be edges or a sparse adjacency; got a square array: use scipy.sparse.csr_array")
    if isinstance(graph, np.ndarray) and graph.dtype.kind in "iu" and graph.ndim == 2 and graph.shape[1] == 2:
        return graph, None, False
    try:
        rows = list(graph)
        lengths = {len(row) for row in rows}
    except TypeError:
        raise ValueError(f"network must be a graph, a sparse adjacency or edges; got {type(graph).__name__}") from None
    if not lengths <= {2} and not lengths <= {3}:
        raise ValueError(f"network must have edges of two ends, or two and a weight; got lengths {sorted(lengths)}")
    third = np.array([row[2] for row in rows], dtype=float) if lengths == {3} else None
    return _ends([row[:2] for row in rows]), third, False


def _ends(pairs: list) -> np.ndarray:
    """Return the ends of edges: numbers if all are, else names."""
    if not pairs:
        return np.empty((0, 2), dtype=int)
    array = np.array([tuple(pair) for pair in pairs], dtype=object)
    if all(isinstance(end, (int, np.integer)) for end in array.ravel()):
        return array.astype(int)
    return array.astype(str)


def _by_name(
    ends: np.ndarray, weights: np.ndarray | None, names: Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the edges between features, by their positions."""
    if names is None:
        shown = ", ".join(map(repr, ends.ravel()[:3].tolist()))
        raise ValueError(f"network names its nodes ({shown}), but X has no names. Pass {_NAMED}")
    place = {str(name): i for i, name in enumerate(names)}
    found = np.array([[place.get(str(end), -1) for end in pair] for pair in ends.tolist()]).reshape(-1, 2)
    inside = (found >= 0).all(axis=1)
    if len(ends) and not inside.any():
        theirs, own = (", ".join(map(str, list(some)[:3])) for some in (np.unique(ends), names))
        raise ValueError(f"network must have edges between features of X, like {own}; got none, but {theirs}")
    return found[inside], None if weights is None else weights[inside]


def _costs(weights: np.ndarray | None, edge_costs: str) -> np.ndarray | None:
    if edge_costs == "unit":
        return None
    if weights is None:
        raise ValueError(f"edge_costs={edge_costs!r} needs a weight of each edge, as a third column; got none")
    if edge_costs == "weight":
        return weights
    outside = weights[~((weights > 0) & (weights <= 1))]
    if len(outside):
        raise ValueError(f"edge_costs='confidence' needs weights in (0, 1]; got {outside[0]:g}")
    return 1.01 - weights


def _checked_size(graph: Any, n_nodes: int, n_features: int) -> Any:
    if n_nodes != n_features:
        raise ValueError(
            f"network must have one node per feature: X has {n_features} features, the network {n_nodes} nodes; if "
            f"features were selected before, give {_NAMED}"
        )
    return graph
