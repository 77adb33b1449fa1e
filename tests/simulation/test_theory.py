"""The theorem's quantities against closed forms and brute force."""

import itertools
import math

import numpy as np
import pytest

from graphiht.losses import least_squares
from graphiht.network import Network
from graphiht.projection import tail
from study.simulation.curves import MEANS, Setting, curve
from study.simulation.experiments import Sizes
from study.simulation.graphs import Problem, grid
from study.simulation.theory import (
    IDEAL,
    PROVEN,
    ROUNDING,
    best_alpha0,
    bound,
    contraction,
    convexity,
    epoch_factor,
    interval,
    observed,
    sample_supports,
    smoothness,
    theory_table,
)

EMPTY = (math.nan, math.nan)


def test_all_supports_of_a_tiny_design_by_brute_force():
    """Singular values of every submatrix; batches of rows by the Hessian of f_I itself."""
    tiny = np.random.default_rng(0).standard_normal((7, 6)) / np.sqrt(7)
    supports = [np.array(chosen) for chosen in itertools.combinations(range(6), 3)]
    singular = [np.linalg.svd(tiny[:, s], compute_uv=False) for s in supports]
    assert convexity(tiny, supports) == pytest.approx(min(values[-1] ** 2 for values in singular))
    everything = smoothness(tiny, supports, [np.arange(7)])
    assert everything == pytest.approx(max(values[0] ** 2 for values in singular))
    for size in (1, 2, 3, 5):
        batches = [np.array(chosen) for chosen in itertools.combinations(range(7), size)]
        by_hand = max(
            np.linalg.norm(sum(7 / size * np.outer(tiny[i, s], tiny[i, s]) for i in batch), 2)
            for s in supports
            for batch in batches
        )
        assert smoothness(tiny, supports, batches) == pytest.approx(by_hand)
        assert by_hand >= everything


def test_sampled_supports_are_unions_of_connected_sets():
    network = grid(8)
    supports = sample_supports(network, 3, 40, np.random.default_rng(0))
    assert len(supports) > 30
    for support in supports:
        assert 3 <= len(support) <= 12
        assert network.n_components(support) <= 4
    # A set of the model, a tail, and a head that has room for two more sets.
    assert max(network.n_components(support) for support in supports) == 4


def test_whole_graph_is_sampled_once():
    supports = sample_supports(Network([(0, 1), (1, 2)], 3), 3, 50, np.random.default_rng(0))
    assert len(supports) == 1


@pytest.mark.parametrize(
    ("alpha", "beta", "expected"),
    [
        (1.0, 1.0, (0.75, 1.25)),
        (2.0, 2.0, (0.375, 0.625)),
        # Empty from beta/alpha = 16/15 on, and without convexity.
        (1.0, 16 / 15 + 1e-9, EMPTY),
        (1.0, 30.0, EMPTY),
        (0.0, 1.0, EMPTY),
        (-1e-12, 1.0, EMPTY),
    ],
)
def test_interval_of_learning_rates(alpha, beta, expected):
    assert interval(alpha, beta) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("beta", [1.03, 1.06])
def test_interval_is_where_a_step_shrinks_to_a_quarter(beta):
    """4a^2 - 3.75ab >= 0 says q(eta) <= 1/4, with equality at the ends."""
    low, high = interval(1.0, beta)
    for end in (low, high):
        assert contraction(1.0, beta, end) == pytest.approx(0.25)
    assert contraction(1.0, beta, (low + high) / 2) < 0.25


@pytest.mark.parametrize("head", [1.0, 0.9, math.sqrt(1 / 14)])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.0), (0.9, 1.0), (0.2, 3.0), (5.0, 5.2)])
def test_best_alpha0_is_the_supremum(alpha, beta, head):
    taus = np.linspace(0, 2 / beta, 20001)[1:]
    values = head * alpha * taus - np.sqrt(np.maximum(alpha * beta * taus**2 - 2 * alpha * taus + 1, 0))
    assert best_alpha0(alpha, beta, head) == pytest.approx(values.max(), abs=1e-4)


def test_perfect_design_and_ideal_projections_have_a_bound():
    # q = 0.1, alpha_0 = 1: delta = 2 * 0.1, lambda = 4 * 0.1.
    expected = {"alpha_0": 1, "delta_stated": 0.2, "delta_proof": 0.2, "lambda": 0.4}
    printed = dict.fromkeys(("printed_stated", "printed_proof"), 0.2 / 0.6)
    # By hand: 0.2^2 + 0.4 (1 + 0.2); by Option I 0.2^K has the mean 1 / (1 + 2 * 0.8) = 5/13.
    corrected = dict.fromkeys(("corrected_stated", "corrected_proof"), 0.52)
    option_1 = dict.fromkeys(("corrected_option_1_stated", "corrected_option_1_proof"), 9 / 13)
    assert bound(1.0, 1.0, 0.9, IDEAL, 2) == pytest.approx(expected | printed | corrected | option_1)


