"""What one would pick instead: scikit-learn's penalised logistic regressions, as learners.

The penalty is written as lam = 1/C, so that a larger one is stronger, as for every other learner.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from study.model import Model, Point
from study.plan import PEER_GRIDS


class Peer:
    """A penalised logistic regression with balanced classes, `kind` one of `PEER_GRIDS`.

    - ridge: the solution lies in the span of the rows, so Newton's method runs on X = U S V^T as U S: the same
      optimum, on n instead of p columns.
    - l1: liblinear; the intercept is scaled so that its penalty is a hundredth of a gene's.
    - elastic-net: saga, for several shares of L1 in the penalty.

    Tolerances are those beyond which scores no longer change; a fit that hits its iteration limit says so.
    """

    def __init__(self, kind: str):
        self.kind = kind
        least, largest, n_values, ratios = PEER_GRIDS[kind]
        grid = np.logspace(least, largest, n_values)
        self.points = [Point(lam=1 / C, l1_ratio=ratio) for ratio in ratios for C in grid]

    def fit_grid(self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[Point, Model]:
        """Return a model per point."""
        rotation = _rotate(X) if self.kind == "ridge" else None
        seed = int(rng.integers(2**31))
        return {point: self._fit(X, y, point, seed, rotation) for point in self.points}

    def fit(self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator) -> Model:
        """Return the model of one point."""
        seed = int(rng.integers(2**31))
        return self._fit(X, y, point, seed, _rotate(X) if self.kind == "ridge" else None)

    def _fit(self, X: np.ndarray, y: np.ndarray, point: Point, seed: int, rotation) -> Model:
        options = {
            "ridge": {"solver": "newton-cholesky", "tol": 1e-6, "max_iter": 200},
            "l1": {"solver": "liblinear", "tol": 1e-5, "max_iter": 2000, "intercept_scaling": 10.0},
            "elastic-net": {"solver": "saga", "tol": 1e-3, "max_iter": 2000},
        }[self.kind]
        estimator = LogisticRegression(
            C=1 / point.lam,
            l1_ratio=point.l1_ratio,
            class_weight="balanced",
            random_state=seed,
            **options,
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            estimator.fit(X if rotation is None else rotation[0], y)
        unconverged = any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
        weights = estimator.coef_[0] if rotation is None else estimator.coef_[0] @ rotation[1]
        genes = np.flatnonzero(weights)
        details = {"epochs": int(estimator.n_iter_[0])}
        status = "epoch limit" if unconverged else "converged"
        return Model(genes, weights[genes], float(estimator.intercept_[0]), status, details)


def _rotate(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (U S, V^T) of X = U S V^T, by the eigenvectors of X X^T: there are far fewer rows than columns."""
    values, u = np.linalg.eigh(X @ X.T)
    kept = values > 1e-10 * values[-1]
    s = np.sqrt(values[kept])
    return u[:, kept] * s, (u[:, kept] / s).T @ X
