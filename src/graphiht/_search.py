"""The search for the edge-cost multiplier lambda that gives a forest of the wanted size, compiled as a whole."""

import math

import numpy as np

from graphiht._growth import grow, mark_survivors, restore
from graphiht._jit import compiled
from graphiht._order import forget_order, sort_down_to
from graphiht._pruning import prune_strong

CLOSE = 1.002  # the search ends when the bracket's ends differ by less than this factor
STEP_POWER = 0.3  # the size falls roughly like lambda ** (-1 / STEP_POWER)


@compiled
def search(ws, min_cost, low, high, n_trees, start, max_solves):
    """Write a support of low..high nodes to the list `best`; return (its size, number of solves, lambda, reached).

    The prizes are in the workspace. `start` is lambda relative to the reference prize (the low-th largest), or NaN.
    Not reached: the largest support found with fewer than `low` nodes; with more than `high` there is never one.
    """
    reference = reference_prize(ws, low)
    if reference == 0.0:
        for node in range(n_trees):
            ws.lists[node].best = node
        return n_trees, 0, start, n_trees >= low
    lam = reference * (start if start > 0.0 else 1.0) / min_cost
    too_small, too_large, size_small, size_large = np.inf, 0.0, n_trees, 0
    best_size, best_lam, sorted_above, streak = 0, lam, np.inf, 0
    n_solves = 0
    while n_solves < max_solves:
        threshold = 0.5 * lam * min_cost
        if threshold < sorted_above:
            sort_down_to(ws, sorted_above, threshold)
            sorted_above = threshold
        size = solve_strong(ws, lam, n_trees, sorted_above)
        n_solves += 1
        if size <= high and size > best_size:
            best_size, best_lam = size, lam
            for i in range(size):
                ws.lists[i].best = ws.lists[i].result
        if size > high:
            streak = streak + 1 if too_small == np.inf else 0
            too_large, size_large = lam, size
        elif size < low:
            streak = streak + 1 if too_large == 0.0 else 0
            too_small, size_small = lam, size
        else:
            break
        if too_small == np.inf:
            lam *= (size / low) ** (STEP_POWER * 2.0 ** (streak - 1)) * 1.01
        elif too_large == 0.0:
            if lam < 1e-12 * reference:
                break
            lam *= (size / low) ** (STEP_POWER * 2.0 ** (streak - 1)) / 1.01
        elif too_small < CLOSE * too_large:
            break
        else:
            lam = between(too_large, too_small, size_large, size_small, 0.5 * (low + high), n_solves)
    forget_order(ws)
    return best_size, n_solves, best_lam * min_cost / reference, low <= best_size


@compiled
def between(lam_a, lam_b, size_a, size_b, wanted, n_solves):
    """Return a lambda inside the bracket: log interpolation and bisection in turn."""
    share = 0.5
    if n_solves % 2 == 0:
        share = math.log(size_a / wanted) / math.log(size_a / size_b)
        share = min(max(share, 0.1), 0.9)
    return lam_a * (lam_b / lam_a) ** share


@compiled
def solve_strong(ws, lam, n_trees, sorted_above):
    """Return the size of the strongly pruned forest at edge costs lam * cost; its nodes are in the list `result`."""
    grow(ws, lam, n_trees, -1)
    n_single = mark_survivors(ws, n_trees, -1, sorted_above)
    size, _ = prune_strong(ws, lam, -1, n_single)
    restore(ws)
    return size


@compiled
def reference_prize(ws, rank):
    """Return the rank-th largest prize, or the largest if that is 0."""
    values = np.empty(len(ws.nodes))
    for node in range(len(values)):
        values[node] = ws.nodes[node].prize
    left, right, k = 0, len(values) - 1, rank - 1
    while left < right:
        pivot = values[(left + right) >> 1]
        i, j = left, right
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k <= j:
            right = j
        elif k >= i:
            left = i
        else:
            break
    if values[k] > 0.0:
        return values[k]
    return values.max()
