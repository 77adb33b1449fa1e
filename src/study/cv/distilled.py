"""A connected gene set for the scores of a model on all genes."""

from dataclasses import replace

from graphiht.losses import least_squares
from study.cv.laplacian_ridge import LaplacianRidge
from study.cv.model import GridPoint
from study.cv.penalised import class_balanced
from study.cv.pursuit import Pursuit
from study.data.studyfile import Study
from study.methods import Method


class Distilled(Pursuit):
    """Laplacian ridge, the teacher, scores the training patients; a connected set of genes learns these scores.

    The set is that of `graph-htp` with the squared loss, in which both classes have the same total weight, and its
    weights are those of ridge on the scores: the outcome is seen by the teacher only. It is the preconditioning of
    Paul, Bair, Hastie and Tibshirani (2008) with a network in both steps. The inner cross-validation chooses the
    penalties of both, and the number of genes.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        super().__init__(method, settings, study)
        self.teacher = LaplacianRidge(replace(method, C=method.teacher), settings, study)
        self.points = [
            point._replace(smoothing=teacher.smoothing, teacher=teacher.lam)
            for teacher in self.teacher.points
            for point in self.points
        ]

    def models(self, X, y, points, rng, weights):
        """Return a model per point."""
        lessons: dict[GridPoint, list[GridPoint]] = {}
        for point in points:
            lessons.setdefault(GridPoint(lam=point.teacher, smoothing=point.smoothing), []).append(point)
        teachers, models = self.teacher.models(X, y, list(lessons), rng, weights), {}
        balanced = class_balanced(y, weights)
        for lesson, own in lessons.items():
            models |= self.models_of(least_squares(X, teachers[lesson].scores(X), sample_weight=balanced), own)
        return models
