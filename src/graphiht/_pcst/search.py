"""The search for the edge-cost multiplier that gives a forest of the wanted size."""

import math

import numpy as np

from graphiht._jit import compiled
from graphiht._pcst.exchange import exchange
from graphiht._pcst.growth import grow, mark_survivors, restore
from graphiht._pcst.order import forget_order, sort_down_to
from graphiht._pcst.pruning import prune_strong

CLOSE = 1.002  # the search ends when the ends of the bracket differ by less than this factor
STEP_POWER = 0.3  # it changes like (size / wanted size) to this power: about right on gene networks
NUDGE = 1.01  # and by at least this factor
COLD_START = 0.9  # of the reference prize over the smallest cost: where searches on gene networks end
ENOUGH = 0.8  # of the wanted size: a forest that large will do, the exchange fills it up
TIES = 1e-3  # an edge between two nodes of the largest prize is cheaper by this share
NEGLIGIBLE = 1e-12  # of the reference prize: edges that cheap are free

# The bracket: the largest multiplier known to give too many nodes and the smallest known to give too few, the
# two sizes, and how many steps in a row have gone the same way without a bracket.
MANY, FEW, SIZE_MANY, SIZE_FEW, STREAK = range(5)


@compiled
def new_bracket():
    """Return a bracket that knows nothing."""
    return np.array([0.0, np.inf, 0.0, 0.0, 0.0])


@compiled
def next_multiplier(bracket, multiplier, size, low, high, reference):
    """Return the next multiplier to try after `multiplier` gave `size` nodes, or NaN when the search is over.

    Outside a bracket: steps by a power of size / wanted, the power doubling. Inside: log interpolation and
    bisection in turn, until the ends are close: the window lies in a jump of the size.
    """
    if low <= size <= high:
        return np.nan
    if size > high:
        bracket[MANY], bracket[SIZE_MANY] = multiplier, size
    else:
        bracket[FEW], bracket[SIZE_FEW] = multiplier, size
    wanted = 0.5 * (low + high)
    bracket[STREAK] += 1.0
    if bracket[FEW] == np.inf or bracket[MANY] == 0.0:
        if multiplier < NEGLIGIBLE * reference:
            return np.nan
        step = (size / wanted) ** (STEP_POWER * 2.0 ** (bracket[STREAK] - 1.0))
        return multiplier * step * (NUDGE if size > high else 1.0 / NUDGE)
    ratio = bracket[FEW] / bracket[MANY]
    if ratio < CLOSE:
        return np.nan
    share = 0.5
    if bracket[STREAK] % 2.0 == 0.0:
        share = math.log(bracket[SIZE_MANY] / wanted) / math.log(bracket[SIZE_MANY] / bracket[SIZE_FEW])
        share = min(max(share, 0.1), 0.9)
    return bracket[MANY] * ratio**share


@compiled
def project(ws, v, min_cost, low, high, n_trees, start, max_solves):
    """Return (sorted support, number of solves, multiplier, whether low was reached) of the projection of v."""
    load_prizes(ws, v)
    size, n_solves, multiplier = search(ws, min_cost, low, high, n_trees, start, max_solves)
    support = support_of(ws, size)
    return support, n_solves, multiplier, size >= low


@compiled
def support_of(ws, size):
    """Return the nodes in the list `best`, numbered as in the network and sorted."""
    support = np.empty(size, np.int64)
    for i in range(size):
        support[i] = ws.origin[ws.lists[i].best]
    support.sort()
    return support


@compiled
def load_prizes(ws, v):
    """Set the prizes to v^2, scaled by a power of two so that they neither overflow nor underflow."""
    largest = 0.0
    for entry in v:
        largest = max(largest, abs(entry))
    scale = 0.5 ** math.frexp(largest)[1] if largest > 0.0 else 1.0
    if scale == np.inf:
        scale = 2.0**1000
    for node in range(len(v)):
        entry = v[node] * scale
        ws.nodes[ws.rank[node]].prize = entry * entry
    ws.state[0].bias = 0.5 * TIES / (scale * largest) ** 2 if largest > 0.0 else 0.0


