"""The loop: reductions to the bit, oracles, convergence, stopping, divergence, determinism."""

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from conftest import REPOSITORY
from determinism_child import digest
from graphiht.fitting import fit
from graphiht.gradients import Batches, Draws, Estimator
from graphiht.loop import solve
from graphiht.losses import balanced_logistic, least_squares
from graphiht.methods import METHODS
from graphiht.network import Network
from graphiht.projection import TopS
from graphiht.solver import Settings
from synthetic import assert_same_fit, grid_edges, noisy_classes, planted_regression

N_ROWS, N_FEATURES = 40, 100
NETWORK = Network(grid_edges(10), N_FEATURES)


@pytest.fixture
def loss():
    X, y = noisy_classes(N_ROWS, N_FEATURES, seed=4)
    return balanced_logistic(X, y, 0.05)


@pytest.mark.parametrize("step", [None, 0.05], ids=["line search", "fixed step"])
@pytest.mark.parametrize("prefix", ["", "graph-"])
def test_scsg_with_a_whole_outer_batch_is_svrg_with_the_same_mini_batches(loss, prefix, step):
    options = {"sparsity": 9, "network": NETWORK, "mini_batch": 10, "step": step, "max_epochs": 12, "tol": 0.0}
    scsg = fit(f"{prefix}scsg-iht", loss, batch_size=N_ROWS, **options)
    svrg = fit(f"{prefix}svrg-iht", loss, inner_steps=4, **options)
    assert_same_fit(scsg, svrg)
    assert scsg.n_steps == 48
    full = fit(f"{prefix}iht", loss, **options)
    assert not np.array_equal(scsg.weights, full.weights), "the mini-batches must matter"


# One block (and SCSG's mini-batches, whose noise vanishes at the optimum) end at the unique minimum.
@pytest.mark.parametrize(
    ("method", "intercept"),
    [
        *((method, "newton") for method in ("iht", "sto-iht", "svrg-iht", "scsg-iht")),
        ("iht", "exact"),
        ("iht", "gradient"),
    ],
)
def test_full_support_logistic_model_is_sklearns(method, intercept):
    X, y = noisy_classes(60, 5, seed=2)
    lam, rng = 0.1, np.random.default_rng(0)
    result = fit(method, X, y, sparsity=5, lam=lam, rng=rng, intercept=intercept, max_epochs=2000, tol=1e-15)
    k = np.where(y == 1, np.mean(y == 0), np.mean(y == 1))
    # scikit-learn: C sum k_i f_i + ||w||^2 / 2; ours: (1/n) sum k_i f_i + lambda ||w||^2 / 2.
    oracle = LogisticRegression(C=1 / (len(y) * lam), tol=1e-12, max_iter=10000).fit(X, y, sample_weight=k)
    np.testing.assert_allclose(result.weights, oracle.coef_[0], atol=1e-6)
    assert result.intercept == pytest.approx(oracle.intercept_[0], abs=1e-6)
    assert result.status == "converged"


