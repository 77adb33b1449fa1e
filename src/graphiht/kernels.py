"""Numba kernels of one iteration: sums of matrix rows, pointwise losses on a set of rows, the line search.

Everything a fit computes runs through these loops (the Gram matrix of `losses.Loss` apart), in a fixed
order of operations and without fastmath, so that the bits of a result depend neither on the number of
threads nor on the BLAS. Measured at 236 x 1,894, `combine_rows` takes the time of a BLAS matrix-vector
product, and a fraction of it when only some rows are wanted, without copying them.
"""

import math

import numpy as np

from graphiht._jit import compiled

LOGISTIC = 0
SQUARED = 1


@compiled
def combine_rows(matrix, rows, coefficients, out):
    """Write sum_j coefficients[j] * matrix[rows[j]] into `out`.

    With X it is a gradient over some samples, with X transposed the image of a sparse vector.
    """
    width = matrix.shape[1]
    out[:] = 0.0
    # Four rows at a time: `out` is loaded and stored once for them, and the compiler vectorises along the
    # row.
    whole = len(rows) - len(rows) % 4
    for j in range(0, whole, 4):
        row0, row1, row2, row3 = (
            matrix[rows[j]],
            matrix[rows[j + 1]],
            matrix[rows[j + 2]],
            matrix[rows[j + 3]],
        )
        c0, c1, c2, c3 = coefficients[j], coefficients[j + 1], coefficients[j + 2], coefficients[j + 3]
        for i in range(width):
            out[i] += (c0 * row0[i] + c1 * row1[i]) + (c2 * row2[i] + c3 * row3[i])
    for j in range(whole, len(rows)):
        row0 = matrix[rows[j]]
        c0 = coefficients[j]
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
def restrict(z, support, matrix, transposed, offset):
    """Return z with zeros off the support, its image under the matrix plus `offset`, and its squared norm.

    `transposed` may be empty: the image is the same then, but slower. It is summed in the precision of the matrix.
    """
    restricted = np.zeros(len(z))
    chosen = np.empty(len(support))
    for j in range(len(support)):
        restricted[support[j]] = chosen[j] = z[support[j]]
    sums = np.empty(len(matrix), matrix.dtype)
    if len(transposed) > 0:
        combine_rows(transposed, support, chosen.astype(matrix.dtype), sums)
    else:
        combine_columns(matrix, support, chosen.astype(matrix.dtype), sums)
    image = np.empty(len(sums))
    for i in range(len(sums)):
        image[i] = sums[i] + offset
    return restricted, image, dot(chosen, chosen)


@compiled
def image(gram, coefficients, lam, margins, intercept, slope):
    """Return gram coefficients + lam (margins - intercept) + slope."""
    out = np.empty(len(margins))
    combine_rows(gram, np.arange(len(margins)), coefficients, out)
    for i in range(len(out)):
        out[i] = (out[i] + lam * (margins[i] - intercept)) + slope
    return out


@compiled
def move(weights, step, direction):
    """Return z = weights - step * direction and its squared norm."""
    z = np.empty(len(weights))
    for i in range(len(z)):
        z[i] = weights[i] - step * direction[i]
    return z, dot(z, z)


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
def gradient(kind, matrix, margins, targets, row_weights, rows, lam, weights):
    """Return (gradient, intercept's slope, coefficients) of the mean loss over the rows plus the penalty.

    The gradient is matrix^T coefficients + lam * weights.
    """
    coefficients = np.zeros(len(margins))
    chosen = np.empty(len(rows), matrix.dtype)
    slope = 0.0
    for j in range(len(rows)):
        i = rows[j]
        coefficients[i] = row_weights[i] * loss_slope(kind, margins[i], targets[i]) / len(rows)
        chosen[j] = coefficients[i]
        slope += coefficients[i]
    sums = np.empty(matrix.shape[1], matrix.dtype)
    combine_rows(matrix, rows, chosen, sums)
    out = np.empty(len(sums))
    for i in range(len(sums)):
        out[i] = sums[i] + lam * weights[i]
    return out, slope, coefficients


@compiled
def reduced_gradient(
    kind, matrix, margins, anchor_margins, targets, row_weights, rows, lam, weights, full, slope, anchored
):
    """Return (gradient, slope, coefficients) of grad_rows(x) - grad_rows(anchor) + grad(anchor).

    Both gradients over the rows are sums of the same rows of the matrix, so their difference is one pass.
    `full` (without the penalty), `slope` and `anchored` are those of `gradient` at the anchor.
    """
    coefficients = anchored.copy()
    chosen = np.empty(len(rows), matrix.dtype)
    for j in range(len(rows)):
        i = rows[j]
        at_x, at_anchor = loss_slope(kind, margins[i], targets[i]), loss_slope(kind, anchor_margins[i], targets[i])
        change = row_weights[i] * (at_x - at_anchor) / len(rows)
        coefficients[i] += change
        chosen[j] = change
        slope += change
    sums = np.empty(matrix.shape[1], matrix.dtype)
    combine_rows(matrix, rows, chosen, sums)
    out = np.empty(len(sums))
    for i in range(len(sums)):
        out[i] = (sums[i] + full[i]) + lam * weights[i]
    return out, slope, coefficients


@compiled
def intercept_change(kind, margins, targets, weights, rows, max_steps):
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
            margin = margins[i] + change
            slope += weights[i] * loss_slope(kind, margin, targets[i])
            curvature += weights[i] * loss_curvature(kind, margin, targets[i])
        # No curvature left: every row is so far on its right side that there is nothing to gain.
        if not curvature > 0.0:
            break
        move = slope / curvature
        if kind == LOGISTIC:
            move = min(1.0, max(-1.0, move))
        change -= move
        if abs(move) < 1e-12 * (1.0 + abs(change)):
            break
    return change


@compiled
def backtrack(
    kind, margins, along, targets, row_weights, rows, here, lam, weights, support, d, slope, shrink, most, guess
):
    """Return (step, accepted, k) of a search from step 1 downward for sufficient decrease on the rows.

    Accepted is the first step shrink^k, k = 0, ..., most, with L(x - step D) <= L(x) - (step/2) ||D||^2, L the mean
    loss on the rows plus (lam/2) ||w||^2, D the direction d and the intercept's slope together. `here` is that mean
    loss at x, `along` the change of every margin per unit of step, so a trial costs no matrix product. When no step is
    accepted, the smallest tried is returned.

    The search starts at `guess` shrinks and looks both ways. It finds the same step as one from 1 downward: L is
    convex, so L(x - t D) - L(x) + (t/2) ||D||^2 is convex in t and 0 at t = 0, and the accepted steps are an interval
    that begins at 0.
    """
    ww, wd = 0.0, 0.0
    for i in support:
        ww += weights[i] * weights[i]
        wd += weights[i] * d[i]
    dd = dot(d, d)
    start = here + 0.5 * lam * ww
    # Sums of a few hundred terms carry a rounding error of this size; without it a search at the optimum fails.
    bound = start + 1e-14 * abs(start)

    k = min(guess, most)
    accepted = False
    rejected_above = k == 0
    while True:
        step = _power(shrink, k)
        value = 0.0
        for i in rows:
            value += row_weights[i] * _value(kind, margins[i] - step * along[i], targets[i])
        value = value / len(rows) + 0.5 * lam * (ww - 2.0 * step * wd + step * step * dd)
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
