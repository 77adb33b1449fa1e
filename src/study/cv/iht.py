"""The library's eight methods as learners."""

from __future__ import annotations

import numpy as np

from graphiht.fitting import fit_path
from graphiht.losses import balanced_logistic
from study.cv.model import Model, Point
from study.cv.network import network_of
from study.data.studyfile import Study
from study.methods import Method


class IHT:
    """One of the eight methods of `graphiht.methods`, along a path of sparsities and penalties.

    Parameters
    ----------
    method : Method
    settings : dict
        The keys sparsities, lambdas, n_blocks, n_components, max_epochs, tolerance, scsg_inner_steps and
        scsg_option and edge_cost of the configuration.
    study : Study
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.method = method
        self.settings = settings
        self.sparsities = sorted(settings["sparsities"])
        self.lambdas = sorted(settings["lambdas"], reverse=True)
        self.n_blocks = sorted(settings["n_blocks"])
        self.options = {
            "network": network_of(study, settings) if method.uses_network else None,
            "n_components": settings["n_components"],
            "max_epochs": settings["max_epochs"],
            "tol": settings["tolerance"],
        }
        if method.gradient == "scsg":
            self.options["inner_steps"] = settings["scsg_inner_steps"]
        self.points = [
            Point(lam, sparsity, blocks)
            for blocks in self.n_blocks
            for lam in self.lambdas
            for sparsity in self.sparsities
        ]

    @staticmethod
    def _loss(X: np.ndarray, y: np.ndarray, weights: np.ndarray | None):
        return balanced_logistic(X, y, sample_weight=weights, dtype=np.float32)

    def _path(self, loss, seed: int, n_blocks: int, lambdas: list[float], sparsities: list[int]) -> dict:
        return fit_path(
            self.method.name,
            loss,
            sparsities=sparsities,
            lambdas=lambdas,
            n_blocks=n_blocks,
            option=self.settings["scsg_option"],
            rng=np.random.default_rng(seed),
            **self.options,
        )

    def fit_grid(
        self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> dict[Point, Model]:
        """Return a model per point."""
        loss, seed = self._loss(X, y, weights), int(rng.integers(2**63))
        models = {}
        for blocks in self.n_blocks:
            for (lam, sparsity), fit in self._path(loss, seed, blocks, self.lambdas, self.sparsities).items():
                models[Point(lam, sparsity, blocks)] = _as_model(fit)
        return models

    def fit(
        self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> Model:
        """Return the model of one point: down the penalties to its own, as in the grid."""
        loss, seed = self._loss(X, y, weights), int(rng.integers(2**63))
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
