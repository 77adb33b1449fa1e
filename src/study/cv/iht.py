"""The library's eight methods as learners."""

from __future__ import annotations

import numpy as np

from graphiht.fitting import fit_path
from graphiht.losses import balanced_logistic
from graphiht.solver import EPOCH_LIMIT, HEAD, SLACK
from study.cv.model import Model, Point
from study.cv.network import network_of
from study.data.studyfile import Study
from study.methods import STOPPED_EARLY, Method


class IHT:
    """One of the eight methods of `graphiht.methods`, along a path of sparsities, penalties and epochs.

    The numbers of epochs are iterates of one fit: stopping early is a setting like any other, and costs nothing more
    than the longest fit.

    Parameters
    ----------
    method : Method
    settings : dict
        The keys sparsities, lambdas, n_blocks, epochs, n_components, tolerance, scsg_inner_steps, scsg_option,
        edge_cost and, optionally, head and slack of the configuration.
    study : Study
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.name = method.fits or method.name
        self.settings = settings
        self.sparsities = sorted(settings["sparsities"])
        self.lambdas = sorted(settings["lambdas"], reverse=True)
        self.n_blocks = sorted(settings["n_blocks"])
        self.epochs = sorted(method.epochs or settings["epochs"])
        self.options = {
            "network": network_of(study, settings) if method.uses_network else None,
            "n_components": settings["n_components"],
            "head": settings.get("head", HEAD),
            "slack": settings.get("slack", SLACK),
            "tol": method.tolerance or settings["tolerance"],
        }
        if method.gradient == "scsg":
            self.options["inner_steps"] = settings["scsg_inner_steps"]
        self.points = [
            Point(lam, sparsity, blocks, epochs=epochs)
            for blocks in self.n_blocks
            for lam in self.lambdas
            for sparsity in self.sparsities
            for epochs in self.epochs
        ]

    @staticmethod
    def _loss(X: np.ndarray, y: np.ndarray, weights: np.ndarray | None):
        return balanced_logistic(X, y, sample_weight=weights, dtype=np.float32)

    def _path(
        self, loss, seed: int, n_blocks: int, lambdas: list[float], sparsities: list[int], epochs: list[int]
    ) -> dict:
        return fit_path(
            self.name,
            loss,
            sparsities=sparsities,
            lambdas=lambdas,
            n_blocks=n_blocks,
            option=self.settings["scsg_option"],
            rng=np.random.default_rng(seed),
            max_epochs=max(epochs),
            checkpoints=epochs,
            **self.options,
        )

    def fit_grid(
        self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> dict[Point, Model]:
        """Return a model per point."""
        loss, seed = self._loss(X, y, weights), int(rng.integers(2**63))
        models = {}
        for blocks in self.n_blocks:
            path = self._path(loss, seed, blocks, self.lambdas, self.sparsities, self.epochs)
            for (lam, sparsity), fit in path.items():
                for epochs, iterate in fit.checkpoints.items():
                    models[Point(lam, sparsity, blocks, epochs=epochs)] = self._as_model(iterate)
        return models

    def fit(
        self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> Model:
        """Return the model of one point, which need not be one of the grid."""
        loss, seed = self._loss(X, y, weights), int(rng.integers(2**63))
        path = self._path(loss, seed, point.n_blocks, [point.lam], [point.sparsity], [point.epochs])
        return self._as_model(path[point.lam, point.sparsity])

    def _as_model(self, fit) -> Model:
        # Fewer epochs than the most are a choice, not a limit that was hit.
        early = fit.status == EPOCH_LIMIT and fit.epochs < self.epochs[-1]
        details = {
            "epochs": fit.epochs,
            "data_points": fit.data_points,
            "n_solves": fit.n_solves,
            "n_line_searches": fit.n_line_searches,
            "n_line_searches_failed": fit.n_line_searches_failed,
            "loss_trace": [float(value) for value in fit.loss_trace],
        }
        status = STOPPED_EARLY if early else fit.status
        return Model(fit.support, fit.weights[fit.support], float(fit.intercept), status, details)
