"""Stability selection: genes that a graph method keeps selecting on half of the patients.

Complementary pairs (Shah and Samworth 2013): the patients are split at random into two halves, again and again, and the
graph method is fitted on each half. The model is the largest connected part of the genes selected in at least a
share pi of the fits, weighted by ridge.
"""

import numpy as np

from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from study.cv.model import GridPoint, Learner, Model
from study.cv.network import solver_options
from study.cv.newton import fit_ridge
from study.data.studyfile import Study
from study.methods import HEADLINE, Method
from study.stats.supports import largest_connected

BASE = {"method": HEADLINE, "sparsity": 50, "lam": 0.3, "max_epochs": 10}
N_PAIRS = 50


class StabilitySelection(Learner):
    """Stability selection as a learner: chooses the share pi and the ridge penalty."""

    def __init__(self, method: Method, settings: dict, study: Study):
        self.options = solver_options(study, settings)
        lambdas = sorted(settings["lambdas"], reverse=True)
        self.points = [GridPoint(lam, threshold=threshold) for lam in lambdas for threshold in method.thresholds]

    def frequencies(
        self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the share of the 2 x N_PAIRS half-sample fits that selected each gene."""
        counts = np.zeros(X.shape[1])
        options = {**self.options, **BASE, "sparsity": min(BASE["sparsity"], X.shape[1])}
        for _ in range(N_PAIRS):
            for half in complementary_halves(y, rng):
                loss = balanced_logistic(X[half], y[half], sample_weight=None if weights is None else weights[half])
                counts[fit(X=loss, **options).support] += 1
        return counts / (2 * N_PAIRS)

    def models(self, X, y, points, rng, weights):
        """Return a model per point: the same frequencies, cut off at its share."""
        frequency = self.frequencies(X, y, rng, weights)
        selected, models = float(frequency.sum()), {}
        for point in points:
            genes = np.flatnonzero(largest_connected(frequency >= point.threshold, self.options["network"]))
            if not len(genes):
                genes = np.array([int(frequency.argmax())])
            details = {"mean_selected": selected, "bound": expected_false(selected, X.shape[1], point.threshold)}
            slopes, intercept = fit_ridge(X[:, genes], y, point.lam, weights)
            models[point] = Model(genes, slopes, intercept, details=details)
        return models


def complementary_halves(y: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted rows of two disjoint halves with equal class counts; an odd patient is left out."""
    first, second = [], []
    for label in (0, 1):
        rows = rng.permutation(np.flatnonzero(y == label))
        half = len(rows) // 2
        first.append(rows[:half])
        second.append(rows[half : 2 * half])
    return np.sort(np.concatenate(first)), np.sort(np.concatenate(second))


def expected_false(mean_selected: float, n_genes: int, threshold: float) -> float | None:
    """Return Shah and Samworth's bound q^2 / (p (2 pi - 1)) on the expected number of unlikely genes selected.

    A gene is unlikely when a half-sample fit selects it with probability at most q/p, what chance would give; the
    bound holds for pi > 1/2 and any base method, without exchangeability, but for the genes above the share, of
    which the connected part is a subset. None when it says nothing.
    """
    return None if threshold <= 0.5 else mean_selected**2 / (n_genes * (2 * threshold - 1))
