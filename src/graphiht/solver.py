"""What a fit is told and what it returns: settings with their defaults, and results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graphiht.projection import Projection

CONVERGED, EPOCH_LIMIT, DIVERGED, REFIT_LIMIT = "converged", "epoch limit", "diverged", "refit limit"
INTERCEPTS = ("gradient", "newton", "exact", "none")

# Defaults of estimators, command line, `fit` and study; those of the loop are in `Settings`.
SPARSITY = 50
LAM = 0.1  # of classifiers; regressors have no penalty
N_COMPONENTS = 1
SLACK = 0.1
HEAD = "identity"


@dataclass(frozen=True)
class Settings:
    """How the loop steps and when it stops.

    Parameters
    ----------
    step : float, optional
        A fixed step; by default a backtracking search from 1.
    shrink, max_shrinks : float, int
        The search multiplies the step by `shrink` at most `max_shrinks` times.
    intercept : {"gradient", "newton", "exact", "none"}
        What moves the intercept: the same gradient step as the weights; after each projection one Newton step
        or the minimisation of the loss on the rows of the line search; "none" keeps it at 0. With balanced classes
        it belongs near 0. The default, like those of head, slack and SCSG's inner steps, was chosen on another cohort
        than the study's, tcga: docs/defaults.md.
    max_epochs : int
        Ten epochs stop most fits early, on purpose: with a few hundred rows and thousands of features, later
        epochs overfit. The status of such a fit is "epoch limit". For the minimum itself, set hundreds.
    tol, patience : float, int
        Converged: over `patience` epochs running the support stayed the same and the loss changed by at
        most `tol` of itself.
    """

    step: float | None = None
    shrink: float = 0.6
    max_shrinks: int = 20
    intercept: str = "gradient"
    max_epochs: int = 10
    tol: float = 1e-3
    patience: int = 3


@dataclass
class FitResult:
    """The last iterate of a fit and how it was reached.

    `support` is the projected node set: a connector whose weight is zero belongs to it. `loss_trace` holds
    the loss on all rows at the start and after each epoch, `data_points_trace` the rows of all gradient
    evaluations up to there. `n_shrinks` is where the last line search ended, and the next one begins to look.
    `first` is the first projection, with the vector projected: another lambda may begin with the same one.
    `checkpoints` holds the results of the same fit after fewer epochs, if `fit` was asked for them.
    """

    weights: np.ndarray
    intercept: float
    support: np.ndarray
    status: str
    epochs: int = 0
    n_steps: int = 0
    data_points: int = 0
    n_solves: int = 0
    n_line_searches: int = 0
    n_line_searches_failed: int = 0
    n_shrinks: int = 0
    loss_trace: list[float] = field(default_factory=list)
    data_points_trace: list[int] = field(default_factory=list)
    first: tuple[np.ndarray, Projection] | None = None
    checkpoints: dict[int, FitResult] = field(default_factory=dict)
