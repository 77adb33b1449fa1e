"""The library's hard thresholding pursuits as learners: `htp` and `graph-htp`."""

from __future__ import annotations

from graphiht.fitting import fit_path
from graphiht.losses import Loss, balanced_logistic
from graphiht.solver import FitResult
from study.cv.model import GridPoint, Learner, Model
from study.cv.network import solver_options
from study.data.studyfile import Study
from study.methods import Method


class Pursuit(Learner):
    """A method of `graphiht.methods` that refits each support, along a path of sparsities and penalties.

    Its fits run to the end, so there are no epochs to choose, and the full gradient has no blocks.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.name = method.fits or method.name
        self.options = solver_options(study, settings, method.uses_network)
        self.points = [
            GridPoint(lam, sparsity)
            for lam in sorted(settings["lambdas"], reverse=True)
            for sparsity in sorted(settings["sparsities"])
        ]

    def models(self, X, y, points, rng, weights):
        """Return a model per point; nothing is random."""
        return self.models_of(balanced_logistic(X, y, sample_weight=weights), points)

    def models_of(self, loss: Loss, points: list[GridPoint]) -> dict[GridPoint, Model]:
        """Return a model per point that minimises a loss."""
        path = fit_path(
            self.name,
            loss,
            sparsities=sorted({point.sparsity for point in points}),
            lambdas=sorted({point.lam for point in points}, reverse=True),
            **self.options,
        )
        return {point: _as_model(path[point.lam, point.sparsity]) for point in points}


def _as_model(fit: FitResult) -> Model:
    details = {
        "epochs": fit.epochs,
        "data_points": fit.data_points,
        "n_solves": fit.n_solves,
        "loss_trace": [float(value) for value in fit.loss_trace],
    }
    return Model(fit.support, fit.weights[fit.support], float(fit.intercept), fit.status, details)
