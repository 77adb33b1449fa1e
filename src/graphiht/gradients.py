"""Gradient estimators: the rows that each epoch of a fit looks at.

    full     v = grad(x)                                              one step
    block    v = grad_I(x), I a random block                          a step for each block
    SVRG     v = grad_I(x) - grad_I(anchor) + grad(anchor)            K steps (Algorithm 1)
    SCSG     v = grad_I(x) - grad_I(anchor) + grad_batch(anchor)      K steps (Algorithm 2)

The anchor is where the epoch starts. All are unbiased over their draws, and all are of the form v = X^T rho + lambda w:
only the data part of the gradient is sampled, the penalty's is exact.

References
----------
Johnson and Zhang 2013 (SVRG); Lei and Jordan 2017 (SCSG); Needell, Nguyen and Woolf 2017 (StoIHT).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from graphiht.kernels import draw_rows

SCSG_INNER_STEPS = 2  # by default SCSG's mini-batch is its batch divided by this
NO_ROWS = np.empty(0, np.int64)


@dataclass(frozen=True)
class Sampling:
    """The sizes of what an estimator samples.

    Parameters
    ----------
    n_blocks : int
        Blocks of the block and SVRG estimators; SCSG's default batch has n_rows / n_blocks rows.
    batch_size, mini_batch : int, optional
        SCSG's B (default ceil(n_rows / n_blocks)) and b (default ceil(B / K)). A mini_batch given to SVRG
        replaces its blocks by uniform batches.
    inner_steps : int, optional
        K: of SVRG the steps of an epoch, by default n_blocks or, with a mini_batch, ceil(n_rows / b); of SCSG what its
        default mini-batch is made for, b = ceil(B / K), by default 2.
    option : {1, 2}
        SCSG's number of steps. 1: K geometric, P(K = k) = gamma^k (1 - gamma) with gamma = B/(B + b), mean B/b.
        2: K = ceil(B/b).
    """

    n_blocks: int = 1
    batch_size: int | None = None
    mini_batch: int | None = None
    inner_steps: int | None = None
    option: int = 2


class Blocks:
    """Blocks of a shuffled row order; each draw picks one with probability proportional to its size."""

    def __init__(self, n_rows: int, n_blocks: int, rng: np.random.Generator):
        order = np.arange(n_rows) if n_blocks == 1 else rng.permutation(n_rows)
        self.blocks = [np.sort(block) for block in np.array_split(order, n_blocks)]
        self._ends = np.cumsum([len(block) for block in self.blocks])
        self._rng = rng

    def draw(self) -> np.ndarray:
        """Return the sorted rows of a random block."""
        if len(self.blocks) == 1:
            return self.blocks[0]
        row = self._rng.integers(self._ends[-1])
        return self.blocks[np.searchsorted(self._ends, row, side="right")]


class Batches:
    """Batches of a given size, uniform without replacement."""

    def __init__(self, n_rows: int, size: int, rng: np.random.Generator):
        self.size, self._rng, self._shuffled = size, rng, np.arange(n_rows)

    def draw(self) -> np.ndarray:
        """Return the sorted rows of a random batch."""
        if self.size == len(self._shuffled):
            return self._shuffled
        return draw_rows(self._rng.random(self.size), self._shuffled)


class Epoch(NamedTuple):
    """The rows of one epoch.

    Attributes
    ----------
    anchor : ndarray of int64
        The rows of the gradient at the anchor, if there is one.
    steps : list of ndarray of int64
        The rows I of each step.
    is_reduced : bool
        Whether v has the terms of the anchor.
    scales : list of float, optional
        Factors of v in each step. This and the next are 1 but where published code is reproduced.
    anchor_scale : float
        Factor of the gradient at the anchor.
    """

    anchor: np.ndarray
    steps: list[np.ndarray]
    is_reduced: bool
    scales: list[float] | None = None
    anchor_scale: float = 1.0


@dataclass
class Estimator:
    """Draws the rows of a fit, one epoch after the other.

    Parameters
    ----------
    inner : Blocks or Batches
        Draws the rows of a step. Algorithm 1 as printed has batches of one row.
    n_steps : int
        The steps K of an epoch.
    outer : Batches, optional
        Draws the rows at the anchor: all of SVRG, B of SCSG.
    geometric : callable, optional
        Draws K + 1 in place of `n_steps`: Option I of Algorithm 2.
    """

    inner: Blocks | Batches
    n_steps: int
    outer: Batches | None = None
    geometric: Callable[[], int] | None = None

    def draw_epoch(self) -> Epoch:
        """Return the rows of the next epoch."""
        anchor = NO_ROWS if self.outer is None else self.outer.draw()
        n_steps = self.n_steps if self.geometric is None else self.geometric() - 1
        return Epoch(anchor, [self.inner.draw() for _ in range(n_steps)], self.outer is not None)


def _svrg(n_rows: int, sampling: Sampling, rng: np.random.Generator) -> Estimator:
    everything, mini = Batches(n_rows, n_rows, rng), sampling.mini_batch
    if mini is None:
        return Estimator(Blocks(n_rows, sampling.n_blocks, rng), sampling.inner_steps or sampling.n_blocks, everything)
    return Estimator(Batches(n_rows, mini, rng), sampling.inner_steps or -(-n_rows // mini), everything)


def _scsg(n_rows: int, sampling: Sampling, rng: np.random.Generator) -> Estimator:
    batch = sampling.batch_size or -(-n_rows // sampling.n_blocks)
    mini = sampling.mini_batch or -(-batch // (sampling.inner_steps or SCSG_INNER_STEPS))
    outer, inner = Batches(n_rows, batch, rng), Batches(n_rows, mini, rng)
    # NumPy's law counts trials up to the first success, so it starts at 1.
    geometric = partial(rng.geometric, mini / (batch + mini)) if sampling.option == 1 else None
    return Estimator(inner, -(-batch // mini), outer, geometric)


# By `Method.gradient`: what makes an estimator.
ESTIMATORS: dict[str, Callable[[int, Sampling, np.random.Generator], Estimator]] = {
    "full": lambda n_rows, sampling, rng: Estimator(Blocks(n_rows, 1, rng), 1),
    "block": lambda n_rows, sampling, rng: Estimator(Blocks(n_rows, sampling.n_blocks, rng), sampling.n_blocks),
    "svrg": _svrg,
    "scsg": _scsg,
}


class Part(NamedTuple):
    """Some epochs as compiled code takes them: anchors and steps are spans of `rows`, see `Epoch`."""

    rows: np.ndarray
    anchors: np.ndarray
    steps: np.ndarray
    n_steps: np.ndarray
    is_reduced: np.ndarray
    scales: np.ndarray
    anchor_scales: np.ndarray


class Draws:
    """The rows that an estimator draws, in parts of some epochs, for one fit or several that draw the same.

    A fit that ends early has drawn more than it used; `rewind` sets the generator back. Memory: 8 bytes a row drawn,
    but for blocks.
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
        for _ in range(n_epochs - sum(len(part.n_steps) for part in self.parts[:-1])):
            self.estimator.draw_epoch()

    def _draw(self, n_epochs: int) -> Part:
        epochs = [self.estimator.draw_epoch() for _ in range(n_epochs)]
        drawn = [*(epoch.anchor for epoch in epochs), *(rows for epoch in epochs for rows in epoch.steps)]
        # Blocks, and all rows, are the same array every time, and are stored once.
        pool = {id(rows): rows for rows in drawn}
        ends = dict(zip(pool, accumulate(len(rows) for rows in pool.values()), strict=True))
        spans = np.array([(ends[id(rows)] - len(rows), ends[id(rows)]) for rows in drawn])
        return Part(
            np.concatenate(list(pool.values())),
            spans[:n_epochs],
            spans[n_epochs:],
            np.array([len(epoch.steps) for epoch in epochs]),
            np.array([epoch.is_reduced for epoch in epochs]),
            np.array([scale for epoch in epochs for scale in epoch.scales or [1.0] * len(epoch.steps)]),
            np.array([epoch.anchor_scale for epoch in epochs]),
        )
