"""Nested cross-validation: choose settings inside a training set, refit, score once; and the same on all patients.

Nothing here sees the rows of an outer test fold except `_scored`, after everything is chosen.
"""

from __future__ import annotations

import platform
import time
from dataclasses import replace

import numpy as np

from study.cv.model import Model, Point
from study.cv.newton import ridge_model
from study.cv.splits import Splits, generator, stratified
from study.data.studyfile import Study
from study.methods import REFIT, Method
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
    """Return (points, patients): each training patient scored by the inner fits that left her out.

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
    return int(min(near, key=lambda i: (-points[i].lam, points[i].sparsity, points[i].n_blocks, -points[i].threshold)))


def penalty(method: Method, point: Point) -> dict:
    """Return the strength of a penalty as tables write it: ours as lambda, scikit-learn's as C."""
    lam = point.lam if method.penalty == "lambda" else None
    return {"lambda": lam, "C": 1 / point.lam if lam is None else None}


def score_fold(
    method: Method,
    learner,
    study: Study,
    splits: Splits,
    trial: int,
    fold: int,
    settings: dict,
    shared: tuple[list[Point], np.ndarray] | None = None,
) -> dict:
    """Return what a fold's result file holds: the choice, the model, and one score on the test fold.

    Parameters
    ----------
    method : Method
    learner
        See `study.cv.model`.
    settings : dict
        The keys seed, near_tie, n_components and, optionally, refit of the configuration.
    shared : (points, out-of-fold scores), optional
        Points that were scored elsewhere; the learner must be able to fit them.
    """
    X, y = study.X, study.y
    points, scores = learner.points, out_of_fold_scores(learner, X, y, splits, trial, fold, settings["seed"])
    if shared:
        points, scores = [*shared[0], *points], np.concatenate([shared[1], scores])
    errors = inner_errors(scores, y, splits, trial, fold)
    best = choose(points, errors, settings["near_tie"])
    point = points[best]

    train = splits.train(trial, fold)
    standardise = Standardiser(X[train])
    rng = generator(settings["seed"], trial, fold, "refit")
    model = learner.fit(standardise(X[train]), y[train], point, rng)
    chosen = {"sparsity": point.sparsity or None, "n_blocks": point.n_blocks or None, "status": model.status}
    chosen |= {**penalty(method, point), "inner_error": float(errors[best])}
    result = {"method": method.name, "trial": trial, "fold": fold, "n_components": settings["n_components"]}
    result |= _scored(model, chosen, scores[best], X, y, train, splits.test(trial, fold))
    if settings.get("refit") and method.iterates:
        again = replace(method, name=method.name + REFIT, gradient=None)
        result["refit"] = score_fold(again, OnChosenGenes(learner, point), study, splits, trial, fold, settings)
    return result


def _scored(
    model: Model,
    chosen: dict,
    scores: np.ndarray,
    X: np.ndarray,
    y: np.ndarray,
    train: np.ndarray,
    test: np.ndarray,
) -> dict:
    """Return how a chosen model does: here, and only here, the test fold is looked at."""
    threshold = best_threshold(y[train], scores[train])
    test_scores = model.scores(Standardiser(X[train])(X[test]))
    return {
        "balanced_error": balanced_error(y[test], test_scores),
        "auc": auc(y[test], test_scores),
        "n_nonzero": int(np.count_nonzero(model.weights)),
        **chosen,
        "threshold": threshold,
        "balanced_error_tuned": balanced_error(y[test], test_scores, threshold),
        "intercept": model.intercept,
        "genes": model.genes.tolist(),
        "weights": model.weights.tolist(),
        **model.details,
        "test_patients": test.tolist(),
        "test_scores": test_scores.tolist(),
    }


def timing(name: str, trial: int, fold: int, fits: int, seconds: float) -> dict:
    """Return what goes to the timings: the only files that may differ between equal runs."""
    return {
        "method": name,
        "trial": trial,
        "fold": fold,
        "fits": fits,
        "seconds": seconds,
        "host": platform.node(),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }


class OnChosenGenes:
    """A learner that keeps another's genes at one point and chooses a ridge penalty for their weights."""

    def __init__(self, learner, point: Point):
        self.learner, self.point = learner, point
        self.points = [point._replace(lam=lam) for lam in REFIT_LAMBDAS]

    def fit_grid(self, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[Point, Model]:
        """Return a model per penalty, all on the same genes."""
        genes = self.learner.fit(X, y, self.point, rng).genes
        return {point: ridge_model(X, y, genes, point.lam) for point in self.points}

    def fit(self, X: np.ndarray, y: np.ndarray, point: Point, rng: np.random.Generator) -> Model:
        """Return the model of one penalty."""
        return ridge_model(X, y, self.learner.fit(X, y, self.point, rng).genes, point.lam)


def final_model(method: Method, learner, study: Study, settings: dict) -> dict:
    """Return the model a method would hand over, of all patients: its settings, and each gene's id, symbol and weight.

    The settings are chosen as in every outer training set of the study, by one inner cross-validation, here of all the
    patients; folds and draws come from a seed of their own, so they are not those of any fold of the study.
    """
    seed = int(generator(settings["seed"], 0, 0, "final model").integers(2**31))
    inner = stratified(study.y, settings["inner_folds"], generator(seed, 1, 1, "inner folds"))
    splits = Splits(np.zeros((1, len(study.y)), np.int8), inner[None, None])
    scores = out_of_fold_scores(learner, study.X, study.y, splits, 1, 1, seed)
    errors = inner_errors(scores, study.y, splits, 1, 1)
    best = choose(learner.points, errors, settings["near_tie"])
    point = learner.points[best]
    X = Standardiser(study.X)(study.X)
    model = learner.fit(X, study.y, point, generator(seed, 1, 1, "refit"))
    return {
        "method": method.name,
        "sparsity": point.sparsity or None,
        **penalty(method, point),
        "n_blocks": point.n_blocks or None,
        "inner_error": float(errors[best]),
        "status": model.status,
        "intercept": model.intercept,
        "entrez": study.entrez[model.genes].tolist(),
        "symbol": study.symbol[model.genes].tolist(),
        "weights": model.weights.tolist(),
    }