@pytest.mark.parametrize(("eta", "has_bound"), [(0.8, False), (0.84, True), (1.16, True), (1.2, False)])
def test_interval_of_the_theorem_is_wider_than_its_condition(eta, has_bound):
    """At best delta + lambda = 6 q(eta), below 1 where |1 - eta| < 1/6; the interval goes to 1/4."""
    low, high = interval(1.0, 1.0)
    assert low < eta < high
    assert math.isfinite(bound(1.0, 1.0, eta, IDEAL, 10)["printed_stated"]) == has_bound


def recursion(delta, lam, steps, epochs):
    """The errors after each epoch when (13) holds with equality."""
    anchors = [1.0]
    for _ in range(epochs):
        error = anchors[-1]
        for _ in range(steps):
            error = delta * error + lam * anchors[-1]
        anchors.append(error)
    return np.array(anchors)


def random_recursions():
    rng = np.random.default_rng(0)
    for _ in range(200):
        delta = rng.uniform(0, 1)
        yield delta, rng.uniform(0, 1 - delta), int(rng.integers(1, 60))


def test_corrected_factor_is_that_of_the_recursion():
    for delta, lam, steps in random_recursions():
        factor = epoch_factor(delta, lam, steps)
        np.testing.assert_allclose(recursion(delta, lam, steps, 4), factor ** np.arange(5), rtol=1e-10)
        # One step has delta + lambda, and more never have more.
        assert delta + lam == pytest.approx(epoch_factor(delta, lam, 1))
        assert factor <= delta + lam + 1e-12 < 1


def test_random_steps_have_the_mean_factor_of_the_recursion():
    """Option I: the average over the geometric law of K, from 0 on with mean m."""
    for delta, lam, mean in random_recursions():
        steps = np.arange(20_000)
        weights = (mean / (1 + mean)) ** steps / (1 + mean)
        average = weights @ (delta**steps + lam * (1 - delta**steps) / (1 - delta))
        assert epoch_factor(delta, lam, mean, option=1) == pytest.approx(average)


def test_printed_bound_is_below_the_recursion():
    """Theorem 2 with delta = .5, lambda = .2, K = 50: .107 after two epochs, where the recursion has .16."""

    def printed(delta, lam, steps, epochs):
        return (delta / (1 - lam)) ** (steps * epochs) + lam**epochs * (1 - lam) / (1 - lam - delta)

    assert recursion(0.5, 0.2, 50, 2)[-1] == pytest.approx(0.16)
    assert printed(0.5, 0.2, 50, 2) == pytest.approx(0.107, abs=5e-4)
    broken = sum(
        printed(*each, epochs) < recursion(*each, epochs)[-1] for each in random_recursions() for epochs in range(1, 9)
    )
    assert broken > 200


def test_lambda_is_not_below_one_where_delta_is():
    """Corollary 2.0 drops the factor 1 + c_T: with c_T = sqrt 7, q = .2 and alpha_0 = 1 lambda is 2 delta."""
    low, high = interval(1.0, 1.0)
    assert low < 0.8 < high
    found = bound(1.0, 1.0, 0.8, (math.sqrt(7), 1.0), 10)
    assert found["delta_stated"] == found["delta_proof"] == pytest.approx(0.2 * (1 + math.sqrt(7)))
    assert found["delta_proof"] < 1 < found["lambda"]
    assert found["lambda"] == pytest.approx(2 * found["delta_proof"])


@pytest.mark.parametrize("eta", [0.9, 1.0, 1.1])
@pytest.mark.parametrize("steps", [1, 2, 20])
def test_bound_holds_on_data_where_projections_are_exact(eta, steps):
    """The s largest entries and the whole gradient (c_T = c_H = 1), every support of a nearly orthonormal design."""
    rng = np.random.default_rng(3)
    n, p = 64, 16
    A = np.linalg.qr(rng.standard_normal((n, p)))[0] + 1e-4 * rng.standard_normal((n, p))
    x = np.zeros(p)
    x[:4] = rng.standard_normal(4)
    everything = [np.arange(p)]
    alpha, beta = convexity(A, everything), smoothness(A, everything, [np.arange(n)])
    found = bound(alpha, beta, eta, IDEAL, steps)["corrected_proof"]
    problem = Problem(A, A @ x, x, np.arange(4), grid(4), least_squares(A, A @ x, scale=n))
    setting = Setting("", "", "svrg-iht", MEANS, 4, eta, n, n, steps, 1, 3, "identity")
    errors = np.array([row["error"] for row in curve(setting, problem, rng)])
    assert 0 < found < 1
    assert (errors[1:] <= found * errors[:-1] + ROUNDING).all()


