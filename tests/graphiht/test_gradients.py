"""Estimators: exact unbiasedness by enumeration, what they draw, what they count."""

from itertools import combinations

import numpy as np
import pytest

from graphiht.gradients import ESTIMATORS, SCSG, SVRG, Batches, BlockGradient, Blocks, FullGradient, Sampling
from graphiht.losses import balanced_logistic
from synthetic import Scripted, noisy_classes

N = 6


@pytest.fixture
def problem():
    """A tiny loss, an iterate and another one as anchor."""
    X, y = noisy_classes(N, 4, seed=1, share=0.5)
    loss = balanced_logistic(X, y, 0.3)
    rng = np.random.default_rng(0)
    support = np.arange(4)
    x, anchor = (loss.iterate(rng.standard_normal(4), support, intercept) for intercept in (0.2, -0.4))
    return loss, x, anchor


def stacked(estimate):
    return np.append(estimate.gradient, estimate.intercept_gradient)


def full_gradient(loss, x):
    gradient, slope = loss.gradient(x)
    return np.append(gradient, slope)


@pytest.mark.parametrize("n_blocks", [2, 3, 4])
def test_block_gradient_is_unbiased(problem, n_blocks):
    """Blocks of unequal size (4 blocks of 6 rows) need probabilities proportional to their size."""
    loss, x, _ = problem
    blocks = Blocks(N, n_blocks, np.random.default_rng(0))
    estimates = [stacked(BlockGradient(loss, Scripted([rows])).estimate(x)) for rows in blocks.blocks]
    mean = sum(len(rows) / N * estimate for rows, estimate in zip(blocks.blocks, estimates, strict=True))
    np.testing.assert_allclose(mean, full_gradient(loss, x), rtol=1e-12)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_svrg_is_unbiased_over_all_batches(problem, size):
    loss, x, anchor = problem
    batches = list(combinations(range(N), size))
    estimator = SVRG(loss, Scripted(batches), n_steps=1)
    estimator.start_epoch(anchor)
    mean = np.mean([stacked(estimator.estimate(x)) for _ in batches], axis=0)
    np.testing.assert_allclose(mean, full_gradient(loss, x), rtol=1e-12)


@pytest.mark.parametrize(("outer_size", "inner_size"), [(3, 1), (4, 2), (2, 2)])
def test_scsg_is_unbiased_over_outer_and_inner_batches_together(problem, outer_size, inner_size):
    loss, x, anchor = problem
    estimates = []
    for outer in combinations(range(N), outer_size):
        inner = list(combinations(range(N), inner_size))
        estimator = SCSG(loss, Scripted([outer]), Scripted(inner), option=2, rng=None)
        estimator.start_epoch(anchor)
        given_outer = [stacked(estimator.estimate(x)) for _ in inner]
        estimates.append(np.mean(given_outer, axis=0))
    assert np.abs(estimates[0] - full_gradient(loss, x)).max() > 1e-3, "given the outer batch it is biased by design"
    np.testing.assert_allclose(np.mean(estimates, axis=0), full_gradient(loss, x), rtol=1e-12)


def test_coefficients_give_the_gradient_back(problem):
    """v = X^T rho + lambda w, for every estimator: the line search relies on it."""
    loss, x, anchor = problem
    rng = np.random.default_rng(0)
    estimators = [
        FullGradient(loss),
        BlockGradient(loss, Blocks(N, 2, rng)),
        SVRG(loss, Blocks(N, 3, rng), n_steps=3),
        SCSG(loss, Batches(N, 4, rng), Batches(N, 2, rng), option=2, rng=rng),
    ]
    for estimator in estimators:
        estimator.start_epoch(anchor)
        v = estimator.estimate(x)
        np.testing.assert_allclose(loss.X.T @ v.coefficients + 0.3 * x.weights, v.gradient, rtol=1e-10)
        assert v.coefficients.sum() == pytest.approx(v.intercept_gradient, rel=1e-10)


def test_blocks_partition_the_shuffled_rows_and_are_drawn_by_size():
    blocks = Blocks(7, 3, np.random.default_rng(5))
    assert sorted(np.concatenate(blocks.blocks)) == list(range(7))
    assert all((np.diff(b) > 0).all() for b in blocks.blocks)
    assert any(np.diff(b).max() > 1 for b in blocks.blocks), "shuffled, not contiguous"
    sizes = [len(b) for b in blocks.blocks]
    firsts = [b[0] for b in blocks.blocks]
    n_draws = 7000
    drawn = [firsts.index(blocks.draw()[0]) for _ in range(n_draws)]
    share = np.bincount(drawn, minlength=3) / n_draws
    # Five standard deviations of a binomial share.
    np.testing.assert_allclose(share, np.array(sizes) / 7, atol=5 * np.sqrt(0.25 / n_draws))


