"""The gradients of the published code, to show what they do; nothing else uses them.

There, a gradient is *twice the sum* of a_i (a_i x - y_i) over the rows used, whatever their number. With our f_i =
(n/2)(a_i x - y_i)^2, whose mean over m rows has gradient (n/m) sum_i a_i (a_i x - y_i), that is:

    block   2 (B/n) grad_B(x)
    SVRG    2 (b/n) (grad_b(x) - grad_b(anchor)) + 2 grad(anchor)
    SCSG    2 (b/n) (grad_b(x) - grad_b(anchor)) + 2 (B/n) grad_B(anchor)

and in the first epoch of the last two only the first term, 2 (b/n) grad_b(x). Afterwards the correction is smaller
than what it should correct by the factor b/n (or b/B): the estimate is biased, an epoch of K inner steps is nearly one
step of 2 K eta (SCSG: 2 K eta B/n) along the gradient at the anchor, and the iterates diverge when that is above 2
over the largest curvature of F on a support, (1 + sqrt(s/n))^2 or so.

Of the public states of the authors' script we take two, which differ in sizes, not in the above:

    Derek-Fox/graph-scsg-iht, 90eb243   single rows: b = 1; SVRG K = n; SCSG B = n/2, K = B
    Derek-Fox/graph-sto-iht, 0f3510a    blocks: SVRG b = s, K = n/s; SCSG B = s, b = 1, K = n/s

Both keep p/2 nodes in the head, and draw batches of adjacent rows; ours are drawn anywhere, which for the independent
rows of a Gaussian design makes no difference. With n = 256 and s = 32 (curvature 1.8) the rule says that SVRG diverges
above a learning rate of .002 with single rows and .07 with blocks, SCSG above .009 and .5.
"""

from __future__ import annotations

from graphiht.gradients import SCSG, SVRG, BlockGradient
from graphiht.losses import Estimate


def _twice_sum(estimate: Estimate, n_used: int, n_rows: int) -> Estimate:
    """Return twice the sum over `n_used` rows from an estimate that is their mean, times n_rows."""
    factor = 2.0 * n_used / n_rows
    gradient, slope, coefficients, rows = estimate
    return Estimate(factor * gradient, factor * slope, factor * coefficients, rows)


class PublishedBlock(BlockGradient):
    """Twice a sum over the rows of a random block."""

    def estimate(self, x):
        """Return the summed gradient over the drawn rows."""
        mean = super().estimate(x)
        return _twice_sum(mean, len(mean.rows), self.loss.n_rows)


class _Published:
    """Sums over b rows inside, over B (or n) rows outside; none of the latter in the first epoch."""

    n_epochs = 0

    def start_epoch(self, x):
        """Move the anchor to x and return the number of inner steps."""
        n_steps = super().start_epoch(x)
        self.n_epochs += 1
        # `estimate` multiplies everything by 2b/n; the gradient at the anchor is to end up with 2B/n.
        factor = len(self.rows) / self.inner.size
        self._at_anchor = tuple(factor * part for part in self._at_anchor)
        return n_steps

    def estimate(self, x):
        """Return the difference of sums over a mini-batch plus the sum at the anchor; first, the sum at x alone."""
        if self.n_epochs == 1:
            rows = self.inner.draw()
            self.data_points += len(rows)
            mean = Estimate(*self.loss.estimate(x, rows, self.loss.lam), self.rows)
        else:
            mean = super().estimate(x)
        return _twice_sum(mean, self.inner.size, self.loss.n_rows)


class PublishedSVRG(_Published, SVRG):
    """SVRG as published; `inner` must draw batches of one size."""


class PublishedSCSG(_Published, SCSG):
    """SCSG as published."""
