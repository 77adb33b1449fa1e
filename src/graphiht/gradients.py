"""Gradient estimators: full, random block, SVRG and SCSG.

An estimator is asked twice: `start_epoch(x)` says how many inner steps the epoch has (and moves the anchor
of the variance-reduced ones), `estimate(x)` gives the direction v of one inner step. All are unbiased over
their draws, and all are of the form v = X^T rho + lambda w: only the data part of the gradient is sampled,
the penalty's is exact.

References
----------
Johnson and Zhang 2013 (SVRG); Lei and Jordan 2017 (SCSG); Needell, Nguyen and Woolf 2017 (StoIHT).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from graphiht.kernels import draw_rows
from graphiht.losses import Estimate, Iterate, Loss

SCSG_INNER_STEPS = 2  # by default SCSG's mini-batch is its batch divided by this


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
        How SCSG chooses the number of inner steps, see `SCSG`.
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
        self.n_rows, self.size = n_rows, size
        self._rng = rng
        self._shuffled = np.arange(n_rows)

    def draw(self) -> np.ndarray:
        """Return the sorted rows of a random batch."""
        if self.size == self.n_rows:
            return np.arange(self.n_rows)
        return draw_rows(self._rng.random(self.size), self._shuffled)


class FullGradient:
    """The gradient over all rows: one step an epoch."""

    def __init__(self, loss: Loss):
        self.loss = loss
        self.data_points = 0

    def start_epoch(self, x: Iterate) -> int:
        """Return the number of inner steps of the epoch that starts at x."""
        return 1

    def draw(self) -> np.ndarray:
        """Return the rows of the next estimate."""
        return self.loss.all_rows

    def draw_epoch(self) -> tuple[np.ndarray | None, list[np.ndarray]]:
        """Return the rows at the anchor, of which there is none, and those of each step of the next epoch."""
        return None, [self.draw()]

    def estimate(self, x: Iterate) -> Estimate:
        """Return the mean gradient over the drawn rows."""
        rows = self.draw()
        self.data_points += len(rows)
        return Estimate(*self.loss.estimate(x, rows, self.loss.lam), rows)


class BlockGradient(FullGradient):
    """The gradient over a random block; `n_blocks` steps an epoch."""

    def __init__(self, loss: Loss, blocks: Blocks):
        super().__init__(loss)
        self.blocks = blocks

    def start_epoch(self, x: Iterate) -> int:
        """Return the number of inner steps of the epoch that starts at x."""
        return len(self.blocks.blocks)

    def draw(self) -> np.ndarray:
        """Return the rows of a random block."""
        return self.blocks.draw()

    def draw_epoch(self) -> tuple[np.ndarray | None, list[np.ndarray]]:
        """Return the rows at the anchor, of which there is none, and those of each step of the next epoch."""
        return None, [self.draw() for _ in self.blocks.blocks]


class SVRG:
    """grad_I(x) - grad_I(anchor) + grad(anchor), I a random block or mini-batch (Algorithm 1).

    Parameters
    ----------
    loss : Loss
    inner : Blocks or Batches
        Draws the rows I of an inner step. Algorithm 1 as printed has blocks of one row.
    n_steps : int
        The inner steps K of an epoch.
    """

    def __init__(self, loss: Loss, inner: Blocks | Batches, n_steps: int):
        self.loss = loss
        self.inner = inner
        self.n_steps = n_steps
        self.data_points = 0

    def draw_outer(self) -> np.ndarray:
        """Return the rows of the gradient at the anchor: all of them."""
        return self.loss.all_rows

    def draw_steps(self) -> int:
        """Return the number of inner steps of the next epoch."""
        return self.n_steps

    def draw_epoch(self) -> tuple[np.ndarray | None, list[np.ndarray]]:
        """Return the rows of the gradient at the anchor, and those of each step of the next epoch."""
        outer, n_steps = self.draw_outer(), self.draw_steps()
        return outer, [self.inner.draw() for _ in range(n_steps)]

    def start_epoch(self, x: Iterate) -> int:
        """Move the anchor to x and return the number of inner steps."""
        self.anchor = x
        self.rows = self.draw_outer()
        self.data_points += len(self.rows)
        self._at_anchor = self.loss.estimate(x, self.rows, 0.0)
        return self.draw_steps()

    def estimate(self, x: Iterate) -> Estimate:
        """Return the variance-reduced gradient at x, meant to lower the loss on the anchor's rows."""
        rows = self.inner.draw()
        self.data_points += 2 * len(rows)
        return Estimate(*self.loss.estimate_change(x, self.anchor, rows, self._at_anchor), self.rows)


class SCSG(SVRG):
    """SVRG whose gradient at the anchor is over a random batch of B rows (Algorithm 2).

    Parameters
    ----------
    outer, inner : Batches
        Draw the B rows of an epoch and the b rows of an inner step.
    option : {1, 2}
        1: K geometric, P(K = k) = gamma^k (1 - gamma) with gamma = B/(B + b), mean B/b. 2: K = ceil(B/b).
    """

    def __init__(self, loss: Loss, outer: Batches, inner: Batches, option: int, rng: np.random.Generator):
        super().__init__(loss, inner, n_steps=-(-outer.size // inner.size))
        self.outer = outer
        self.option = option
        # The probability 1 - gamma that an epoch ends before its next inner step.
        self._stop = inner.size / (outer.size + inner.size)
        self._rng = rng

    def draw_outer(self) -> np.ndarray:
        """Return the rows of the gradient at the anchor: a random batch."""
        return self.outer.draw()

    def draw_steps(self) -> int:
        """Return the number of inner steps of the next epoch, by Option I or II."""
        if self.option == 2:
            return self.n_steps
        # NumPy's geometric law counts trials up to the first success, so it starts at 1.
        return int(self._rng.geometric(self._stop)) - 1


def _svrg(loss: Loss, sampling: Sampling, rng: np.random.Generator) -> SVRG:
    if sampling.mini_batch is None:
        return SVRG(loss, Blocks(loss.n_rows, sampling.n_blocks, rng), sampling.inner_steps or sampling.n_blocks)
    inner = Batches(loss.n_rows, sampling.mini_batch, rng)
    return SVRG(loss, inner, sampling.inner_steps or -(-loss.n_rows // sampling.mini_batch))


def _scsg(loss: Loss, sampling: Sampling, rng: np.random.Generator) -> SCSG:
    batch = sampling.batch_size or -(-loss.n_rows // sampling.n_blocks)
    mini = sampling.mini_batch or -(-batch // (sampling.inner_steps or SCSG_INNER_STEPS))
    return SCSG(loss, Batches(loss.n_rows, batch, rng), Batches(loss.n_rows, mini, rng), sampling.option, rng)


# By `Method.gradient`: what makes the estimator of a loss.
ESTIMATORS: dict[str, Callable[[Loss, Sampling, np.random.Generator], FullGradient | SVRG]] = {
    "full": lambda loss, sampling, rng: FullGradient(loss),
    "block": lambda loss, sampling, rng: BlockGradient(loss, Blocks(loss.n_rows, sampling.n_blocks, rng)),
    "svrg": _svrg,
    "scsg": _scsg,
}
