"""The compiled loop against the readable one, to the bit, on random problems."""

import copy
from contextlib import contextmanager

import numpy as np
import pytest

from graphiht import fitting, loop, solver
from graphiht.fitting import fit_path
from graphiht.gradients import ESTIMATORS, Sampling
from graphiht.losses import balanced_logistic, least_squares
from graphiht.methods import STEP_METHODS as METHODS
from graphiht.network import Network
from graphiht.projection import HEADS, GraphSparsity, TopS
from synthetic import assert_same_fit

FEW, MANY = 120, 1000


@contextmanager
def readable_loop():
    """Let `fit` and `fit_path` run `solver.solve`."""

    def solve(loss, draws, *rest):
        # Every fit of a path has an estimator of its own loss, which draws from the same state of the generator.
        draws.rewind(0)
        known = {id(draws.estimator.loss): loss, id(draws._rng): draws._rng}
        return solver.solve(loss, copy.deepcopy(draws.estimator, known), *rest)

    compiled, fitting.solve = fitting.solve, solve
    try:
        yield
    finally:
        fitting.solve = compiled


def random_problem(seed):
    """Return (loss, function that makes (estimator, generator), function that makes a model, settings, checkpoints)."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(6, 60)), int(rng.integers(5, 120))
    X = rng.standard_normal((n, p)) * 10.0 ** rng.uniform(-1, 1)
    signal = X[:, : min(3, p)].sum(axis=1) / X.std()
    dtype, weights = rng.choice([np.float32, np.float64]), rng.choice([None, 1])
    weights = None if weights is None else rng.uniform(0.1, 2.0, n)
    lam = float(rng.choice([0.0, 1e-3, 0.1, 1.0]))
    if rng.random() < 0.7:
        y = (signal + rng.standard_normal(n) > 0).astype(int)
        y[:2] = 0, 1
        loss = balanced_logistic(X, y, lam, sample_weight=weights, dtype=dtype)
    else:
        loss = least_squares(X, signal + rng.standard_normal(n), lam, sample_weight=weights, dtype=dtype)
    method = METHODS[list(METHODS)[seed % len(METHODS)]]
    batch = rng.choice([None, int(rng.integers(1, n + 1))])
    sampling = Sampling(
        n_blocks=int(rng.integers(1, min(n, 5) + 1)),
        batch_size=batch,
        mini_batch=rng.choice([None, int(rng.integers(1, (batch or n) + 1))]),
        inner_steps=rng.choice([None, int(rng.integers(1, 4))]),
        option=int(rng.integers(1, 3)),
    )
    sparsity = int(rng.integers(1, p + 1))
    edges = rng.integers(0, p, (3 * p, 2))
    network = Network(edges[edges[:, 0] != edges[:, 1]], p, names=rng.permutation(p).astype(str))
    head = rng.choice([*HEADS, int(rng.integers(1, p + 1))])
    shape = {
        "n_components": int(rng.integers(1, min(sparsity, 3) + 1)),
        "head": int(head) if head.isdigit() else str(head),
        "slack": float(rng.choice([0.0, 0.1])),
    }
    settings = solver.Settings(
        # A fixed step of 50 diverges, one of 1e200 at once.
        step=rng.choice([None, None, None, 0.1, 50.0, 1e200]),
        shrink=float(rng.choice([0.6, 0.8])),
        max_shrinks=int(rng.choice([0, 20])),
        intercept=str(rng.choice(solver.INTERCEPTS)),
        max_epochs=int(rng.choice([1, 7, 40])),
        tol=float(rng.choice([-1.0, 1e-3, 0.1])),
        patience=int(rng.integers(1, 4)),
    )
    checkpoints = rng.permutation(np.arange(1, settings.max_epochs + 1))[:3].tolist()

    def make_estimator():
        rows = np.random.default_rng(seed)
        return ESTIMATORS[method.gradient](loss, sampling, rows), rows

    def make_model():
        return GraphSparsity(network, sparsity, **shape) if method.uses_network else TopS(sparsity)

    return loss, make_estimator, make_model, settings, checkpoints


def compare(seed):
    """Assert equal results and equally advanced generators; return the readable loop's result."""
    loss, make_estimator, make_model, settings, checkpoints = random_problem(seed)
    (estimator, rng), (other_estimator, other_rng) = make_estimator(), make_estimator()
    with np.errstate(over="ignore", invalid="ignore"):
        expected = solver.solve(loss, estimator, make_model(), settings, checkpoints)
        draws = loop.Draws(other_estimator, other_rng)
        found = loop.solve(loss, draws, make_model(), settings, checkpoints)
        draws.rewind(found.epochs)
    assert_same_fit(expected, found)
    if expected.status != "diverged":
        assert rng.bit_generator.state == other_rng.bit_generator.state
    return expected


@pytest.mark.parametrize("seeds", [range(FEW), pytest.param(range(FEW, FEW + MANY), marks=pytest.mark.long)], ids=str)
def test_same_bits_as_the_readable_loop(seeds):
    results = [compare(seed) for seed in seeds]
    assert {result.status for result in results} == {"converged", "epoch limit", "diverged"}
    assert any(result.n_line_searches_failed for result in results)
    assert np.mean([np.count_nonzero(result.weights) > 0 for result in results]) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_a_path_has_the_bits_of_readable_fits_of_each_penalty(method):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((50, 40))
    y = (X[:, :3].sum(axis=1) + rng.standard_normal(50) > 0).astype(int)
    network = Network([[i, i + 1] for i in range(39)] + [[i, i + 7] for i in range(33)], 40)

    def path():
        loss, grid = balanced_logistic(X, y), {"sparsities": [4, 9], "lambdas": [0.01, 0.3, 2.0], "n_blocks": 3}
        rng = np.random.default_rng(1)
        return fit_path(method, loss, **grid, network=network, rng=rng, max_epochs=30, checkpoints=[2, 30])

    with readable_loop():
        expected = path()
    found = path()
    assert len(found) == 6
    for key, fit in found.items():
        assert_same_fit(expected[key], fit)
    assert len({fit.weights.tobytes() for fit in found.values()}) == 6
