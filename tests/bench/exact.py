"""The best connected support there is, or a bound on it: an integer programme with cuts, for measuring projections."""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, vstack
from scipy.sparse.csgraph import connected_components


class Optimum:
    """max sum of prizes over connected sets of at most `size` nodes.

    Connectivity is added where it is violated: if i and j are chosen, so is a node of every set that separates them,
    x_i + x_j - 1 <= x(N), N the neighbours of i's part that lead on to j. Every round solves a relaxation, so its value
    is an upper bound; when its solution is connected it is the optimum.
    """

    def __init__(self, edges, n_nodes, prizes, size):
        self.n, self.size, self.prizes = n_nodes, size, prizes
        ends = np.asarray(edges)
        self.adjacency = csr_array(
            (np.ones(2 * len(ends)), (np.r_[ends[:, 0], ends[:, 1]], np.r_[ends[:, 1], ends[:, 0]])),
            shape=(n_nodes, n_nodes),
        )
        # A chosen node has a chosen neighbour, and there are at most `size`.
        touching = self.adjacency.astype(bool).astype(float)
        self.rows = [csr_array(touching - csr_array(np.eye(n_nodes))) if size > 1 else csr_array((0, n_nodes))]
        self.low = [np.zeros(n_nodes if size > 1 else 0)]

    def _neighbours(self, inside):
        return (self.adjacency @ inside.astype(float) > 0) & ~inside

    def _reached(self, start, blocked):
        """The nodes that `start` reaches without the blocked ones."""
        inside = np.zeros(self.n, bool)
        inside[start] = True
        while True:
            grown = inside | (self._neighbours(inside) & ~blocked)
            if (grown == inside).all():
                return inside
            inside = grown

    def _cut(self, part, other_part):
        """The cuts between two parts of a disconnected solution, at their best nodes."""
        i = np.flatnonzero(part)[self.prizes[part].argmax()]
        j = np.flatnonzero(other_part)[self.prizes[other_part].argmax()]
        for inner, source, target in ((part, i, j), (other_part, j, i)):
            around = self._neighbours(inner)
            beyond = self._reached(target, around)
            separator = around & (self._neighbours(beyond))
            row = separator.astype(float)
            row[source] -= 1
            row[target] -= 1
            yield row, -1.0

    def solve(self, rounds=60, seconds=20.0, gap=1e-6):
        """Return (upper bound, support or None): the support is optimal, up to `gap`, when it is there."""
        bound = np.inf
        for _ in range(rounds):
            constraints = [
                LinearConstraint(vstack(self.rows).tocsr(), np.concatenate(self.low), np.inf),
                LinearConstraint(np.ones((1, self.n)), 0, self.size),
            ]
            found = milp(
                -self.prizes,
                integrality=np.ones(self.n),
                bounds=Bounds(0, 1),
                constraints=constraints,
                options={"time_limit": seconds, "mip_rel_gap": gap},
            )
            if found.mip_dual_bound is not None:
                bound = min(bound, -found.mip_dual_bound)
            if found.x is None or found.status != 0:
                return bound, None
            chosen = found.x > 0.5
            label = connected_components(self.adjacency[chosen][:, chosen], directed=False)[1]
            if label.max() == 0:
                return bound, np.flatnonzero(chosen)
            nodes = np.flatnonzero(chosen)
            parts = [np.isin(np.arange(self.n), nodes[label == k]) for k in range(label.max() + 1)]
            parts.sort(key=lambda part: -self.prizes[part].sum())
            cuts = [cut for other in parts[1:] for cut in self._cut(other, parts[0])]
            self.rows.append(csr_array(np.array([row for row, _ in cuts])))
            self.low.append(np.array([low for _, low in cuts]))
        return bound, None
