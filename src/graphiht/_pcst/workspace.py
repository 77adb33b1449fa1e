"""The records that the compiled kernels read (the graph) and write (the scratch).

Everything about one node is in one record of one cache line, and the workspace is a handful of arrays:
passing forty arrays from one compiled function to the next costs more than the work they do.
"""

from typing import NamedTuple

import numpy as np

from graphiht._jit import compiled

ARC = np.dtype([("cost", "f8"), ("node", "u4"), ("edge", "u4")], align=True)

# Between two solves the fields marked * hold their rest value; a solve restores what it touched, so that
# its cost follows what it touches and not the size of the network.
NODE = np.dtype(
    [
        ("prize", "f8"),
        ("key", "f8"),  # * time of the pending event of an unmerged node; infinite
        ("offset", "f8"),  # moat of a merged node minus the clock of its cluster
        ("worth", "f8"),  # value of the best subtree below the node
        ("cluster", "i4"),  # * representative of the node's cluster; -1 while the node has not merged
        ("source", "u4"),  # the neighbour that the pending event comes from
        ("via", "u4"),  # and the edge
        ("following", "u4"),  # circular list of the members of a cluster
        ("position", "i4"),  # * place in the descending order of prizes; n_nodes while not sorted
        ("degree", "i4"),  # number of unpeeled forest edges; when all are peeled, whether the node is kept
        ("link", "u4"),  # exclusive or of these; of a peeled node: the edge to its parent
        ("leaf", "i4"),  # whether the node has one edge only
    ],
    align=True,
)
CLUSTER = np.dtype(  # at the position of the representative
    [
        ("base", "f8"),
        ("death", "f8"),
        ("size", "i4"),
        ("survives", "i4"),  # * whether the cluster is active when the growth stops; 0
        ("top", "i4"),  # the node at which its pruned tree starts
        ("unused", "i4"),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("key", "f8"),  # * time of the pending event between two merged clusters; infinite
        ("cost", "f8"),
        ("a", "u4"),
        ("b", "u4"),
        ("keyed", "u4"),  # list of the edges whose key has been written
        ("unused", "i4"),
    ],
    align=True,
)
EVENT = np.dtype([("key", "f8"), ("item", "u4")], align=True)
LISTS = np.dtype(  # one list per field
    [
        ("order", "u4"),  # nodes by descending prize, as far as sorted
        ("merged", "u4"),  # nodes that have merged
        ("keyed", "u4"),  # nodes whose key has been written
        ("merge_edge", "u4"),  # the edges of the forest, in the order of the merges
        ("merge_dead", "i4"),  # which end of that edge was inactive: 0, 1, or -1
        ("survivor", "u4"),  # merged clusters that are active at the end
        ("peeled", "u4"),
        ("result", "u4"),
        ("result_edge", "u4"),
        ("best", "u4"),
    ],
    align=True,
)
SPOT = np.dtype(  # of a node, for the exchange
    [
        ("next", "i8"),  # the arc that the depth-first search looks at next
        ("count", "i4"),  # * neighbours in the support; 0
        ("inside", "i4"),  # * whether the node is in the support; 0
        ("order", "i4"),  # when the depth-first search came to it, from 1
        ("reach", "i4"),  # the earliest such time of what it and those below it are joined to
        ("above", "i4"),
        ("needed", "i4"),  # whether its part of the support falls apart without it
    ],
    align=True,
)
STATE = np.dtype(
    [
        ("bias", "f8"),  # * how much cheaper an edge is per unit of its ends' prizes, see `edge_cost`; 0
        ("horizon", "f8"),  # events from this time on are not queued yet
        ("sorted_above", "f8"),  # the order holds the nodes with larger prizes; infinite
        ("n_sorted", "i8"),
        ("n_events", "i8"),
        ("n_deaths", "i8"),
        ("n_merges", "i8"),
        ("n_keyed_nodes", "i8"),
        ("n_keyed_edges", "i8"),
        ("n_merged", "i8"),
        ("n_survivors", "i8"),
        ("n_active", "i8"),  # active merged clusters
        ("cursor", "i8"),  # a prefix of the order ...
        ("n_unmerged", "i8"),  # ... and how many unmerged nodes it holds
    ],
    align=True,
)


class Workspace(NamedTuple):
    """Graph and scratch of one network."""

    indptr: np.ndarray
    arcs: np.ndarray
    nodes: np.ndarray
    clusters: np.ndarray
    edges: np.ndarray
    events: np.ndarray
    deaths: np.ndarray
    lists: np.ndarray
    spots: np.ndarray
    state: np.ndarray
    rank: np.ndarray  # the number of a node in all of these, by its number in the network
    origin: np.ndarray  # and the other way round


def make_workspace(network):
    """Return the workspace of `network`, every field at rest.

    Nodes are numbered as the network ranks them, and the arcs of a node go by the number of the other end, so that
    nothing depends on the order of nodes or edges.
    """
    n, m = network.n_nodes, network.n_edges
    rank, indptr, arcs = network.rank, network.indptr, network.arcs
    if (rank != np.arange(n)).any():
        indptr, arcs = adjacency(rank[network.edges], network.costs, n)
    nodes = np.zeros(n, NODE)
    nodes["key"] = np.inf
    nodes["cluster"] = -1
    nodes["position"] = n
    nodes["leaf"] = np.diff(indptr) == 1
    state = np.zeros(1, STATE)
    state["sorted_above"] = np.inf
    edges = np.zeros(m, EDGE)
    edges["key"] = np.inf
    edges["cost"] = network.costs
    edges["a"], edges["b"] = rank[network.edges].T
    return Workspace(
        indptr=indptr,
        arcs=arcs,
        nodes=nodes,
        clusters=np.zeros(n, CLUSTER),
        edges=edges,
        events=np.empty(2 * (n + m) + 16, EVENT),
        deaths=np.empty(n + 1, EVENT),
        lists=np.zeros(n, LISTS),
        spots=np.zeros(n, SPOT),
        state=state,
        rank=rank,
        origin=np.argsort(rank),
    )


def adjacency(edges, costs, n_nodes):
    """Return (indptr, arcs) of an edge list: the arcs of a node are in the order of the other ends."""
    m = len(edges)
    indptr, arcs = _arcs(edges, costs, n_nodes, np.empty(2 * m, ARC))
    return indptr, _turned(indptr, arcs, np.empty(2 * m, ARC))


@compiled
def _arcs(edges, costs, n_nodes, arcs):
    indptr = np.zeros(n_nodes + 1, np.int64)
    for e in range(len(edges)):
        indptr[edges[e, 0] + 1] += 1
        indptr[edges[e, 1] + 1] += 1
    for u in range(n_nodes):
        indptr[u + 1] += indptr[u]
    place = indptr[:-1].copy()
    for e in range(len(edges)):
        for side in range(2):
            u = edges[e, side]
            arcs[place[u]].node = edges[e, 1 - side]
            arcs[place[u]].edge = e
            arcs[place[u]].cost = costs[e]
            place[u] += 1
    return indptr, arcs


@compiled
def _turned(indptr, arcs, turned):
    """Return every arc in the list of its other end: read in the order of nodes, that sorts each list."""
    place = indptr[:-1].copy()
    for u in range(len(place)):
        for i in range(indptr[u], indptr[u + 1]):
            other = arcs[i].node
            turned[place[other]].node = u
            turned[place[other]].edge = arcs[i].edge
            turned[place[other]].cost = arcs[i].cost
            place[other] += 1
    return turned
