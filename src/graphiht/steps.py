"""The steps of a fit in one compiled function: what `solver.solve` does from epoch to epoch, for `loop.solve`."""

import math
from typing import NamedTuple

import numpy as np

from graphiht import kernels
from graphiht._jit import compiled
from graphiht._pcst.search import project
from graphiht._pcst.workspace import Workspace
from graphiht.projection import MAX_SOLVES, largest
from graphiht.solver import DIVERGED_NORM

# What a fit counts, by position in one array.
EPOCHS, STEPS, DATA_POINTS, SOLVES, SEARCHES, FAILED, SHRINKS, SETTLED, STATUS = range(9)
N_COUNTS = 9
RUNNING, ENDED_CONVERGED, ENDED_DIVERGED = range(3)
# And where the searches of the projections ended, by position in another.
WARM_HEAD, WARM_TAIL = range(2)


class Data(NamedTuple):
    """The arrays and numbers of a `Loss`; `gram` is empty where the loss has none."""

    kind: int
    X: np.ndarray
    XT: np.ndarray
    targets: np.ndarray
    row_weights: np.ndarray
    gram: np.ndarray
    all_rows: np.ndarray
    lam: float


class Part(NamedTuple):
    """Some epochs of an estimator's draws: spans of `rows`, for the anchor of an epoch and for each step."""

    is_reduced: bool
    rows: np.ndarray
    outer: np.ndarray
    n_steps: np.ndarray
    inner: np.ndarray


class Shape(NamedTuple):
    """A sparsity model; a head of size 0 keeps everything."""

    uses_network: bool
    workspace: Workspace
    min_cost: float
    low: int
    high: int
    head_low: int
    head_high: int
    n_components: int
    head_components: int


class Rule(NamedTuple):
    """The `Settings` of the loop; a step of 0 is searched for."""

    step: float
    shrink: float
    max_shrinks: int
    moves_intercept: bool
    newton_steps: int
    tol: float
    patience: int


class Point(NamedTuple):
    """An `Iterate`, and the mean loss on all rows there."""

    weights: np.ndarray
    support: np.ndarray
    intercept: float
    margins: np.ndarray
    squared_norm: float
    mean_loss: float


class First(NamedTuple):
    """The first tail projection: of this vector, with this answer; of no vector when there is none."""

    vector: np.ndarray
    support: np.ndarray
    n_solves: int
    multiplier: float
    in_window: bool


@compiled
def start(data):
    """Return the point of departure, zero."""
    return _measured(data, _point(data, np.zeros(data.X.shape[1]), np.empty(0, np.int64), 0.0))


@compiled
def _point(data, z, support, intercept):
    """Return the point at z restricted to the support, its loss not yet known."""
    weights, margins, squared_norm = kernels.restrict(z, support, data.X, data.XT, intercept)
    return Point(weights, support, intercept, margins, squared_norm, math.nan)


@compiled
def _measured(data, x):
    """Return the same point with its mean loss on all rows."""
    value = kernels.mean_loss(data.kind, x.margins, data.targets, data.row_weights, data.all_rows)
    return Point(x.weights, x.support, x.intercept, x.margins, x.squared_norm, value)


@compiled
def advance(data, part, shape, rule, x, first, counts, warm, loss_trace, points_trace):
    """Return (point, first projection) after the epochs of a part, or when the fit ends before."""
    step = 0
    for epoch in range(len(part.n_steps)):
        support = x.support
        anchor = x
        outer = part.rows[part.outer[epoch, 0] : part.outer[epoch, 1]]
        # Of estimators without an anchor these rows are none, and what is computed here is not used.
        at_anchor = _gradient(data, x, outer, 0.0) if part.is_reduced else (x.weights, 0.0, x.margins)
        counts[DATA_POINTS] += len(outer)
        for k in range(part.n_steps[epoch]):
            rows = part.rows[part.inner[step, 0] : part.inner[step, 1]]
            step += 1
            if not part.is_reduced:
                v = _gradient(data, x, rows, data.lam)
                counts[DATA_POINTS] += len(rows)
                searched = rows
            else:
                v = _at_anchor(data, x, at_anchor) if k == 0 else _reduced(data, x, anchor, rows, at_anchor)
                counts[DATA_POINTS] += 2 * len(rows)
                searched = outer
            x, first = _inner_step(data, shape, rule, x, first, v, searched, counts, warm)
            if not (x.squared_norm < DIVERGED_NORM**2 and math.isfinite(x.intercept)):
                counts[STATUS] = ENDED_DIVERGED
                break
        x = _measured(data, x)
        counts[EPOCHS] += 1
        now = counts[EPOCHS]
        loss_trace[now] = x.mean_loss + 0.5 * data.lam * x.squared_norm
        points_trace[now] = counts[DATA_POINTS]
        if counts[STATUS] == ENDED_DIVERGED:
            break
        if part.n_steps[epoch] > 0:
            is_still = abs(loss_trace[now] - loss_trace[now - 1]) <= rule.tol * abs(loss_trace[now])
            counts[SETTLED] = counts[SETTLED] + 1 if is_still and np.array_equal(support, x.support) else 0
        if counts[SETTLED] >= rule.patience:
            counts[STATUS] = ENDED_CONVERGED
            break
    return x, first


