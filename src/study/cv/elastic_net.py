"""Elastic-net and L1 logistic regression with balanced classes along a path of penalties, by skglm's proximal Newton.

At 200 patients x 1,900 genes a path of 13 L1 penalties takes .055 s, each fit from the one before, where scikit-learn's
liblinear takes .15 s for objectives that are a little larger; its only solver for the elastic net, saga, needs
thousands of passes: 50 s a path where this takes .1 to 4 s.
"""

import numpy as np
from numba import float64
from skglm.datafits.base import BaseDatafit
from skglm.penalties import L1_plus_L2
from skglm.solvers import ProxNewton

from study.cv.model import GridPoint, Learner, Model
from study.cv.penalised import class_balanced, grid
from study.data.studyfile import Study
from study.methods import Method

TOLERANCE = 1e-5
MAX_ITERATIONS = 100


class WeightedLogistic(BaseDatafit):
    """(1/n) sum_i k_i log(1 + exp(-y_i m_i)), y in {-1, +1}: what skglm's own logistic loss is without weights.

    skglm compiles it, so the methods keep to what numba knows.
    """

    def __init__(self, sample_weights):
        self.sample_weights = sample_weights

    def get_spec(self):
        """Return the types of the attributes, for the compiler."""
        return (("sample_weights", float64[:]),)

    def params_to_dict(self):
        """Return what a compiled copy is made from."""
        return {"sample_weights": self.sample_weights}

    def initialize(self, X, y):
        """Nothing to prepare."""

    def value(self, y, w, Xw):
        """Return the loss at margins Xw."""
        z = y * Xw
        return np.sum(self.sample_weights * (np.log1p(np.exp(-np.abs(z))) + np.maximum(-z, 0.0))) / len(y)

    def raw_grad(self, y, Xw):
        """Return the derivative with respect to each margin."""
        return -y * self.sample_weights / (1.0 + np.exp(y * Xw)) / len(y)

    def raw_hessian(self, y, Xw):
        """Return the second derivative with respect to each margin."""
        e = np.exp(-np.abs(Xw))
        return self.sample_weights * e / (1.0 + e) ** 2 / len(y)


def elastic_net_path(
    X: np.ndarray, y: np.ndarray, points: list[GridPoint], weights: np.ndarray | None = None
) -> dict[GridPoint, Model]:
    """Return a model per point, all of one share of L1, each fit starting at the one before.

    Minimised is sum_i k_i loss_i + lambda (l1_ratio ||w||_1 + (1 - l1_ratio)/2 ||w||^2), k = n / (2 class size), as
    by scikit-learn's LogisticRegression with C = 1/lambda and balanced classes. Points from strong to weak
    penalties go fastest.
    """
    n = len(y)
    labels = np.where(y == 1, 1.0, -1.0)
    loss = WeightedLogistic(class_balanced(y, weights))
    X = np.asfortranarray(X, dtype=np.float64)
    w, margins, models = np.zeros(X.shape[1] + 1), np.zeros(n), {}
    for point in points:
        solver = ProxNewton(tol=TOLERANCE, max_iter=MAX_ITERATIONS, warm_start=True)
        penalty = L1_plus_L2(alpha=point.lam / n, l1_ratio=point.l1_ratio)
        w, objectives, violation = solver.solve(X, labels, loss, penalty, w.copy(), margins)
        margins = X @ w[:-1] + w[-1]
        genes, status = np.flatnonzero(w[:-1]), "converged" if violation <= TOLERANCE else "epoch limit"
        models[point] = Model(genes, w[genes], float(w[-1]), status, {"epochs": len(objectives)})
    return models


class ElasticNet(Learner):
    """The elastic net, for several shares of L1 in the penalty, along paths from strong to weak penalties."""

    def __init__(self, method: Method, settings: dict, study: Study):
        self.points = grid(method)

    def models(self, X, y, points, rng, weights):
        """Return a model per point, at the end of a path through all stronger penalties of the grid."""
        models = {}
        for ratio in dict.fromkeys(point.l1_ratio for point in points):
            own = {point for point in points if point.l1_ratio == ratio}
            weakest = min(point.lam for point in own)
            own |= {point for point in self.points if point.l1_ratio == ratio and point.lam > weakest}
            models |= elastic_net_path(X, y, sorted(own, key=lambda point: -point.lam), weights)
        return models
