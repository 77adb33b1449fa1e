"""The one-step baselines: genes by their t statistics."""

import numpy as np

from study.cv.model import Learner, sparse_grid
from study.cv.network import selector, walk_solver
from study.cv.newton import ridge_model
from study.data.studyfile import Study
from study.methods import Method


class TStatistics(Learner):
    """Genes by their t statistics, once, then ridge weights.

    With the network the genes are one graph projection of the t statistics (`t-graph`), without it the largest in
    absolute value (`t-top`), also after smoothing by random walks on the network (`walk-t`).
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.select = selector(method, study, settings)
        self.walks = {alpha: walk_solver(study.edges, study.X.shape[1], alpha) for alpha in method.smoothing}
        self.points = [
            point._replace(smoothing=alpha) for alpha in self.walks or (0.0,) for point in sparse_grid(settings)
        ]

    def models(self, X, y, points, rng, weights):
        """Return a model per point; nothing is random."""
        t, genes = t_statistics(X, y, weights), {}
        for alpha in {point.smoothing for point in points}:
            values = self.walks[alpha](t) if alpha else t
            for sparsity in {point.sparsity for point in points}:
                genes[alpha, sparsity] = self.select(values, sparsity)
        return {
            point: ridge_model(X, y, genes[point.smoothing, point.sparsity], point.lam, weights) for point in points
        }


def t_statistics(X: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the two-sample t statistic (pooled variance) of every gene.

    With weights, means and variances are weighted, and a class counts as many patients as would be as precise without,
    (sum w)^2 / sum w^2 (Kish).
    """
    classes = [_moments(X[part], None if weights is None else weights[part]) for part in (y == 1, y != 1)]
    (n1, mean1, spread1), (n0, mean0, spread0) = classes
    pooled = (spread1 + spread0) / (n1 + n0 - 2)
    error = np.sqrt(pooled * (1 / n1 + 1 / n0))
    difference = mean1 - mean0
    return np.divide(difference, error, out=np.zeros_like(difference), where=error > 0)


def _moments(X: np.ndarray, weights: np.ndarray | None) -> tuple[float, np.ndarray, np.ndarray]:
    """Return (patients, means, sums of squares about them)."""
    if weights is None:
        return len(X), X.mean(axis=0), (len(X) - 1) * X.var(axis=0, ddof=1)
    n = weights.sum() ** 2 / (weights**2).sum()
    share = weights / weights.sum()
    mean = share @ X
    return n, mean, n * (share @ (X - mean) ** 2)
