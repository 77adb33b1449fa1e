"""Nested cross-validation of one outer fold: choose settings inside the training set, refit, score once.

No function here is handed the rows of the outer test fold except `score_fold`, after everything is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from graphiht.losses import balanced_logistic
from graphiht.methods import METHODS, FitResult, fit_path
from study.metrics import auc, balanced_error
from study.splits import Splits, generator


@dataclass(frozen=True)
class Choice:
    """A point of the grid and its mean balanced error over the inner folds."""

    lam: float
    sparsity: int
    n_blocks: int
    inner_error: float


class Standardiser:
    """Centres and scales genes with the mean and standard deviation of the rows it was made from."""

    def __init__(self, X: np.ndarray):
        self.mean = X.mean(axis=0)
        deviation = X.std(axis=0)
        self.scale = np.where(deviation > 0, deviation, 1.0)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return (X - self.mean) / self.scale


def block_grid(method: str, n_blocks: list[int]) -> list[int]:
    """Return the numbers of blocks a method can tell apart: the full gradient knows only one."""
    return [1] if METHODS[method].estimator is METHODS["iht"].estimator else sorted(n_blocks)


def scores(fit: FitResult, X: np.ndarray) -> np.ndarray:
    """Return the linear score of each row; 0 is probability one half."""
    return X[:, fit.support] @ fit.weights[fit.support] + fit.intercept


def inner_errors(
    method: str, X: np.ndarray, y: np.ndarray, splits: Splits, trial: int, fold: int, settings: dict
) -> dict[tuple[float, int, int], float]:
    """Return the mean balanced error over the inner folds of every (lambda, sparsity, n_blocks)."""
    grid = {}
    for inner in range(1, splits.n_inner + 1):
        fitting = splits.fitting(trial, fold, inner)
        validation = splits.validation(trial, fold, inner)
        standardise = Standardiser(X[fitting])
        loss = balanced_logistic(standardise(X[fitting]), y[fitting])
        held_out, truth = standardise(X[validation]), y[validation]
        for n_blocks in block_grid(method, settings["n_blocks"]):
            rng = generator(settings["seed"], trial, fold, f"inner fold {inner}")
            path = fit_path(
                method,
                loss,
                sparsities=settings["sparsities"],
                lambdas=settings["lambdas"],
                n_blocks=n_blocks,
                rng=rng,
                **fit_options(settings),
            )
            for (lam, sparsity), fit in path.items():
                error = balanced_error(truth, scores(fit, held_out))
                grid.setdefault((lam, sparsity, n_blocks), []).append(error)
    return {point: float(np.mean(errors)) for point, errors in grid.items()}


def choose(errors: dict[tuple[float, int, int], float], near_tie: float) -> Choice:
    """Return the point of least inner error; within `near_tie` of it: stronger lambda, fewer genes, fewer blocks."""
    least = min(errors.values())
    near = [point for point, error in errors.items() if error <= least + near_tie]
    lam, sparsity, n_blocks = min(near, key=lambda point: (-point[0], point[1], point[2]))
    return Choice(lam, sparsity, n_blocks, errors[lam, sparsity, n_blocks])


def refit(
    method: str, X: np.ndarray, y: np.ndarray, choice: Choice, trial: int, fold: int, settings: dict
) -> FitResult:
    """Return the chosen fit on a whole training set, reached along the same path as in the inner folds."""
    path = fit_path(
        method,
        balanced_logistic(X, y),
        sparsities=[s for s in settings["sparsities"] if s <= choice.sparsity],
        lambdas=[lam for lam in settings["lambdas"] if lam >= choice.lam],
        n_blocks=choice.n_blocks,
        rng=generator(settings["seed"], trial, fold, "refit"),
        **fit_options(settings),
    )
    return path[choice.lam, choice.sparsity]


def fit_options(settings: dict) -> dict:
    """Return the options of `fit_path` that are the same for every fit of a run."""
    return {"max_epochs": settings["max_epochs"], "tol": settings["tolerance"]}


def score_fold(
    method: str, X: np.ndarray, y: np.ndarray, splits: Splits, trial: int, fold: int, settings: dict
) -> dict:
    """Return everything a fold's result file holds: the choice, the fit, and one score on the test fold."""
    choice = choose(inner_errors(method, X, y, splits, trial, fold, settings), settings["near_tie"])
    train, test = splits.train(trial, fold), splits.test(trial, fold)
    standardise = Standardiser(X[train])
    fit = refit(method, standardise(X[train]), y[train], choice, trial, fold, settings)
    test_scores = scores(fit, standardise(X[test]))
    return {
        "method": method,
        "trial": trial,
        "fold": fold,
        "balanced_error": balanced_error(y[test], test_scores),
        "auc": auc(y[test], test_scores),
        "n_nonzero": int(np.count_nonzero(fit.weights)),
        "sparsity": choice.sparsity,
        "n_blocks": choice.n_blocks,
        "n_components": settings["n_components"],
        "status": fit.status,
        "lam": choice.lam,
        "inner_error": choice.inner_error,
        "epochs": fit.epochs,
        "data_points": fit.data_points,
        "n_solves": fit.n_solves,
        "n_line_searches": fit.n_line_searches,
        "n_line_searches_failed": fit.n_line_searches_failed,
        "loss_trace": [float(value) for value in fit.loss_trace],
        "intercept": float(fit.intercept),
        "genes": [int(gene) for gene in fit.support],
        "weights": [float(weight) for weight in fit.weights[fit.support]],
        "test_patients": [int(row) for row in test],
        "test_scores": [float(score) for score in test_scores],
    }


def grid_size(method: str, settings: dict) -> int:
    """Return the number of fits that choose the settings of one fold, per inner fold."""
    points = product(settings["sparsities"], settings["lambdas"], block_grid(method, settings["n_blocks"]))
    return sum(1 for _ in points)
