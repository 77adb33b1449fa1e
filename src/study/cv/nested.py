"""Nested cross-validation of one outer fold: choose settings inside the training set, refit, score once.

Nothing here sees the rows of the outer test fold except `_scored`, after everything is chosen.
"""

from __future__ import annotations

import numpy as np

from study.cv.model import Model, Point
from study.cv.newton import fit_ridge
from study.cv.splits import Splits, generator
from study.stats.scores import auc, balanced_error, best_threshold

REFIT_LAMBDAS = (3.0, 1.0, 0.3, 0.1, 0.03)


class Standardiser:
    """Centres and scales genes with the mean and standard deviation of the rows it was made from."""

    def __init__(self, X: np.ndarray):
        self.mean = X.mean(axis=0)
        deviation = X.std(axis=0)
        self.scale = np.where(deviation > 0, deviation, 1.0)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return (X - self.mean) / self.scale


def out_of_fold_scores(
    learner, X: np.ndarray, y: np.ndarray, splits: Splits, trial: int, fold: int, seed: int
) -> np.ndarray:
    """Return (points, patients): each training patient scored by the inner fits that left him out.

    The patients of the outer test fold stay NaN.
    """
    scores = np.full((len(learner.points), len(y)), np.nan)
    for inner in range(1, splits.n_inner + 1):
        fitting = splits.fitting(trial, fold, inner)
        validation = splits.validation(trial, fold, inner)
        standardise = Standardiser(X[fitting])
        rng = generator(seed, trial, fold, f"inner fold {inner}")
        models = learner.fit_grid(standardise(X[fitting]), y[fitting], rng)
        held_out = standardise(X[validation])
        for row, point in enumerate(learner.points):
            scores[row, validation] = models[point].scores(held_out)
    return scores


def inner_errors(scores: np.ndarray, y: np.ndarray, splits: Splits, trial: int, fold: int) -> np.ndarray:
    """Return for each point the mean over the inner folds of the balanced error at probability one half."""
    folds = [splits.validation(trial, fold, inner) for inner in range(1, splits.n_inner + 1)]
    return np.array([np.mean([balanced_error(y[rows], row[rows]) for rows in folds]) for row in scores])


def choose(points: list[Point], errors: np.ndarray, near_tie: float) -> int:
    """Return the index of the point of least error; within `near_tie` of it the simplest.

    Simplest: the strongest penalty, then the fewest genes, then the fewest blocks, then the highest threshold.
    """
    near = np.flatnonzero(errors <= errors.min() + near_tie)
    return int(
        min(
            near, key=lambda i: (-points[i].lam, points[i].sparsity, points[i].n_blocks, -points[i].threshold)
        )
    )


def score_fold(
    name: str,
    learner,
    X: np.ndarray,
    y: np.ndarray,
    splits: Splits,
    trial: int,
    fold: int,
    settings: dict,
    shared: tuple[list[Point], np.ndarray] = ((), None),
) -> dict:
    """Return what a fold's result file holds: the choice, the model, and one score on the test fold.

    Parameters
    ----------
    name : str
        The method's name in the tables.
    learner
        See `study.cv.learners`.
    settings : dict
        The keys seed, near_tie, n_components and, optionally, refit of the configuration.
    shared : (points, out-of-fold scores), optional
        Points that were scored elsewhere; the learner must be able to fit them.
    """
    scores = out_of_fold_scores(learner, X, y, splits, trial, fold, settings["seed"])
    points = [*shared[0], *learner.points]
    if shared[0]:
        scores = np.concatenate([shared[1], scores])
    errors = inner_errors(scores, y, splits, trial, fold)
    best = choose(points, errors, settings["near_tie"])

    train = splits.train(trial, fold)
    standardise = Standardiser(X[train])
    rng = generator(settings["seed"], trial, fold, "refit")
    model = learner.fit(standardise(X[train]), y[train], points[best], rng)
    place = {"trial": trial, "fold": fold, "n_components": settings["n_components"]}
    result = _scored(name, model, points[best], errors[best], scores[best], X, y, splits, place)
    if settings.get("refit"):
        chosen = OnChosenGenes(learner, points[best])
        again = settings | {"refit": False}
        result["refit"] = score_fold(f"{name}+ridge", chosen, X, y, splits, trial, fold, again)
    return result


def _scored(name, model, point, inner_error, scores, X, y, splits, place) -> dict:
    """Return the result of a chosen model: here, and only here, the test fold is looked at."""
    train = splits.train(place["trial"], place["fold"])
    test = splits.test(place["trial"], place["fold"])
    threshold = best_threshold(y[train], scores[train])
    test_scores = model.scores(Standardiser(X[train])(X[test]))
    return {
        "method": name,
        **place,
        "balanced_error": balanced_error(y[test], test_scores),
        "auc": auc(y[test], test_scores),
        "n_nonzero": int(np.count_nonzero(model.weights)),
        "sparsity": point.sparsity or None,
        "n_blocks": point.n_blocks or None,
        "status": model.status,
        "lam": point.lam,
        "inner_error": float(inner_error),
        "threshold": threshold,
        "balanced_error_tuned": balanced_error(y[test], test_scores, threshold),
        "intercept": model.intercept,
        "genes": model.genes.tolist(),
        "weights": model.weights.tolist(),
        **model.details,
        "test_patients": test.tolist(),
        "test_scores": test_scores.tolist(),
    }


class OnChosenGenes:
    """A learner that keeps another's genes at one point and chooses a ridge penalty for their weights."""

    def __init__(self, learner, point: Point):
        self.learner, self.point = learner, point
        self.points = [point._replace(lam=lam) for lam in REFIT_LAMBDAS]

    def fit_grid(self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[Point, Model]:
        """Return a model per penalty, all on the same genes."""
        genes = self.learner.fit(X, y, self.point, rng).genes
        return {point: _ridge_model(X, y, genes, point.lam) for point in self.points}

    def fit(self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator) -> Model:
        """Return the model of one penalty."""
        return _ridge_model(X, y, self.learner.fit(X, y, self.point, rng).genes, point.lam)


def _ridge_model(X: np.ndarray, y: np.ndarray, genes: np.ndarray, lam: float) -> Model:
    weights, intercept = fit_ridge(X[:, genes], y, lam)
    return Model(genes, weights, intercept)
