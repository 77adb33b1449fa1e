"""What a learner chooses from and what it returns, settings and a linear model, and the scores that methods share."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from study.io import read_arrays, write_arrays

COUNTS = ("sparsity", "n_blocks", "epochs")


class GridPoint(NamedTuple):
    """Settings of a learner. Unused settings are 0. `lam` of scikit-learn's models is 1/C: larger is stronger.

    `teacher` is the same of the model on all genes whose scores the learner learns.
    """

    lam: float = 0.0
    sparsity: int = 0
    n_blocks: int = 0
    l1_ratio: float = 0.0
    threshold: float = 0.0
    epochs: int = 0
    smoothing: float = 0.0
    teacher: float = 0.0


def sparse_grid(settings: dict) -> list[GridPoint]:
    """Return every number of genes at every penalty of a configuration, from strong to weak."""
    penalties = sorted(settings["lambdas"], reverse=True)
    return [GridPoint(lam, sparsity) for lam in penalties for sparsity in sorted(settings["sparsities"])]


@dataclass(frozen=True)
class Model:
    """A linear score on a few genes; above 0 the event is more likely than not.

    `covariates` are the weights of the last columns of a matrix, behind the genes. A score of Cox's model is a log
    hazard: 0 is the average patient.
    """

    genes: np.ndarray
    weights: np.ndarray
    intercept: float
    status: str = "converged"
    details: dict = field(default_factory=dict)
    covariates: np.ndarray = field(default_factory=lambda: np.empty(0))

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Return the score of each row of a standardised matrix."""
        scores = X[:, self.genes] @ self.weights + self.intercept
        return scores + X[:, -len(self.covariates) :] @ self.covariates if len(self.covariates) else scores


class Learner:
    """Fits models on standardised training rows.

    A subclass is made with (method, settings, study), has `points`, the settings it chooses from, and defines `models`.
    The model of a point must not depend on which others are asked for.
    """

    points: list[GridPoint]

    def models(
        self,
        X: np.ndarray,
        y: np.ndarray,
        points: list[GridPoint],
        rng: np.random.Generator,
        weights: np.ndarray | None,
    ) -> dict[GridPoint, Model]:
        """Return a model per point.

        `y` is `study.cv.outcome.Outcome.target`. Weights say how much each row counts (None if unweighted). Both
        classes always have the same total weight.
        """
        raise NotImplementedError

    def fit_grid(
        self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> dict[GridPoint, Model]:
        """Return a model per point of the grid."""
        return self.models(X, y, self.points, rng, weights)

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        point: GridPoint,
        rng: np.random.Generator,
        weights: np.ndarray | None = None,
    ) -> Model:
        """Return the model of one point, which need not be one of the grid."""
        return self.models(X, y, [point], rng, weights)[point]


def write_scores(path: str | Path, points: list[GridPoint], scores: np.ndarray) -> None:
    """Write points and their out-of-fold scores (points, patients).

    Several methods share those of one block: over one block every gradient estimator is the full gradient.
    """
    write_arrays(path, {"points": np.array(points), "scores": scores})


def read_scores(path: str | Path) -> tuple[list[GridPoint], np.ndarray]:
    """Return what `write_scores` wrote; an array of floats turns counts into floats, and fits need integers."""
    stored = read_arrays(path, ("points", "scores"))
    points = map(GridPoint._make, stored["points"].tolist())
    points = [point._replace(**{name: int(getattr(point, name)) for name in COUNTS}) for point in points]
    return points, stored["scores"]
