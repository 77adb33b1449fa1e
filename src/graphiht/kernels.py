"""Numba kernels of one iteration: sums of matrix rows, gradients and losses on a set of rows, the line search.

Everything a fit computes runs through these loops (the Gram matrix of `losses.Loss` apart), in a fixed
order of operations and without fastmath, so that the bits of a result depend neither on the number of
threads nor on the BLAS. Measured at 236 x 1,894, `combine_rows` takes the time of a BLAS matrix-vector
product, and a fraction of it when only some rows are wanted, without copying them.
"""

import math
from typing import NamedTuple

import numpy as np

from graphiht._jit import compiled

LOGISTIC = 0
SQUARED = 1


class Data(NamedTuple):
    """The arrays and numbers of a `losses.Loss`; `XT` and `gram` are empty where they are not used."""

    kind: int
    X: np.ndarray
    XT: np.ndarray
    targets: np.ndarray
    row_weights: np.ndarray
    all_rows: np.ndarray
    lam: float
    gram: np.ndarray


class Iterate(NamedTuple):
    """A point of the search: sparse weights, intercept, the margins X w + c of all rows, and ||w||^2.

    `mean_loss` is that on all rows, without the penalty, or NaN where it has not been computed.
    """

    weights: np.ndarray
    support: np.ndarray
    intercept: float
    margins: np.ndarray
    squared_norm: float
    mean_loss: float = math.nan


@compiled
def combine_rows(matrix, rows, coefficients, out):
    """Write sum_j coefficients[j] * matrix[rows[j]] into `out`.

    With X it is a gradient over some samples, with X transposed the image of a sparse vector.
    """
    width = matrix.shape[1]
    out[:] = 0.0
    # Four rows at a time: `out` is loaded and stored once for them, and the compiler vectorises along the row.
    whole = len(rows) - len(rows) % 4
    for j in range(0, whole, 4):
        row0, row1, row2, row3 = matrix[rows[j]], matrix[rows[j + 1]], matrix[rows[j + 2]], matrix[rows[j + 3]]
        c0, c1, c2, c3 = coefficients[j], coefficients[j + 1], coefficients[j + 2], coefficients[j + 3]
        for i in range(width):
            out[i] += (c0 * row0[i] + c1 * row1[i]) + (c2 * row2[i] + c3 * row3[i])
    for j in range(whole, len(rows)):
        row0, c0 = matrix[rows[j]], coefficients[j]
        for i in range(width):
            out[i] += c0 * row0[i]


@compiled
def combine_columns(matrix, columns, coefficients, out):
    """Write sum_j coefficients[j] * matrix[:, columns[j]] into `out`: `combine_rows` of the transpose, to the bit."""
    whole = len(columns) - len(columns) % 4
    for i in range(len(matrix)):
        row = matrix[i]
        out[i] = 0.0
        for j in range(0, whole, 4):
            out[i] += (coefficients[j] * row[columns[j]] + coefficients[j + 1] * row[columns[j + 1]]) + (
                coefficients[j + 2] * row[columns[j + 2]] + coefficients[j + 3] * row[columns[j + 3]]
            )
        for j in range(whole, len(columns)):
            out[i] += coefficients[j] * row[columns[j]]


