"""Hard thresholding pursuit: choose a support by what genes are worth, refit on it, repeat while the loss falls.

Iterative hard thresholding takes a step along the gradient and projects; the curvature of all features together keeps
that step short, and the support is often the first projection. A pursuit is fully corrective: after each projection it
minimises the loss on the support, and it needs no step size.

    h = curvature bound of each feature + lambda;  S = tail(g(0) / sqrt(h));  w = refit on S
    repeat at most 20 times, g the gradient at w:
        for eta in 1, 1 / 1.6, 1 / 1.6^2, ... (6 tries):
            z = sqrt(h) w on S, -eta g / sqrt(h) elsewhere;  T = tail(z)
            if the refitted loss falls on T: S, w = T, refit; break
        else: stop

With z^2, features inside and outside the support compete on one scale, as in the sacrifices of abess: about twice what
the loss gains from a feature, other weights being fixed. The loss falls with every new support, so the pursuit ends.

References
----------
Foucart 2011 (hard thresholding pursuit); Hegde, Indyk and Schmidt 2015 (GraphCoSaMP); Chen and Zhou 2016 (Graph-MP);
Zhou and Chen 2016 (Graph-GHTP: gradient step, head and tail projection, full correction); Zhu et al. 2020 (abess).
Differences here: prizes scaled by curvature, and a damped step that is accepted only when the refitted loss falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphiht.losses import Iterate
from graphiht.newton import minimise
from graphiht.solver import CONVERGED, EPOCH_LIMIT, FitResult

if TYPE_CHECKING:
    from graphiht.losses import Loss
    from graphiht.solver import Model

MAX_ITERATIONS = 20
ETAS = tuple(1.6**-k for k in range(6))
# Smaller gains count as rounding. All tolerances are relative to the loss of the intercept alone.
LEAST_GAIN = 1e-10
NEWTON_TOLERANCE = 1e-12  # of the decrement before the last step, in which Newton's method squares the error


def pursue(loss: Loss, model: Model, has_intercept: bool = True, checkpoints: Sequence[int] = ()) -> FitResult:
    """Minimise `loss` over the supports of `model` by hard thresholding pursuit.

    Parameters
    ----------
    loss : Loss
    model : TopS or GraphSparsity
        Its tail projection proposes supports.
    has_intercept : bool
        Whether refits include an intercept, which is not penalised.
    checkpoints : sequence of int
        A pursuit has no number of epochs to choose: each checkpoint of the result is the result.

    Returns
    -------
    FitResult
        `epochs` counts gradients: one for the first support, one for each iteration. The status is "epoch limit" if
        all iterations found a better support.
    """
    h = loss.curvatures(has_intercept) + loss.lam
    root = np.sqrt(h)
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)

    start = loss.iterate(np.zeros(loss.n_features), np.empty(0, np.int64), 0.0)
    x, value = refit(loss, start, start.support, has_intercept, 0.0)
    _require_finite(h, value)
    scale = value
    result = FitResult(x.weights, x.intercept, x.support, CONVERGED, loss_trace=[value], data_points_trace=[0])
    seen = {x.support.tobytes()}

    for iteration in range(1 + MAX_ITERATIONS):
        gradient = loss.gradient(x)[0]
        falls = False
        for eta in ETAS if iteration else ETAS[:1]:
            z = -eta * gradient * inverse
            z[x.support] = root[x.support] * x.weights[x.support]
            _require_finite(z)
            support = model.tail(z)
            # The loss of a support tried before was not below the loss of then, nor is it below that of now.
            if support.tobytes() in seen:
                continue
            seen.add(support.tobytes())
            candidate, new_value = refit(loss, x, support, has_intercept, scale)
            falls = new_value < value - LEAST_GAIN * scale
            if falls or iteration == 0:
                x, value = candidate, new_value
                break
        result.epochs += 1
        result.loss_trace.append(value)
        result.data_points_trace.append(result.epochs * loss.n_rows)
        if not falls:
            break
    else:
        result.status = EPOCH_LIMIT

    result.weights, result.intercept, result.support = x.weights, x.intercept, x.support
    result.n_steps, result.data_points = result.epochs, result.data_points_trace[-1]
    result.n_solves, result.first = model.n_solves, model.first
    return replace(result, checkpoints=dict.fromkeys(checkpoints, result))


def refit(loss: Loss, x: Iterate, support: np.ndarray, has_intercept: bool, scale: float) -> tuple[Iterate, float]:
    """Return the `Iterate` that minimises the loss over the weights on `support` and the intercept, and its loss.

    Newton's method starts at `x`. `scale` is the loss that its tolerance is relative to.
    """
    size = len(support)
    design = np.ones((loss.n_rows, size + has_intercept))
    design[:, :size] = loss.XT[support].T if len(loss.XT) else loss.X[:, support]
    penalties = np.zeros(design.shape[1])
    penalties[:size] = loss.lam
    theta = np.append(x.weights[support], x.intercept)[: design.shape[1]]
    theta, margins, value = minimise(
        loss.kind, design, loss.targets, loss.row_weights, penalties, theta, NEWTON_TOLERANCE * scale
    )
    weights = np.zeros(loss.n_features)
    weights[support] = theta[:size]
    intercept = float(theta[size]) if has_intercept else 0.0
    return Iterate(weights, support, intercept, margins, float(theta[:size] @ theta[:size])), value


def _require_finite(*values: np.ndarray | float) -> None:
    if not all(np.isfinite(each).all() for each in values):
        raise ValueError("X and y must have finite squares; their values are too large: standardise them first")
