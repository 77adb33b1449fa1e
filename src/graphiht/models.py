"""Sparsity models: which supports are allowed, and how a vector is brought onto them.

A model answers two questions of the loop: `head(v)`, the part of the gradient to follow, and `tail(z)`, the
support the next iterate keeps. Both count their prize-collecting Steiner solves.
"""

import math

import numpy as np

from graphiht import projection

HEADS = ("identity", "half", "2s")


class TopS:
    """At most s nonzeros, anywhere: the whole gradient is followed, the s largest entries are kept."""

    n_solves = 0
    warm = None
    first = None

    def __init__(self, sparsity):
        self.sparsity = sparsity

    def head(self, v):
        """Return (direction, its support or None when nothing is left out)."""
        return v, None

    def tail(self, z):
        """Return the sorted support that approximates z best."""
        return projection.largest(z, self.sparsity)


class GraphSparsity:
    """At most s nodes (up to a slack) in `n_components` connected components of a network.

    Parameters
    ----------
    network : Network
    sparsity, n_components : int
    head : {"identity", "half", "2s"} or int
        Size of the head projection. "identity" keeps the whole gradient: a head projection with constant 1,
        and free; "half" keeps p/2 nodes; "2s" is the paper's sum of two models.
    slack : float
        The tail keeps between s and (1 + slack) s nodes.
    warm : pair, optional
        Where the searches of the (head, tail) projections start: the `warm` of a related model.

    Attributes
    ----------
    first : (vector, Projection) or None
        The first tail projection. Of another model that begins at the same vector, it saves this one the work.
    """

    def __init__(self, network, sparsity, n_components=1, head="identity", slack=0.1, warm=None, first=None):
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
        self.n_solves = 0
        self.warm = (math.nan, math.nan) if warm is None else warm
        self.first = first
        self._is_first = True

    def head(self, v):
        """Return (direction, its support or None when nothing is left out)."""
        if self.head_size is None:
            return v, None
        found = self._project(v, self.head_size, self.warm[0], projection.HEAD)
        self.warm = (found.lam, self.warm[1])
        direction = np.zeros_like(v)
        direction[found.support] = v[found.support]
        return direction, found.support

    def tail(self, z):
        """Return the sorted support, connected in the network, that approximates z."""
        if self._is_first and self.first is not None and np.array_equal(z, self.first[0]):
            found = self.first[1]
        else:
            found = self._project(z, self.sparsity, self.warm[1], projection.TAIL)
        if self._is_first:
            self.first = (z, found)
            self._is_first = False
        self.warm = (self.warm[0], found.lam)
        return found.support

    def _project(self, v, size, warm, kind):
        """Return the head or tail projection of a vector known to be sound, and count its solves."""
        low, high = projection.window(size, self.slack, self.network.n_nodes)
        found = projection.project_unchecked(v, self.network, low, high, self.n_components, warm, kind=kind)
        self.n_solves += found.n_solves
        return found
