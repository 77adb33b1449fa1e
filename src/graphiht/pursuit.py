"""Hard thresholding pursuit: choose a support by estimated loss reduction, refit on it, repeat while the loss falls.

Iterative hard thresholding takes a step along the gradient and projects; the curvature of all features together keeps
that step short, and the support is often the first projection. A pursuit is fully corrective: after each projection it
minimises the loss on the support, and it needs no step size.

    h = curvature of each feature + lambda;  S = tail(g(0) / sqrt(h));  w = refit on S
    repeat at most 20 times, g the gradient at w:
        for eta in 1, 1 / 1.6, 1 / 1.6^2, ... (6 tries):
            z = sqrt(h) w on S, -eta g / sqrt(h) elsewhere;  T = tail(z)
            if the refitted loss falls on T: S, w = T, refit; break
        else: stop

The curvature of a logistic or squared loss is bounded for all w; Cox's model has no such bound, so h is that at w. With
z^2, features inside and outside the support compete on one scale, as in the sacrifices of abess: about twice what
the loss gains from a feature, other weights being fixed. The loss falls with every new support, so the pursuit ends.

References
----------
Foucart 2011 (hard thresholding pursuit); Hegde, Indyk and Schmidt 2015 (GraphCoSaMP); Chen and Zhou 2016 (Graph-MP);
Zhou and Chen 2016 (Graph-GHTP: gradient step, head and tail projection, full correction); Zhu et al. 2020 (abess).
Differences here: prizes scaled by curvature, and a damped step that is accepted only when the refitted loss falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphiht.losses import Iterate
from graphiht.newton import minimise
from graphiht.solver import CONVERGED, EPOCH_LIMIT, REFIT_LIMIT, FitResult
from graphiht.survival import CoxLoss

if TYPE_CHECKING:
    from graphiht.losses import Loss
    from graphiht.projection import GraphSparsity, TopS

MAX_ITERATIONS = 20
ETAS = tuple(1.6**-k for k in range(6))
# Smaller gains count as rounding. All tolerances are relative to the loss of the intercept alone.
LEAST_GAIN = 1e-10
NO_TIES = np.empty(0, np.int64)
NEWTON_TOLERANCE = 1e-12  # of the decrement before the last step, in which Newton's method squares the error


@dataclass
class PursuitResult(FitResult):
    """A `FitResult` with the weights of the covariates, which are not penalised and in every model."""

    covariate_weights: np.ndarray = field(default_factory=lambda: np.empty(0))


class Refit(NamedTuple):
    """A minimum on a support: the iterate, the weights of the free columns, the loss, and what Newton's method left."""

    x: Iterate
    free: np.ndarray
    value: float
    decrement: float


