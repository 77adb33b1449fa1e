"""Nested cross-validation: choose settings inside a training set, refit, score once.

Nothing here sees the rows of an outer test fold except `_scored`, after everything is chosen.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphiht.imputation import imputer
from study.cv.learners import make_learner
from study.cv.model import GridPoint, Learner, Model
from study.cv.newton import ridge_model
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator
from study.data.studyfile import Study
from study.methods import REFIT, Method
from study.stats.scores import auc, balanced_error, best_threshold

REFIT_LAMBDAS = (3.0, 1.0, 0.3, 0.1, 0.03)


class Standardiser:
    """Centres and scales genes with the mean and standard deviation of the rows it was made from.

    Where X has NaN, `missing` says how they are filled in, from the same rows: see `graphiht.imputation`.
    """

    def __init__(self, X: np.ndarray, missing: str = ""):
        if missing:
            # A gene that none of these rows has counts as average in all others.
            known = np.where(np.isnan(X).all(axis=0), 0.0, X)
            self.mean, deviation = np.nanmean(known, axis=0), np.nanstd(known, axis=0)
        else:
            self.mean, deviation = X.mean(axis=0), X.std(axis=0)
        self.scale = np.where(deviation > 0, deviation, 1.0)
        self.fill = imputer((X - self.mean) / self.scale, missing) if missing else np.asarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return self.fill((X - self.mean) / self.scale)


def standardiser(study: Study, rows: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return what standardises genes by some rows; pooled patients are standardised within their cohorts already."""
    return np.asarray if study.is_pooled else Standardiser(study.design[rows], str(study.missing))


def out_of_fold_scores(
    learner, study: Study, outcome: Outcome, splits: Splits, trial: int, fold: int, seed: int
) -> np.ndarray:
    """Return (points, patients): each training patient scored by the inner fits that left her out.

    The patients of the outer test fold stay NaN.
    """
    scores, design, target = np.full((len(learner.points), len(study.y)), np.nan), study.design, outcome.target
    for inner in range(1, splits.n_inner(trial, fold) + 1):
        fitting = splits.fitting(trial, fold, inner)
        validation = splits.validation(trial, fold, inner)
        standardise = standardiser(study, fitting)
        rng = generator(seed, trial, fold, f"inner fold {inner}")
        rows, weights = outcome.ipcw_weights(fitting, fitting)
        models = learner.fit_grid(standardise(design[rows]), target[rows], rng, weights)
        held_out = standardise(design[validation])
        for row, point in enumerate(learner.points):
            scores[row, validation] = models[point].scores(held_out)
    return scores


def inner_errors(
    scores: np.ndarray, outcome: Outcome, splits: Splits, trial: int, fold: int, scoring: str = "auc"
) -> np.ndarray:
    """Return the inner error of each grid point: a mean over the inner folds.

    `scoring` is "auc", whose error is 1 - AUC and ignores the intercept, or "balanced_error", at probability one half.
    The error of Cox's model is 1 - concordance.
    """
    y, train = outcome.y, splits.train(trial, fold)
    inner = range(1, splits.n_inner(trial, fold) + 1)
    folds = [outcome.ipcw_weights(splits.validation(trial, fold, number), train) for number in inner]

    def error(rows: np.ndarray, score: np.ndarray, weights: np.ndarray | None) -> float:
        if outcome.is_cox:
            return 1 - outcome.concordance(rows, score[rows])
        if scoring == "auc":
            return 1 - auc(y[rows], score[rows], weights)
        return balanced_error(y[rows], score[rows], weights=weights)

    return np.array([np.mean([error(rows, score, weights) for rows, weights in folds]) for score in scores])


