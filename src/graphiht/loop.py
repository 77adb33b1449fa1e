"""The loop of `solver`, compiled: the same numbers to the bit, without a return to Python for every step.

`solver.solve` says what is computed, estimators and models how; here the same kernels are called in the same order from
one compiled function. What it does beside that saves work and changes no bit:

- All rows of a few epochs are drawn beforehand (`Draws`), and once for all fits of a path.
- The first inner step of SVRG and SCSG is taken at the anchor, where the reduced gradient is the anchor's.
- The loss on all rows after an epoch is the one the next line search on all rows starts from.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphiht import kernels
from graphiht._jit import compiled
from graphiht._pcst.search import project
from graphiht._pcst.workspace import Workspace
from graphiht.gradients import SVRG
from graphiht.network import Network
from graphiht.projection import MAX_SOLVES, Projection, TopS, largest, window
from graphiht.solver import (
    CONVERGED,
    DIVERGED,
    DIVERGED_NORM,
    EPOCH_LIMIT,
    MAX_NEWTON_STEPS,
    FitResult,
    Settings,
)

if TYPE_CHECKING:
    from graphiht.losses import Loss
    from graphiht.solver import Estimator, Model

EPOCHS_OF_A_PART = 16  # drawn at a time, to bound the memory of long fits

# What a fit counts, by position in one array.
EPOCHS, STEPS, DATA_POINTS, SOLVES, SEARCHES, FAILED, SHRINKS, SETTLED, STATUS = range(9)
RUNNING, ENDED_CONVERGED, ENDED_DIVERGED = range(3)
STATUSES = {RUNNING: EPOCH_LIMIT, ENDED_CONVERGED: CONVERGED, ENDED_DIVERGED: DIVERGED}
# And where the searches of the projections ended, by position in another.
WARM_HEAD, WARM_TAIL = range(2)


class _Data(NamedTuple):
    """The arrays and numbers of a `Loss`; `gram` is empty where the loss has none."""

    kind: int
    X: np.ndarray
    XT: np.ndarray
    targets: np.ndarray
    row_weights: np.ndarray
    gram: np.ndarray
    all_rows: np.ndarray
    lam: float


class _Part(NamedTuple):
    """Some epochs of an estimator's draws: spans of `rows`, for the anchor of an epoch and for each step."""

    is_reduced: bool
    rows: np.ndarray
    outer: np.ndarray
    n_steps: np.ndarray
    inner: np.ndarray


class _Shape(NamedTuple):
    """A sparsity model; a head of size 0 keeps everything."""

    uses_network: bool
    workspace: Workspace
    min_cost: float
    low: int
    high: int
    head_low: int
    head_high: int
    n_components: int


class _Rule(NamedTuple):
    """The `Settings` of the loop; a step of 0 is searched for."""

    step: float
    shrink: float
    max_shrinks: int
    moves_intercept: bool
    newton_steps: int
    tol: float
    patience: int


class _Point(NamedTuple):
    """An `Iterate`, and the mean loss on all rows there."""

    weights: np.ndarray
    support: np.ndarray
    intercept: float
    margins: np.ndarray
    squared_norm: float
    mean_loss: float


class _First(NamedTuple):
    """The first tail projection: of this vector, with this answer; of no vector when there is none."""

    vector: np.ndarray
    support: np.ndarray
    n_solves: int
    multiplier: float
    in_window: bool


class Draws:
    """The rows that an estimator draws, in parts of some epochs, for one fit or several that draw the same.

    A fit that ends early has drawn more than it used. `rewind` sets the generator back to where the readable loop would
    have left it.
    """

    def __init__(self, estimator: Estimator, rng: np.random.Generator | None = None):
        self.estimator = estimator
        self.parts: list[_Part] = []
        self._rng, self._state = rng, None

    def part(self, number: int, n_epochs: int) -> _Part:
        """Return the part of this number, drawn now if it has not been."""
        if number == len(self.parts):
            self._state = None if self._rng is None else self._rng.bit_generator.state
            self.parts.append(self._draw(n_epochs))
        return self.parts[number]

    def rewind(self, n_epochs: int) -> None:
        """Set the generator to where it was after `n_epochs` epochs of the last part."""
        if self._rng is not None and n_epochs < len(self.parts[-1].n_steps):
            self._rng.bit_generator.state = self._state
            self._draw(n_epochs)

    def _draw(self, n_epochs: int) -> _Part:
        pool, places, used = [], {}, 0

        def span(rows: np.ndarray) -> tuple[int, int]:
            # Blocks, and all rows, are the same array every time. The pool keeps every array, so no id comes twice.
            nonlocal used
            if id(rows) not in places:
                places[id(rows)] = (used, used + len(rows))
                pool.append(rows)
                used += len(rows)
            return places[id(rows)]

        outer, n_steps, inner = [], [], []
        for _ in range(n_epochs):
            anchor, steps = self.estimator.draw_epoch()
            outer.append((0, 0) if anchor is None else span(anchor))
            n_steps.append(len(steps))
            inner += [span(rows) for rows in steps]
        rows = np.concatenate(pool) if pool else np.empty(0, np.int64)
        spans = [np.array(spans, np.int64).reshape(-1, 2) for spans in (outer, inner)]
        return _Part(isinstance(self.estimator, SVRG), rows.astype(np.int64), spans[0], np.array(n_steps), spans[1])


