"""One step and no more: the difference between the class means, on few genes."""

from __future__ import annotations

import numpy as np

from graphiht.projection import tail, top_s
from study.cv.model import Model, Point
from study.cv.network import network_of
from study.data.studyfile import Study
from study.methods import Method


class MeanDifference:
    """Weights are differences between class means; halfway between the means the score is 0.

    On one graph projection of the differences (`mean-graph`), or on the largest in absolute value (`mean-top`). There
    is nothing to penalise: what a gradient method does beyond its first step has to show beside these.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.network = network_of(study, settings) if method.uses_network else None
        self.n_components = settings["n_components"]
        self.points = [Point(sparsity=sparsity) for sparsity in sorted(settings["sparsities"])]

    def fit_grid(
        self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> dict[Point, Model]:
        """Return a model per point; nothing is random."""
        means = class_means(X, y, weights)
        return {point: self._model(*means, point) for point in self.points}

    def fit(
        self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator, weights: np.ndarray | None = None
    ) -> Model:
        """Return the model of one point."""
        return self._model(*class_means(X, y, weights), point)

    def _model(self, mean1: np.ndarray, mean0: np.ndarray, point: Point) -> Model:
        difference = mean1 - mean0
        if self.network is None:
            genes = top_s(difference, point.sparsity).support
        else:
            genes = tail(difference, self.network, point.sparsity, self.n_components).support
        slopes = difference[genes]
        return Model(genes, slopes, float(-slopes @ (mean1 + mean0)[genes] / 2))


def class_means(X: np.ndarray, y: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of every gene over patients with the event, and without."""
    weights = np.ones(len(y)) if weights is None else weights
    parts = y == 1, y != 1
    with_event, without = (np.average(X[part], axis=0, weights=weights[part]) for part in parts)
    return with_event, without
