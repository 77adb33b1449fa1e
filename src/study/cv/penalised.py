"""Ridge on all genes by scikit-learn, with balanced classes: the baseline."""

import warnings
from typing import ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from graphiht.survival import ridge_cox
from study.cv.model import GridPoint, Learner, Model
from study.data.studyfile import Study
from study.methods import Method


def grid(method: Method) -> list[GridPoint]:
    """Return the points of a method's own grid of C, for each share of L1 in the penalty."""
    assert method.C is not None
    values = np.logspace(*method.C)
    return [GridPoint(lam=1 / C, l1_ratio=ratio) for ratio in method.l1_ratios for C in values]


def class_balanced(y: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return n / (2 class size), as scikit-learn balances classes, with the sizes in weights if there are any."""
    weights = np.ones(len(y)) if weights is None else weights
    size = np.where(y == 1, weights[y == 1].sum(), weights[y != 1].sum())
    return weights * len(y) / (2 * size)


def rotated(X: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (U S, S^-1 U^T Z) of X Z^T = U S^2 U^T, which must be symmetric.

    With Z = X these are U S and V^T of X = U S V^T: there are far fewer rows than columns.
    """
    values, u = np.linalg.eigh(X @ Z.T)
    if not values[-1] > 0:
        # No gene varies in these rows: one direction, of length zero.
        return np.zeros((len(X), 1)), np.zeros((1, X.shape[1]))
    kept = values > 1e-10 * values[-1]
    s = np.sqrt(values[kept])
    return u[:, kept] * s, (u[:, kept] / s).T @ Z


class Ridge(Learner):
    """Ridge on all genes.

    The solution lies in the span of the rows, so Newton's method runs on X = U S V^T as U S: the same optimum, on n
    instead of p columns. Tolerances are those beyond which scores no longer change; a fit that hits its iteration
    limit says so. Cox's model is the library's, on the scale of the same C.
    """

    is_cox = False

    options: ClassVar = {"solver": "newton-cholesky", "tol": 1e-6, "max_iter": 200}

    def __init__(self, method: Method, settings: dict, study: Study):
        self.points = grid(method)
        self.is_cox = (settings.get("outcome") or {}).get("model") == "cox"

    def prepare(self, X: np.ndarray, smoothing: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the design of a point's smoothing, and the way back from its weights to those of genes."""
        return rotated(X, X)

    def models(self, X, y, points, rng, weights):
        """Return a model per point."""
        if self.is_cox:
            return {point: _cox(X, y, point) for point in points}
        designs = {smoothing: self.prepare(X, smoothing) for smoothing in {point.smoothing for point in points}}
        seed = int(rng.integers(2**31))
        return {point: self._fit(*designs[point.smoothing], y, weights, point, seed) for point in points}

    def _fit(
        self, X: np.ndarray, back: np.ndarray, y: np.ndarray, weights: np.ndarray | None, point: GridPoint, seed: int
    ) -> Model:
        estimator = LogisticRegression(
            C=1 / point.lam, class_weight="balanced" if weights is None else None, random_state=seed, **self.options
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            estimator.fit(X, y, None if weights is None else class_balanced(y, weights))
        unconverged = any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
        slopes = estimator.coef_[0] @ back
        genes = np.flatnonzero(slopes)
        details = {"epochs": int(estimator.n_iter_[0])}
        status = "epoch limit" if unconverged else "converged"
        return Model(genes, slopes[genes], float(estimator.intercept_[0]), status, details)


def _cox(X: np.ndarray, y: np.ndarray, point: GridPoint) -> Model:
    weights = ridge_cox(X, y > 0, np.abs(y), point.lam / len(y))
    genes = np.flatnonzero(weights)
    return Model(genes, weights[genes], 0.0)
