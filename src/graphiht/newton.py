"""Newton's method for a ridge-penalised loss on a few features, and a bound of the curvature along every feature.

Compiled like `kernels`: a fixed order of operations, so that bits depend on neither threads nor BLAS.
"""

import math

import numpy as np

from graphiht import cox
from graphiht._jit import compiled
from graphiht.kernels import SQUARED, combine_columns, combine_rows, dot, loss_curvature, loss_slope, mean_loss

MAX_STEPS = 50
MAX_HALVINGS = 30
MOST_MOVED = 0.1  # log odds, by the last step to a minimum
# Of the curvature along each feature, in steps only: dependent features share a weight even when there is no penalty.
RIDGE = 1e-6


@compiled
def second_moments(matrix, weights, is_centred):
    """Return sum_i weights[i] * (matrix[i] - mean)^2, by column; the weighted mean, or 0 if not `is_centred`."""
    mean, out = np.zeros(matrix.shape[1]), np.zeros(matrix.shape[1])
    total = weights.sum()
    if is_centred and total > 0.0:
        for i in range(len(matrix)):
            for j in range(len(mean)):
                mean[j] += weights[i] / total * matrix[i, j]
    for i in range(len(matrix)):
        for j in range(len(mean)):
            out[j] += weights[i] * (matrix[i, j] - mean[j]) ** 2
    return out


@compiled
def minimise(kind, design, targets, row_weights, penalties, theta, tolerance, order, starts):
    """Return (theta, margins, objective, decrement) where the mean loss plus 1/2 sum penalties theta^2 is least.

    Damped Newton steps from `theta`; one with a decrement (about twice the gain) of at most `tolerance` is the last.
    The decrement returned is that of the last step. It is above `tolerance` if MAX_STEPS did not reach the minimum, and
    infinite if there is none: the log odds still grow by about one per step while the loss tends to its infimum.
    `order` and `starts` are for Cox's model, see `cox.partial_likelihood`; other losses ignore them.
    """
    rows, columns = np.arange(len(design)), np.arange(len(theta))
    margins, trial_margins, gradient = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(columns))
    combine_columns(design, columns, theta, margins)
    value = _value(kind, margins, targets, row_weights, order, starts) + 0.5 * dot(penalties * theta, theta)
    decrement, factor = math.inf, np.empty((0, 0))
    for _ in range(MAX_STEPS):
        coefficients, bends, second = _derivatives(kind, design, margins, targets, row_weights, order, starts)
        combine_rows(design, rows, coefficients, gradient)
        gradient += penalties * theta
        # The second derivatives of the squared loss are the same everywhere.
        if kind != SQUARED or len(factor) == 0:
            factor = _factor(second if kind == cox.COX else _hessian(design, bends), penalties)
        direction = _solve(factor, gradient)
        decrement = dot(gradient, direction)
        # So near the minimum a full step is right, and the loss is too flat to tell.
        is_last = decrement <= tolerance
        step, is_taken = 1.0, False
        for _ in range(MAX_HALVINGS):
            trial = theta - step * direction
            combine_columns(design, columns, trial, trial_margins)
            trial_value = _value(kind, trial_margins, targets, row_weights, order, starts)
            trial_value += 0.5 * dot(penalties * trial, trial)
            # A NaN fails both comparisons.
            is_taken = is_last or trial_value <= value - 1e-4 * step * decrement
            if is_taken:
                break
            step *= 0.5
        if is_taken:
            theta, value = trial, trial_value
            margins, trial_margins = trial_margins, margins
        if is_last or not is_taken:
            if kind != SQUARED and np.abs(margins - trial_margins).max() > MOST_MOVED:
                decrement = math.inf
            break
    return theta, margins, value, decrement


@compiled
def _value(kind, margins, targets, row_weights, order, starts):
    """Return the mean loss."""
    if kind == cox.COX:
        return cox.partial_likelihood(margins, targets, row_weights, order, starts)[0]
    return mean_loss(kind, margins, targets, row_weights, np.arange(len(margins)))


@compiled
def _derivatives(kind, design, margins, targets, row_weights, order, starts):
    """Return the first and second derivatives along each margin; for Cox's model the latter along the weights."""
    n = len(design)
    slopes, bends = np.empty(n), np.empty(n)
    if kind == cox.COX:
        _, slopes, shares, deaths = cox.partial_likelihood(margins, targets, row_weights, order, starts)
        return slopes, bends, cox.hessian(design, shares, deaths, order, starts)
    for i in range(n):
        slopes[i] = row_weights[i] * loss_slope(kind, margins[i], targets[i]) / n
        bends[i] = row_weights[i] * loss_curvature(kind, margins[i], targets[i]) / n
    return slopes, bends, np.empty((0, 0))


@compiled
def _hessian(design, bends):
    """Return the lower triangle of design^T diag(bends) design."""
    n, size = design.shape
    out = np.zeros((size, size))
    whole = n - n % 4
    for i in range(0, whole, 4):
        # Four rows at a time, as in `kernels.combine_rows`.
        r0, r1, r2, r3 = design[i], design[i + 1], design[i + 2], design[i + 3]
        for a in range(size):
            c0, c1, c2, c3 = bends[i] * r0[a], bends[i + 1] * r1[a], bends[i + 2] * r2[a], bends[i + 3] * r3[a]
            line = out[a]
            for b in range(a + 1):
                line[b] += (c0 * r0[b] + c1 * r1[b]) + (c2 * r2[b] + c3 * r3[b])
    for i in range(whole, n):
        for a in range(size):
            for b in range(a + 1):
                out[a, b] += bends[i] * design[i, a] * design[i, b]
    return out


@compiled
def _factor(lower, penalties):
    """Return the Cholesky factor of a positive semidefinite matrix plus penalties and `RIDGE`, in place."""
    for j in range(len(lower)):
        lower[j, j] = (1.0 + RIDGE) * lower[j, j] + penalties[j]
        pivot = lower[j, j] - dot(lower[j, :j], lower[j, :j])
        lower[j, j] = math.sqrt(pivot) if pivot > 0.0 else math.inf
        for i in range(j + 1, len(lower)):
            lower[i, j] = (lower[i, j] - dot(lower[i, :j], lower[j, :j])) / lower[j, j]
    return lower


@compiled
def _solve(factor, right):
    """Return the solution of a system from its Cholesky factor; 0 where there is no curvature."""
    out = right.copy()
    for j in range(len(factor)):
        out[j] = (out[j] - dot(factor[j, :j], out[:j])) / factor[j, j]
    for j in range(len(factor) - 1, -1, -1):
        out[j] /= factor[j, j]
        for i in range(j):
            out[i] -= factor[j, i] * out[j]
    return out
