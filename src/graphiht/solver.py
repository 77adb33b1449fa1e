"""The one loop of all methods that step (estimate a gradient, step, project), and the defaults of everything it needs.

With an estimator of `gradients` and a model of `projection` it is Algorithm 1 (SVRG) or Algorithm 2 (SCSG) of
the paper, or one of the six methods around them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from graphiht.kernels import move

if TYPE_CHECKING:
    from graphiht.gradients import SVRG, FullGradient
    from graphiht.losses import Iterate, Loss
    from graphiht.projection import GraphSparsity, Projection, TopS

    Estimator: TypeAlias = FullGradient | SVRG
    Model: TypeAlias = TopS | GraphSparsity

CONVERGED, EPOCH_LIMIT, DIVERGED, REFIT_LIMIT = "converged", "epoch limit", "diverged", "refit limit"
INTERCEPTS = ("gradient", "newton", "exact", "none")

# Defaults of estimators, command line, `fit` and study; those of the loop are in `Settings`.
SPARSITY = 50
LAM = 0.1  # of classifiers; regressors have no penalty
N_COMPONENTS = 1
SLACK = 0.1
HEAD = "identity"

DIVERGED_NORM = 1e5
MAX_NEWTON_STEPS = {"newton": 1, "exact": 50}


@dataclass(frozen=True)
class Settings:
    """How the loop steps and when it stops.

    Parameters
    ----------
    step : float, optional
        A fixed step; by default a backtracking search from 1.
    shrink, max_shrinks : float, int
        The search multiplies the step by `shrink` at most `max_shrinks` times.
    intercept : {"gradient", "newton", "exact", "none"}
        What moves the intercept: the same gradient step as the weights; after each projection one Newton step
        or the minimisation of the loss on the rows of the line search; "none" keeps it at 0. With balanced classes
        it belongs near 0. The default, like those of head, slack and SCSG's inner steps, was chosen on another cohort
        than the study's, tcga: docs/defaults.md.
    max_epochs : int
        Ten epochs stop most fits early, on purpose: with a few hundred rows and thousands of features, later
        epochs overfit. The status of such a fit is "epoch limit". For the minimum itself, set hundreds.
    tol, patience : float, int
        Converged: over `patience` epochs running the support stayed the same and the loss changed by at
        most `tol` of itself.
    """

    step: float | None = None
    shrink: float = 0.6
    max_shrinks: int = 20
    intercept: str = "gradient"
    max_epochs: int = 10
    tol: float = 1e-3
    patience: int = 3


@dataclass
class FitResult:
    """The last iterate of a fit and how it was reached.

    `support` is the projected node set: a connector whose weight is zero belongs to it. `loss_trace` holds
    the loss on all rows at the start and after each epoch, `data_points_trace` the rows of all gradient
    evaluations up to there. `n_shrinks` is where the last line search ended, and the next one begins to look.
    `first` is the first projection, with the vector projected: another lambda may begin with the same one.
    `checkpoints` holds the results of the same fit after fewer epochs, if `solve` was asked for them.
    """

    weights: np.ndarray
    intercept: float
    support: np.ndarray
    status: str
    epochs: int = 0
    n_steps: int = 0
    data_points: int = 0
    n_solves: int = 0
    n_line_searches: int = 0
    n_line_searches_failed: int = 0
    n_shrinks: int = 0
    loss_trace: list[float] = field(default_factory=list)
    data_points_trace: list[int] = field(default_factory=list)
    first: tuple[np.ndarray, Projection] | None = None
    checkpoints: dict[int, FitResult] = field(default_factory=dict)


def solve(
    loss: Loss,
    estimator: Estimator,
    model: Model,
    settings: Settings | None = None,
    checkpoints: Sequence[int] = (),
) -> FitResult:
    """Return the `FitResult` of minimising `loss` over `model` from zero, with gradients from `estimator`.

    The estimator is made for the same loss. For each number of epochs in `checkpoints`, the `checkpoints` of the
    result hold what `solve` would return with that many as `max_epochs`: one fit gives them all. A fit that ends
    before is the result of all later ones.
    """
    settings = settings or Settings()
    x = loss.iterate(np.zeros(loss.n_features), np.empty(0, dtype=np.intp), 0.0)
    result = FitResult(x.weights, x.intercept, x.support, EPOCH_LIMIT)
    result.loss_trace.append(loss.value(x))
    result.data_points_trace.append(0)
    n_settled = 0

    for _ in range(settings.max_epochs):
        support = x.support
        n_steps = estimator.start_epoch(x)
        for _ in range(n_steps):
            x = _inner_step(loss, estimator, model, x, settings, result)
            if not _is_bounded(x):
                result.status = DIVERGED
                break
        result.epochs += 1
        result.loss_trace.append(loss.value(x))
        result.data_points_trace.append(estimator.data_points)
        if result.status == DIVERGED:
            break
        # An epoch of no steps (SCSG, Option I) leaves everything as it was and says nothing about
        # convergence.
        if n_steps:
            settled = _has_settled(support, x.support, result.loss_trace, settings.tol)
            n_settled = n_settled + 1 if settled else 0
        if n_settled >= settings.patience:
            result.status = CONVERGED
            break
        if result.epochs in checkpoints:
            result.checkpoints[result.epochs] = _at(x, estimator, model, result)

    last = _at(x, estimator, model, result)
    return replace(last, checkpoints={epochs: result.checkpoints.get(epochs, last) for epochs in checkpoints})


def _at(x: Iterate, estimator: Estimator, model: Model, result: FitResult) -> FitResult:
    """Return the result of a fit that ends at x; what `result` counts later does not change it."""
    return replace(
        result,
        weights=x.weights,
        support=x.support,
        intercept=x.intercept,
        data_points=estimator.data_points,
        n_solves=model.n_solves,
        first=model.first,
        loss_trace=result.loss_trace.copy(),
        data_points_trace=result.data_points_trace.copy(),
        checkpoints={},
    )


def _inner_step(
    loss: Loss, estimator: Estimator, model: Model, x: Iterate, settings: Settings, result: FitResult
) -> Iterate:
    """Return the next iterate: v, its head, a step against it, the tail, then the intercept's own step."""
    v = estimator.estimate(x)
    direction, head = model.head(v.gradient)
    slope = v.intercept_gradient if settings.intercept == "gradient" else 0.0

    step = settings.step
    if step is None:
        along = loss.along(x, v, direction, head, slope)
        step, accepted, result.n_shrinks = loss.search(
            x, along, direction, slope, v.rows, settings.shrink, settings.max_shrinks, result.n_shrinks
        )
        result.n_line_searches += 1
        result.n_line_searches_failed += not accepted
    result.n_steps += 1

    z, squared_norm = move(x.weights, step, direction)
    if not math.isfinite(squared_norm):
        return loss.iterate(z, np.arange(len(z)), x.intercept)
    x = loss.iterate(z, model.tail(z), x.intercept - step * slope)
    if settings.intercept in MAX_NEWTON_STEPS:
        x = loss.refine_intercept(x, v.rows, MAX_NEWTON_STEPS[settings.intercept])
    return x


def _is_bounded(x: Iterate) -> bool:
    """Return whether the iterate is finite and of norm below 1e5."""
    # A NaN fails the comparison, too.
    return x.squared_norm < DIVERGED_NORM**2 and math.isfinite(x.intercept)


def _has_settled(before: np.ndarray, after: np.ndarray, loss_trace: list[float], tol: float) -> bool:
    """Return whether an epoch left the support as it was and the loss within `tol` of itself."""
    change = abs(loss_trace[-1] - loss_trace[-2])
    return change <= tol * abs(loss_trace[-1]) and np.array_equal(before, after)
