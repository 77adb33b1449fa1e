"""Nearest shrunken centroids (Tibshirani et al. 2002), which scikit-learn has without weights of patients."""

import numpy as np

from study.cv.mean_difference import class_means
from study.cv.model import GridPoint, Learner, Model
from study.data.studyfile import Study
from study.methods import Method


class Centroids(Learner):
    """The class means, drawn towards the common mean until few genes are left that tell the classes apart.

    The amount is a share of the one that would leave no gene. The score is the log odds of two equally frequent normal
    classes with independent genes: half of scikit-learn's `NearestCentroid.decision_function`.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.points = [GridPoint(threshold=share) for share in method.shrinkage]

    def models(self, X, y, points, rng, weights):
        """Return a model per point; nothing is random."""
        moments = _moments(X, y, weights)
        return {point: _shrunken(*moments, point.threshold) for point in points}


def _moments(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return (mean with the event, mean without, standard deviation within classes, share of patients with it)."""
    weights = np.ones(len(y)) if weights is None else weights
    mean1, mean0 = class_means(X, y, weights)
    within = X - np.where((y == 1)[:, None], mean1, mean0)
    variance = np.average(within**2, axis=0, weights=weights) * len(y) / (len(y) - 2)
    return mean1, mean0, np.sqrt(variance), float(weights[y == 1].sum() / weights.sum())


def _shrunken(mean1: np.ndarray, mean0: np.ndarray, deviation: np.ndarray, share1: float, shrinkage: float) -> Model:
    """Return the model of centroids shrunken by a share of the most.

    With two classes both centroids are as many standard errors away from the common mean, so soft-thresholding them is
    soft-thresholding their difference. The median deviation keeps genes that hardly vary from the front.
    """
    difference, centre = mean1 - mean0, share1 * mean1 + (1 - share1) * mean0
    unit = deviation + np.median(deviation)
    size = np.divide(np.abs(difference), unit, out=np.zeros_like(unit), where=unit > 0)
    shrunken = np.sign(difference) * unit * np.maximum(size - shrinkage * size.max(), 0.0)
    genes = np.flatnonzero(shrunken)
    halfway = (centre + (0.5 - share1) * shrunken)[genes]
    variance = np.where(deviation > 0, deviation, 1.0)[genes] ** 2
    slopes = shrunken[genes] / variance
    return Model(genes, slopes, float(-slopes @ halfway))
