"""The paper's eight methods as learners, and its two algorithms as printed."""

from __future__ import annotations

import numpy as np

from graphiht.fitting import fit_path
from graphiht.losses import balanced_logistic
from graphiht.solver import EPOCH_LIMIT
from study.cv.model import GridPoint, Learner, Model
from study.cv.network import solver_options
from study.data.studyfile import Study
from study.methods import STOPPED_EARLY, Method


class IHT(Learner):
    """A method of `graphiht.methods` that steps, along a path of sparsities, penalties and epochs.

    The numbers of epochs are iterates of one fit: stopping early is a setting like any other, and costs nothing more
    than the longest fit.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.name = method.fits or method.name
        self.lambdas = sorted(settings["lambdas"], reverse=True)
        epochs = sorted(method.epochs or settings["epochs"])
        self.most_epochs = epochs[-1]
        self.options = solver_options(study, settings, method.uses_network)
        if method.tolerance:
            self.options["tol"] = method.tolerance
        if method.option:
            self.options["option"] = method.option
        if method.mini_batch:
            self.options["mini_batch"] = method.mini_batch
        self.points = [
            GridPoint(lam, sparsity, blocks, epochs=number)
            for blocks in sorted(settings["n_blocks"])
            for lam in self.lambdas
            for sparsity in sorted(settings["sparsities"])
            for number in epochs
        ]

    def models(self, X, y, points, rng, weights):
        """Return a model per point."""
        loss = balanced_logistic(X, y, sample_weight=weights, dtype=np.float32)
        loss.precompute()
        seed, models = int(rng.integers(2**63)), {}
        for blocks in dict.fromkeys(point.n_blocks for point in points):
            own = [point for point in points if point.n_blocks == blocks]
            epochs = sorted({point.epochs for point in own})
            path = fit_path(
                self.name,
                loss,
                sparsities=sorted({point.sparsity for point in own}),
                lambdas=sorted({point.lam for point in own}, reverse=True),
                n_blocks=blocks,
                rng=np.random.default_rng(seed),
                max_epochs=epochs[-1],
                checkpoints=epochs,
                **self.options,
            )
            for (lam, sparsity), fit in path.items():
                for number, iterate in fit.checkpoints.items():
                    models[GridPoint(lam, sparsity, blocks, epochs=number)] = self._as_model(iterate)
        return models

    def _as_model(self, fit) -> Model:
        # Fewer epochs than the most are a choice, not a limit that was hit.
        early = fit.status == EPOCH_LIMIT and fit.epochs < self.most_epochs
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
