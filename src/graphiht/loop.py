"""The loop of `solver`, compiled: the same numbers to the bit, without a return to Python for every step.

`solver.solve` says what is computed, estimators and models how; here the same kernels are called in the same order from
one compiled function (`steps`). What it does beside that saves work and changes no bit:

- All rows of a few epochs are drawn beforehand (`Draws`), and once for all fits of a path.
- The first inner step of SVRG and SCSG is taken at the anchor, where the reduced gradient is the anchor's.
- The loss on all rows after an epoch is the one the next line search on all rows starts from.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphiht.gradients import SVRG
from graphiht.network import Network
from graphiht.projection import Projection, TopS, window
from graphiht.solver import CONVERGED, DIVERGED, EPOCH_LIMIT, MAX_NEWTON_STEPS, FitResult, Settings
from graphiht.steps import (
    DATA_POINTS,
    ENDED_CONVERGED,
    ENDED_DIVERGED,
    EPOCHS,
    FAILED,
    N_COUNTS,
    RUNNING,
    SEARCHES,
    SHRINKS,
    SOLVES,
    STATUS,
    STEPS,
    Data,
    First,
    Part,
    Rule,
    Shape,
    advance,
    start,
)

if TYPE_CHECKING:
    from graphiht.losses import Loss
    from graphiht.solver import Estimator, Model

EPOCHS_OF_A_PART = 16  # drawn at a time, to bound the memory of long fits
STATUSES = {RUNNING: EPOCH_LIMIT, ENDED_CONVERGED: CONVERGED, ENDED_DIVERGED: DIVERGED}


class Draws:
    """The rows that an estimator draws, in parts of some epochs, for one fit or several that draw the same.

    A fit that ends early has drawn more than it used; `rewind` sets the generator back to where the readable loop would
    have left it. Memory: 8 bytes a row drawn, but for blocks.
    """

    def __init__(self, estimator: Estimator, rng: np.random.Generator):
        self.estimator = estimator
        self.parts: list[Part] = []
        self._rng, self._state = rng, rng.bit_generator.state

    def part(self, number: int, n_epochs: int) -> Part:
        """Return the part of this number, drawn now if it has not been."""
        if number == len(self.parts):
            self._state = self._rng.bit_generator.state
            self.parts.append(self._draw(n_epochs))
        return self.parts[number]

    def rewind(self, n_epochs: int) -> None:
        """Set the generator to where it was after `n_epochs` epochs, which end in the last part."""
        self._rng.bit_generator.state = self._state
        self._draw(n_epochs - sum(len(part.n_steps) for part in self.parts[:-1]))

    def _draw(self, n_epochs: int) -> Part:
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
        return Part(isinstance(self.estimator, SVRG), rows.astype(np.int64), spans[0], np.array(n_steps), spans[1])


def solve(
    loss: Loss,
    draws: Draws,
    model: Model,
    settings: Settings | None = None,
    checkpoints: Sequence[int] = (),
) -> FitResult:
    """Return what `solver.solve` does, with the estimator whose draws these are, to the bit."""
    settings = settings or Settings()
    shape, rule = _shape(model, loss.n_features), _rule(settings)
    data = _data(loss, settings.step is None and shape.head_high == 0)
    x, first = start(data), _first(model)
    counts, warm = np.zeros(N_COUNTS, np.int64), np.full(2, math.nan)
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
    done = 0
    for number, end in enumerate(sorted(ends)):
        part = draws.part(number, end - done)
        x, first = advance(data, part, shape, rule, x, first, counts, warm, loss_trace, points_trace)
        if counts[STATUS] != RUNNING:
            break
        if end in checkpoints:
            reached[end] = result()
        done = end
    last = result()
    return replace(last, checkpoints={epochs: reached.get(epochs, last) for epochs in checkpoints})


def _data(loss: Loss, uses_gram: bool) -> Data:
    gram = loss.gram() if uses_gram else None
    empty = np.empty((0, 0)) if gram is None else gram
    return Data(loss.kind, loss.X, loss.XT, loss.targets, loss.row_weights, empty, loss.all_rows, loss.lam)


def _shape(model: Model, n_features: int) -> Shape:
    if isinstance(model, TopS):
        return Shape(False, _no_network().workspace, 1.0, model.sparsity, model.sparsity, 0, 0, 1, 1)
    network = model.network
    tail = window(model.sparsity, model.slack, n_features)
    head = (0, 0) if model.head_size is None else window(model.head_size, model.slack, n_features)
    return Shape(True, network.workspace, network.min_cost, *tail, *head, model.n_components, model.head_components)


@functools.cache
def _no_network() -> Network:
    return Network(np.empty((0, 2), np.int64), 1)


def _rule(settings: Settings) -> Rule:
    return Rule(
        float(settings.step or 0.0),
        float(settings.shrink),
        settings.max_shrinks,
        settings.intercept == "gradient",
        MAX_NEWTON_STEPS.get(settings.intercept, 0),
        float(settings.tol),
        settings.patience,
    )


def _first(model: Model) -> First:
    if model.first is None:
        return First(np.empty(0), np.empty(0, np.int64), 0, math.nan, False)
    return First(model.first[0], *model.first[1])
