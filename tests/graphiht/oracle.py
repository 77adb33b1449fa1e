"""Algorithms 1 and 2 of the paper, and the methods around them, in plain NumPy: the oracle of the compiled loop.

Nothing of the library is used. Losses are written out, a line search evaluates the loss at each step, and projections
try all sets of nodes, so that graphs have a dozen of them. The rows of each epoch are given.
"""

from itertools import combinations

import numpy as np


def sets_of(n_nodes, edges, size, n_components):
    """Return all sets of at most `size` nodes in at most `n_components` connected components, as rows of booleans."""
    near = np.eye(n_nodes, dtype=bool)
    near[tuple(np.transpose(edges))] = near[tuple(np.transpose(edges)[::-1])] = True

    def count(nodes):
        left, found = set(nodes), 0
        while left:
            stack, found = [left.pop()], found + 1
            while stack:
                reached = {node for node in left if near[stack[-1], node]}
                stack.pop()
                left -= reached
                stack += reached
        return found

    chosen = [
        nodes for k in range(1, size + 1) for nodes in combinations(range(n_nodes), k) if count(nodes) <= n_components
    ]
    return np.array([np.isin(np.arange(n_nodes), nodes) for nodes in chosen])


def best_of(sets):
    """Return the projection onto the best of some sets: the one that holds most of ||z||^2."""
    return lambda z: np.flatnonzero(sets[np.argmax(sets @ z**2)])


def largest(size):
    """Return the projection onto the `size` largest entries."""
    return lambda z: np.sort(np.argsort(-np.abs(z), kind="stable")[:size])


class Problem:
    """The mean over rows of k_i log(1 + exp(-y_i m_i)) or k_i (m_i - y_i)^2 / 2, and a ridge penalty."""

    def __init__(self, X, y, k, lam, is_logistic):
        self.X, self.y, self.k, self.lam, self.is_logistic = X, y, k, lam, is_logistic

    def value(self, w, c, rows):
        margins = self.X[rows] @ w + c
        each = np.logaddexp(0, -self.y[rows] * margins) if self.is_logistic else (margins - self.y[rows]) ** 2 / 2
        return np.mean(self.k[rows] * each) + self.lam / 2 * w @ w

    def slopes(self, w, c, rows):
        """Return the first and second derivatives of the losses of the rows with respect to the margins."""
        margins = self.X[rows] @ w + c
        if not self.is_logistic:
            return self.k[rows] * (margins - self.y[rows]), self.k[rows]
        p = 1 / (1 + np.exp(self.y[rows] * margins))
        return -self.k[rows] * self.y[rows] * p, self.k[rows] * p * (1 - p)

    def gradient(self, w, c, rows):
        """Return the gradient over the rows, with the derivative along the intercept at its end."""
        slopes = self.slopes(w, c, rows)[0] / len(rows)
        return np.append(self.X[rows].T @ slopes + self.lam * w, slopes.sum())

    def step(self, w, c, tau, slope, rows, shrink, most):
        """Return the first step shrink^k, k = 0, ..., most, of sufficient decrease on the rows, or the last."""
        here = self.value(w, c, rows)
        for k in range(most + 1):
            step = shrink**k
            bound = here - step / 2 * (tau @ tau + slope**2)
            if self.value(w - step * tau, c - step * slope, rows) <= bound + 1e-14 * here:
                break
        return step

    def newton(self, w, c, rows, n_steps):
        """Return the intercept after some Newton steps, each of at most 1 for the logistic loss."""
        for _ in range(n_steps):
            first, second = self.slopes(w, c, rows)
            move = first.sum() / second.sum()
            c -= np.clip(move, -1, 1) if self.is_logistic else move
        return c


def trajectory(problem, epochs, head, tail, step, shrink, most, intercept):
    """Yield (w, c, data points so far) after each epoch of (rows at the anchor, rows of each step), from zero.

    Without rows at the anchor, v is the gradient over the rows of the step. `intercept` is "gradient", "none", or a
    number of Newton steps.
    """
    w, c, points = np.zeros(problem.X.shape[1]), 0.0, 0
    for outer, steps in epochs:
        w_anchor, c_anchor = w, c
        points += len(outer)
        for rows in steps:
            v, searched = problem.gradient(w, c, rows), rows
            points += len(rows)
            if len(outer):
                v = v - problem.gradient(w_anchor, c_anchor, rows) + problem.gradient(w_anchor, c_anchor, outer)
                points, searched = points + len(rows), outer
            tau, slope = np.zeros_like(w), v[-1] if intercept == "gradient" else 0.0
            kept = head(v[:-1])
            tau[kept] = v[kept]
            eta = step or problem.step(w, c, tau, slope, searched, shrink, most)
            z, c = w - eta * tau, c - eta * slope
            kept = tail(z)
            w = np.zeros_like(z)
            w[kept] = z[kept]
            if isinstance(intercept, int):
                c = problem.newton(w, c, searched, intercept)
        yield w, c, points
