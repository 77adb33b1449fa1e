"""From the grown forest to the answer: which nodes and edges of it to keep.

Each function reads the forest that a growth left in the workspace, with the first n_nodes of the list
`result` holding the survivors that never merged, and returns (number of nodes, number of edges) written to
the lists `result` and `result_edge`.
"""

import numpy as np

from graphiht._jit import compiled, kernel
from graphiht._pcst.events import edge_cost


@compiled
def prune_none(ws, n_nodes):
    """Keep every tree of the growth, dead ones too, and the survivors."""
    for i in range(ws.state[0].n_merged):
        ws.lists[n_nodes].result = ws.lists[i].merged
        n_nodes += 1
    n_edges = ws.state[0].n_merges
    for i in range(n_edges):
        ws.lists[i].result_edge = ws.lists[i].merge_edge
    return n_nodes, n_edges


@compiled
def prune_simple(ws, n_nodes):
    """Keep the trees of the surviving clusters."""
    n_edges = 0
    for i in range(ws.state[0].n_merged):
        node = ws.lists[i].merged
        if ws.clusters[ws.nodes[node].cluster].survives:
            ws.lists[n_nodes].result = node
            n_nodes += 1
    for i in range(ws.state[0].n_merges):
        edge = ws.lists[i].merge_edge
        if ws.clusters[ws.nodes[ws.edges[edge].a].cluster].survives:
            ws.lists[n_edges].result_edge = edge
            n_edges += 1
    return n_nodes, n_edges


@kernel
def prune_strong(ws, scale, root, n_nodes):
    """Keep of each surviving tree its best subtree: prizes minus costs are largest.

    Leaves are peeled until one node is left; worth[x] = prize[x] + sum over peeled neighbours y of max(0,
    worth[y] - cost(x, y)) is then the value of the best subtree whose top is x. The answer starts at the
    node with the largest worth, or at the root. No adjacency lists: the exclusive or of a node's tree edges
    is its last edge when its degree has come down to one.
    """
    nodes, clusters = ws.nodes, ws.clusters
    if root >= 0:
        nodes[root].degree += 1
    n_peeled = 0
    for i in range(ws.state[0].n_merged):
        item = ws.lists[i].merged
        while nodes[item].degree == 1 and item != root:
            node = nodes[item]
            edge = ws.edges[node.link]
            above = edge.a ^ edge.b ^ item
            parent = nodes[above]
            cost = edge_cost(ws, scale * edge.cost, node.prize, parent.prize)
            if node.worth > cost:
                parent.worth += node.worth - cost
            node.degree = 0
            parent.degree -= 1
            parent.link ^= node.link
            ws.lists[n_peeled].peeled = item
            n_peeled += 1
            consider_top(ws, item)
            if parent.degree == 0:
                consider_top(ws, above)
            item = above

    for i in range(ws.state[0].n_survivors):
        top = clusters[ws.lists[i].survivor].top if root < 0 else root
        nodes[top].degree = 1
        ws.lists[n_nodes].result = top
        n_nodes += 1
    n_edges = 0
    for i in range(n_peeled - 1, -1, -1):
        node = ws.lists[i].peeled
        edge = ws.nodes[node].link
        parent = ws.edges[edge].a ^ ws.edges[edge].b ^ node
        cost = edge_cost(ws, scale * ws.edges[edge].cost, ws.nodes[node].prize, ws.nodes[parent].prize)
        if ws.nodes[parent].degree and not ws.nodes[node].degree and ws.nodes[node].worth > cost:
            ws.nodes[node].degree = 1
            ws.lists[n_nodes].result = node
            n_nodes += 1
            ws.lists[n_edges].result_edge = edge
            n_edges += 1
    return n_nodes, n_edges


@kernel
def consider_top(ws, item):
    """Start the answer of the node's cluster at this node if its worth is the largest so far."""
    cluster = ws.clusters[ws.nodes[item].cluster]
    if cluster.survives and (cluster.top < 0 or ws.nodes[item].worth > ws.nodes[cluster.top].worth):
        cluster.top = item


@compiled
def prune_gw(ws, n_nodes):
    """Drop what the growth took in while inactive and did not need, as Goemans and Williamson do.

    Merges are undone newest first. One that joined an inactive cluster is dropped together with that
    cluster, unless an edge kept so far ends in it; all others are kept.
    """
    n_merges = ws.state[0].n_merges
    n_all = len(ws.nodes)
    contained_in, parts = _cluster_tree(ws)
    needed = np.zeros(n_all + n_merges, np.bool_)
    dropped = np.zeros(n_all + n_merges, np.bool_)
    n_edges = 0
    for i in range(n_merges - 1, -1, -1):
        merged = n_all + i
        edge = ws.lists[i].merge_edge
        if not ws.clusters[ws.nodes[ws.edges[edge].a].cluster].survives:
            continue
        if contained_in[merged] >= 0 and dropped[contained_in[merged]]:
            dropped[merged] = True
        if dropped[merged]:
            continue
        side = ws.lists[i].merge_dead
        if side >= 0:
            inactive = parts[i, side]
            if not needed[inactive]:
                dropped[inactive] = True
                continue
        ws.lists[n_edges].result_edge = edge
        n_edges += 1
        for end in range(2):
            part = np.int64(ws.edges[edge].b if end else ws.edges[edge].a)
            while part >= 0 and not needed[part]:
                needed[part] = True
                part = contained_in[part]
    for i in range(ws.state[0].n_merged):
        node = ws.lists[i].merged
        if ws.clusters[ws.nodes[node].cluster].survives and not dropped[node] and not dropped[contained_in[node]]:
            ws.lists[n_nodes].result = node
            n_nodes += 1
    return n_nodes, n_edges


@compiled
def _cluster_tree(ws):
    """Return which cluster each cluster (a node, or n_nodes + a merge) is part of, and each merge's parts."""
    n_all, n_merges = len(ws.nodes), ws.state[0].n_merges
    contained_in = np.full(n_all + n_merges, -1, np.int64)
    parts = np.empty((n_merges, 2), np.int64)
    shortcut = np.arange(n_all + n_merges)
    for i in range(n_merges):
        edge = ws.lists[i].merge_edge
        for end in range(2):
            part = np.int64(ws.edges[edge].b if end else ws.edges[edge].a)
            while shortcut[part] != part:
                shortcut[part] = shortcut[shortcut[part]]
                part = shortcut[part]
            parts[i, end] = part
            contained_in[part] = n_all + i
            shortcut[part] = n_all + i
    return contained_in, parts