def choose(points: list[GridPoint], errors: np.ndarray, tie_tolerance: float) -> int:
    """Return the index of the point of least error; within `tie_tolerance` of it the simplest.

    Simplest: the fewest genes, the fewest epochs, the fewest blocks, the highest threshold, the least smoothing and
    share of L1, the most penalised teacher. Of the penalties that are left, which the inner error does not tell apart,
    the middle one (of two in the middle the stronger): so an end of their grid is chosen only where it does better than
    the rest.
    """
    near = np.flatnonzero(errors <= errors.min() + tie_tolerance)
    simplest = min(_simplicity(points[i]) for i in near)
    alike = sorted((i for i in near if _simplicity(points[i]) == simplest), key=lambda i: points[i].lam)
    return int(alike[len(alike) // 2])


def further_penalty(points: list[GridPoint], chosen: GridPoint, lambdas: list[float], times: int) -> float | None:
    """Return the penalty to try next: ten times beyond the end of the grid that was chosen, at most `times` times.

    An end of those tried with as many genes and blocks. None where the choice is inside, or where the grid is of fewer
    than three penalties and so has no inside.
    """
    alike = [point for point in points if (point.sparsity, point.n_blocks) == (chosen.sparsity, chosen.n_blocks)]
    tried = [point.lam for point in alike]
    if len(lambdas) < 3 or min(tried) < chosen.lam < max(tried):
        return None
    further, end = (chosen.lam / 10, min(lambdas)) if chosen.lam == min(tried) else (chosen.lam * 10, max(lambdas))
    return further if round(abs(np.log10(further / end))) <= times else None


class Tuned(NamedTuple):
    """What was tried inside a training set: points, their out-of-fold scores and inner errors, and which is chosen.

    `beyond` are the penalties that were tried because an end of the grid did best.
    """

    points: list[GridPoint]
    scores: np.ndarray
    errors: np.ndarray
    best: int
    beyond: list[float]

    @property
    def point(self) -> GridPoint:
        """The settings chosen."""
        return self.points[self.best]


def tune(
    method: Method,
    learner,
    study: Study,
    outcome: Outcome,
    splits: Splits,
    trial: int,
    fold: int,
    settings: dict,
    shared: tuple[list[GridPoint], np.ndarray] | None = None,
) -> Tuned:
    """Choose settings inside a training set.

    Where an end of the grid of lambda does best, the next power of ten is tried with the number of genes and blocks
    that did, until one inside does best, or `extend_lambdas` times.
    """
    seed = settings["seed"]
    times = settings.get("extend_lambdas", 0) if method.has_penalty and not method.C else 0
    beyond: list[float] = []
    points, scores = learner.points, out_of_fold_scores(learner, study, outcome, splits, trial, fold, seed)
    if shared:
        points, scores = [*shared[0], *points], np.concatenate([shared[1], scores])
    while True:
        errors = inner_errors(scores, outcome, splits, trial, fold, settings.get("scoring", "auc"))
        best = choose(points, errors, settings["tie_tolerance"])
        further = further_penalty(points, points[best], settings["lambdas"], times) if times else None
        if further is None:
            return Tuned(points, scores, errors, best, beyond)
        chosen = {"sparsities": [points[best].sparsity], "n_blocks": [points[best].n_blocks], "lambdas": [further]}
        wider = make_learner(method, settings | chosen, study)
        points = [*points, *wider.points]
        scores = np.concatenate([scores, out_of_fold_scores(wider, study, outcome, splits, trial, fold, seed)])
        beyond.append(further)


def inner_path(points: list[GridPoint], errors: np.ndarray) -> list[tuple[float, int, float]]:
    """Return (lambda, epochs, least inner error over the other settings): how the two regularisers trade off."""
    least: dict[tuple[float, int], float] = {}
    for point, error in zip(points, errors.tolist(), strict=True):
        key = (point.lam, point.epochs)
        least[key] = min(error, least.get(key, np.inf))
    return [(*key, least[key]) for key in sorted(least)]


def _simplicity(point: GridPoint) -> tuple:
    first = (point.sparsity, point.epochs, point.n_blocks, -point.threshold)
    return (*first, point.smoothing, point.l1_ratio, -point.teacher)


def as_chosen(method: Method, point: GridPoint) -> dict:
    """Return the settings of a point as tables write them; what the method does not have is None.

    The strength of a penalty is ours as lambda, scikit-learn's, also of a teacher, as C.
    """
    theirs = point.lam if method.C else point.teacher
    strength = {"lambda": None if method.C else point.lam or None, "C": 1 / theirs if theirs else None}
    named = {name: getattr(point, name) or None for name in ("sparsity", "n_blocks", "smoothing")}
    return named | {"max_epochs": point.epochs or None} | strength


def score_fold(
    method: Method,
    learner,
    study: Study,
    splits: Splits,
    trial: int,
    fold: int,
    settings: dict,
    shared: tuple[list[GridPoint], np.ndarray] | None = None,
) -> dict:
    """Return what a fold's result file holds: the choice, the model, and one score on the test fold.

    `settings` are those of the configuration that concern fits. `shared` are points with their out-of-fold scores that
    were made elsewhere; the learner must be able to fit them.
    """
    outcome = Outcome.of(study, settings)
    tuned = tune(method, learner, study, outcome, splits, trial, fold, settings, shared)
    point = tuned.point

    train = splits.train(trial, fold)
    rng = generator(settings["seed"], trial, fold, "refit")
    rows, weights = outcome.ipcw_weights(train, train)
    model = learner.fit(standardiser(study, train)(study.design[rows]), outcome.target[rows], point, rng, weights)
    chosen = as_chosen(method, point) | {"status": model.status, "inner_error": float(tuned.errors[tuned.best])}
    result = {"method": method.name, "trial": trial, "fold": fold, "n_components": settings["n_components"]}
    result["lambdas_beyond"] = tuned.beyond
    result |= _scored(model, chosen, tuned.scores[tuned.best], study, outcome, train, splits.test(trial, fold))
    if point.epochs:
        result["inner_path"] = inner_path(tuned.points, tuned.errors)
    if settings.get("refit") and method.iterates:
        own_grid = settings | {"extend_lambdas": 0}
        again = replace(method, name=method.name + REFIT, gradient=None)
        result["refit"] = score_fold(again, RidgeRefit(learner, point), study, splits, trial, fold, own_grid)
    return result


def _scored(
    model: Model,
    chosen: dict,
    scores: np.ndarray,
    study: Study,
    outcome: Outcome,
    train: np.ndarray,
    test: np.ndarray,
) -> dict:
    """Return how a chosen model does: here, and only here, the test fold is looked at."""
    rows, weights = outcome.ipcw_weights(train, train)
    threshold = best_threshold(outcome.y[rows], scores[rows], weights)
    every_score = np.full(len(study.y), np.nan)
    every_score[test] = model.scores(standardiser(study, train)(study.design[test]))
    rows, weights = outcome.ipcw_weights(test, train)
    y, judged = outcome.y[rows], every_score[rows]
    more = {"concordance": outcome.concordance(rows, judged)} if outcome.is_cox else {}
    more |= {"covariates": model.covariates.tolist()} if len(model.covariates) else {}
    return {
        **more,
        "balanced_error": balanced_error(y, judged, weights=weights),
        "auc": auc(y, judged, weights),
        "n_nonzero": int(np.count_nonzero(model.weights)),
        **chosen,
        "threshold": threshold,
        "balanced_error_tuned": balanced_error(y, judged, threshold, weights),
        "intercept": model.intercept,
        "genes": model.genes.tolist(),
        "weights": model.weights.tolist(),
        **model.details,
        "test_patients": test.tolist(),
        "test_scores": every_score[test].tolist(),
    }


def n_fits(learner) -> int:
    """Return how many fits the grid of a learner takes: numbers of epochs are iterates of one fit."""
    return len({point._replace(epochs=0) for point in learner.points})


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


class RidgeRefit(Learner):
    """A learner that keeps another's genes at one grid point and chooses a ridge penalty for their weights."""

    def __init__(self, learner: Learner, point: GridPoint):
        self.learner, self.point = learner, point
        self.points = [point._replace(lam=lam) for lam in REFIT_LAMBDAS]

    def models(self, X, y, points, rng, weights):
        """Return a model per penalty, all on the same genes."""
        genes = self.learner.fit(X, y, self.point, rng, weights).genes
        return {point: ridge_model(X, y, genes, point.lam, weights) for point in points}
