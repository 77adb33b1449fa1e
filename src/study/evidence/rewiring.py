"""A random network in which every gene keeps its number of neighbours: a network without its meaning."""

import numpy as np
from networkx.utils import UnionFind

SWAPS_PER_EDGE = 10


def rewire(edges: np.ndarray, rng: np.random.Generator, swaps_per_edge: int = SWAPS_PER_EDGE) -> np.ndarray:
    """Return the edges after random swaps that keep every degree; a connected network stays connected.

    A swap turns the edges a-b, c-d into a-d, c-b, unless that makes a loop or an edge that is there already
    (Maslov and Sneppen 2002). At the end swaps of the same kind join parts that came loose, so that every gene can be
    selected; the draw is uniform but for these few. Edge i of the result has the confidence of edge i before.

    Not networkx's connected_double_edge_swap, which forgets which edge was which, and takes 4.5 s instead of 0.2 s
    for the 5,503 edges of the study.

    `edges` of shape (n_edges, 2) have no loops or parallel edges; `swaps_per_edge` swaps are tried per edge.
    """
    ends = edges.tolist()
    n_edges = len(ends)
    present = {(min(a, b), max(a, b)) for a, b in ends}
    tries = swaps_per_edge * n_edges
    pairs = rng.integers(n_edges, size=(tries, 2)).tolist()
    flips = rng.integers(2, size=tries).tolist()
    for (i, j), flip in zip(pairs, flips, strict=True):
        a, b = ends[i]
        c, d = ends[j] if flip else ends[j][::-1]
        first, second = (min(a, d), max(a, d)), (min(c, b), max(c, b))
        if a == d or c == b or first in present or second in present:
            continue
        present -= {(min(a, b), max(a, b)), (min(c, d), max(c, d))}
        present |= {first, second}
        ends[i], ends[j] = [a, d], [c, b]
    _reconnect(ends, rng)
    return np.sort(np.array(ends, np.int64).reshape(-1, 2), axis=1)


def _reconnect(ends: list[list[int]], rng: np.random.Generator) -> None:
    """Swap until the edges form one part, in place.

    An edge that closes a cycle can be taken out without cutting its part in two, so swapping it with any edge
    of another part joins the parts. A network that was connected has enough edges for one to close a cycle as
    long as there are two parts.
    """
    while True:
        part, closing = _parts(ends)
        if not closing or len(set(part)) == 1:
            return
        i = closing[int(rng.integers(len(closing)))]
        others = [j for j, number in enumerate(part) if number != part[i]]
        j = others[int(rng.integers(len(others)))]
        (a, b), (c, d) = ends[i], ends[j]
        ends[i], ends[j] = [a, d], [c, b]


def _parts(ends: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return the part of the network each edge is in, named by a node, and the edges that close a cycle."""
    parts, closing = UnionFind(), []
    for i, (a, b) in enumerate(ends):
        if parts[a] == parts[b]:
            closing.append(i)
        parts.union(a, b)
    return [parts[a] for a, _ in ends], closing
