"""Goemans-Williamson moat growth for the prize-collecting Steiner forest.

Every node starts as a cluster that grows a moat at unit speed until its prize is spent. When the moats at
the two ends of an edge fill its cost the two clusters merge, and the rest of their prizes is pooled. Growth
ends when only `n_trees` clusters are active. A node that has not merged needs no state: its moat at time t
is min(t, prize).

Pending events: an unmerged node keeps one, the earliest possible over *all* its edges.
That suffices because when the node merges all its edges are looked at again, and when the event turns out
to be void they are too. Only edges between two merged clusters have events of their own. An event's time is
a lower bound of the time at which its edge can become tight, taken under "an unmerged node grows until its
prize is spent, an active merged cluster for ever, an inactive one not at all"; whatever breaks the last (a
revival) looks at the edges of the revived side again.
"""

import numpy as np

from graphiht._jit import compiled, kernel
from graphiht._order import sort_down_to, stop_time
from graphiht._queue import heapify, pop, push

TIGHT = 1e-9
VOID = 1e308  # key of a node or edge without an event that has had one in this solve; infinite if it has not


@kernel
def grow(ws, scale, n_trees, root, lean):
    """Grow moats with edge costs `scale` * cost until n_trees clusters are active; leave the forest in `ws`.

    Needs the order of prizes down to half the smallest scaled cost. With root >= 0 the cluster of that node
    (whose prize must be 0 here) never grows, and n_trees must be 0.

    `lean` leaves out leaves of the graph with a prize of at most half the cost of their edge. Such a node
    has spent its prize before it can be reached, so it adds nothing to a cluster's life, leads nowhere, and
    is worth less than its edge: strong pruning would drop it.
    """
    first_events(ws, scale, lean)
    while True:
        stop = stop_time(ws, n_trees)
        death = next_death(ws)
        event = ws.events[0].key if ws.state[0].n_events > 0 else np.inf
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
        if edge >= 0:
            merge(ws, scale, root, event, edge, lean)


@kernel
def first_events(ws, scale, lean):
    """Queue the first event of every node that a neighbour before it in the order of prizes could reach."""
    nodes = ws.nodes
    n_keyed = 0
    for place in range(ws.state[0].n_sorted):
        u = ws.lists[place].order
        prize = nodes[u].prize
        for i in range(ws.indptr[u], ws.indptr[u + 1]):
            arc = ws.arcs[i]
            cost = scale * arc.cost
            node = nodes[arc.node]
            if prize + node.prize <= cost or node.prize > prize or (node.prize == prize and arc.node < u):
                continue
            if lean and node.leaf and node.prize <= 0.5 * cost:
                continue
            key = max(0.5 * cost, cost - node.prize)
            if key < node.key:
                if node.key == np.inf:
                    ws.lists[n_keyed].keyed = arc.node
                    n_keyed += 1
                node.key = key
                node.source = u
                node.via = arc.edge
    for i in range(n_keyed):
        ws.events[i].item = ws.lists[i].keyed
        ws.events[i].key = nodes[ws.lists[i].keyed].key
    heapify(ws.events, n_keyed)
    ws.state[0].n_events = n_keyed
    ws.state[0].n_keyed_nodes = n_keyed


@kernel
def next_death(ws):
    """Return the time of the next death of an active merged cluster; drop outdated entries before it."""
    while ws.state[0].n_deaths > 0:
        key, representative = ws.deaths[0].key, ws.deaths[0].item
        if ws.nodes[representative].cluster == representative and ws.clusters[representative].death == key:
            return key
        ws.state[0].n_deaths = pop(ws.deaths, ws.state[0].n_deaths)
    return np.inf


@kernel
def moat_and_life(ws, node, time):
    """Return a node's moat and how long it may grow: 0 if inactive, infinite in an active merged cluster."""
    record = ws.nodes[node]
    if record.cluster < 0:
        return (time, record.prize - time) if record.prize > time else (record.prize, 0.0)
    cluster = ws.clusters[record.cluster]
    if cluster.death > time:
        return record.offset + cluster.base + time, np.inf
    return record.offset + cluster.base + cluster.death, 0.0


@kernel
def is_tight(slack, cost, time):
    """Whether an edge counts as filled: to within rounding of its cost, or of the clock."""
    return slack <= TIGHT * cost or time + 0.5 * slack <= time


@kernel
def earliest(time, slack, life_a, life_b):
    """Return the earliest time at which `slack` can be filled by two sides with these lives left.

    Both sides grow for min(life_a, life_b), one alone after that.
    """
    if slack < 0.0:
        slack = 0.0
    shared = min(life_a, life_b)
    key = time + max(0.5 * slack, slack - shared)
    return key if key < time + max(life_a, life_b) else np.inf


