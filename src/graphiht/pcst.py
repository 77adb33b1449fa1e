"""Prize-collecting Steiner forests: a drop-in for ``pcst_fast.pcst_fast``."""

import numpy as np
from numpy.typing import ArrayLike

from graphiht._checks import check_floats, check_int
from graphiht._jit import compiled
from graphiht._pcst.growth import grow, mark_survivors, restore
from graphiht._pcst.order import forget_order, sort_down_to
from graphiht._pcst.pruning import prune_gw, prune_none, prune_simple, prune_strong
from graphiht._pcst.workspace import Workspace
from graphiht.network import Network

PRUNINGS = ("none", "simple", "gw", "strong")


def pcst(
    edges: ArrayLike,
    prizes: ArrayLike,
    costs: ArrayLike,
    root: int = -1,
    num_clusters: int = 1,
    pruning: str = "strong",
) -> tuple[np.ndarray, np.ndarray]:
    """Compute a forest F with small cost(F) + prize(nodes outside F).

    Parameters
    ----------
    edges : array-like of int of shape (n_edges, 2)
        Undirected edges between the nodes ``0 .. len(prizes) - 1``; no self-loops; parallel edges are
        allowed.
    prizes : array-like of float of shape (n_nodes,)
        Non-negative node prizes.
    costs : array-like of float of shape (n_edges,)
        Positive edge costs.
    root : int
        A node that the forest must contain, or -1 for none.
    num_clusters : int
        Number of trees; 1 with a root.
    pruning : {"none", "simple", "gw", "strong"}
        What to keep of the grown forest: all of it, the trees of the clusters that survive, what Goemans and
        Williamson's deletion keeps of these, or the best subtree of each.

    Returns
    -------
    vertices : ndarray of int64
        Nodes of the forest, sorted.
    edge_indices : ndarray of int64
        Rows of `edges` in the forest, sorted.

    See Also
    --------
    graphiht.tail : Project a vector onto connected supports.

    Examples
    --------
    >>> from graphiht.pcst import pcst
    >>> vertices, edge_indices = pcst([[0, 1], [1, 2]], prizes=[3, 0, 3], costs=[1, 1])
    >>> vertices.tolist(), edge_indices.tolist()
    ([0, 1, 2], [0, 1])

    Notes
    -----
    Guarantee, for every forest F' of at most num_clusters trees: with pruning "gw",
    cost(F) + 2 prize(V - F) <= 2 cost(F') + 2 prize(V - F'). With "strong", cost(F) + prize(V - F) is at
    most that of "gw", so it is at most 2 cost(F') + 2 prize(V - F'); the sharper form of "gw" can fail,
    because strong pruning weighs a prize once. On instances without ties the answer is that of
    ``pcst_fast``. The time follows what the growth touches, O(n_edges log n_edges) as long as dead clusters
    are not revived; memory is linear in nodes + edges.

    References
    ----------
    Goemans and Williamson, SIAM J. Comput. 24 (1995); Johnson, Minkoff and Phillips, SODA 2000; Hegde, Indyk
    and Schmidt, "A fast, adaptive variant of the Goemans-Williamson scheme for the prize-collecting Steiner
    tree problem", DIMACS 2014.
    """
    prizes = np.asarray(prizes)
    if prizes.ndim != 1 or len(prizes) == 0:
        raise ValueError(f"prizes must be a vector of at least one value; got shape {prizes.shape}")
    prizes = check_floats("prizes", prizes, len(prizes))
    if prizes.min() < 0:
        raise ValueError(f"prizes must not be negative; got {prizes.min()}")
    root = check_int("root", root, -1, len(prizes) - 1)
    num_clusters = check_int("num_clusters", num_clusters)
    if root >= 0 and num_clusters != 1:
        raise ValueError(f"num_clusters must be 1 with a root; got {num_clusters}")
    if pruning not in PRUNINGS:
        raise ValueError(f"pruning must be one of {', '.join(PRUNINGS)}; got {pruning!r}")
    network = Network(edges, len(prizes), costs)

    ws = network.workspace
    ws.nodes["prize"] = prizes
    if root >= 0:
        ws.nodes["prize"][root] = 0.0
    n_trees = min(num_clusters, len(prizes)) if root < 0 else 0
    n_vertices, n_edges = _solve(ws, network.min_cost, n_trees, root, PRUNINGS.index(pruning))
    return (
        np.sort(ws.lists["result"][:n_vertices]).astype(np.int64),
        np.sort(ws.lists["result_edge"][:n_edges]).astype(np.int64),
    )


@compiled
def _solve(ws: Workspace, min_cost: float, n_trees: int, root: int, pruning: int) -> tuple[int, int]:
    sort_down_to(ws, 0.5 * min_cost)
    grow(ws, 1.0, n_trees, root, False, np.inf)
    n_single = mark_survivors(ws, n_trees, root)
    if pruning == 0:
        sizes = prune_none(ws, n_single)
    elif pruning == 1:
        sizes = prune_simple(ws, n_single)
    elif pruning == 2:
        sizes = prune_gw(ws, n_single)
    else:
        sizes = prune_strong(ws, 1.0, root, n_single)
    restore(ws)
    forget_order(ws)
    return sizes
