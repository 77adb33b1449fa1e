"""The loop of all methods that step: Algorithm 1 (SVRG) and Algorithm 2 (SCSG) of the paper, and six around them.

`solve` prepares a fit for `advance`, the loop itself, which is compiled. An estimator of `gradients` draws the rows of
each step, and a model of `projection` says what to project onto.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphiht import kernels
from graphiht._jit import compiled
from graphiht._pcst.search import project
from graphiht._pcst.workspace import Workspace
from graphiht.gradients import Draws
from graphiht.network import Network
from graphiht.projection import MAX_SOLVES, GraphSparsity, Projection, TopS, largest, window
from graphiht.solver import CONVERGED, DIVERGED, EPOCH_LIMIT, FitResult, Settings

if TYPE_CHECKING:
    from graphiht.losses import Loss

EPOCHS_OF_A_PART = 16  # drawn at a time, to bound the memory of long fits
DIVERGED_NORM = 1e5
MAX_NEWTON_STEPS = {"newton": 1, "exact": 50}
RUNNING, HAS_CONVERGED, HAS_DIVERGED = range(3)
STATUSES = {RUNNING: EPOCH_LIMIT, HAS_CONVERGED: CONVERGED, HAS_DIVERGED: DIVERGED}
# What a fit counts for its `FitResult`; for how many epochs it has settled; where the searches of projections ended.
COUNTS = ["epochs", "n_steps", "data_points", "n_solves", "n_line_searches", "n_line_searches_failed", "n_shrinks"]
INTEGERS, NUMBERS = [*COUNTS, "n_settled", "status"], ["warm_head", "warm_tail"]
STATE = np.dtype([(name, np.int64) for name in INTEGERS] + [(name, np.float64) for name in NUMBERS])
NO_NETWORK = Network(np.empty((0, 2), np.int64), 1)
# A vector, and its projection, of the first step of a fit: here not known yet.
UNKNOWN = np.empty(0), Projection(np.empty(0, np.int64), 0, math.nan, False)


class Plan(NamedTuple):
    """The sparsity model of a fit and its `Settings`, as compiled code takes them.

    A projection is (least number of nodes, most, number of components). A head of no nodes keeps the whole gradient,
    and a step of 0 is searched for.
    """

    workspace: Workspace
    min_cost: float
    uses_network: bool
    head: tuple[int, int, int]
    tail: tuple[int, int, int]
    step: float
    shrink: float
    max_shrinks: int
    moves_intercept: bool
    newton_steps: int
    tol: float
    patience: int


@compiled
def advance(data, plan, part, x, first, state, loss_trace, points_trace):
    """Run the epochs of a part, or fewer if the fit ends; return (iterate, first projection).

    The line numbers are those of Algorithm 2, in which Algorithm 1 has all rows in place of a batch. Without an anchor,
    v is the gradient over the rows of the step.
    """
    counts, n_before = state[0], 0
    for j in range(len(part.n_steps)):
        batch = part.rows[part.anchors[j, 0] : part.anchors[j, 1]]  # line 4
        anchor, at_anchor = x, gradient_at_anchor(data, x, batch, part.anchor_scales[j])  # 5, 6
        counts.data_points += len(batch)
        for k in range(part.n_steps[j]):  # 7 to 9
            n = n_before + k
            rows = part.rows[part.steps[n, 0] : part.steps[n, 1]]  # 10
            if part.is_reduced[j]:
                # At the anchor, the gradients over the rows cancel.
                v = kernels.reduced_gradient(data, x, rows if k > 0 else rows[:0], anchor, at_anchor)  # 11
                counts.data_points += 2 * len(rows)
            else:
                v = kernels.gradient(data, x, rows, data.lam)
                counts.data_points += len(rows)
                batch = rows
            x, first = step_against(data, plan, x, scaled(v, part.scales[n]), batch, first, counts)
            if not (x.squared_norm < DIVERGED_NORM**2 and math.isfinite(x.intercept)):
                counts.status = HAS_DIVERGED
                break
        n_before += part.n_steps[j]

        x = measured(data, x)
        counts.epochs += 1
        loss_trace[counts.epochs] = x.mean_loss + 0.5 * data.lam * x.squared_norm
        points_trace[counts.epochs] = counts.data_points
        # An epoch without a step, which Option I may draw, says nothing about convergence.
        if part.n_steps[j] > 0 and counts.status == RUNNING:
            change = abs(loss_trace[counts.epochs] - loss_trace[counts.epochs - 1])
            is_still = change <= plan.tol * abs(loss_trace[counts.epochs]) and np.array_equal(anchor.support, x.support)
            counts.n_settled = counts.n_settled + 1 if is_still else 0
            if counts.n_settled >= plan.patience:
                counts.status = HAS_CONVERGED
        if counts.status != RUNNING:
            break
    return x, first


@compiled
def gradient_at_anchor(data, x, batch, scale):
    """Return the gradient over the batch, without the penalty; anything where there is no batch."""
    if len(batch) == 0:
        return x.weights, 0.0, x.margins
    return scaled(kernels.gradient(data, x, batch, 0.0), scale)


@compiled
def scaled(v, factor):
    """Return a gradient, the intercept's slope and the coefficients times a factor."""
    return v if factor == 1.0 else (factor * v[0], factor * v[1], factor * v[2])


