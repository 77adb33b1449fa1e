"""Estimators: exact unbiasedness by enumeration, and what they draw."""

from itertools import combinations

import numpy as np
import pytest

from graphiht import kernels
from graphiht.gradients import ESTIMATORS, Batches, Blocks, Draws, Sampling
from graphiht.losses import balanced_logistic
from synthetic import noisy_classes

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


def full_gradient(loss, x):
    return np.append(*loss.gradient(x))


def plain(loss, x, rows):
    """Return v over some rows, without an anchor."""
    return np.append(*loss.gradient(x, np.array(rows)))


def reduced(loss, x, anchor, outer, inner):
    """Return v = grad_inner(x) - grad_inner(anchor) + grad_outer(anchor), which is X^T rho + lambda w."""
    data = loss.data()
    at_anchor = kernels.gradient(data, anchor, np.array(outer), 0.0)
    v, slope, rho = kernels.reduced_gradient(data, x, np.array(inner), anchor, at_anchor)
    np.testing.assert_allclose(loss.X.T @ rho + loss.lam * x.weights, v, rtol=1e-10)
    assert rho.sum() == pytest.approx(slope, rel=1e-10)
    return np.append(v, slope)


@pytest.mark.parametrize("n_blocks", [2, 3, 4])
def test_block_gradient_is_unbiased(problem, n_blocks):
    """Blocks of unequal size (4 blocks of 6 rows) need probabilities proportional to their size."""
    loss, x, _ = problem
    blocks = Blocks(N, n_blocks, np.random.default_rng(0)).blocks
    mean = sum(len(rows) / N * plain(loss, x, rows) for rows in blocks)
    np.testing.assert_allclose(mean, full_gradient(loss, x), rtol=1e-12)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_svrg_is_unbiased_over_all_batches(problem, size):
    mean = np.mean([reduced(*problem, range(N), rows) for rows in combinations(range(N), size)], axis=0)
    np.testing.assert_allclose(mean, full_gradient(*problem[:2]), rtol=1e-12)


@pytest.mark.parametrize(("outer_size", "inner_size"), [(3, 1), (4, 2), (2, 2)])
def test_scsg_is_unbiased_over_outer_and_inner_batches_together(problem, outer_size, inner_size):
    given_outer = [
        np.mean([reduced(*problem, outer, inner) for inner in combinations(range(N), inner_size)], axis=0)
        for outer in combinations(range(N), outer_size)
    ]
    expected = full_gradient(*problem[:2])
    assert np.abs(given_outer[0] - expected).max() > 1e-3, "given the outer batch it is biased by design"
    np.testing.assert_allclose(np.mean(given_outer, axis=0), expected, rtol=1e-12)


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


def test_option_one_draws_the_papers_geometric_law():
    estimator = ESTIMATORS["scsg"](N, Sampling(batch_size=4, mini_batch=2, option=1), np.random.default_rng(0))
    n_draws = 20000
    steps = np.array([len(estimator.draw_epoch().steps) for _ in range(n_draws)])
    gamma = 4 / (4 + 2)
    for k in range(4):
        assert np.mean(steps == k) == pytest.approx(gamma**k * (1 - gamma), abs=5 * np.sqrt(0.25 / n_draws))
    # Mean B/b = 2, variance gamma / (1 - gamma)^2 = 6.
    assert steps.mean() == pytest.approx(2.0, abs=5 * np.sqrt(6 / n_draws))


@pytest.mark.parametrize(
    ("gradient", "sampling", "anchor", "steps"),
    [
        ("full", Sampling(n_blocks=2), 0, [59]),
        # The study's: blocks of half of the rows; B = ceil(59/2), b = ceil(B/2), K = ceil(B/b).
        ("block", Sampling(n_blocks=2), 0, [29, 30]),
        ("svrg", Sampling(n_blocks=2), 59, [29, 30]),
        ("scsg", Sampling(n_blocks=2), 30, [15, 15]),
        ("svrg", Sampling(n_blocks=2, inner_steps=3), 59, [29, 30, 30]),
        # With mini-batches of its own, an epoch of SVRG is a pass: K = ceil(59/2).
        ("svrg", Sampling(mini_batch=2), 59, [2] * 30),
        # Option II rounds the number of steps up: 5/2 to 3.
        ("scsg", Sampling(batch_size=5, mini_batch=2), 5, [2, 2, 2]),
    ],
)
def test_sizes_of_what_an_epoch_draws(gradient, sampling, anchor, steps):
    estimator = ESTIMATORS[gradient](59, sampling, np.random.default_rng(0))
    drawn = [estimator.draw_epoch() for _ in range(30)]
    assert {len(epoch.anchor) for epoch in drawn} == {anchor}
    assert {len(epoch.steps) for epoch in drawn} == {len(steps)}
    assert {len(rows) for epoch in drawn for rows in epoch.steps} == set(steps)
    for rows in (rows for epoch in drawn for rows in (epoch.anchor, *epoch.steps)):
        assert (np.diff(rows) > 0).all()
        assert set(rows.tolist()) <= set(range(59))


def test_block_and_svrg_see_the_same_blocks():
    block, svrg = (ESTIMATORS[name](N, Sampling(n_blocks=3), np.random.default_rng(3)) for name in ("block", "svrg"))
    for _ in range(20):
        np.testing.assert_array_equal(block.draw_epoch().steps, svrg.draw_epoch().steps)


def test_draws_can_be_taken_back():
    """Of parts of 3 and 2 epochs, the fifth."""
    generators = np.random.default_rng(1), np.random.default_rng(1)
    sampled, plain = (ESTIMATORS["scsg"](N, Sampling(batch_size=4, mini_batch=2, option=1), rng) for rng in generators)
    draws = Draws(sampled, generators[0])
    for number, n_epochs in enumerate((3, 2)):
        draws.part(number, n_epochs)
    draws.rewind(4)
    for _ in range(4):
        plain.draw_epoch()
    assert generators[0].bit_generator.state == generators[1].bit_generator.state