@compiled
def search(ws, min_cost, low, high, n_trees, start, max_solves):
    """Write a support of low..high nodes to the list `best`; return (its size, number of solves, multiplier).

    The prizes are in the workspace. `start` is the multiplier relative to the reference prize, NaN for a cold start; so
    is the multiplier returned. The largest forest of at most `high` nodes is filled up to `high` and improved by the
    exchange; fewer than `low` come out only when too few prizes are positive, or within reach.
    """
    reference = reference_prize(ws, low)
    if reference == 0.0:
        for node in range(n_trees):
            ws.lists[node].best = node
        return n_trees, 0, start
    unit = reference / min_cost
    multiplier = unit * (start if start > 0.0 else COLD_START)
    bracket = new_bracket()
    enough = max(int(ENOUGH * low), n_trees)
    best_size, best_multiplier = 0, multiplier
    n_solves = 0
    while n_solves < max_solves and not math.isnan(multiplier):
        sort_down_to(ws, 0.5 * (1.0 - TIES) * multiplier * min_cost)
        size = solve_strong(ws, multiplier, n_trees, min_cost)
        n_solves += 1
        if best_size < size <= high:
            best_size, best_multiplier = keep_result(ws, size), multiplier
        multiplier = next_multiplier(bracket, multiplier, size, enough, high, unit)
    if best_size == 0:
        # Every forest was too large: at this multiplier nothing merges, and the largest prizes alone are left.
        multiplier = 4.0 * unit * largest_prize(ws) / reference
        best_size = keep_result(ws, solve_strong(ws, multiplier, n_trees, min_cost))
    return finish(ws, best_size, high, n_trees), n_solves, best_multiplier / unit


@compiled
def finish(ws, size, high, n_trees):
    """Return the size of the support in the list `best` after the exchange."""
    if n_trees > 1:
        sort_down_to(ws, -1.0)
    size = exchange(ws, size, high, n_trees)
    forget_order(ws)
    return size


@compiled
def keep_result(ws, size):
    """Copy the first entries of the list `result` to the list `best`; return how many."""
    for i in range(size):
        ws.lists[i].best = ws.lists[i].result
    return size


@compiled
def solve_strong(ws, multiplier, n_trees, min_cost):
    """Return the size of the pruned forest at edge costs multiplier * cost; its nodes are in the list `result`."""
    grow(ws, multiplier, n_trees, -1, True, multiplier * min_cost)
    n_single = mark_survivors(ws, n_trees, -1)
    size, _ = prune_strong(ws, multiplier, -1, n_single)
    restore(ws)
    return size


@compiled
def reference_prize(ws, rank):
    """Return the rank-th largest prize, or the largest if that is 0."""
    values = np.empty(len(ws.nodes))
    for node in range(len(values)):
        values[node] = ws.nodes[node].prize
    found = rank_largest(values, rank)
    return found if found > 0.0 else values.max()


@compiled
def rank_largest(values, rank):
    """Return the rank-th largest of the values, which may be left in another order (quickselect).

    For a small rank of many values, those below a guess are left out first: the guess is a value of a sample of
    a few dozen that about twice as many should exceed, and if fewer than `rank` do, nothing is left out.
    """
    step = len(values) // 64
    share = 2 * rank // max(step, 1) + 4
    if step > 0 and share < 48:
        sample = np.sort(values[::step])
        guess = sample[len(sample) - share]
        above = np.empty(len(values))
        n_above = 0
        for value in values:
            above[n_above] = value
            n_above += value >= guess
        if n_above >= rank:
            values = above[:n_above]
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
    return values[k]


@compiled
def largest_prize(ws):
    """Return the largest prize."""
    largest = 0.0
    for node in range(len(ws.nodes)):
        largest = max(largest, ws.nodes[node].prize)
    return largest
