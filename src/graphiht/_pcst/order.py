"""Prizes in descending order, sorted as far down as a solve asks, and when they stop a growth."""

import numpy as np

from graphiht._jit import compiled, kernel


@compiled
def sort_down_to(ws, threshold):
    """Extend the order of the nodes by descending prize to all with prize > threshold.

    Ties go to the lower node. Reads every prize once; sorts only the new ones.
    """
    nodes, lists, state = ws.nodes, ws.lists, ws.state[0]
    if threshold >= state.sorted_above:
        return
    start = state.n_sorted
    n = start
    for node in range(len(nodes)):
        prize = nodes[node].prize
        if threshold < prize <= state.sorted_above:
            lists[n].order = node
            n += 1
    state.sorted_above = threshold
    if n - start > 64:
        block = np.empty(n - start, np.int64)
        prizes = np.empty(n - start)
        for i in range(n - start):
            block[i] = lists[start + i].order
            prizes[i] = -nodes[block[i]].prize
        rank = np.argsort(prizes, kind="mergesort")
        for i in range(n - start):
            lists[start + i].order = block[rank[i]]
    else:
        _insertion_sort(nodes, lists, start, n)
    for place in range(start, n):
        nodes[lists[place].order].position = place
    state.n_sorted = n


@compiled
def _insertion_sort(nodes, lists, start, stop):
    for place in range(start + 1, stop):
        node = lists[place].order
        prize = nodes[node].prize
        hole = place
        while hole > start and nodes[lists[hole - 1].order].prize < prize:
            lists[hole].order = lists[hole - 1].order
            hole -= 1
        lists[hole].order = node


@compiled
def forget_order(ws):
    """Put the order back to rest."""
    for place in range(ws.state[0].n_sorted):
        ws.nodes[ws.lists[place].order].position = len(ws.nodes)
    ws.state[0].n_sorted = 0
    ws.state[0].sorted_above = np.inf


@kernel
def stop_time(ws, n_trees):
    """Return when the deaths of unmerged nodes alone bring the number of active clusters down to n_trees.

    With a active merged clusters that is the (n_trees - a + 1)-th largest prize of an unmerged node; infinite
    if a > n_trees. Below the sorted prefix no event can be pending, so the answer there is "now" (0).
    """
    nodes, lists, state = ws.nodes, ws.lists, ws.state[0]
    rank = n_trees - state.n_active + 1
    if rank <= 0:
        return np.inf
    cursor, found = state.cursor, state.n_unmerged
    while found < rank and cursor < state.n_sorted:
        found += nodes[lists[cursor].order].cluster < 0
        cursor += 1
    while found > rank:
        cursor -= 1
        found -= nodes[lists[cursor].order].cluster < 0
    if found == rank:
        while nodes[lists[cursor - 1].order].cluster >= 0:
            cursor -= 1
    state.cursor = cursor
    state.n_unmerged = found
    return nodes[lists[cursor - 1].order].prize if found == rank else 0.0
