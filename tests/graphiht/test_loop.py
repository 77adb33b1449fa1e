"""The loop against a plain transcription of the paper's algorithms with exact projections, on small graphs."""

import math

import numpy as np
import pytest
from oracle import Problem, best_of, largest, sets_of, trajectory

from graphiht.gradients import ESTIMATORS, Draws, Sampling
from graphiht.loop import solve
from graphiht.losses import balanced_logistic, least_squares
from graphiht.methods import STEP_METHODS as METHODS
from graphiht.network import Network
from graphiht.projection import GraphSparsity, TopS
from graphiht.projection import tail as project
from graphiht.solver import DIVERGED, Settings

SEEDS, EPOCHS = range(100), 4
NEWTON = {"newton": 1, "exact": 50}


def random_problem(rng):
    """Return (loss, the same by its formula, network)."""
    n, p = int(rng.integers(8, 25)), int(rng.integers(6, 11))
    X, lam = rng.standard_normal((n, p)) * 10.0 ** rng.uniform(-1, 0.5), rng.choice([0.0, 0.1, 1.0])
    signal = X[:, :3].sum(axis=1) / X.std() + rng.standard_normal(n)
    weights = rng.uniform(0.1, 2.0, n) if rng.random() < 0.5 else np.ones(n)
    k = weights * n / weights.sum()
    edges = {(int(rng.integers(node)), node) for node in range(1, p)}
    edges |= {tuple(sorted(rng.choice(p, 2, replace=False).tolist())) for _ in range(3)}
    network = Network(sorted(edges), p)
    if rng.random() < 0.3:
        return least_squares(X, signal, lam, sample_weight=weights), Problem(X, signal, k, lam, False), network
    y = np.where(signal > np.median(signal), 1.0, -1.0)
    share = k[y > 0].sum() / n
    loss = balanced_logistic(X, y, lam, sample_weight=weights)
    return loss, Problem(X, y, k * np.where(y > 0, 1 - share, share), lam, True), network


class Exact:
    """The exact projection, which also asks for the library's and notes the largest share of ||z||^2 that it misses."""

    def __init__(self, network, size, n_components):
        self.arguments = network, size, n_components
        self.best = best_of(sets_of(network.n_nodes, network.edges, size, n_components))
        self.warm, self.gap = math.nan, 0.0

    def __call__(self, z):
        best = self.best(z)
        found = project(z, *self.arguments, slack=0.0, warm=self.warm)
        self.warm, held = found.multiplier, (z[found.support] ** 2).sum()
        self.gap = max(self.gap, 1 - held / (z[best] ** 2).sum())
        return best


def compare(method, seed):
    """Return whether all projections of a fit are the best ones; if so, assert that it is the oracle's."""
    rng = np.random.default_rng(seed)
    loss, problem, network = random_problem(rng)
    n, p = problem.X.shape
    size, batch = int(rng.integers(2, p // 2 + 1)), int(rng.integers(2, n + 1))
    n_components = int(rng.integers(1, min(size, 2) + 1))
    sampling = Sampling(
        n_blocks=int(rng.integers(1, 4)),
        batch_size=batch,
        mini_batch=rng.choice([None, int(rng.integers(1, batch + 1))]),
        inner_steps=rng.choice([None, 3]),
        option=int(rng.integers(1, 3)),
    )
    settings = Settings(
        step=rng.choice([None, None, 0.1 * n / np.linalg.norm(problem.X) ** 2]),
        shrink=float(rng.choice([0.6, 0.8])),
        max_shrinks=int(rng.choice([1, 20])),
        intercept=str(rng.choice(["gradient", "none", *NEWTON])),
        max_epochs=EPOCHS,
        tol=-1.0,
    )
    model, head, tail = TopS(size), (lambda v: np.arange(p)), largest(size)
    if METHODS[method].uses_network:
        model = GraphSparsity(network, size, n_components, str(rng.choice(["identity", "2s"])), slack=0.0)
        tail = Exact(network, size, n_components)
        if model.head_size:
            head = Exact(network, model.head_size, model.head_components)

    def make_draws():
        rows = np.random.default_rng(seed)
        return Draws(ESTIMATORS[METHODS[method].gradient](n, sampling, rows), rows)

    estimator = make_draws().estimator
    drawn = [estimator.draw_epoch()[:2] for _ in range(EPOCHS)]
    how = settings.step, settings.shrink, settings.max_shrinks, NEWTON.get(settings.intercept, settings.intercept)
    expected = trajectory(problem, drawn, head, tail, *how)
    found = solve(loss, make_draws(), model, settings, checkpoints=range(1, EPOCHS + 1))
    for epoch, (w, c, points) in enumerate(expected, start=1):
        if max(getattr(head, "gap", 0.0), getattr(tail, "gap", 0.0)) > 1e-12:
            return False
        if found.status == DIVERGED and epoch == found.epochs:
            assert not w @ w < 1e9
            break
        scale = np.abs(w).max() + abs(c)
        np.testing.assert_allclose(found.checkpoints[epoch].weights, w, atol=1e-9 * scale, err_msg=f"seed {seed}")
        assert found.checkpoints[epoch].intercept == pytest.approx(c, abs=1e-9 * scale)
        assert found.loss_trace[epoch] == pytest.approx(problem.value(w, c, np.arange(n)), rel=1e-9)
        assert found.data_points_trace[epoch] == points
    return True


@pytest.mark.parametrize("method", METHODS)
def test_iterates_are_those_of_the_paper_s_algorithms(method):
    with np.errstate(all="ignore"):
        compared = np.mean([compare(method, seed) for seed in SEEDS])
    assert compared > 0.7 if METHODS[method].uses_network else compared == 1
