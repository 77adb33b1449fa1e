"""The best connected support there is, or a bound on it: an integer programme with cuts, for measuring projections."""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, identity, vstack
from scipy.sparse.csgraph import connected_components


class Optimum:
    """max sum of prizes over connected sets of at most `size` nodes.

    Connectivity is added where it is violated: if i and j are chosen, so is a node of every set that separates them,
    x_i + x_j - 1 <= x(N), N the neighbours of i's part that lead on to j. Every round solves a relaxation, so its value
    is an upper bound; when its solution is connected it is the optimum.
    """

    def __init__(self, edges, n_nodes, prizes, size):
        self.n, self.size, self.prizes = n_nodes, size, prizes
        ends = np.vstack([edges, np.asarray(edges)[:, ::-1]])
        ones = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n_nodes, n_nodes))
        self.adjacency = ones.astype(bool).astype(float)
        # A chosen node has a chosen neighbour, if there is room for two.
        self.rows = [csr_array(self.adjacency - identity(n_nodes))] if size > 1 else []
        self.low = [np.zeros(n_nodes)] if size > 1 else []

    def _neighbours(self, inside):
        return (self.adjacency @ inside.astype(float) > 0) & ~inside

    def _cut(self, part, source, target):
        """Return the neighbours of a part that lead on to the target, less the two ends."""
        around = self._neighbours(part)
        free = np.flatnonzero(~around)
        label = np.full(self.n, -1)
        label[free] = connected_components(self.adjacency[free][:, free], directed=False)[1]
        row = (around & self._neighbours(label == label[target])).astype(float)
        row[[source, target]] -= 1
        return row

    def solve(self, rounds=60, seconds=20.0, gap=1e-6):
        """Return (upper bound, support or None): the support is optimal, up to `gap`, when it is there."""
        bound = np.inf
        for _ in range(rounds):
            constraints = [LinearConstraint(np.ones((1, self.n)), 0, self.size)]
            if self.rows:
                constraints.append(LinearConstraint(vstack(self.rows).tocsr(), np.concatenate(self.low), np.inf))
            options = {"time_limit": seconds, "mip_rel_gap": gap}
            ones = np.ones(self.n)
            found = milp(-self.prizes, integrality=ones, bounds=Bounds(0, 1), constraints=constraints, options=options)
            if found.mip_dual_bound is not None:
                bound = min(bound, -found.mip_dual_bound)
            if found.x is None or found.status != 0:
                return bound, None
            nodes = np.flatnonzero(found.x > 0.5)
            n_parts, label = connected_components(self.adjacency[nodes][:, nodes], directed=False)
            if n_parts == 1:
                return bound, nodes
            parts = [np.isin(np.arange(self.n), nodes[label == k]) for k in range(n_parts)]
            parts.sort(key=lambda part: -self.prizes[part].sum())
            best = [np.flatnonzero(part)[self.prizes[part].argmax()] for part in parts]
            cuts = [self._cut(parts[0], best[0], j) for j in best[1:]]
            cuts += [self._cut(part, j, best[0]) for part, j in zip(parts[1:], best[1:], strict=True)]
            self.rows.append(csr_array(np.array(cuts)))
            self.low.append(np.full(len(cuts), -1.0))
        return bound, None
