"""What a learner is: its settings, its result, and how one is made from a row of the registry.

A learner is made with (method, settings, study), of which it may use the network. It has `points`, the settings it
chooses from; `fit_grid(X, y, rng, weights)`, a model per point; and `fit(X, y, point, rng, weights)`, the model of one
point, equal to the bit to that of the grid. X is standardised and holds training rows only; weights say how much each
counts (None: alike), and both classes count alike in any case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from study.data.studyfile import Study
from study.methods import Method
from study.run.loading import load


class Point(NamedTuple):
    """Settings of a learner; what it does not have is 0. `lam` of scikit-learn's models is 1/C: larger is stronger."""

    lam: float = 0.0
    sparsity: int = 0
    n_blocks: int = 0
    l1_ratio: float = 0.0
    threshold: float = 0.0
    epochs: int = 0
    smoothing: float = 0.0


@dataclass(frozen=True)
class Model:
    """A linear score on a few genes; above 0 the event is more likely than not."""

    genes: np.ndarray
    weights: np.ndarray
    intercept: float
    status: str = "converged"
    details: dict = field(default_factory=dict)

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Return the score of each row of a standardised matrix."""
        return X[:, self.genes] @ self.weights + self.intercept


def make_learner(method: Method, settings: dict, study: Study):
    """Return the learner of a method on the network of a study; only what it needs is imported."""
    return load("study.cv", method.learner)(method, settings, study)