def pursue(
    loss: Loss | CoxLoss,
    model: TopS | GraphSparsity,
    has_intercept: bool = True,
    checkpoints: Sequence[int] = (),
    covariates: np.ndarray | None = None,
) -> PursuitResult:
    """Minimise `loss` over the supports of `model` by hard thresholding pursuit.

    Parameters
    ----------
    loss : Loss or CoxLoss
    model : TopS or GraphSparsity
        Its tail projection proposes supports.
    has_intercept : bool
        Whether refits include an intercept, which is not penalised. Cox's model has none.
    checkpoints : sequence of int
        A pursuit has no number of epochs to choose: each checkpoint of the result is the result.
    covariates : ndarray of shape (n_rows, n_covariates), optional
        Columns that every refit includes without penalty, like the intercept. They are never projected.

    Returns
    -------
    PursuitResult
        `epochs` counts gradients: one for the first support, one for each iteration. The status is "epoch limit" if
        all iterations found a better support, and "refit limit" if Newton's method did not reach the minimum on the
        last one: with almost no penalty, features may be nearly equal or separate the classes.
    """
    has_intercept = has_intercept and not isinstance(loss, CoxLoss)
    covariates = np.empty((loss.n_rows, 0)) if covariates is None else covariates
    # Far from zero a covariate would look like the intercept.
    centre = covariates.mean(axis=0) * has_intercept
    columns = free_columns(loss.n_rows, has_intercept, covariates - centre)
    current = refit_free(loss, columns)
    scale, x = current.value, current.x
    root, inverse = _roots(loss, x, has_intercept)
    _require_finite(root, scale)
    result = PursuitResult(x.weights, 0.0, x.support, CONVERGED, loss_trace=[scale], data_points_trace=[0])
    seen = {x.support.tobytes()}

    for iteration in range(1 + MAX_ITERATIONS):
        x, falls = current.x, False
        gradient = loss.gradient(x)[0]
        if isinstance(loss, CoxLoss) and iteration:
            root, inverse = _roots(loss, x, has_intercept)
        for eta in ETAS if iteration else ETAS[:1]:
            z = -eta * gradient * inverse
            z[x.support] = root[x.support] * x.weights[x.support]
            _require_finite(z)
            support = model.tail(z)
            # The loss of a support tried before was not below the loss of then, nor is it below that of now.
            if support.tobytes() in seen:
                continue
            seen.add(support.tobytes())
            candidate = refit(loss, current, support, columns, scale)
            falls = candidate.value < current.value - LEAST_GAIN * scale
            if falls or iteration == 0:
                current = candidate
                break
        result.epochs += 1
        result.loss_trace.append(current.value)
        result.data_points_trace.append(result.epochs * loss.n_rows)
        if not falls:
            break
    else:
        result.status = EPOCH_LIMIT
    if not current.decrement <= NEWTON_TOLERANCE * scale:
        result.status = REFIT_LIMIT

    x = current.x
    result.weights, result.support = x.weights, x.support
    result.covariate_weights = current.free[: len(centre)]
    result.intercept = float(current.free[-1] - centre @ result.covariate_weights) if has_intercept else 0.0
    result.n_steps, result.data_points = result.epochs, result.data_points_trace[-1]
    result.n_solves, result.first = model.n_solves, model.first
    return replace(result, checkpoints=dict.fromkeys(checkpoints, result))


def _roots(loss: Loss | CoxLoss, x: Iterate, has_intercept: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the root of the curvature of each feature with its penalty, and its inverse."""
    bound = loss.curvatures(x) if isinstance(loss, CoxLoss) else loss.curvatures(has_intercept)
    root = np.sqrt(bound + loss.lam)
    return root, np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)


def free_columns(n_rows: int, has_intercept: bool = True, covariates: np.ndarray | None = None) -> np.ndarray:
    """Return the columns of a design that are not penalised: covariates, and ones for the intercept."""
    ones = np.ones((n_rows, int(has_intercept)))
    return ones if covariates is None else np.column_stack([covariates, ones])


def refit_free(loss: Loss | CoxLoss, columns: np.ndarray) -> Refit:
    """Return the `Refit` without any feature."""
    nothing = Iterate(np.zeros(loss.n_features), np.empty(0, np.int64), 0.0, np.zeros(loss.n_rows), 0.0)
    return refit(loss, Refit(nothing, np.zeros(columns.shape[1]), 0.0, 0.0), nothing.support, columns, 0.0)


def refit(loss: Loss | CoxLoss, start: Refit, support: np.ndarray, columns: np.ndarray, scale: float) -> Refit:
    """Return the `Refit` that minimises the loss over the weights on `support` and of the free columns.

    Newton's method starts at `start`. `scale` is the loss that its tolerance is relative to.
    """
    size = len(support)
    design = np.empty((loss.n_rows, size + columns.shape[1]))
    design[:, :size] = loss.XT[support].T if len(loss.XT) else loss.X[:, support]
    design[:, size:] = columns
    penalties = np.zeros(design.shape[1])
    penalties[:size] = loss.lam
    theta, margins, value, decrement = minimise(
        loss.kind,
        design,
        loss.targets,
        loss.row_weights,
        penalties,
        np.concatenate([start.x.weights[support], start.free]),
        NEWTON_TOLERANCE * scale,
        *(loss.ties if isinstance(loss, CoxLoss) else (NO_TIES, NO_TIES)),
    )
    weights = np.zeros(loss.n_features)
    weights[support] = theta[:size]
    # The margins hold the free columns, so the iterate needs no intercept of its own.
    x = Iterate(weights, support, 0.0, margins, float(theta[:size] @ theta[:size]))
    return Refit(x, theta[size:], value, decrement)


def _require_finite(*values: np.ndarray | float) -> None:
    if not all(np.isfinite(each).all() for each in values):
        raise ValueError("X and y must have finite squares; their values are too large: standardise them first")
