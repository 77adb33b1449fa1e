"""Goemans-Williamson moat growth for the prize-collecting Steiner forest.

Every node starts as a cluster that grows a moat at unit speed until its prize is spent. When the moats at
the two ends of an edge fill its cost the two clusters merge, and the rest of their prizes is pooled. Growth
ends when only `n_trees` clusters are active. A node that has not merged needs no state: its moat at time t
is min(t, prize).
"""

import numpy as np

from graphiht._jit import compiled, kernel
from graphiht._pcst.events import (
    HORIZONS,
    VOID,
    earliest,
    edge_cost,
    edge_event,
    enqueue,
    first_events,
    moat_and_life,
    next_death,
    node_event,
    widen,
)
from graphiht._pcst.order import sort_down_to, stop_time
from graphiht._pcst.queue import pop, push


@kernel
def grow(ws, scale, n_trees, root, lean, reach):
    """Grow moats with edge costs `scale` * cost until n_trees clusters are active; leave the forest in `ws`.

    Needs the order of prizes down to half the smallest scaled cost. With root >= 0 the cluster of that node
    (whose prize must be 0 here) never grows, and n_trees must be 0.

    `lean` leaves out leaves of the graph with a prize of at most half the cost of their edge. Such a node
    has spent its prize before it can be reached, so it adds nothing to a cluster's life, leads nowhere, and
    is worth less than its edge: strong pruning would drop it.

    Events are queued up to a horizon, which widens by parts of `reach` when the clock comes to it: most nodes have
    small prizes, and most growths end before a moat covers a whole edge and reaches these. Infinite: all at once.
    """
    stage = 0
    ws.state[0].horizon = min(HORIZONS[stage] * reach, VOID)
    first_events(ws, scale, lean)
    while True:
        stop = stop_time(ws, n_trees)
        death = next_death(ws)
        event = ws.events[0].key if ws.state[0].n_events > 0 else np.inf
        if min(stop, death, event) >= ws.state[0].horizon and ws.state[0].horizon < VOID:
            stage += 1
            widen(ws, min(HORIZONS[stage] * reach, VOID))
            continue
        if stop <= death and stop <= event:
            break
        if death <= event:
            ws.state[0].n_deaths = pop(ws.deaths, ws.state[0].n_deaths)
            ws.state[0].n_active -= 1
            continue
        item = ws.events[0].item
        ws.state[0].n_events = pop(ws.events, ws.state[0].n_events)
        if item < len(ws.nodes):
            edge = node_event(ws, scale, event, item)
        else:
            edge = edge_event(ws, scale, event, item - len(ws.nodes))
        if edge >= 0 and (root >= 0 or not absorb(ws, scale, event, edge, lean)):
            merge(ws, scale, root, event, edge, lean)


@kernel
def join(ws, item, cluster):
    """Make an unmerged node a member of a cluster (its own, if it is the first)."""
    node, state = ws.nodes[item], ws.state[0]
    node.cluster = cluster
    node.worth = node.prize
    node.degree = 0
    node.link = 0
    ws.lists[state.n_merged].merged = item
    state.n_merged += 1
    if node.position < state.cursor:
        state.n_unmerged -= 1


@kernel
def tie(node, edge):
    """Count a forest edge at one of its ends, for the pruning."""
    node.degree += 1
    node.link ^= edge


@kernel
def as_cluster(ws, item):
    """Return the representative of a node's cluster; an unmerged node becomes a cluster of one."""
    node = ws.nodes[item]
    if node.cluster < 0:
        join(ws, item, item)
        node.offset = 0.0
        node.following = item
        cluster = ws.clusters[item]
        cluster.base = 0.0
        cluster.death = node.prize
        cluster.size = 1
    return node.cluster


@kernel
def absorb(ws, scale, time, edge, lean):
    """Whether `edge` joins an unmerged node that is spent to a growing cluster of several; if so, merge them.

    This is the most frequent case of a growth. It changes neither the clock nor the life of the cluster.
    """
    nodes = ws.nodes
    new, old = ws.edges[edge].a, ws.edges[edge].b
    if nodes[new].cluster >= 0:
        new, old = old, new
    cluster = nodes[old].cluster
    if nodes[new].cluster >= 0 or cluster < 0 or nodes[new].prize > time or ws.clusters[cluster].death <= time:
        return False
    join(ws, new, cluster)
    tie(nodes[new], edge)
    tie(nodes[old], edge)
    nodes[new].offset = nodes[new].prize - ws.clusters[cluster].base - time
    nodes[new].following = new
    merges = ws.state[0].n_merges
    ws.lists[merges].merge_edge = edge
    ws.lists[merges].merge_dead = 0 if new == ws.edges[edge].a else 1
    ws.state[0].n_merges += 1
    scan_members(ws, scale, time, new, lean)
    nodes[new].following = nodes[cluster].following
    nodes[cluster].following = new
    ws.clusters[cluster].size += 1
    return True