@compiled
def _gradient(data, x, rows, lam):
    return kernels.gradient(data.kind, data.X, x.margins, data.targets, data.row_weights, rows, lam, x.weights)


@compiled
def _reduced(data, x, anchor, rows, at_anchor):
    full, slope, anchored = at_anchor
    return kernels.reduced_gradient(
        data.kind,
        data.X,
        x.margins,
        anchor.margins,
        data.targets,
        data.row_weights,
        rows,
        data.lam,
        x.weights,
        full,
        slope,
        anchored,
    )


@compiled
def _at_anchor(data, x, at_anchor):
    """Return the reduced gradient where x is the anchor: the change over the rows is zero."""
    full, slope, anchored = at_anchor
    out = np.empty(len(full))
    for i in range(len(out)):
        out[i] = (0.0 + full[i]) + data.lam * x.weights[i]
    return out, slope, anchored


@compiled
def _inner_step(data, shape, rule, x, first, v, rows, counts, warm):
    """Return (next point, first projection): as `solver._inner_step`."""
    gradient, intercept_gradient, coefficients = v
    direction = gradient
    head = x.support
    if shape.head_high > 0:
        head, n_solves, warm[WARM_HEAD], _ = project(
            shape.workspace,
            gradient,
            shape.min_cost,
            shape.head_low,
            shape.head_high,
            shape.head_components,
            warm[WARM_HEAD],
            MAX_SOLVES,
        )
        counts[SOLVES] += n_solves
        direction = np.zeros(len(gradient))
        for i in head:
            direction[i] = gradient[i]
    slope = intercept_gradient if rule.moves_intercept else 0.0

    step = rule.step
    if step == 0.0:
        if shape.head_high > 0:
            along = kernels.restrict(direction, head, data.X, data.XT, slope)[1]
        elif len(data.gram) > 0:
            along = kernels.image(data.gram, coefficients, data.lam, x.margins, x.intercept, slope)
        else:
            along = kernels.restrict(direction, np.arange(len(direction)), data.X, data.XT, slope)[1]
        here = x.mean_loss
        if len(rows) < len(data.all_rows) or math.isnan(here):
            here = kernels.mean_loss(data.kind, x.margins, data.targets, data.row_weights, rows)
        step, accepted, counts[SHRINKS] = kernels.backtrack(
            data.kind,
            x.margins,
            along,
            data.targets,
            data.row_weights,
            rows,
            here,
            data.lam,
            x.weights,
            x.support,
            direction,
            slope,
            rule.shrink,
            rule.max_shrinks,
            counts[SHRINKS],
        )
        counts[SEARCHES] += 1
        counts[FAILED] += not accepted
    counts[STEPS] += 1

    z, squared_norm = kernels.move(x.weights, step, direction)
    if not math.isfinite(squared_norm):
        return _point(data, z, np.arange(len(z)), x.intercept), first
    if shape.uses_network:
        if counts[STEPS] == 1 and len(first.vector) > 0 and np.array_equal(z, first.vector):
            support, warm[WARM_TAIL] = first.support, first.multiplier
        else:
            support, n_solves, multiplier, in_window = project(
                shape.workspace,
                z,
                shape.min_cost,
                shape.low,
                shape.high,
                shape.n_components,
                warm[WARM_TAIL],
                MAX_SOLVES,
            )
            counts[SOLVES] += n_solves
            warm[WARM_TAIL] = multiplier
            if counts[STEPS] == 1:
                first = First(z, support, n_solves, multiplier, in_window)
    else:
        support = largest(z, shape.low)
    intercept = x.intercept - step * slope
    x = _point(data, z, support, intercept)
    if rule.newton_steps > 0:
        change = kernels.intercept_change(data.kind, x.margins, data.targets, data.row_weights, rows, rule.newton_steps)
        x = Point(x.weights, support, intercept + change, x.margins + change, x.squared_norm, math.nan)
    return x, first