def approximation(vectors, sizes):
    """(c_T, c_H) of our projection without slack on the 3 x 3 grid, against all its connected sets."""
    network, found, sets = grid(3), [], {}
    for size in set(sizes):
        chosen = [list(nodes) for nodes in itertools.combinations(range(9), size)]
        sets[size] = np.array([np.isin(np.arange(9), c) for c in chosen if network.n_components(np.array(c)) == 1])
    for v, size in zip(vectors, sizes, strict=True):
        connected = sets[size]
        ours = np.isin(np.arange(9), tail(v, network, size, slack=0.0).support)
        out, inside = v**2 @ ~ours / (~connected @ v**2).min(), v**2 @ ours / (connected @ v**2).max()
        found.append((math.sqrt(out), math.sqrt(inside)))
    return np.array(found).T


def test_our_projection_against_all_connected_sets():
    """On heavy tails: the head keeps Hegde's constant easily, the tail does not."""
    rng = np.random.default_rng(0)
    tails, heads = approximation(rng.standard_cauchy((2000, 9)) ** 2, rng.integers(2, 8, 2000))
    assert min(tails) >= 1 - 1e-12
    assert max(tails) > 10 * PROVEN[0]
    assert (tails > PROVEN[0]).mean() == pytest.approx(0.01, abs=0.005)
    assert 3 * PROVEN[1] < min(heads) <= max(heads) <= 1 + 1e-12


def test_our_tail_projection_has_no_constant():
    vectors = np.array([[2, 2, 3 * e, 0, e, 1600, 0, 40, 2 * e] for e in (1e-2, 1e-4, 1e-6)])
    np.testing.assert_allclose(approximation(vectors, [5] * 3)[0], [55.5, 5547, 554_700], rtol=1e-3)


def test_proven_constants_have_no_bound_for_any_design():
    """alpha_0 <= c_H, so delta >= (1 + sqrt 7) sqrt(1 - sqrt(1/14)) = 3.12 at best."""
    best = (1 + math.sqrt(7)) * math.sqrt(1 - math.sqrt(1 / 14))
    assert best == pytest.approx(3.12, abs=0.01)
    assert bound(1.0, 1.0, 1.0, PROVEN, 10)["delta_stated"] == pytest.approx(best)
    for (alpha, beta), eta in itertools.product(((1.0, 1.0), (1.0, 1.01), (0.5, 0.6)), np.linspace(0.05, 2, 40)):
        found = bound(alpha, beta, eta / beta, PROVEN, 10)
        assert math.isnan(found["printed_stated"])
        assert math.isnan(found["corrected_proof"])
        assert not found["delta_stated"] < best - 1e-12


def test_statement_and_proof_differ():
    found = bound(1.0, 1.02, 1.0, IDEAL, 10)
    assert 0 < found["alpha_0"] < 1
    assert found["delta_proof"] > found["delta_stated"]
    without = bound(0.1, 3.0, 0.1, IDEAL, 10)
    assert without["alpha_0"] < 0
    assert math.isnan(without["delta_stated"])


def test_observed_is_the_factor_per_step():
    runs = np.array([[8.0, 5.0, 0.125], [8.0, 4.0, 0.125], [1.0, 2.0, np.inf]])
    assert observed(runs, 3) == pytest.approx(0.5)
    assert observed(runs[2:], 3) == np.inf
    # Where rounding takes over, the error falls no further.
    assert observed(np.array([[1.0, 1e-6, 1e-12, 1e-16, 1e-16, 1e-16]]), 1) == pytest.approx(1e-6)


def test_table_of_small_problems():
    sizes = Sizes(
        side=5, rows=30, sparsities=(4,), sparsity=4, learning_rates=(0.1,), epochs=3, batch_size=8, mini_batch=2
    )
    table = theory_table(1, sizes, n_supports=10, n_problems=2)
    gaussian, ideal = table[table["design"] == "Gaussian"], table[table["design"] == "orthonormal"]
    assert sorted(gaussian["mini_batch"].unique()) == [1, 2, 30]
    assert (gaussian["eta_low"] == "empty").all()
    # Fewer rows in a batch, less smooth.
    assert gaussian.groupby("mini_batch")["beta"].first().is_monotonic_decreasing
    assert ideal["alpha"].iloc[0] == pytest.approx(1)
    assert float(ideal["eta_low"].iloc[0]) == pytest.approx(0.75)
    factors = ideal.set_index("eta_allowed")["corrected_stated_ideal"]
    assert factors[0] == "no bound"
    assert float(factors[1]) < 1e-5
    assert (table["printed_stated_proven"] == "no bound").all()
    assert {"lambda_proven", "lambda_ideal"} < set(table.columns)
    # One step of 0.1 on an orthonormal design takes a tenth of the error away, once the support is found.
    assert ideal["observed"].iloc[0] == pytest.approx(0.9, abs=0.03)
