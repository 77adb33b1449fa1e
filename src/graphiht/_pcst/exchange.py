"""A local search after the forest: fill the support up, then trade its worst node for its best neighbour.

A forest is good at connecting and careless with single nodes: which of several equal prizes it takes in, and where it
stops, is decided by the growth and not by the energy of the support. Here nodes come and go one at a time while the
energy, the sum of the prizes, rises, and the number of connected parts stays within bounds.
"""

import numpy as np

from graphiht._jit import kernel
from graphiht._pcst.queue import pop, push

# Prizes over these parts of the one down to which nodes are sorted, about half the cost of an edge, are queued: first
# those over the first, then over the second, and so on, because few supports need the small ones.
FLOORS = (0.1, 0.03, 0.01, 0.0)


@kernel
def exchange(ws, size, high, n_parts):
    """Improve the support of `size` nodes in the list `best`; return its new size, at most `high`.

    While there is room the neighbour of largest prize comes in; after that it comes in if a node of smaller prize,
    not needed to keep the support in at most `n_parts` connected parts, can leave. With fewer parts than allowed any
    node counts as a neighbour. Ends when the best neighbour is worth no more than the worst such node. Time: a swap
    looks at every arc of the support once; there are at most as many as nodes.
    """
    best, spots, nodes = ws.lists["best"], ws.spots, ws.nodes
    sorted_above = ws.state[0].sorted_above
    sorted_above = sorted_above if 0.0 < sorted_above < np.inf else 0.0
    level, floor = 0, FLOORS[0] * sorted_above
    n_events = 0
    for i in range(size):
        spots[best[i]].inside = 1
    for i in range(size):
        n_events = touch(ws, best[i], n_events, floor)
    # One part is what the forest is, and where one is allowed nothing below asks for more.
    found = parts(ws, size) if n_parts > 1 else 1
    place = n_left = 0
    while n_left < high:
        # The best node to come in: a neighbour, or, with a part to spare, any node at all.
        while n_events > 0 and (spots[ws.events[0].item].inside or spots[ws.events[0].item].count == 0):
            n_events = pop(ws.events, n_events)
        while floor > 0.0 and (n_events == 0 or nodes[ws.events[0].item].prize <= floor):
            level += 1
            most, floor = floor, FLOORS[level] * sorted_above
            for i in range(size):
                n_events = queue_small(ws, best[i], n_events, floor, most)
        new = ws.events[0].item if n_events > 0 else -1
        if found < n_parts:
            while place < ws.state[0].n_sorted and spots[ws.lists[place].order].inside:
                place += 1
            if place < ws.state[0].n_sorted:
                other = ws.lists[place].order
                if new < 0 or nodes[other].prize > nodes[new].prize:
                    new = other
        if new < 0 or nodes[new].prize <= 0.0:
            break
        best[size] = new
        spots[new].inside = 1
        n_events = touch(ws, new, n_events, floor)
        size += 1
        if size <= high:
            found = parts(ws, size) if n_parts > 1 else 1
            continue
        found = parts(ws, size)
        worst = -1
        for i in range(size - 1):
            if not spots[best[i]].needed and (worst < 0 or nodes[best[i]].prize < nodes[best[worst]].prize):
                worst = i
        size -= 1
        if worst < 0 or nodes[best[worst]].prize >= nodes[new].prize:
            forget(ws, new)
            break
        old = best[worst]
        best[worst] = new
        ws.lists[n_left].peeled = old
        n_left += 1
        spots[old].inside = 0
        for i in range(ws.indptr[old], ws.indptr[old + 1]):
            spots[ws.arcs[i].node].count -= 1
        n_events = push(ws.events, n_events, -nodes[old].prize, old)
        found = parts(ws, size) if n_parts > 1 else 1
        place = 0
    for i in range(size):
        forget(ws, best[i])
    for i in range(n_left):
        forget(ws, ws.lists[i].peeled)
    return size


@kernel
def touch(ws, node, n_events, floor):
    """Count a node that has come in at its neighbours; queue those of prizes over `floor` it has brought near."""
    for i in range(ws.indptr[node], ws.indptr[node + 1]):
        other = ws.arcs[i].node
        spot = ws.spots[other]
        spot.count += 1
        if spot.count == 1 and not spot.inside and ws.nodes[other].prize > floor and n_events < len(ws.events):
            n_events = push(ws.events, n_events, -ws.nodes[other].prize, other)
    return n_events


@kernel
def queue_small(ws, node, n_events, floor, most):
    """Queue the neighbours of a node that are outside and whose prizes are over `floor` and at most `most`."""
    for i in range(ws.indptr[node], ws.indptr[node + 1]):
        other = ws.arcs[i].node
        prize = ws.nodes[other].prize
        if floor < prize <= most and not ws.spots[other].inside and n_events < len(ws.events):
            n_events = push(ws.events, n_events, -prize, other)
    return n_events


@kernel
def forget(ws, node):
    """Put back to rest what a node of the support has touched."""
    ws.spots[node].inside = 0
    for i in range(ws.indptr[node], ws.indptr[node + 1]):
        ws.spots[ws.arcs[i].node].count = 0


@kernel
def parts(ws, size):
    """Return the number of connected parts of the support, and mark the nodes it takes to hold a part together.

    Depth-first search; a node is needed (an articulation point) when something below it reaches no higher than it, the
    top of a search when two searches start from it (Hopcroft and Tarjan 1973).
    """
    best, spots, arcs = ws.lists["best"], ws.spots, ws.arcs
    for i in range(size):
        spots[best[i]].order = 0
        spots[best[i]].needed = 0
    n_parts = clock = 0
    for i in range(size):
        top = best[i]
        if spots[top].order:
            continue
        n_parts += 1
        clock += 1
        spots[top].order = spots[top].reach = clock
        spots[top].above = -1
        spots[top].next = ws.indptr[top]
        n_below_top = 0
        node = top
        while node >= 0:
            spot = spots[node]
            if spot.next < ws.indptr[node + 1]:
                other = arcs[spot.next].node
                spot.next += 1
                if not spots[other].inside:
                    continue
                if spots[other].order == 0:
                    clock += 1
                    spots[other].order = spots[other].reach = clock
                    spots[other].above = node
                    spots[other].next = ws.indptr[other]
                    node = other
                elif other != spot.above and spots[other].order < spot.reach:
                    spot.reach = spots[other].order
                continue
            above = spot.above
            if above == top:
                n_below_top += 1
            elif above >= 0 and spot.reach >= spots[above].order:
                spots[above].needed = 1
            if above >= 0 and spot.reach < spots[above].reach:
                spots[above].reach = spot.reach
            node = above
        if n_below_top > 1:
            spots[top].needed = 1
    return n_parts
