"""The library's hard thresholding pursuits as learners, `htp` and `graph-htp`, with covariates and Cox's model."""

import numpy as np

from graphiht.fitting import fit_path
from graphiht.losses import Loss, balanced_logistic
from graphiht.pursuit import PursuitResult
from graphiht.survival import CoxLoss
from study.cv.model import GridPoint, Learner, Model, sparse_grid
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
        self.is_cox = (settings.get("outcome") or {}).get("model") == "cox"
        self.n_genes = len(study.symbol)
        self.points = sparse_grid(settings)

    def models(self, X, y, points, rng, weights):
        """Return a model per point; nothing is random."""
        return self.models_of(self.loss(X, y, weights), points, X[:, self.n_genes :])

    def loss(self, X: np.ndarray, y: np.ndarray, weights: np.ndarray | None) -> Loss | CoxLoss:
        """Return the loss on the genes, which come first in X."""
        genes = X[:, : self.n_genes]
        return CoxLoss(genes, y > 0, np.abs(y)) if self.is_cox else balanced_logistic(genes, y, sample_weight=weights)

    def models_of(
        self, loss: Loss | CoxLoss, points: list[GridPoint], covariates: np.ndarray | None = None
    ) -> dict[GridPoint, Model]:
        """Return a model per point that minimises a loss."""
        path = fit_path(
            self.name,
            loss,
            sparsities=sorted({point.sparsity for point in points}),
            lambdas=sorted({point.lam for point in points}, reverse=True),
            covariates=covariates,
            **self.options,
        )
        return {point: _as_model(path[point.lam, point.sparsity]) for point in points}


def _as_model(fit: PursuitResult) -> Model:
    details = {
        "epochs": fit.epochs,
        "data_points": fit.data_points,
        "n_solves": fit.n_solves,
        "loss_trace": [float(value) for value in fit.loss_trace],
    }
    return Model(
        fit.support, fit.weights[fit.support], float(fit.intercept), fit.status, details, fit.covariate_weights
    )
