"""What one would pick instead: penalised logistic regressions of scikit-learn and skglm, as learners.

The penalty is written as lam = 1/C, so that a larger one is stronger, as for every other learner.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from study.cv.model import Model, Point
from study.plan import PEER_GRIDS


class Peer:
    """A penalised logistic regression with balanced classes, `kind` one of `PEER_GRIDS`.

    - ridge: the solution lies in the span of the rows, so Newton's method runs on X = U S V^T as U S: the same
      optimum, on n instead of p columns.
    - l1: liblinear; the intercept is scaled so that its penalty is a hundredth of a gene's.
    - elastic-net: skglm's proximal Newton (`study.cv.elastic_net`), for several shares of L1 in the penalty.

    Tolerances are those beyond which scores no longer change; a fit that hits its iteration limit says so.
    """

    def __init__(self, kind: str):
        self.kind = kind
        least, largest, n_values, ratios = PEER_GRIDS[kind]
        grid = np.logspace(least, largest, n_values)
        self.points = [Point(lam=1 / C, l1_ratio=ratio) for ratio in ratios for C in grid]

    def fit_grid(self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[Point, Model]:
        """Return a model per point."""
        if self.kind == "elastic-net":
            return _elastic_net(X, y, self.points)
        rotation = _rotate(X) if self.kind == "ridge" else None
        seed = int(rng.integers(2**31))
        return {point: self._fit(X, y, point, seed, rotation) for point in self.points}

    def fit(self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator) -> Model:
        """Return the model of one point."""
        if self.kind == "elastic-net":
            stronger = [
                other for other in self.points if other.l1_ratio == point.l1_ratio and other.lam >= point.lam
            ]
            return _elastic_net(X, y, stronger)[point]
        seed = int(rng.integers(2**31))
        return self._fit(X, y, point, seed, _rotate(X) if self.kind == "ridge" else None)

    def _fit(self, X: np.ndarray, y: np.ndarray, point: Point, seed: int, rotation) -> Model:
        options = {
            "ridge": {"solver": "newton-cholesky", "tol": 1e-6, "max_iter": 200},
            "l1": {"solver": "liblinear", "tol": 1e-5, "max_iter": 2000, "intercept_scaling": 10.0},
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


def _elastic_net(X: np.ndarray, y: np.ndarray, points: list[Point]) -> dict[Point, Model]:
    """Return a model per point, along a path from strong to weak penalties for each share of L1."""
    # Imported here because ridge and L1 do not need it and it takes a second.
    from study.cv.elastic_net import elastic_net_path

    models = {}
    for ratio in dict.fromkeys(point.l1_ratio for point in points):
        path = sorted((point for point in points if point.l1_ratio == ratio), key=lambda point: -point.lam)
        fits = elastic_net_path(X, y, [point.lam for point in path], ratio)
        for point, (weights, intercept, n_iterations, converged) in zip(path, fits, strict=True):
            genes = np.flatnonzero(weights)
            status = "converged" if converged else "epoch limit"
            models[point] = Model(genes, weights[genes], intercept, status, {"epochs": n_iterations})
    return models


def _rotate(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (U S, V^T) of X = U S V^T, by the eigenvectors of X X^T: there are far fewer rows than columns."""
    values, u = np.linalg.eigh(X @ X.T)
    kept = values > 1e-10 * values[-1]
    s = np.sqrt(values[kept])
    return u[:, kept] * s, (u[:, kept] / s).T @ X
