"""Losses against scikit-learn, closed forms and finite differences; line search and intercept step."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from graphiht import kernels
from graphiht.losses import balanced_logistic, least_squares
from synthetic import noisy_classes

ROWS = np.array([1, 4, 5, 9, 17])
X, y = noisy_classes(30, 12, seed=3)
WEIGHTS = np.where(y == 1, np.mean(y == 0), np.mean(y == 1))


def point(loss, seed=0, intercept=0.3, scale=1.0):
    rng = np.random.default_rng(seed)
    support = np.sort(rng.permutation(loss.n_features)[: loss.n_features // 2])
    weights = np.zeros(loss.n_features)
    weights[support] = scale * rng.standard_normal(len(support))
    return loss.iterate(weights, support, intercept)


@pytest.fixture(params=["logistic", "squared"])
def loss(request):
    if request.param == "logistic":
        return balanced_logistic(X, y, 0.2)
    return least_squares(X, X[:, 0] - 2 * y, 0.2, scale=1.7)


@pytest.mark.parametrize("rows", [np.arange(30), ROWS], ids=["all rows", "a block"])
def test_logistic_value_is_sklearns_log_loss_with_balanced_weights(rows):
    """The classes are balanced by all rows, also in a block."""
    loss = balanced_logistic(X, y, 0.2)
    x = point(loss)
    probability, weights = 1 / (1 + np.exp(-(X @ x.weights + x.intercept))), WEIGHTS[rows]
    expected = log_loss(y[rows], probability[rows], sample_weight=weights) * weights.mean()
    assert loss.value(x, rows) == pytest.approx(expected + 0.1 * np.sum(x.weights**2), rel=1e-12)


def test_squared_value_with_scale_n_is_half_the_squared_residual():
    rng = np.random.default_rng(0)
    A, y = rng.standard_normal((20, 8)), rng.standard_normal(20)
    loss = least_squares(A, y, scale=20)
    x = point(loss, intercept=0.0)
    assert loss.value(x) == pytest.approx(0.5 * np.sum((A @ x.weights - y) ** 2), rel=1e-12)


@pytest.mark.parametrize("rows", [None, ROWS])
def test_gradient_is_the_central_difference(loss, rows):
    x = point(loss)
    gradient, slope = loss.gradient(x, rows)
    everywhere = np.arange(loss.n_features)
    step = 1e-6
    for move, derivative in zip(step * np.eye(loss.n_features + 1), [*gradient, slope], strict=True):
        up = loss.value(loss.iterate(x.weights + move[:-1], everywhere, x.intercept + move[-1]), rows)
        down = loss.value(loss.iterate(x.weights - move[:-1], everywhere, x.intercept - move[-1]), rows)
        assert derivative == pytest.approx((up - down) / (2 * step), abs=1e-8)


def test_logistic_loss_stays_finite_at_huge_margins():
    loss = balanced_logistic(X, y, lam=0.0)
    x = point(loss, scale=1e4)
    margins = np.where(y == 1, 1, -1) * x.margins
    assert np.abs(margins).max() > 800
    assert loss.value(x) == pytest.approx(np.mean(WEIGHTS * np.logaddexp(0, -margins)), rel=1e-12)
    assert np.isfinite(loss.gradient(x)[0]).all()


def test_integer_sample_weights_mean_repeated_rows(loss):
    repeats = np.random.default_rng(1).integers(1, 4, 30)
    weighted = balanced_logistic(X, y, 0.2, sample_weight=repeats)
    repeated = balanced_logistic(X.repeat(repeats, axis=0), y.repeat(repeats), 0.2)
    x, z = point(weighted), point(repeated)
    assert weighted.value(x) == pytest.approx(repeated.value(z), rel=1e-12)
    np.testing.assert_allclose(weighted.gradient(x)[0], repeated.gradient(z)[0], rtol=1e-10)


@pytest.mark.parametrize("n_features", [8, 90])
def test_image_of_a_gradient_is_the_same_through_the_gram_matrix(n_features):
    """With many features X d goes through X X^T, with few through X: both must be X @ d."""
    X, y = noisy_classes(30, n_features, seed=3)
    loss = balanced_logistic(X, y, 0.2)
    loss.precompute()
    x, data, head = point(loss), loss.data(), np.array([0, 3, 7])
    gradient, _, coefficients = kernels.gradient(data, x, loss.all_rows, loss.lam)
    images = [(gradient, kernels.image(data, gradient, np.arange(n_features), 0.3))]
    images += [
        (np.where(np.isin(np.arange(n_features), head), gradient, 0), kernels.image(data, gradient[head], head, 0.3))
    ]
    assert (data.gram.size > 0) == (n_features == 90)
    if data.gram.size:
        images += [(gradient, kernels.image_by_gram(data, x, coefficients, 0.3))]
    for direction, image in images:
        np.testing.assert_allclose(image, X @ direction + 0.3, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("rows", [np.arange(30), ROWS], ids=["all rows", "a block"])
@pytest.mark.parametrize(("shrink", "guess"), [(0.6, 0), (0.8, 4), (0.8, 40)])
@pytest.mark.parametrize("stretch", [1.0, 6.0])
def test_line_search_takes_the_first_step_of_sufficient_decrease(rows, shrink, guess, stretch):
    """Against a direct evaluation of the condition; a stretched direction may satisfy it at no step."""
    for loss in (balanced_logistic(9 * X, y, 0.2), least_squares(2 * X, X[:, 0] - 2 * y, 0.2)):
        x = point(loss)
        gradient, slope = loss.gradient(x, rows)
        direction, everywhere = stretch * gradient, np.arange(loss.n_features)
        tried = [shrink**i for i in range(21)]
        there = [loss.iterate(x.weights - step * direction, everywhere, x.intercept - step * slope) for step in tried]
        drop = (direction @ direction + slope**2) / 2
        least = loss.value(x, rows)
        found = [step for step, z in zip(tried, there, strict=True) if loss.value(z, rows) <= least - step * drop]
        along = loss.X @ direction + slope
        step, accepted, _ = kernels.backtrack(loss.data(), x, along, direction, slope, rows, shrink, 20, guess)
        assert accepted == bool(found)
        assert step == pytest.approx(found[0] if found else tried[-1], rel=1e-12)
        if stretch == 1.0:
            assert accepted
            assert step < 1, "the problem must be curved enough to make the search work"


@pytest.mark.parametrize("rows", [np.arange(30), ROWS], ids=["all rows", "a block"])
def test_exact_intercept_has_zero_slope(loss, rows):
    x = point(loss)
    change = kernels.intercept_change(loss.data(), x, rows, 50)
    assert loss.gradient(loss.iterate(x.weights, x.support, x.intercept + change), rows)[1] == pytest.approx(
        0.0, abs=1e-12
    )


@pytest.mark.parametrize("intercept", [-20.0, -3.0, 0.0, 5.0, 40.0])
def test_newton_step_on_the_intercept_never_raises_the_loss_or_leaves_its_bounds(intercept):
    """Also on rows of one class, where the minimum is at infinity."""
    loss = balanced_logistic(X, y)
    x = point(loss, intercept=intercept)
    for rows in (loss.all_rows, np.flatnonzero(y == 1)):
        change = kernels.intercept_change(loss.data(), x, rows, 1)
        assert abs(change) <= 1
        assert loss.value(loss.iterate(x.weights, x.support, intercept + change), rows) <= loss.value(x, rows)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_margins_are_the_same_bits_without_a_copy_by_columns(monkeypatch, dtype):
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((23, 60)).astype(dtype), rng.integers(0, 2, 23)
    small = balanced_logistic(X, y, dtype=dtype)
    monkeypatch.setattr("graphiht.losses.TRANSPOSED_BYTES", 0)
    large = balanced_logistic(X, y, dtype=dtype)
    assert large.XT.size == 0 < small.XT.size
    assert large.X is X, "the matrix itself, not a copy"
    for size in range(1, 12):
        z, support = rng.standard_normal(60), np.sort(rng.permutation(60)[:size])
        np.testing.assert_array_equal(large.iterate(z, support, 0.3).margins, small.iterate(z, support, 0.3).margins)


def test_gram_matrix_does_not_need_all_columns_at_once(monkeypatch):
    X, y = np.random.default_rng(5).standard_normal((9, 60)), np.arange(9) % 2

    def gram():
        loss = balanced_logistic(X, y)
        loss.precompute()
        return loss.with_lam(1.0).data().gram

    whole = gram()
    np.testing.assert_array_equal(whole, X @ X.T)
    monkeypatch.setattr("graphiht.losses.GRAM_COLUMNS", 7)
    np.testing.assert_allclose(gram(), whole, rtol=1e-13)
