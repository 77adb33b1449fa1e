"""Head and tail projections onto the weighted graph model, and the plain top-s projection.

Both graph projections look for a support S of about `size` nodes in at most g connected components that
holds much of ||v||^2. They give prize v_i^2 to node i and cost lambda c_e to edge e, grow and strongly
prune a prize-collecting Steiner forest of g trees, and search lambda until the forest has `size` ..
floor((1 + slack) size) nodes.
"""

import math
from typing import NamedTuple

import numpy as np

from graphiht._checks import check_floats, check_int, check_real
from graphiht._jit import compiled
from graphiht._pcst.search import (
    COLD_START,
    largest_prize,
    new_bracket,
    next_lambda,
    rank_largest,
    reference_prize,
    search,
)
from graphiht.backend import require_sound_pcst_fast

MAX_SOLVES = 30
HEAD, TAIL = 0, 1


class Projection(NamedTuple):
    """A projected support, and how it was found."""

    support: np.ndarray  # sorted nodes (int64); a connector whose weight is zero belongs to it
    n_solves: int
    lam: float  # relative to the size-th largest prize: what the next call takes as `warm`
    in_window: bool


def head(
    v,
    network,
    size,
    n_components=1,
    *,
    slack=0.1,
    warm=None,
    max_solves=MAX_SOLVES,
    backend="native",
    eps=0.0,
):
    """Return a support of about `size` nodes in `n_components` trees that holds much of v.

    Parameters
    ----------
    v : array of float, shape (n_nodes,)
    network : Network
    size, n_components : int
        1 <= n_components <= size <= n_nodes.
    slack : float
        The support has size .. floor((1 + slack) size) nodes, both ends clipped to n_nodes. The upper end
        is never exceeded. The size is a jumping function of lambda, so the window can be out of reach; then
        the result is the largest support found below it, with ``in_window`` false.
    warm : float or None
        The `lam` of the previous projection of a similar vector; None for a cold start.
    max_solves : int
        Upper bound of the number of forests computed.
    backend : {"native", "pcst_fast"}
        Whose forests; the search is the same.
    eps : float in [0, 1)
        Ignore prizes below theta = eps max_i v_i^2 / k, k the upper end of the window.

        *Guarantee.* Let v' be v without the ignored entries, OPT = max ||v_S||^2 over the supports S of the
        model (at most k nodes, g components). If the projection of v' holds c^2 max_S ||v'_S||^2, that of v
        holds at least c^2 (1 - eps) OPT: any S loses at most k theta = eps max_i v_i^2 <= eps OPT, as the
        single largest entry is in the model. So the factor c_H falls by at most sqrt(1 - eps).

        The default is 0, exact: the kernel never looks at a node whose prize is below lambda c_min / 2
        unless a growing cluster reaches it, so on gene networks ignoring small prizes gains nothing.

    Returns
    -------
    Projection
    """
    return _checked(v, network, size, n_components, slack, warm, max_solves, backend, eps, HEAD)


def tail(
    v,
    network,
    size,
    n_components=1,
    *,
    slack=0.1,
    warm=None,
    max_solves=MAX_SOLVES,
    backend="native",
    eps=0.0,
):
    """Return a support of about `size` nodes in `n_components` trees that leaves little of v out.

    As `head`, but for `eps`: here the ignored prizes are those below theta = eps R / k, R the sum of all
    but the k largest prizes.

    *Guarantee.* Let OPT = min ||v - v_S||^2 over the supports of the model. If ||v' - v'_T||^2 <= c^2 min_S
    ||v' - v'_S||^2 with c >= 1, then ||v - v_T||^2 <= (c^2 + eps) OPT: going back from v' to v adds the
    ignored entries outside T on the left, and those outside the best S on the right; they differ by at most
    the ignored entries in S, k theta = eps R, and R <= OPT because no support of k nodes leaves out less.
    """
    return _checked(v, network, size, n_components, slack, warm, max_solves, backend, eps, TAIL)


def top_s(v, s):
    """Return the support of the s entries of v largest in absolute value; ties go to the lower index."""
    v = check_floats("v", v, np.size(v))
    s = check_int("s", s, 1, len(v))
    return Projection(largest(v, s), 0, math.nan, True)


@compiled
def largest(v, s):
    """Return the sorted support of `top_s`, for inner loops: nothing is checked."""
    if s >= len(v):
        return np.arange(len(v))
    threshold = rank_largest(np.abs(v), s)
    n_ties = s
    for entry in v:
        n_ties -= abs(entry) > threshold
    support = np.empty(s, np.int64)
    found = 0
    for i in range(len(v)):
        size = abs(v[i])
        if size > threshold or (size == threshold and n_ties > 0):
            n_ties -= size == threshold
            support[found] = i
            found += 1
    return support


