"""One step and no more: the difference between the class means, on few genes."""

import numpy as np

from study.cv.model import GridPoint, Learner, Model
from study.cv.network import selector
from study.data.studyfile import Study
from study.methods import Method


class MeanDifference(Learner):
    """Weights are differences between class means; halfway between the means the score is 0.

    On one graph projection of the differences (`mean-graph`), or on the largest in absolute value (`mean-top`). There
    is nothing to penalise: what a gradient method does beyond its first step has to show beside these.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.select = selector(method, study, settings)
        self.points = [GridPoint(sparsity=sparsity) for sparsity in sorted(settings["sparsities"])]

    def models(self, X, y, points, rng, weights):
        """Return a model per point; nothing is random."""
        mean1, mean0 = class_means(X, y, weights)
        difference, models = mean1 - mean0, {}
        for point in points:
            genes = self.select(difference, point.sparsity)
            slopes = difference[genes]
            models[point] = Model(genes, slopes, float(-slopes @ (mean1 + mean0)[genes] / 2))
        return models


def class_means(X: np.ndarray, y: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of every gene over patients with the event, and without."""
    weights = np.ones(len(y)) if weights is None else weights
    with_event, without = (np.average(X[part], axis=0, weights=weights[part]) for part in (y == 1, y != 1))
    return with_event, without