def solve(
    loss: Loss,
    draws: Draws,
    model: Model,
    settings: Settings | None = None,
    checkpoints: Sequence[int] = (),
) -> FitResult:
    """Return what `solver.solve` does, with the estimator whose draws these are, to the bit."""
    settings = settings or Settings()
    data, shape, rule = _data(loss), _shape(model, loss.n_features), _rule(settings)
    x, first = _start(data), _first(model)
    counts, warm = np.zeros(9, np.int64), np.full(2, math.nan)
    loss_trace = np.zeros(settings.max_epochs + 1)
    loss_trace[0] = x.mean_loss + 0.5 * data.lam * x.squared_norm
    points_trace = np.zeros(settings.max_epochs + 1, np.int64)
    ends = {*checkpoints, *range(EPOCHS_OF_A_PART, settings.max_epochs, EPOCHS_OF_A_PART), settings.max_epochs}

    def result() -> FitResult:
        n = counts.tolist()
        return FitResult(
            x.weights,
            x.intercept,
            x.support,
            STATUSES[n[STATUS]],
            n[EPOCHS],
            n[STEPS],
            n[DATA_POINTS],
            n[SOLVES],
            n[SEARCHES],
            n[FAILED],
            n[SHRINKS],
            loss_trace[: n[EPOCHS] + 1].tolist(),
            points_trace[: n[EPOCHS] + 1].tolist(),
            (first.vector, Projection(*first[1:])) if len(first.vector) else None,
        )

    reached: dict[int, FitResult] = {}
    start = 0
    for number, end in enumerate(sorted(ends)):
        part = draws.part(number, end - start)
        x, first = _advance(data, part, shape, rule, x, first, counts, warm, loss_trace, points_trace)
        if counts[STATUS] != RUNNING:
            break
        if end in checkpoints:
            reached[end] = result()
        start = end
    draws.rewind(int(counts[EPOCHS]) - start if counts[STATUS] != RUNNING else len(part.n_steps))
    last = result()
    return replace(last, checkpoints={epochs: reached.get(epochs, last) for epochs in checkpoints})


def _data(loss: Loss) -> _Data:
    gram = loss.gram()
    empty = np.empty((0, 0)) if gram is None else gram
    return _Data(loss.kind, loss.X, loss.XT, loss.targets, loss.row_weights, empty, loss.all_rows, loss.lam)


def _shape(model: Model, n_features: int) -> _Shape:
    if isinstance(model, TopS):
        return _Shape(False, _no_network().workspace, 1.0, model.sparsity, model.sparsity, 0, 0, 1)
    network = model.network
    tail = window(model.sparsity, model.slack, n_features)
    head = (0, 0) if model.head_size is None else window(model.head_size, model.slack, n_features)
    return _Shape(True, network.workspace, network.min_cost, *tail, *head, model.n_components)


@functools.cache
def _no_network() -> Network:
    return Network(np.empty((0, 2), np.int64), 1)


def _rule(settings: Settings) -> _Rule:
    return _Rule(
        settings.step or 0.0,
        settings.shrink,
        settings.max_shrinks,
        settings.intercept == "gradient",
        MAX_NEWTON_STEPS.get(settings.intercept, 0),
        settings.tol,
        settings.patience,
    )


def _first(model: Model) -> _First:
    if model.first is None:
        return _First(np.empty(0), np.empty(0, np.int64), 0, math.nan, False)
    return _First(model.first[0], *model.first[1])


@compiled
def _start(data):
    """Return the point of departure, zero."""
    return _measured(data, _point(data, np.zeros(data.X.shape[1]), np.empty(0, np.int64), 0.0))


@compiled
def _point(data, z, support, intercept):
    """Return the point at z restricted to the support, its loss not yet known."""
    weights, margins, squared_norm = kernels.restrict(z, support, data.XT, intercept)
    return _Point(weights, support, intercept, margins, squared_norm, math.nan)


@compiled
def _measured(data, x):
    """Return the same point with its mean loss on all rows."""
    value = kernels.mean_loss(data.kind, x.margins, data.targets, data.row_weights, data.all_rows)
    return _Point(x.weights, x.support, x.intercept, x.margins, x.squared_norm, value)


@compiled
def _advance(data, part, shape, rule, x, first, counts, warm, loss_trace, points_trace):
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
    return kernels.gradient(
        data.kind, data.X, x.margins, data.targets, data.row_weights, rows, lam, x.weights
    )


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
            shape.n_components,
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
            along = kernels.restrict(direction, head, data.XT, slope)[1]
        elif len(data.gram) > 0:
            along = kernels.image(data.gram, coefficients, data.lam, x.margins, x.intercept, slope)
        else:
            along = kernels.restrict(direction, np.arange(len(direction)), data.XT, slope)[1]
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
                first = _First(z, support, n_solves, multiplier, in_window)
    else:
        support = largest(z, shape.low)
    intercept = x.intercept - step * slope
    x = _point(data, z, support, intercept)
    if rule.newton_steps > 0:
        change = kernels.intercept_change(
            data.kind, x.margins, data.targets, data.row_weights, rows, rule.newton_steps
        )
        x = _Point(x.weights, support, intercept + change, x.margins + change, x.squared_norm, math.nan)
    return x, first
