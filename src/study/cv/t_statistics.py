"""The one-step baselines: genes by their t statistics."""

from __future__ import annotations

import numpy as np

from graphiht.projection import tail, top_s
from study.cv.model import Model, Point
from study.cv.network import network_of
from study.cv.newton import ridge_model
from study.data.studyfile import Study
from study.methods import Method


class TStatistics:
    """Genes by their t statistics, once, then ridge weights.

    With the network the genes are one graph projection of the t statistics (`t-graph`), without it the largest in
    absolute value (`t-top`).
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.network = network_of(study, settings) if method.uses_network else None
        self.n_components = settings["n_components"]
        self.lambdas = sorted(settings["lambdas"], reverse=True)
        self.sparsities = sorted(settings["sparsities"])
        self.points = [Point(lam, sparsity) for lam in self.lambdas for sparsity in self.sparsities]

    def select(self, X: np.ndarray, y: np.ndarray, sparsities: list[int]) -> dict[int, np.ndarray]:
        """Return the genes that each of the sparsities allows."""
        t = t_statistics(X, y)
        if self.network is None:
            return {sparsity: top_s(t, sparsity).support for sparsity in sparsities}
        return {sparsity: tail(t, self.network, sparsity, self.n_components).support for sparsity in sparsities}

    def fit_grid(self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[Point, Model]:
        """Return a model per point; nothing is random."""
        genes = self.select(X, y, self.sparsities)
        return {point: ridge_model(X, y, genes[point.sparsity], point.lam) for point in self.points}

    def fit(self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator) -> Model:
        """Return the model of one point."""
        return ridge_model(X, y, self.select(X, y, [point.sparsity])[point.sparsity], point.lam)


def t_statistics(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the two-sample t statistic (pooled variance) of every gene."""
    positive, negative = X[y == 1], X[y != 1]
    n1, n0 = len(positive), len(negative)
    pooled = ((n1 - 1) * positive.var(axis=0, ddof=1) + (n0 - 1) * negative.var(axis=0, ddof=1)) / (n1 + n0 - 2)
    error = np.sqrt(pooled * (1 / n1 + 1 / n0))
    difference = positive.mean(axis=0) - negative.mean(axis=0)
    return np.divide(difference, error, out=np.zeros_like(difference), where=error > 0)