@kernel
def node_event(ws, scale, time, item):
    """Return the edge over which an unmerged node merges now; or -1, and find the node's next event."""
    node = ws.nodes[item]
    if node.cluster >= 0 or node.key != time:
        return -1
    moat_a, life_a = moat_and_life(ws, node.source, time)
    moat_b, life_b = moat_and_life(ws, item, time)
    cost = scale * ws.edges[node.via].cost
    if (life_a > 0.0 or life_b > 0.0) and is_tight(cost - moat_a - moat_b, cost, time):
        return node.via
    node.key = VOID
    for i in range(ws.indptr[item], ws.indptr[item + 1]):
        arc = ws.arcs[i]
        moat_a, life_a = moat_and_life(ws, arc.node, time)
        key = earliest(time, scale * arc.cost - moat_a - moat_b, life_a, life_b)
        if key < node.key:
            node.key = key
            node.source = arc.node
            node.via = arc.edge
    if node.key < VOID:
        enqueue(ws, node.key, item)
    return -1


@kernel
def edge_event(ws, scale, time, item):
    """Return the edge if it joins two merged clusters now; or -1, and find its next event."""
    edge = ws.edges[item]
    if edge.key != time:
        return -1
    edge.key = VOID
    if ws.nodes[edge.a].cluster == ws.nodes[edge.b].cluster:
        return -1
    moat_a, life_a = moat_and_life(ws, edge.a, time)
    moat_b, life_b = moat_and_life(ws, edge.b, time)
    if life_a == 0.0 and life_b == 0.0:
        return -1
    cost = scale * edge.cost
    slack = cost - moat_a - moat_b
    if is_tight(slack, cost, time):
        return item
    edge.key = earliest(time, slack, life_a, life_b)
    enqueue(ws, edge.key, len(ws.nodes) + item)
    return -1


@kernel
def enqueue(ws, key, item):
    """Queue an event: item is a node, or the number of nodes plus an edge."""
    if ws.state[0].n_events == len(ws.events):
        drop_outdated(ws)
    ws.state[0].n_events = push(ws.events, ws.state[0].n_events, key, item)


@kernel
def drop_outdated(ws):
    """Rebuild the queue from its valid entries, at most one per node and one per edge: half its room."""
    n_nodes, n = len(ws.nodes), 0
    for i in range(ws.state[0].n_events):
        item, key = ws.events[i].item, ws.events[i].key
        if item < n_nodes:
            valid = ws.nodes[item].cluster < 0 and ws.nodes[item].key == key
        else:
            valid = ws.edges[item - n_nodes].key == key
        if valid:
            ws.events[n].item = item
            ws.events[n].key = key
            n += 1
    heapify(ws.events, n)
    ws.state[0].n_events = n


@kernel
def as_cluster(ws, item):
    """Return the representative of a node's cluster; an unmerged node becomes a cluster of one."""
    node = ws.nodes[item]
    if node.cluster < 0:
        node.cluster = item
        node.offset = 0.0
        node.following = item
        cluster = ws.clusters[item]
        cluster.base = 0.0
        cluster.death = node.prize
        cluster.size = 1
        ws.lists[ws.state[0].n_merged].merged = item
        ws.state[0].n_merged += 1
        if node.position < ws.state[0].cursor:
            ws.state[0].n_unmerged -= 1
    return node.cluster


@kernel
def merge(ws, scale, root, time, edge, lean):
    """Merge the clusters at the two ends of `edge`, and queue the events this makes possible."""
    nodes, clusters, state = ws.nodes, ws.clusters, ws.state[0]
    a, b = ws.edges[edge].a, ws.edges[edge].b
    new_a, new_b = nodes[a].cluster < 0, nodes[b].cluster < 0
    big, small = as_cluster(ws, a), as_cluster(ws, b)
    active_a, active_b = clusters[big].death > time, clusters[small].death > time
    has_root = root >= 0 and (nodes[root].cluster == big or nodes[root].cluster == small)
    ws.lists[state.n_merges].merge_edge = edge
    ws.lists[state.n_merges].merge_dead = (
        -1 if has_root or (active_a and active_b) else (1 if active_a else 0)
    )
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
            if other.cluster == own or (lean and other.leaf and other.prize <= 0.5 * scale * arc.cost):
                continue
            other_moat, other_life = moat_and_life(ws, arc.node, time)
            key = earliest(time, scale * arc.cost - moat - other_moat, life, other_life)
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


@compiled
def mark_survivors(ws, n_trees, root):
    """Mark the merged clusters that survive; return the number of unmerged survivors, put in list `result`.

    With a root it is the root's cluster that survives, whether it has merged or not.
    """
    if root >= 0:
        ws.lists[0].result = root
        if ws.nodes[root].cluster >= 0:
            ws.clusters[ws.nodes[root].cluster].survives = 1
        return 0 if ws.nodes[root].cluster >= 0 else 1
    while next_death(ws) < np.inf:
        ws.clusters[ws.deaths[0].item].survives = 1
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
    for i in range(ws.state[0].n_merged):
        node = ws.lists[i].merged
        ws.clusters[ws.nodes[node].cluster].survives = 0
    for i in range(ws.state[0].n_merged):
        ws.nodes[ws.lists[i].merged].cluster = -1
    for i in range(ws.state[0].n_keyed_nodes):
        ws.nodes[ws.lists[i].keyed].key = np.inf
    for i in range(ws.state[0].n_keyed_edges):
        ws.edges[ws.edges[i].keyed].key = np.inf
    state = ws.state[0]
    state.n_events = state.n_deaths = state.n_merges = state.n_keyed_nodes = state.n_keyed_edges = 0
    state.n_merged = state.n_active = state.cursor = state.n_unmerged = 0
