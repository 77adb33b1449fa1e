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

from dataclasses import dataclass

from graphiht.gradients import Epoch, Estimator


@dataclass
class Published:
    """An estimator with the scaling of the published code; inner batches of SVRG and SCSG have one size."""

    estimator: Estimator
    n_rows: int
    is_first: bool = True

    def draw_epoch(self) -> Epoch:
        """Return the rows of the next epoch: those of the estimator."""
        epoch, is_first, self.is_first = self.estimator.draw_epoch(), self.is_first, False
        epoch = epoch._replace(scales=[2.0 * len(rows) / self.n_rows for rows in epoch.steps])
        if not epoch.is_reduced:
            return epoch
        # The scale of a step is 2b/n; the gradient at the anchor is to end up with 2B/n.
        return epoch._replace(is_reduced=not is_first, anchor_scale=len(epoch.anchor) / self.estimator.inner.size)