@kernel
def merge(ws, scale, root, time, edge, lean):
    """Merge the clusters at the two ends of `edge`, and queue the events this makes possible."""
    nodes, clusters, state = ws.nodes, ws.clusters, ws.state[0]
    a, b = ws.edges[edge].a, ws.edges[edge].b
    new_a, new_b = nodes[a].cluster < 0, nodes[b].cluster < 0
    big, small = as_cluster(ws, a), as_cluster(ws, b)
    tie(nodes[a], edge)
    tie(nodes[b], edge)
    active_a, active_b = clusters[big].death > time, clusters[small].death > time
    has_root = root >= 0 and (nodes[root].cluster == big or nodes[root].cluster == small)
    ws.lists[state.n_merges].merge_edge = edge
    ws.lists[state.n_merges].merge_dead = -1 if has_root or (active_a and active_b) else (1 if active_a else 0)
    state.n_merges += 1
    # Only the edges of a merged cluster that was growing have their events already.
    scan_big, scan_small = new_a or not active_a, new_b or not active_b
    state.n_active -= (not scan_big) + (not scan_small)
    if clusters[big].size < clusters[small].size:
        big, small = small, big
        scan_big, scan_small = scan_small, scan_big

    death_big, death_small = clusters[big].death, clusters[small].death
    if has_root:
        death = time
    elif active_a and active_b:
        death = time + (death_big - time) + (death_small - time)
    else:
        death = max(death_big, death_small)
    clusters[big].base += min(time, death_big) - time
    clusters[big].death = death
    shift = clusters[small].base + min(time, death_small) - time - clusters[big].base
    item = small
    while True:
        nodes[item].cluster = big
        nodes[item].offset += shift
        item = nodes[item].following
        if item == small:
            break
    if death > time:
        state.n_active += 1
        if scan_big or death != death_big:
            state.n_deaths = push(ws.deaths, state.n_deaths, death, big)
    for side in range(2):
        if scan_small if side else scan_big:
            scan_members(ws, scale, time, small if side else big, lean)
    after_big, after_small = nodes[big].following, nodes[small].following
    nodes[big].following = after_small
    nodes[small].following = after_big
    clusters[big].size += clusters[small].size


@kernel
def scan_members(ws, scale, time, start, lean):
    """Queue the events on the edges that leave the circular list of members through `start`."""
    own = ws.nodes[start].cluster
    death = ws.clusters[own].death
    life = np.inf if death > time else 0.0
    clock = ws.clusters[own].base + min(time, death)
    item = start
    while True:
        moat = ws.nodes[item].offset + clock
        for i in range(ws.indptr[item], ws.indptr[item + 1]):
            arc = ws.arcs[i]
            other = ws.nodes[arc.node]
            if other.cluster == own:
                continue
            cost = edge_cost(ws, scale * arc.cost, ws.nodes[item].prize, other.prize)
            if lean and other.leaf and other.prize <= 0.5 * cost:
                continue
            other_moat, other_life = moat_and_life(ws, arc.node, time)
            key = earliest(time, cost - moat - other_moat, life, other_life)
            if other.cluster < 0:
                if key >= other.key:
                    continue
                if other.key == np.inf:
                    ws.lists[ws.state[0].n_keyed_nodes].keyed = arc.node
                    ws.state[0].n_keyed_nodes += 1
                other.key = key
                other.source = item
                other.via = arc.edge
                enqueue(ws, key, arc.node)
            else:
                edge = ws.edges[arc.edge]
                if key >= edge.key:
                    continue
                if edge.key == np.inf:
                    ws.edges[ws.state[0].n_keyed_edges].keyed = arc.edge
                    ws.state[0].n_keyed_edges += 1
                edge.key = key
                enqueue(ws, key, len(ws.nodes) + arc.edge)
        item = ws.nodes[item].following
        if item == start:
            break


@kernel
def mark(ws, cluster):
    """Mark a merged cluster as a survivor."""
    ws.clusters[cluster].survives = 1
    ws.clusters[cluster].top = -1
    ws.lists[ws.state[0].n_survivors].survivor = cluster
    ws.state[0].n_survivors += 1


@compiled
def mark_survivors(ws, n_trees, root):
    """Mark the merged clusters that survive; return the number of unmerged survivors, put in list `result`.

    With a root it is the root's cluster that survives, whether it has merged or not.
    """
    if root >= 0:
        ws.lists[0].result = root
        if ws.nodes[root].cluster < 0:
            return 1
        mark(ws, ws.nodes[root].cluster)
        return 0
    while next_death(ws) < np.inf:
        mark(ws, ws.deaths[0].item)
        ws.state[0].n_deaths = pop(ws.deaths, ws.state[0].n_deaths)
    wanted = n_trees - ws.state[0].n_active
    found = place = 0
    while found < wanted:
        if place == ws.state[0].n_sorted:
            if place == len(ws.nodes):
                break
            sort_down_to(ws, -1.0)
        node = ws.lists[place].order
        place += 1
        if ws.nodes[node].cluster < 0:
            ws.lists[found].result = node
            found += 1
    return found


@kernel
def restore(ws):
    """Put back to rest what a growth has touched."""
    for i in range(ws.state[0].n_survivors):
        ws.clusters[ws.lists[i].survivor].survives = 0
    for i in range(ws.state[0].n_merged):
        ws.nodes[ws.lists[i].merged].cluster = -1
    for i in range(ws.state[0].n_keyed_nodes):
        ws.nodes[ws.lists[i].keyed].key = np.inf
    for i in range(ws.state[0].n_keyed_edges):
        ws.edges[ws.edges[i].keyed].key = np.inf
    state = ws.state[0]
    state.n_events = state.n_deaths = state.n_merges = state.n_keyed_nodes = state.n_keyed_edges = 0
    state.n_merged = state.n_survivors = state.n_active = state.cursor = state.n_unmerged = 0
