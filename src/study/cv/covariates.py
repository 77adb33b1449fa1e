"""The covariates alone: what the genes of the other methods are to add to."""

from graphiht.pursuit import free_columns, refit_free
from study.cv.model import GridPoint, Model
from study.cv.pursuit import Pursuit
from study.data.studyfile import Study
from study.methods import Method


class Covariates(Pursuit):
    """The refit of a pursuit without any gene: logistic regression or Cox's model, not penalised."""

    def __init__(self, method: Method, settings: dict, study: Study):
        super().__init__(method, settings, study)
        self.points = [GridPoint()]

    def models(self, X, y, points, rng, weights):
        """Return the one model."""
        covariates = X[:, self.n_genes :]
        free = refit_free(self.loss(X, y, weights), free_columns(len(X), not self.is_cox, covariates)).free
        n = covariates.shape[1]
        model = Model(free[:0].astype(int), free[:0], float(free[n:].sum()), covariates=free[:n])
        return dict.fromkeys(points, model)