@compiled
def dot(a, b):
    """Return the inner product of two vectors, summed in four fixed lanes."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = len(a) - len(a) % 4
    for i in range(0, whole, 4):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
    for i in range(whole, len(a)):
        s0 += a[i] * b[i]
    return (s0 + s1) + (s2 + s3)


@compiled
def image(data, values, columns, offset):
    """Return X[:, columns] values + offset, summed in the precision of X; without XT the same, but slower."""
    sums = np.empty(len(data.X), data.X.dtype)
    if len(data.XT) > 0:
        combine_rows(data.XT, columns, values.astype(data.X.dtype), sums)
    else:
        combine_columns(data.X, columns, values.astype(data.X.dtype), sums)
    return sums.astype(np.float64) + offset


@compiled
def image_by_gram(data, x, coefficients, slope):
    """Return X g + slope for a gradient g = X^T coefficients + lambda w at x, from X X^T."""
    sums = np.empty(len(x.margins))
    combine_rows(data.gram, data.all_rows, coefficients, sums)
    return (sums + data.lam * (x.margins - x.intercept)) + slope


@compiled
def iterate(data, z, support, intercept):
    """Return the `Iterate` at z with zeros off the support."""
    weights, chosen = np.zeros(len(z)), z[support]
    for j in range(len(support)):
        weights[support[j]] = chosen[j]
    return Iterate(weights, support, intercept, image(data, chosen, support, intercept), dot(chosen, chosen), math.nan)


@compiled
def _value(kind, margin, target):
    """Return the loss of one sample: log(1 + exp(-y m)), or (m - y)^2 / 2."""
    if kind == LOGISTIC:
        z = target * margin
        # The exponent is never positive, so nothing overflows.
        return math.log1p(math.exp(-z)) if z > 0 else math.log1p(math.exp(z)) - z
    return 0.5 * (margin - target) ** 2


@compiled
def loss_slope(kind, margin, target):
    """Return the derivative of `_value` with respect to the margin."""
    if kind == LOGISTIC:
        z = target * margin
        if z > 0:
            e = math.exp(-z)
            return -target * e / (1.0 + e)
        return -target / (1.0 + math.exp(z))
    return margin - target


@compiled
def loss_curvature(kind, margin, target):
    """Return the second derivative of `_value` with respect to the margin."""
    if kind == LOGISTIC:
        e = math.exp(-abs(margin))
        return e / (1.0 + e) ** 2
    return 1.0


@compiled
def mean_loss(kind, margins, targets, weights, rows):
    """Return (1/m) sum over the m rows of weight * value."""
    total = 0.0
    for i in rows:
        total += weights[i] * _value(kind, margins[i], targets[i])
    return total / len(rows)


@compiled
def gradient(data, x, rows, lam):
    """Return (gradient, intercept's slope, coefficients) at x of the mean loss over the rows plus the penalty.

    The gradient is X^T coefficients + lam w.
    """
    coefficients, slope = np.zeros(len(x.margins)), 0.0
    for i in rows:
        coefficients[i] = data.row_weights[i] * loss_slope(data.kind, x.margins[i], data.targets[i]) / len(rows)
        slope += coefficients[i]
    return _sum_rows(data, rows, coefficients[rows]) + lam * x.weights, slope, coefficients


@compiled
def reduced_gradient(data, x, rows, anchor, at_anchor):
    """Return, like `gradient`, that of the rows at x minus that at the anchor plus `at_anchor`.

    Both gradients over the rows are sums of the same rows of the matrix, so their difference is one pass.
    `at_anchor` is what `gradient` returns there, without the penalty; that is taken at x.
    """
    full, slope, coefficients = at_anchor[0], at_anchor[1], at_anchor[2].copy()
    changes = np.empty(len(rows))
    for j in range(len(rows)):
        i = rows[j]
        at_x = loss_slope(data.kind, x.margins[i], data.targets[i])
        change = at_x - loss_slope(data.kind, anchor.margins[i], data.targets[i])
        changes[j] = data.row_weights[i] * change / len(rows)
        coefficients[i] += changes[j]
        slope += changes[j]
    return (_sum_rows(data, rows, changes) + full) + data.lam * x.weights, slope, coefficients


@compiled
def _sum_rows(data, rows, coefficients):
    """Return sum_j coefficients[j] * X[rows[j]], summed in the precision of X."""
    sums = np.empty(data.X.shape[1], data.X.dtype)
    combine_rows(data.X, rows, coefficients.astype(data.X.dtype), sums)
    return sums


@compiled
def intercept_change(data, x, rows, max_steps):
    """Return the change of the intercept that `max_steps` safeguarded Newton steps on the rows make.

    For the logistic loss f'' changes by at most a factor e^|t| over a distance t, hence f(c - t) <= f(c) -
    t f' + f'' (e^|t| - |t| - 1); with t = f'/f'' clipped to [-1, 1] the last term is at most (e - 2) t f',
    so every step lowers the loss, also on rows of one class, where the minimum is at infinity. For the
    squared loss one unclipped step is exact.
    """
    change = 0.0
    for _ in range(max_steps):
        slope, curvature = 0.0, 0.0
        for i in rows:
            margin = x.margins[i] + change
            slope += data.row_weights[i] * loss_slope(data.kind, margin, data.targets[i])
            curvature += data.row_weights[i] * loss_curvature(data.kind, margin, data.targets[i])
        # No curvature left: every row is so far on its right side that there is nothing to gain.
        if not curvature > 0.0:
            break
        move = slope / curvature
        if data.kind == LOGISTIC:
            move = min(1.0, max(-1.0, move))
        change -= move
        if abs(move) < 1e-12 * (1.0 + abs(change)):
            break
    return change


@compiled
def backtrack(data, x, along, direction, slope, rows, shrink, most, guess):
    """Return (step, accepted, k) of a search from step 1 downward for sufficient decrease on the rows.

    Accepted is the first step shrink^k, k = 0, ..., most, with L(x - step D) <= L(x) - (step/2) ||D||^2, L the mean
    loss on the rows plus the penalty, D the direction and the intercept's slope together. `along` is the change of
    every margin per unit of step, so a trial costs no matrix product. When no step is accepted, the smallest tried is
    returned.

    The search starts at `guess` shrinks and looks both ways. It finds the same step as one from 1 downward: L is
    convex, so L(x - t D) - L(x) + (t/2) ||D||^2 is convex in t and 0 at t = 0, and the accepted steps are an interval
    that begins at 0.
    """
    here = x.mean_loss
    if math.isnan(here) or len(rows) < len(data.all_rows):
        here = mean_loss(data.kind, x.margins, data.targets, data.row_weights, rows)
    ww, wd = 0.0, 0.0
    for i in x.support:
        ww += x.weights[i] * x.weights[i]
        wd += x.weights[i] * direction[i]
    dd = dot(direction, direction)
    start = here + 0.5 * data.lam * ww
    # Sums of a few hundred terms carry a rounding error of this size; without it a search at the optimum fails.
    bound = start + 1e-14 * abs(start)

    k = min(guess, most)
    accepted = False
    rejected_above = k == 0
    while True:
        step = _power(shrink, k)
        value = 0.0
        for i in rows:
            value += data.row_weights[i] * _value(data.kind, x.margins[i] - step * along[i], data.targets[i])
        value = value / len(rows) + 0.5 * data.lam * (ww - 2.0 * step * wd + step * step * dd)
        if value <= bound - 0.5 * step * (dd + slope * slope):
            accepted = True
            if rejected_above:
                return step, True, k
            k -= 1
            rejected_above = k == 0
        elif accepted:
            return _power(shrink, k + 1), True, k + 1
        elif k == most:
            return step, False, k
        else:
            rejected_above = True
            k += 1


@compiled
def _power(base, exponent):
    """Return base^exponent by repeated multiplication."""
    power = 1.0
    for _ in range(exponent):
        power *= base
    return power


@compiled
def draw_rows(uniform, scratch):
    """Return len(uniform) of the rows 0..len(scratch)-1, sorted; uniform numbers in [0, 1) decide which.

    The first steps of a Fisher-Yates shuffle; `scratch` holds the rows in any order and keeps holding them.
    """
    n, size = len(scratch), len(uniform)
    for i in range(size):
        j = i + int(uniform[i] * (n - i))
        scratch[i], scratch[j] = scratch[j], scratch[i]
    return np.sort(scratch[:size])
