"""Sparsity models, and the projections onto them: the s largest entries, or connected in a network.

A model answers two questions of the loop: `head(v)`, the part of the gradient to follow, and `tail(z)`, the
support the next iterate keeps. On a network both look for a support S of about `size` nodes in at most g
connected components that holds much of ||v||^2. They give prize v_i^2 to node i and cost m c_e to edge e, grow
and strongly prune a prize-collecting Steiner forest of g trees, search the multiplier m until the forest has
about `size` nodes, and fill and improve it by single nodes up to floor((1 + slack) size).

The support is a function of the vector, the network and the multiplier that the search starts at, not of the order
of nodes or edges, or of the last bit. A fit starts each search where its last one ended (`warm`), so a support may
depend on the projections before it. With equal edge costs many events of a forest's growth fall on the same moment;
which comes first would be decided by the position of an edge in its table, or by rounding (docs/methods.md says what
that does to a gene network). So ties are broken by the data: an edge costs m c_e (1 - .001 (p_u + p_v) / (2 p_max)), a
little less the larger the prizes p at its ends, which is what the projection is after anyway. Where prizes are exactly
equal, the names of the nodes decide (`Network`), and the arcs of a node are always looked at in the order of the other
ends.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from graphiht._checks import check_floats, check_int, check_real
from graphiht._jit import compiled
from graphiht._pcst import search
from graphiht.backend import require_sound_pcst_fast
from graphiht.network import Network
from graphiht.solver import HEAD, N_COMPONENTS, SLACK

MAX_SOLVES = 30
HEADS = ("identity", "half", "2s")


class Projection(NamedTuple):
    """A projected support, and how it was computed.

    Attributes
    ----------
    support : ndarray of shape (n_support,)
        Sorted nodes; a connector whose weight is zero belongs to it.
    n_solves : int
        Steiner forests computed.
    multiplier : float
        Multiplier of the edge costs, relative to the size-th largest prize: the next call takes it as `warm`.
    in_window : bool
        Whether the support has at least the size that was asked for.
    """

    support: np.ndarray
    n_solves: int
    multiplier: float
    in_window: bool


class TopS:
    """At most s nonzeros, anywhere: the whole gradient is followed, the s largest entries are kept."""

    n_solves = 0
    first = None

    def __init__(self, sparsity: int):
        self.sparsity = sparsity

    def tail(self, z: np.ndarray) -> np.ndarray:
        """Return the sorted support that approximates z best."""
        return largest(z, self.sparsity)


class GraphSparsity:
    """At most s nodes (up to a slack) in `n_components` connected components of a network.

    Parameters
    ----------
    network : Network
        Graph on the features.
    sparsity, n_components : int
        Number of nodes s, and of components.
    head : {"identity", "half", "2s"} or int
        Size of the head projection. "identity" keeps the whole gradient: a head projection with constant 1,
        and free; "half" keeps p/2 nodes; "2s" is the paper's sum of two models, 2s nodes in up to twice as many
        components. The others have `n_components`.
    slack : float
        The tail keeps (1 + slack) s nodes.
    first : (vector, Projection), optional
        The first tail projection of another model: if this one begins at the same vector, it need not search.

    Attributes
    ----------
    n_solves : int
        Steiner forests computed so far.
    first : (vector, Projection) or None
        The first tail projection.
    """

    def __init__(
        self,
        network: Network,
        sparsity: int,
        n_components: int = N_COMPONENTS,
        head: str | int = HEAD,
        slack: float = SLACK,
        first: tuple[np.ndarray, Projection] | None = None,
    ):
        self.network = network
        self.sparsity = sparsity
        self.n_components = n_components
        self.slack = slack
        sizes = {
            "identity": None,
            "half": max(network.n_nodes // 2, 1),
            "2s": min(2 * sparsity, network.n_nodes),
        }
        self.head_size = sizes[head] if isinstance(head, str) else head
        # Two sets of g components each have 2g together, unless the network has fewer nodes.
        self.head_components = min(2 * n_components, network.n_nodes) if head == "2s" else n_components
        self.n_solves = 0
        self.first = first
        self._is_first = True
        self._warm = math.nan  # where the last search ended, and the next begins

    def tail(self, z: np.ndarray) -> np.ndarray:
        """Return the sorted support, connected in the network, that approximates z."""
        if self._is_first and self.first is not None and np.array_equal(z, self.first[0]):
            result = self.first[1]
        else:
            low, high = window(self.sparsity, self.slack, self.network.n_nodes)
            result = project_unchecked(z, self.network, low, high, self.n_components, self._warm)
            self.n_solves += result.n_solves
        if self._is_first:
            self.first = (z, result)
            self._is_first = False
        self._warm = result.multiplier
        return result.support


def tail(
    v: ArrayLike,
    network: Network,
    size: int,
    n_components: int = N_COMPONENTS,
    *,
    slack: float = SLACK,
    warm: float | None = None,
    max_solves: int = MAX_SOLVES,
    backend: str = "native",
) -> Projection:
    """Return a support of about `size` nodes in `n_components` trees that holds much of v and leaves little out.

    Parameters
    ----------
    v : array-like of float of shape (n_nodes,)
        Vector to project.
    network : Network
        Graph on the entries of `v`.
    size, n_components : int
        Target number of nodes and of trees; 1 <= n_components <= size <= n_nodes.
    slack : float
        The support has floor((1 + slack) size) nodes, at most n_nodes, or fewer when too few entries of v are not
        zero or can be connected; ``in_window`` is false when it has fewer than `size`.
    warm : float or None
        The `multiplier` of the previous projection of a similar vector; None for a cold start.
    max_solves : int
        Upper bound of the number of forests computed.
    backend : {"native", "pcst_fast"}
        Whose forests. Search, costs that break ties, and exchange are the same, and pcst_fast gets nodes and edges in
        the order of names.

    Returns
    -------
    Projection

    See Also
    --------
    top_s : The projection without a network.
    graphiht.GraphIHTClassifier : An estimator that iterates it.

    Examples
    --------
    >>> from graphiht import Network, tail
    >>> path = Network([[0, 1], [1, 2], [2, 3], [3, 4]], n_nodes=5)
    >>> tail([3, 0, 2, 0, 1], path, size=3, slack=0).support.tolist()
    [0, 1, 2]
    """
    v = check_floats("v", v, network.n_nodes)
    size = check_int("size", size, 1, network.n_nodes)
    n_components = check_int("n_components", n_components, 1, size)
    max_solves = check_int("max_solves", max_solves)
    slack = check_real("slack", slack)
    warm = math.nan if warm is None or warm != warm else check_real("warm", warm)
    if backend not in ("native", "pcst_fast"):
        raise ValueError(f"backend must be 'native' or 'pcst_fast'; got {backend!r}")
    project = project_unchecked if backend == "native" else _project_with_pcst_fast
    return project(v, network, *window(size, slack, network.n_nodes), n_components, warm, max_solves)


# A head projection holds much of v inside, a tail projection leaves little outside: one search is both.
head = tail


def top_s(v: ArrayLike, s: int) -> Projection:
    """Return the support of the s entries of v largest in absolute value; ties go to the lower index.

    Parameters
    ----------
    v : array-like of float of shape (n,)
        Vector to project.
    s : int
        Number of entries, at most n.

    Returns
    -------
    Projection

    See Also
    --------
    tail : The projection onto connected sets.

    Examples
    --------
    >>> from graphiht import top_s
    >>> top_s([3, 0, -2, 0, 1], 2).support.tolist()
    [0, 2]
    """
    v = check_floats("v", v, np.size(v))
    return Projection(largest(v, check_int("s", s, 1, len(v))), 0, math.nan, True)


@compiled
def largest(v: np.ndarray, s: int) -> np.ndarray:
    """Return the sorted support of `top_s`, for inner loops: nothing is checked."""
    if s >= len(v):
        return np.arange(len(v))
    threshold = search.rank_largest(np.abs(v), s)
    n_ties = s
    for entry in v:
        n_ties -= abs(entry) > threshold
    support = np.empty(s, np.int64)
    n_kept = 0
    for i in range(len(v)):
        size = abs(v[i])
        if size > threshold or (size == threshold and n_ties > 0):
            n_ties -= size == threshold
            support[n_kept] = i
            n_kept += 1
    return support


def window(size: int, slack: float, n_nodes: int) -> tuple[int, int]:
    """Return the smallest and the largest number of nodes that a projection to `size` nodes may have."""
    # The addend keeps rounding from taking a node away: 1.15 * 100 is 114.99999999999999.
    return min(size, n_nodes), min(math.floor((1.0 + slack) * size + 1e-9), n_nodes)


def project_unchecked(
    v: np.ndarray,
    network: Network,
    low: int,
    high: int,
    n_components: int = N_COMPONENTS,
    warm: float = math.nan,
    max_solves: int = MAX_SOLVES,
) -> Projection:
    """Return the Projection of v to low..high nodes: what `tail` does, for inner loops.

    Nothing is checked. v must be a finite, contiguous float64 vector of length n_nodes; 1 <= n_components
    <= low <= high <= n_nodes; warm is a float, NaN for a cold start.
    """
    return Projection(
        *search.project(network.workspace, v, network.min_cost, low, high, n_components, warm, max_solves)
    )


def _project_with_pcst_fast(
    v: np.ndarray, network: Network, low: int, high: int, n_components: int, warm: float, max_solves: int
) -> Projection:
    pcst_fast = require_sound_pcst_fast()
    ws = network.workspace
    search.load_prizes(ws, v)
    prizes = ws.nodes["prize"].copy()
    edges = np.sort(np.column_stack([ws.edges["a"], ws.edges["b"]]).astype(np.int64), axis=1)
    costs = network.costs * (1.0 - ws.state["bias"] * prizes[edges].sum(axis=1))
    by_name = np.lexsort((costs, edges[:, 1], edges[:, 0]))
    edges, costs = edges[by_name], costs[by_name]

    reference = search.reference_prize(ws, low)
    if reference == 0.0:
        return project_unchecked(v, network, low, high, n_components, warm, max_solves)
    unit = reference / network.min_cost

    def solve(multiplier: float) -> np.ndarray:
        return pcst_fast(edges, prizes, multiplier * costs, -1, n_components, "strong", 0)[0]

    multiplier = unit * (warm if warm > 0.0 else search.COLD_START)
    bracket, enough = search.new_bracket(), max(int(search.ENOUGH * low), n_components)
    best, best_multiplier, n_solves = np.empty(0, np.int64), multiplier, 0
    while n_solves < max_solves and not math.isnan(multiplier):
        support = solve(multiplier)
        n_solves += 1
        if len(best) < len(support) <= high:
            best, best_multiplier = support, multiplier
        multiplier = search.next_multiplier(bracket, multiplier, len(support), enough, high, unit)
    if len(best) == 0:
        best = solve(4.0 * search.largest_prize(ws) / network.min_cost)
    ws.lists["best"][: len(best)] = best
    size = search.finish(ws, len(best), high, n_components)
    return Projection(search.support_of(ws, size), n_solves, best_multiplier / unit, size >= low)