@compiled
def step_against(data, plan, x, v, rows, first, counts):
    """Return (next iterate, first projection) after a step against v, which is about the loss on the rows."""
    gradient, slope, coefficients = v
    direction, kept = head(plan, gradient, counts)  # line 12
    if not plan.moves_intercept:
        slope = 0.0
    step = find_step(data, plan, x, coefficients, direction, kept, slope, rows, counts)
    counts.n_steps += 1
    z = x.weights - step * direction
    if not math.isfinite(kernels.dot(z, z)):
        return kernels.iterate(data, z, np.arange(len(z)), x.intercept), first
    support, first = tail(plan, z, first, counts)  # line 13
    x = kernels.iterate(data, z, support, x.intercept - step * slope)
    if plan.newton_steps > 0:
        change = kernels.intercept_change(data, x, rows, plan.newton_steps)
        x = kernels.Iterate(x.weights, support, x.intercept + change, x.margins + change, x.squared_norm, math.nan)
    return x, first


@compiled
def head(plan, v, counts):
    """Return (direction, its support): what the head projection keeps of v. If everything, the support is empty."""
    if plan.head[1] == 0:
        return v, np.empty(0, np.int64)
    support, n_solves, counts.warm_head, _ = project(
        plan.workspace, v, plan.min_cost, *plan.head, counts.warm_head, MAX_SOLVES
    )
    counts.n_solves += n_solves
    direction = np.zeros(len(v))
    for i in support:
        direction[i] = v[i]
    return direction, support


@compiled
def find_step(data, plan, x, coefficients, direction, support, slope, rows, counts):
    """Return the step: the fixed one, or what backtracking finds on the rows."""
    if plan.step > 0.0:
        return plan.step
    if len(support) > 0:
        along = kernels.image(data, direction[support], support, slope)
    elif len(data.gram) > 0:
        along = kernels.image_by_gram(data, x, coefficients, slope)
    else:
        along = kernels.image(data, direction, np.arange(len(direction)), slope)
    search = plan.shrink, plan.max_shrinks, counts.n_shrinks
    step, accepted, counts.n_shrinks = kernels.backtrack(data, x, along, direction, slope, rows, *search)
    counts.n_line_searches += 1
    counts.n_line_searches_failed += not accepted
    return step


@compiled
def tail(plan, z, first, counts):
    """Return (support, first projection): what the tail projection keeps of z."""
    if not plan.uses_network:
        return largest(z, plan.tail[0]), first
    is_first = counts.n_steps == 1
    if is_first and len(first[0]) > 0 and np.array_equal(z, first[0]):
        counts.warm_tail = first[1].multiplier
        return first[1].support, first
    support, n_solves, counts.warm_tail, in_window = project(
        plan.workspace, z, plan.min_cost, *plan.tail, counts.warm_tail, MAX_SOLVES
    )
    counts.n_solves += n_solves
    return support, (z, Projection(support, n_solves, counts.warm_tail, in_window)) if is_first else first


@compiled
def measured(data, x):
    """Return the same iterate with its mean loss on all rows."""
    value = kernels.mean_loss(data.kind, x.margins, data.targets, data.row_weights, data.all_rows)
    return kernels.Iterate(x.weights, x.support, x.intercept, x.margins, x.squared_norm, value)


def solve(
    loss: Loss,
    draws: Draws,
    model: TopS | GraphSparsity,
    settings: Settings | None = None,
    checkpoints: Sequence[int] = (),
) -> FitResult:
    """Return the `FitResult` of minimising `loss` over `model` from zero, with gradients over the rows drawn.

    For each number of epochs in `checkpoints`, the `checkpoints` of the result hold what `solve` would return with that
    many as `max_epochs`: one fit gives them all. A fit that ends before is the result of all later ones.
    """
    settings = settings or Settings()
    plan, data = _plan(model, settings, loss.n_features), loss.data()
    zero = np.zeros(loss.n_features), np.empty(0, np.int64), 0.0, np.zeros(loss.n_rows), 0.0
    x, first = measured(data, kernels.Iterate(*zero)), model.first or UNKNOWN
    state = np.zeros(1, STATE)
    state["warm_head"] = state["warm_tail"] = math.nan
    loss_trace = np.full(settings.max_epochs + 1, x.mean_loss)
    points_trace = np.zeros(settings.max_epochs + 1, np.int64)

    def result() -> FitResult:
        counted = dict(zip(COUNTS, state[0].tolist(), strict=False))
        losses, points = (trace[: counted["epochs"] + 1].tolist() for trace in (loss_trace, points_trace))
        status, known = STATUSES[state["status"].item()], first if len(first[0]) else None
        traces = {"loss_trace": losses, "data_points_trace": points}
        return FitResult(x.weights, x.intercept, x.support, status, **counted, **traces, first=known)

    reached: dict[int, FitResult] = {}
    done = 0
    ends = {*checkpoints, *range(EPOCHS_OF_A_PART, settings.max_epochs, EPOCHS_OF_A_PART), settings.max_epochs}
    for number, end in enumerate(sorted(ends)):
        part = draws.part(number, end - done)
        x, first = advance(data, plan, part, x, first, state, loss_trace, points_trace)
        if state["status"].item() != RUNNING:
            break
        if end in checkpoints:
            reached[end] = result()
        done = end
    last = result()
    return replace(last, checkpoints={epochs: reached.get(epochs, last) for epochs in checkpoints})


def _plan(model: TopS | GraphSparsity, settings: Settings, n_features: int) -> Plan:
    network, head, tail = NO_NETWORK, (0, 0, 0), (model.sparsity, model.sparsity, 1)
    if isinstance(model, GraphSparsity):
        network = model.network
        tail = (*window(model.sparsity, model.slack, n_features), model.n_components)
        if model.head_size is not None:
            head = (*window(model.head_size, model.slack, n_features), model.head_components)
    steps = settings.step or 0.0, settings.shrink, settings.max_shrinks
    intercept = settings.intercept == "gradient", MAX_NEWTON_STEPS.get(settings.intercept, 0)
    projections = network.workspace, network.min_cost, isinstance(model, GraphSparsity), head, tail
    return Plan(*projections, *steps, *intercept, settings.tol, settings.patience)
