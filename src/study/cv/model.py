"""What a learner chooses from, and what it returns: settings and a linear model (see `study.cv.learners`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


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
