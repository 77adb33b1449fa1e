"""What can be cross-validated: learners that fit every point of their grid, and the models they return.

A learner has `points`, the settings it chooses from; `fit_grid(X, y, rng)`, a model per point; and
`fit(X, y, point, rng)`, the model of one point, equal to the bit to that of the grid. X is standardised and holds
training rows only.
"""

from __future__ import annotations

import numpy as np

from graphiht.losses import balanced_logistic
from graphiht.methods import fit_path
from graphiht.network import Network
from graphiht.projection import tail, top_s
from study.cv.model import Model, Point
from study.cv.newton import fit_ridge


class IHT:
    """One of the eight methods of `graphiht.methods`, along a path of sparsities and penalties.

    Parameters
    ----------
    method : str
    settings : dict
        The keys sparsities, lambdas, n_blocks, n_components, max_epochs, tolerance, scsg_inner_steps and
        scsg_option of the configuration.
    network : Network
    n_blocks : list of int, optional
        Those of the settings to fit; the others are somebody else's work.
    """

    def __init__(self, method: str, settings: dict, network: Network, n_blocks: list[int] | None = None):
        self.method = method
        self.settings = settings
        self.sparsities = sorted(settings["sparsities"])
        self.lambdas = sorted(settings["lambdas"], reverse=True)
        self.n_blocks = sorted(settings["n_blocks"]) if n_blocks is None else n_blocks
        self.options = {
            "network": network,
            "n_components": settings["n_components"],
            "max_epochs": settings["max_epochs"],
            "tol": settings["tolerance"],
        }
        self.points = [
            Point(lam, sparsity, blocks)
            for blocks in self.n_blocks
            for lam in self.lambdas
            for sparsity in self.sparsities
        ]

    def _mini_batch(self, n_rows: int, n_blocks: int) -> int | None:
        """SCSG's b: its batch of n_rows / n_blocks rows divided by the number of inner steps."""
        if "scsg" not in self.method:
            return None
        batch = -(-n_rows // n_blocks)
        return -(-batch // self.settings["scsg_inner_steps"])

    @staticmethod
    def _loss(X: np.ndarray, y: np.ndarray):
        return balanced_logistic(X, y, dtype=np.float32)

    def _path(self, loss, seed: int, n_blocks: int, lambdas: list[float], sparsities: list[int]) -> dict:
        return fit_path(
            self.method,
            loss,
            sparsities=sparsities,
            lambdas=lambdas,
            n_blocks=n_blocks,
            mini_batch=self._mini_batch(loss.n_rows, n_blocks),
            option=self.settings["scsg_option"],
            rng=np.random.default_rng(seed),
            **self.options,
        )

    def fit_grid(self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[Point, Model]:
        """Return a model per point."""
        loss, seed = self._loss(X, y), int(rng.integers(2**63))
        models = {}
        for blocks in self.n_blocks:
            for (lam, sparsity), fit in self._path(loss, seed, blocks, self.lambdas, self.sparsities).items():
                models[Point(lam, sparsity, blocks)] = _as_model(fit)
        return models

    def fit(self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator) -> Model:
        """Return the model of one point: down the penalties to its own, as in the grid."""
        loss, seed = self._loss(X, y), int(rng.integers(2**63))
        lambdas = [lam for lam in self.lambdas if lam >= point.lam]
        path = self._path(loss, seed, point.n_blocks, lambdas, [point.sparsity])
        return _as_model(path[point.lam, point.sparsity])


def _as_model(fit) -> Model:
    details = {
        "epochs": fit.epochs,
        "data_points": fit.data_points,
        "n_solves": fit.n_solves,
        "n_line_searches": fit.n_line_searches,
        "n_line_searches_failed": fit.n_line_searches_failed,
        "loss_trace": [float(value) for value in fit.loss_trace],
    }
    return Model(fit.support, fit.weights[fit.support], float(fit.intercept), fit.status, details)


class TStatistics:
    """The baseline: genes by their t statistics, once, then ridge weights.

    With a network the genes are one graph projection of the t statistics (`t-graph`), without one the largest
    in absolute value (`t-top`).
    """

    def __init__(self, settings: dict, network: Network | None):
        self.network = network
        self.n_components = settings["n_components"]
        self.lambdas = sorted(settings["lambdas"], reverse=True)
        self.sparsities = sorted(settings["sparsities"])
        self.points = [Point(lam, sparsity) for lam in self.lambdas for sparsity in self.sparsities]

    def select(self, X: np.ndarray, y: np.ndarray, sparsities: list[int]) -> dict[int, np.ndarray]:
        """Return the genes that each of the sparsities allows."""
        t = t_statistics(X, y)
        if self.network is None:
            return {sparsity: top_s(t, sparsity).support for sparsity in sparsities}
        return {
            sparsity: tail(t, self.network, sparsity, self.n_components).support for sparsity in sparsities
        }

    def fit_grid(self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[Point, Model]:
        """Return a model per point; nothing is random."""
        genes = self.select(X, y, self.sparsities)
        return {point: self._weigh(X, y, genes[point.sparsity], point.lam) for point in self.points}

    def fit(self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator) -> Model:
        """Return the model of one point."""
        return self._weigh(X, y, self.select(X, y, [point.sparsity])[point.sparsity], point.lam)

    @staticmethod
    def _weigh(X: np.ndarray, y: np.ndarray, genes: np.ndarray, lam: float) -> Model:
        weights, intercept = fit_ridge(X[:, genes], y, lam)
        return Model(genes, weights, intercept)


def t_statistics(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the two-sample t statistic (pooled variance) of every gene."""
    positive, negative = X[y == 1], X[y != 1]
    n1, n0 = len(positive), len(negative)
    pooled = ((n1 - 1) * positive.var(axis=0, ddof=1) + (n0 - 1) * negative.var(axis=0, ddof=1)) / (
        n1 + n0 - 2
    )
    error = np.sqrt(pooled * (1 / n1 + 1 / n0))
    difference = positive.mean(axis=0) - negative.mean(axis=0)
    return np.divide(difference, error, out=np.zeros_like(difference), where=error > 0)
