"""Nested cross-validation of one outer fold: choose settings inside the training set, refit, score once.

Nothing here sees the rows of the outer test fold except the last lines of `score_fold`, after everything is chosen.
"""

from __future__ import annotations

import numpy as np

from study.learners import Model, Point
from study.metrics import auc, balanced_error, best_threshold
from study.splits import Splits, generator


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
        See `study.learners`.
    settings : dict
        The keys seed, near_tie and n_components of the configuration.
    shared : (points, out-of-fold scores), optional
        Points that were scored elsewhere; the learner must be able to fit them.
    """
    scores = out_of_fold_scores(learner, X, y, splits, trial, fold, settings["seed"])
    points = [*shared[0], *learner.points]
    if shared[0]:
        scores = np.concatenate([shared[1], scores])
    errors = inner_errors(scores, y, splits, trial, fold)
    best = choose(points, errors, settings["near_tie"])

    train, test = splits.train(trial, fold), splits.test(trial, fold)
    threshold = best_threshold(y[train], scores[best, train])
    standardise = Standardiser(X[train])
    rng = generator(settings["seed"], trial, fold, "refit")
    model = learner.fit(standardise(X[train]), y[train], points[best], rng)
    test_scores = model.scores(standardise(X[test]))
    return {
        "method": name,
        "trial": trial,
        "fold": fold,
        "balanced_error": balanced_error(y[test], test_scores),
        "auc": auc(y[test], test_scores),
        "n_nonzero": int(np.count_nonzero(model.weights)),
        "sparsity": points[best].sparsity or None,
        "n_blocks": points[best].n_blocks or None,
        "n_components": settings["n_components"],
        "status": model.status,
        "lam": points[best].lam,
        "inner_error": float(errors[best]),
        "threshold": threshold,
        "balanced_error_tuned": balanced_error(y[test], test_scores, threshold),
        **describe(model),
        "test_patients": test.tolist(),
        "test_scores": test_scores.tolist(),
    }


def describe(model: Model) -> dict:
    """Return a model as plain lists and numbers."""
    return {
        "intercept": model.intercept,
        "genes": model.genes.tolist(),
        "weights": model.weights.tolist(),
        **model.details,
    }