def test_batches_are_sorted_uniform_and_without_replacement():
    batches = Batches(5, 2, np.random.default_rng(0))
    n_draws = 5000
    drawn = [tuple(batches.draw()) for _ in range(n_draws)]
    pairs = list(combinations(range(5), 2))
    assert set(drawn) == set(pairs)
    share = np.array([drawn.count(pair) for pair in pairs]) / n_draws
    np.testing.assert_allclose(share, 0.1, atol=5 * np.sqrt(0.09 / n_draws))


def test_option_one_draws_the_papers_geometric_law(problem):
    loss = problem[0]
    rng = np.random.default_rng(0)
    estimator = SCSG(loss, Batches(N, 4, rng), Batches(N, 2, rng), option=1, rng=rng)
    n_draws = 20000
    steps = np.array([estimator.draw_steps() for _ in range(n_draws)])
    gamma = 4 / (4 + 2)
    for k in range(4):
        assert np.mean(steps == k) == pytest.approx(gamma**k * (1 - gamma), abs=5 * np.sqrt(0.25 / n_draws))
    # Mean B/b = 2, variance gamma / (1 - gamma)^2 = 6.
    assert steps.mean() == pytest.approx(2.0, abs=5 * np.sqrt(6 / n_draws))


def test_data_points_count_every_row_of_every_gradient(problem):
    loss, x, _ = problem
    rng = np.random.default_rng(0)
    expected = [
        (FullGradient(loss), N),
        (BlockGradient(loss, Blocks(N, 2, rng)), 2 * 3),
        (SVRG(loss, Blocks(N, 2, rng), n_steps=2), N + 2 * 2 * 3),
        (SCSG(loss, Batches(N, 4, rng), Batches(N, 2, rng), option=2, rng=rng), 4 + 2 * 2 * 2),
        # Option II rounds the number of steps up: 5 / 2 to 3.
        (SCSG(loss, Batches(N, 5, rng), Batches(N, 2, rng), option=2, rng=rng), 5 + 2 * 3 * 2),
    ]
    for estimator, points in expected:
        for _ in range(estimator.start_epoch(x)):
            estimator.estimate(x)
        assert estimator.data_points == points


def test_line_search_rows_are_those_the_estimate_is_about(problem):
    loss, x, anchor = problem
    outer, inner = [0, 2, 3, 5], [1, 4]
    scsg = SCSG(loss, Scripted([outer]), Scripted([inner]), option=2, rng=None)
    scsg.start_epoch(anchor)
    assert scsg.estimate(x).rows.tolist() == outer
    svrg = SVRG(loss, Scripted([inner]), n_steps=1)
    svrg.start_epoch(anchor)
    assert svrg.estimate(x).rows.tolist() == list(range(N))
    block = BlockGradient(loss, Blocks(N, 2, np.random.default_rng(0)))
    assert len(block.estimate(x).rows) == 3


def test_default_sizes_are_those_of_the_study():
    X, y = noisy_classes(59, 4, seed=7)
    loss = balanced_logistic(X, y)
    scsg = ESTIMATORS["scsg"](loss, Sampling(n_blocks=2), np.random.default_rng(0))
    # B = ceil(59/2), b = ceil(B/2), K = ceil(B/b).
    assert (scsg.outer.size, scsg.inner.size, scsg.n_steps) == (30, 15, 2)
    svrg = ESTIMATORS["svrg"](loss, Sampling(n_blocks=2), np.random.default_rng(0))
    assert svrg.n_steps == 2
    assert sorted(len(block) for block in svrg.inner.blocks) == [29, 30]
    # With mini-batches of its own, an epoch of SVRG is a pass: K = ceil(59/2).
    svrg = ESTIMATORS["svrg"](loss, Sampling(mini_batch=2), np.random.default_rng(0))
    assert (svrg.inner.size, svrg.n_steps) == (2, 30)


def test_block_and_svrg_see_the_same_blocks(problem):
    loss, sampling = problem[0], Sampling(n_blocks=3)
    block = ESTIMATORS["block"](loss, sampling, np.random.default_rng(3))
    svrg = ESTIMATORS["svrg"](loss, sampling, np.random.default_rng(3))
    for _ in range(20):
        np.testing.assert_array_equal(block.draw(), svrg.inner.draw())
