"""The gradients with the scaling of the published code, to show what it does; nothing else uses them.

There, gradients are *sums* of a_i (a_i x - y_i) over the rows used, whatever their number. With our f_i =
(n/2)(a_i x - y_i)^2, whose mean over m rows has gradient (n/m) sum_i a_i (a_i x - y_i), that is:

    block   (B/n) grad_B(x)
    SVRG    (b/n) (grad_b(x) - grad_b(anchor)) + grad(anchor)
    SCSG    (b/n) (grad_b(x) - grad_b(anchor)) + (B/n) grad_B(anchor)

The correction of the last two is smaller than what it should correct by the factor b/n (or b/B): the estimate is
biased, an epoch of K inner steps is one step of about K eta (K eta B/n) along the gradient at the anchor,
and the iterates diverge when that is above 2.
"""

from __future__ import annotations

from graphiht.gradients import SCSG, SVRG, BlockGradient
from graphiht.losses import Estimate


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    """Return the estimate times `factor`."""
    gradient, slope, coefficients, rows = estimate
    return Estimate(factor * gradient, factor * slope, factor * coefficients, rows)


class SummedBlock(BlockGradient):
    """A sum over the rows of a random block."""

    def estimate(self, x):
        """Return the summed gradient over the drawn rows."""
        mean = super().estimate(x)
        return _scaled(mean, len(mean.rows) / self.loss.n_rows)


class _Summed:
    """Sums over b rows inside, over B (or n) rows outside."""

    def start_epoch(self, x):
        """Move the anchor to x and return the number of inner steps."""
        n_steps = super().start_epoch(x)
        # `estimate` multiplies everything by b/n; the gradient at the anchor is to end up with B/n.
        factor = len(self.rows) / self.inner.size
        self._at_anchor = tuple(factor * part for part in self._at_anchor)
        return n_steps

    def estimate(self, x):
        """Return the difference of sums over a mini-batch plus the sum at the anchor."""
        return _scaled(super().estimate(x), self.inner.size / self.loss.n_rows)


class SummedSVRG(_Summed, SVRG):
    """SVRG as published; `inner` must draw batches of one size."""


class SummedSCSG(_Summed, SCSG):
    """SCSG as published."""
