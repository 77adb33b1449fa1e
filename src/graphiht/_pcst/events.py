"""When something happens next: the events of unmerged nodes, of edges between merged clusters, and deaths.

An unmerged node keeps one pending event: the earliest possible over *all* its edges. That suffices
because when the node merges all its edges are looked at again, and when the event turns out to be void
they are too. Only edges between two merged clusters have events of their own. An event's time is a lower
bound of the time at which its edge can become tight, taken under "an unmerged node grows until its prize
is spent, an active merged cluster for ever, an inactive one not at all"; whatever breaks the last (a
revival) looks at the edges of the revived side again.
"""

import numpy as np

from graphiht._jit import kernel
from graphiht._pcst.queue import heapify, pop, push

TIGHT = 1e-9
HORIZONS = (0.8, 0.95, 1.0, np.inf)  # of the smallest edge cost: how far events are queued at first, and then
VOID = 1e308  # key of a node or edge without an event that has had one in this solve; infinite if it has not


@kernel
def edge_cost(ws, cost, prize_a, prize_b):
    """Return the cost of an edge: a little less the larger the prizes at its ends, when the workspace has a bias.

    With equal costs many events of the growth fall on the same moment, and which comes first would be decided by the
    order of the edge list or by rounding. The bias lets the data decide: towards larger prizes.
    """
    return cost * (1.0 - ws.state[0].bias * (prize_a + prize_b))


@kernel
def first_events(ws, scale, lean):
    """Queue the first event of every node that a neighbour before it in the order of prizes could reach."""
    nodes, horizon = ws.nodes, ws.state[0].horizon
    n_keyed = n_events = 0
    for place in range(ws.state[0].n_sorted):
        u = ws.lists[place].order
        prize = nodes[u].prize
        for i in range(ws.indptr[u], ws.indptr[u + 1]):
            arc = ws.arcs[i]
            node = nodes[arc.node]
            cost = edge_cost(ws, scale * arc.cost, prize, node.prize)
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
        key = nodes[ws.lists[i].keyed].key
        if key < horizon:
            ws.events[n_events].item = ws.lists[i].keyed
            ws.events[n_events].key = key
            n_events += 1
    heapify(ws.events, n_events)
    ws.state[0].n_events = n_events
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
    cost = edge_cost(ws, scale * ws.edges[node.via].cost, ws.nodes[node.source].prize, node.prize)
    if (life_a > 0.0 or life_b > 0.0) and is_tight(cost - moat_a - moat_b, cost, time):
        return node.via
    node.key = VOID
    for i in range(ws.indptr[item], ws.indptr[item + 1]):
        arc = ws.arcs[i]
        moat_a, life_a = moat_and_life(ws, arc.node, time)
        cost = edge_cost(ws, scale * arc.cost, ws.nodes[arc.node].prize, node.prize)
        key = earliest(time, cost - moat_a - moat_b, life_a, life_b)
        if key < node.key:
            node.key = key
            node.source = arc.node
            node.via = arc.edge
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
    cost = edge_cost(ws, scale * edge.cost, ws.nodes[edge.a].prize, ws.nodes[edge.b].prize)
    slack = cost - moat_a - moat_b
    if is_tight(slack, cost, time):
        return item
    edge.key = earliest(time, slack, life_a, life_b)
    enqueue(ws, edge.key, len(ws.nodes) + item)
    return -1


@kernel
def enqueue(ws, key, item):
    """Queue an event before the horizon: item is a node, or the number of nodes plus an edge."""
    if key >= ws.state[0].horizon:
        return
    if ws.state[0].n_events == len(ws.events):
        drop_outdated(ws)
    ws.state[0].n_events = push(ws.events, ws.state[0].n_events, key, item)


@kernel
def widen(ws, horizon):
    """Move the horizon of the queue to a later time."""
    before = ws.state[0].horizon
    ws.state[0].horizon = horizon
    for i in range(ws.state[0].n_keyed_nodes):
        item = ws.lists[i].keyed
        key = ws.nodes[item].key
        if before <= key < horizon and ws.nodes[item].cluster < 0:
            enqueue(ws, key, item)
    for i in range(ws.state[0].n_keyed_edges):
        item = ws.edges[i].keyed
        key = ws.edges[item].key
        if before <= key < horizon:
            enqueue(ws, key, len(ws.nodes) + item)


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