def test_full_support_least_squares_model_is_sklearns_ridge():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((50, 6)), rng.standard_normal(50) + 2
    result = fit("iht", least_squares(X, y, 0.3), sparsity=6, max_epochs=2000, tol=1e-16)
    oracle = Ridge(alpha=0.3 * 50, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(result.weights, oracle.coef_, atol=1e-7)
    assert result.intercept == pytest.approx(oracle.intercept_, abs=1e-7)


@pytest.mark.parametrize("method", ["iht", "graph-iht", "graph-sto-iht", "graph-svrg-iht", "graph-scsg-iht"])
def test_residual_falls_linearly_to_rounding(method):
    A, y, _, edges = planted_regression(side=10, sparsity=8, n_rows=400, seed=1)
    result = fit(
        method,
        least_squares(A, y, scale=len(y)),
        sparsity=8,
        network=Network(edges, 100),
        n_blocks=4,
        rng=np.random.default_rng(0),
        step=0.5,
        intercept="none",
        max_epochs=200,
        tol=0.0,
    )
    residual = np.sqrt(2 * np.array(result.loss_trace))
    residual /= residual[0]
    reached = np.flatnonzero(residual < 1e-10)
    assert len(reached), f"stopped at {residual[-1]:.1e}"
    log = np.log(residual[: reached[0] + 1])
    epochs = np.arange(len(log))
    fitted = np.polyval(np.polyfit(epochs, log, 1), epochs)
    assert 1 - np.var(log - fitted) / np.var(log) > 0.98
    assert np.polyfit(epochs, log, 1)[0] < -0.2


def test_loss_never_rises_for_the_full_gradient_on_all_features(loss):
    result = fit("iht", loss, sparsity=N_FEATURES, max_epochs=50, tol=0.0)
    assert (np.diff(result.loss_trace) <= 0).all()
    assert result.n_line_searches_failed == 0
    assert result.n_line_searches == result.n_steps == 50


@pytest.mark.parametrize("step", [50.0, 1e200])
def test_too_large_a_step_is_a_status_not_an_exception(step):
    A, y, _, _ = planted_regression(side=10, sparsity=8, n_rows=50, seed=1)
    loss = least_squares(A, y, scale=50)
    result = fit("iht", loss, sparsity=8, step=step, intercept="none", max_epochs=40, tol=0.0)
    assert result.status == "diverged"
    assert result.epochs < 40
    assert len(result.loss_trace) == result.epochs + 1


def test_converged_and_epoch_limit_are_told_apart(loss):
    patient = fit("iht", loss, sparsity=9, lam=1.0, max_epochs=500, tol=1e-8, patience=3)
    assert patient.status == "converged"
    assert patient.epochs < 500
    last = np.array(patient.loss_trace[-4:])
    assert (np.abs(np.diff(last)) <= 1e-8 * last[1:]).all()
    hasty = fit("iht", loss, sparsity=9, lam=1.0, max_epochs=patient.epochs - 1, tol=1e-8, patience=3)
    assert hasty.status == "epoch limit"
    assert hasty.loss_trace == patient.loss_trace[:-1]


def test_epochs_of_no_steps_do_not_count_as_convergence(loss):
    """Option I may draw no inner steps; the epoch then costs B data points and changes nothing."""
    rng = np.random.default_rng(0)
    everything = Batches(N_ROWS, N_ROWS, rng)
    idle = Draws(Estimator(everything, 1, everything, geometric=lambda: 1), rng)
    result = solve(loss, idle, TopS(9), settings=Settings(max_epochs=10))
    assert result.status == "epoch limit"
    assert result.data_points_trace == [N_ROWS * i for i in range(11)]
    assert (result.weights == 0).all()


def test_failed_line_searches_are_counted():
    X, y = noisy_classes(N_ROWS, N_FEATURES, seed=4)
    curved = balanced_logistic(10 * X, y)
    result = fit("iht", curved, sparsity=9, max_shrinks=0, max_epochs=5, tol=0.0)
    assert 0 < result.n_line_searches_failed <= result.n_line_searches == 5
    assert fit("iht", curved, sparsity=9, max_epochs=5, tol=0.0).n_line_searches_failed == 0


@pytest.mark.parametrize("head", ["identity", "half", "2s", 30])
@pytest.mark.parametrize("method", [name for name, row in METHODS.items() if row.uses_network])
def test_graph_supports_are_connected_and_within_the_slack_and_lower_the_loss(loss, method, head):
    options = {"network": NETWORK, "head": head, "n_blocks": 2, "rng": np.random.default_rng(0)}
    result = fit(method, loss, sparsity=10, **options)
    assert 1 <= len(result.support) <= 11
    assert NETWORK.n_components(result.support) == 1
    assert (np.delete(result.weights, result.support) == 0).all()
    assert result.n_solves > 0
    assert result.loss_trace[-1] < 0.95 * result.loss_trace[0]
    assert method != "graph-iht" or result.n_line_searches_failed == 0


def recovery_rate(method, seeds):
    """Return the share of seeds in which a planted connected support of 20 nodes is recovered to 1e-6."""
    sparsity, n_features = 20, 32 * 32
    n_rows = int(np.ceil(3 * sparsity * np.log(n_features)))
    found = []
    for seed in seeds:
        A, y, x_true, edges = planted_regression(32, sparsity, n_rows, seed)
        result = fit(
            method,
            least_squares(A, y, scale=n_rows),
            sparsity=sparsity,
            network=Network(edges, n_features),
            rng=np.random.default_rng(seed),
            intercept="none",
            tol=0.0,
            **{"step": 1.0, "max_epochs": 200, **RECOVERING[method]},
        )
        found.append(np.linalg.norm(result.weights - x_true) <= 1e-6 * np.linalg.norm(x_true))
    return np.mean(found)


# A step of one suits the full gradient, but no small batch, whose Hessian is far from the identity.
RECOVERING = {
    "graph-iht": {},
    "graph-sto-iht": {"n_blocks": 2, "step": 0.7},
    "graph-svrg-iht": {"n_blocks": 2, "step": 0.7},
    "graph-scsg-iht": {"n_blocks": 1, "step": 0.5},
}


@pytest.mark.parametrize("method", RECOVERING)
@pytest.mark.parametrize(("n_seeds", "share"), [(3, 1.0), pytest.param(50, 0.95, marks=pytest.mark.long)])
def test_graph_methods_recover_planted_supports(method, n_seeds, share):
    assert recovery_rate(method, range(n_seeds)) >= share


def test_same_seed_same_bits_in_other_processes_and_with_other_thread_counts():
    digests = {digest(), digest()}
    for threads in ("1", "2"):
        limits = {f"{library}_NUM_THREADS": threads for library in ("OPENBLAS", "OMP", "NUMBA")}
        child = [sys.executable, str(REPOSITORY / "tests/determinism_child.py")]
        run = subprocess.run(child, env={**os.environ, **limits}, capture_output=True, text=True, check=True)
        digests.add(run.stdout.strip())
    assert len(digests) == 1
