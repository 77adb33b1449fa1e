"""Best subset selection by abess, with our objective."""

from study.cv.model import Learner, Model, sparse_grid
from study.cv.newton import balanced_weights
from study.data.studyfile import Study
from study.errors import StudyError
from study.methods import Method


class BestSubset(Learner):
    """The s genes that abess splices into a support, with its ridge weights, on the grid of the library's methods.

    abess minimises sum k_i f_i + alpha ||w||^2, so alpha is n lambda / 2. It uses one thread, and every fit starts
    from nothing: its warm starts would depend on the grid. The order of patients changes the last bits of its sums.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.points = sparse_grid(settings)

    def models(self, X, y, points, rng, weights):
        """Return a model per point; nothing is random."""
        try:
            from abess.linear import LogisticRegression
        except ImportError as error:
            raise StudyError(f"methods: abess needs its package, which cannot be used here: {error}.") from None
        k, models = balanced_weights(y, weights), {}
        for point in points:
            estimator = LogisticRegression(
                support_size=[point.sparsity],
                alpha=len(y) * point.lam / 2,
                ic_type="loss",
                thread=1,
                is_warm_start=False,
                primary_model_fit_max_iter=100,
            )
            estimator.fit(X, y, is_normal=False, sample_weight=k)
            genes = estimator.coef_.nonzero()[0]
            models[point] = Model(genes, estimator.coef_[genes], float(estimator.intercept_))
        return models
