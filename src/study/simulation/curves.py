"""One run of one method: residual norm, steps and data points after every epoch."""

from dataclasses import dataclass

import numpy as np

from graphiht.gradients import ESTIMATORS, Draws, Estimator, Sampling
from graphiht.loop import solve
from graphiht.methods import find_method
from graphiht.projection import GraphSparsity, TopS
from graphiht.solver import DIVERGED, Settings
from study.simulation.as_published import Published
from study.simulation.graphs import Problem

MEANS, PUBLISHED = "means", "as published"


@dataclass(frozen=True)
class Setting:
    """A curve of a figure.

    Attributes
    ----------
    panel, curve : str
        Where it is drawn; `curve` is the method's name, with an addition where a panel has it twice.
    method : str
        One of the eight of `graphiht.methods`.
    scaling : {MEANS, PUBLISHED}
        Gradients that are means over the rows used, as Algorithms 1 and 2 have them, or those of `as_published`.
    eta : float
        The fixed step.
    batch : int
        B: rows of a block (block gradients) and of SCSG's outer batch; SVRG's is n.
    mini_batch, inner_steps : int
        b and K of SVRG and SCSG; Algorithm 1 has b = 1.
    option : {1, 2}
        Algorithm 2's choice of SCSG's steps: 1 draws their number in each epoch (see `graphiht.gradients.SCSG`) and
        `inner_steps` is its mean; 2 takes `inner_steps`.
    """

    panel: str
    curve: str
    method: str
    scaling: str
    sparsity: int
    eta: float
    batch: int
    mini_batch: int
    inner_steps: int
    n_components: int
    epochs: int
    head: str
    option: int = 2


def per_epoch(setting: Setting, n_rows: int) -> tuple[int, int]:
    """Return the steps of an epoch, and its data points: every row of every gradient, blocks being of equal size.

    Option I has these on average. The first epoch of SVRG and SCSG as published has K b data points less.
    """
    gradient = find_method(setting.method).gradient
    if gradient == "full":
        return 1, n_rows
    if gradient == "block":
        return -(-n_rows // setting.batch), n_rows
    outer = n_rows if gradient == "svrg" else setting.batch
    return setting.inner_steps, outer + 2 * setting.mini_batch * setting.inner_steps


def make_estimator(setting: Setting, n_rows: int, rng: np.random.Generator) -> Estimator | Published:
    """Return the gradient estimator of a setting."""
    sizes = {"batch_size": setting.batch, "mini_batch": setting.mini_batch, "inner_steps": setting.inner_steps}
    sampling = Sampling(n_blocks=-(-n_rows // setting.batch), option=setting.option, **sizes)
    gradient = find_method(setting.method).gradient
    estimator = ESTIMATORS[gradient](n_rows, sampling, rng)
    if gradient == "scsg":
        estimator.n_steps = setting.inner_steps
    return Published(estimator, n_rows) if setting.scaling == PUBLISHED and gradient != "full" else estimator


def curve(setting: Setting, problem: Problem, rng: np.random.Generator) -> list[dict]:
    """Return a row per epoch, from 0 on: epoch, steps, data_points, residual, error.

    A run that diverged has infinite residuals and errors from there to the last epoch. Data points are those the
    estimator counted, and for the epochs after a divergence those they would have had.
    """
    model = TopS(setting.sparsity)
    if find_method(setting.method).uses_network:
        model = GraphSparsity(problem.network, setting.sparsity, setting.n_components, setting.head)
    draws = Draws(make_estimator(setting, len(problem.y), rng), rng)
    settings = Settings(step=setting.eta, intercept="none", max_epochs=setting.epochs, tol=-1.0)
    result = solve(problem.loss, draws, model, settings, checkpoints=range(1, setting.epochs + 1))
    iterates = [np.zeros_like(problem.x), *(iterate.weights for iterate in result.checkpoints.values())]
    errors = [float(np.linalg.norm(x - problem.x)) for x in iterates[: len(result.loss_trace)]]
    # F is half the squared residual norm.
    residuals = [float(np.sqrt(2.0 * value)) for value in result.loss_trace]
    points = list(result.data_points_trace)
    if result.status == DIVERGED:
        del residuals[-1], errors[-1], points[-1]
    steps, points_per_epoch = per_epoch(setting, len(problem.y))
    while len(residuals) <= setting.epochs:
        residuals.append(np.inf)
        errors.append(np.inf)
        points.append(points[-1] + points_per_epoch)
    rows = []
    for epoch, (used, residual, error) in enumerate(zip(points, residuals, errors, strict=True)):
        taken = steps * epoch
        if setting.option == 1:
            taken = (used - epoch * setting.batch) // (2 * setting.mini_batch)
        rows.append({"epoch": epoch, "steps": taken, "data_points": used, "residual": residual, "error": error})
    return rows
