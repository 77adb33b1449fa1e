"""Losses against scikit-learn, closed forms and finite differences; line search and intercept step."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from graphiht.gradients import FullGradient
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
    x = point(loss)
    v = FullGradient(loss).estimate(x)
    np.testing.assert_allclose(loss.along(x, v, v.gradient, None, 0.3), X @ v.gradient + 0.3, rtol=1e-10, atol=1e-12)
    head = np.array([0, 3, 7])
    direction = np.zeros(n_features)
    direction[head] = v.gradient[head]
    np.testing.assert_allclose(loss.along(x, v, direction, head, 0.3), X @ direction + 0.3, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("rows", [np.arange(30), ROWS], ids=["all rows", "a block"])
@pytest.mark.parametrize("shrink", [0.6, 0.8])
@pytest.mark.parametrize("stretch", [1.0, 6.0])
def test_line_search_takes_the_first_step_of_sufficient_decrease(rows, shrink, stretch):
    """Against a direct evaluation of the condition; a stretched direction may satisfy it at no step."""
    for loss in (balanced_logistic(9 * X, y, 0.2), least_squares(2 * X, X[:, 0] - 2 * y, 0.2)):
        x = point(loss)
        gradient, slope = loss.gradient(x, rows)
        direction = stretch * gradient

        def decreases(step, loss=loss, x=x, d=direction, slope=slope):
            everywhere = np.arange(loss.n_features)
            there = loss.value(loss.iterate(x.weights - step * d, everywhere, x.intercept - step * slope), rows)
            return there <= loss.value(x, rows) - step / 2 * (d @ d + slope**2)

        tried = [shrink**i for i in range(21)]
        expected = [step for step in tried if decreases(step)]
        step, accepted, _ = loss.search(x, loss.X @ direction + slope, direction, slope, rows, shrink, 20)
        assert accepted == bool(expected)
        assert step == pytest.approx(expected[0] if expected else tried[-1], rel=1e-12)
        if stretch == 1.0:
            assert accepted
            assert step < 1, "the problem must be curved enough to make the search work"


@pytest.mark.parametrize("rows", [None, ROWS])
def test_exact_intercept_has_zero_slope(loss, rows):
    rows = loss.all_rows if rows is None else rows
    x = loss.refine_intercept(point(loss), rows, 50)
    assert loss.gradient(x, rows)[1] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(x.margins, loss.X @ x.weights + x.intercept, rtol=1e-12)


@pytest.mark.parametrize("intercept", [-20.0, -3.0, 0.0, 5.0, 40.0])
def test_newton_step_on_the_intercept_never_raises_the_loss(intercept):
    loss = balanced_logistic(X, y)
    x = point(loss, intercept=intercept)
    assert loss.value(loss.refine_intercept(x, loss.all_rows, 1)) <= loss.value(x)


def test_intercept_on_rows_of_one_class_stays_finite():
    loss = balanced_logistic(X, y)
    x = point(loss)
    ones = np.flatnonzero(y == 1)
    moved = loss.refine_intercept(x, ones, 1)
    assert x.intercept < moved.intercept <= x.intercept + 1


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
    whole = balanced_logistic(X, y).gram()
    np.testing.assert_array_equal(whole, X @ X.T)
    monkeypatch.setattr("graphiht.losses.GRAM_COLUMNS", 7)
    np.testing.assert_allclose(balanced_logistic(X, y).gram(), whole, rtol=1e-13)