def project_unchecked(
    v, network, low, high, n_components=1, warm=math.nan, max_solves=MAX_SOLVES, eps=0.0, kind=TAIL
):
    """Return the Projection of v to low..high nodes: what `head` and `tail` do, for inner loops.

    Nothing is checked. v must be a finite, contiguous float64 vector of length n_nodes; 1 <= n_components
    <= low <= high <= n_nodes; warm is a float, NaN for a cold start.
    """
    return Projection(
        *_project(
            network.workspace, v, network.min_cost, low, high, n_components, warm, max_solves, eps, kind
        )
    )


def window(size, slack, n_nodes):
    """Return the smallest and the largest number of nodes that a projection to `size` nodes may have."""
    # The addend keeps rounding from taking a node away: 1.15 * 100 is 114.99999999999999.
    return min(size, n_nodes), min(math.floor((1.0 + slack) * size + 1e-9), n_nodes)


@compiled
def _project(ws, v, min_cost, low, high, n_components, warm, max_solves, eps, kind):
    load_prizes(ws, v, eps, high, kind)
    size, n_solves, lam = search(ws, min_cost, low, high, n_components, warm, max_solves)
    support = np.empty(size, np.int64)
    for i in range(size):
        support[i] = ws.lists[i].best
    support.sort()
    return support, n_solves, lam, size >= low


@compiled
def load_prizes(ws, v, eps, high, kind):
    """Set the prizes to v^2, scaled by a power of two so that they neither overflow nor underflow."""
    largest = 0.0
    for entry in v:
        largest = max(largest, abs(entry))
    scale = 0.5 ** math.frexp(largest)[1] if largest > 0.0 else 1.0
    if scale == np.inf:
        scale = 2.0**1000
    threshold = 0.0
    if eps > 0.0:
        prizes = np.sort((v * scale) ** 2)
        total = prizes[: len(v) - high].sum() if kind == TAIL else prizes[-1]
        threshold = eps * total / high
    for node in range(len(v)):
        entry = v[node] * scale
        ws.nodes[node].prize = entry * entry if entry * entry >= threshold else 0.0


def _project_with_pcst_fast(v, network, low, high, n_components, warm, max_solves, eps, kind):
    pcst_fast = require_sound_pcst_fast()
    ws = network.workspace
    load_prizes(ws, v, eps, high, kind)
    prizes = ws.nodes["prize"].copy()
    edges = network.edges.astype(np.int64)
    unit = reference_prize(ws, low) / network.min_cost
    if unit == 0.0:
        return Projection(np.arange(n_components), 0, warm, n_components >= low)

    def solve(lam):
        return np.sort(pcst_fast(edges, prizes, lam * network.costs, -1, n_components, "strong", 0)[0])

    lam = unit * (warm if warm > 0.0 else COLD_START)
    bracket = new_bracket()
    best, best_lam, n_solves = (), lam, 0
    while n_solves < max_solves and not math.isnan(lam):
        support = solve(lam)
        n_solves += 1
        if len(best) < len(support) <= high:
            best, best_lam = support, lam
        lam = next_lambda(bracket, lam, len(support), low, high, unit)
    if len(best) == 0:
        best = solve(4.0 * largest_prize(ws) / network.min_cost)
    return Projection(best.astype(np.int64), n_solves, best_lam / unit, len(best) >= low)


def _checked(v, network, size, n_components, slack, warm, max_solves, backend, eps, kind):
    v = check_floats("v", v, network.n_nodes)
    size = check_int("size", size, 1, network.n_nodes)
    n_components = check_int("n_components", n_components, 1, size)
    max_solves = check_int("max_solves", max_solves, 1, None)
    slack = check_real("slack", slack, 0.0, math.inf)
    eps = check_real("eps", eps, 0.0, 1.0)
    warm = math.nan if warm is None or warm != warm else check_real("warm", warm, 0.0, math.inf)
    low, high = window(size, slack, network.n_nodes)
    if backend == "native":
        return project_unchecked(v, network, low, high, n_components, warm, max_solves, eps, kind)
    if backend == "pcst_fast":
        return _project_with_pcst_fast(v, network, low, high, n_components, warm, max_solves, eps, kind)
    raise ValueError(f"backend: expected 'native' or 'pcst_fast', got {backend!r}")
