"""Cox's partial likelihood and pursuits of it: definitions, finite differences, scikit-survival, statsmodels."""

from itertools import combinations

import numpy as np
import pytest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from sksurv.util import Surv
from statsmodels.duration.hazard_regression import PHReg

from graphiht.fitting import fit, fit_path
from graphiht.losses import Iterate
from graphiht.network import Network
from graphiht.pursuit import free_columns, refit, refit_free
from graphiht.survival import CoxLoss, concordance, ridge_cox
from synthetic import grid_edges

GRID = Network(grid_edges(6), 36)
METHODS = ["htp", "graph-htp"]


def cohort(seed=0, n_rows=90, n_features=36, support=(8, 13, 14, 15, 20), n_times=25):
    """Return (X, event, time) with tied times, censoring at random, and a hazard that depends on the support."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_features)) @ (np.eye(n_features) + 0.1 * rng.random((n_features, n_features)))
    times = rng.exponential(np.exp(-X[:, list(support)].sum(axis=1)))
    censoring = np.quantile(times, rng.uniform(0.3, 1.0, n_rows))
    seen = np.minimum(times, censoring)
    ranks = np.ceil(np.argsort(np.argsort(seen)) * n_times / n_rows)
    return X, times <= censoring, ranks + 1.0


def at(loss, weights):
    return Iterate(weights, np.arange(len(weights)), 0.0, loss.X @ weights, float(weights @ weights))


def by_definition(X, event, time, weights, row_weights):
    scores = X @ weights
    terms = [
        row_weights[i] * (np.log((row_weights * np.exp(scores))[time >= time[i]].sum()) - scores[i])
        for i in np.flatnonzero(event)
    ]
    return sum(terms) / len(X)


@pytest.mark.parametrize("seed", range(3))
def test_value_and_derivatives_are_those_of_the_definition(seed):
    X, event, time = cohort(seed, n_features=8, support=(0, 1))
    rng = np.random.default_rng(seed)
    weights, sample_weight = 0.5 * rng.standard_normal(8), rng.uniform(0.5, 2.0, len(X))
    loss = CoxLoss(X, event, time, 0.2, sample_weight=sample_weight)
    penalty = 0.1 * weights @ weights
    expected = by_definition(X, event, time, weights, loss.row_weights)
    assert loss.value(at(loss, weights)) == pytest.approx(expected + penalty, rel=1e-12)
    gradient, curvature = loss.gradient(at(loss, weights))[0], loss.curvatures(at(loss, weights))
    for j, step in enumerate(1e-5 * np.eye(8)):
        up, down = (loss.value(at(loss, weights + sign * step)) for sign in (1, -1))
        assert gradient[j] == pytest.approx((up - down) / 2e-5, abs=1e-8)
        slopes = [loss.gradient(at(loss, weights + sign * step))[0][j] for sign in (1, -1)]
        assert curvature[j] + 0.2 == pytest.approx((slopes[0] - slopes[1]) / 2e-5, abs=1e-7)


def test_likelihood_is_that_of_statsmodels_with_breslows_ties():
    X, event, time = cohort(4, n_features=6, support=(0, 1))
    weights = np.linspace(-0.5, 0.5, 6)
    model, loss = PHReg(time, X, status=event, ties="breslow"), CoxLoss(X, event, time, 0.0)
    assert loss.value(at(loss, weights)) * len(X) == pytest.approx(-model.loglike(weights), rel=1e-10)
    np.testing.assert_allclose(loss.gradient(at(loss, weights))[0] * len(X), -model.score(weights), rtol=1e-9)
    np.testing.assert_allclose(loss.curvatures(at(loss, weights)) * len(X), -np.diag(model.hessian(weights)), rtol=1e-9)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("method", METHODS)
def test_weights_are_those_of_scikit_survival_on_the_support(method, dtype):
    X, event, time = cohort()
    X = X.astype(dtype).astype(float)
    covariates = np.column_stack([X[:, 3] * 12 + 55, np.arange(len(X)) % 2.0])
    loss = CoxLoss(X, event, time, 0.05, dtype=dtype)
    for extra in (None, covariates):
        result = fit(method, loss, sparsity=6, network=GRID, covariates=extra)
        design = X[:, result.support] if extra is None else np.column_stack([X[:, result.support], extra])
        alpha = np.r_[np.full(len(result.support), 0.05 * len(X)), np.zeros(design.shape[1] - len(result.support))]
        model = CoxPHSurvivalAnalysis(alpha, ties="breslow", tol=1e-14, n_iter=500)
        model.fit(design, Surv.from_arrays(event, time))
        found = np.r_[result.weights[result.support], result.covariate_weights]
        np.testing.assert_allclose(found, model.coef_, atol=1e-6)
        assert result.intercept == 0.0
        assert np.all(np.diff(result.loss_trace[:-1]) < 0)


def test_loss_is_near_the_best_of_all_connected_sets():
    ratios = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        network = Network([(int(rng.integers(node)), node) for node in range(1, 9)], 9)
        X, event, time = cohort(seed, 50, 9, (0, 1, 2))
        loss = CoxLoss(X, event, time, 0.1)
        found = fit("graph-htp", loss, sparsity=3, slack=0.0, network=network)
        assert network.n_components(found.support) == 1
        columns = free_columns(loss.n_rows, False)
        connected = [s for s in map(list, combinations(range(9), 3)) if network.n_components(s) == 1]
        start = refit_free(loss, columns)
        best = min(refit(loss, start, np.array(s), columns, 1.0).value for s in connected)
        ratios.append(found.loss_trace[-1] / best)
    assert min(ratios) > 1 - 1e-9
    assert np.mean(np.array(ratios) < 1 + 1e-9) >= 0.6
    assert np.mean(np.array(ratios) <= 1.05) >= 0.9


@pytest.mark.parametrize("method", METHODS)
def test_order_of_rows_unit_of_time_and_repeated_rows_do_not_matter(method):
    X, event, time = cohort(1)
    counts = np.random.default_rng(1).integers(1, 4, len(X))
    expected = fit(method, CoxLoss(X, event, time, sample_weight=counts), sparsity=5, network=GRID)
    rows = np.random.default_rng(2).permutation(np.repeat(np.arange(len(X)), counts))
    other = fit(method, CoxLoss(X[rows] + 3.0, event[rows], time[rows] ** 2), sparsity=5, network=GRID)
    np.testing.assert_array_equal(other.support, expected.support)
    np.testing.assert_allclose(other.weights, expected.weights, atol=1e-8)


def test_path_and_planted_support():
    X, event, time = cohort(n_rows=200)
    path = fit_path("graph-htp", CoxLoss(X, event, time), sparsities=[3, 5], lambdas=[0.01, 0.1], network=GRID, slack=0)
    assert set(path[0.1, 5].support) == {8, 13, 14, 15, 20}
    assert concordance(event, time, X @ path[0.01, 5].weights) > 0.8


@pytest.mark.parametrize("scale", [1e-3, 1e3, 1e5])
@pytest.mark.parametrize("lam", [0.0, 0.1])
def test_separable_and_badly_scaled_data_give_finite_weights(scale, lam):
    X, _, time = cohort()
    X[:, 0] = -time
    result = fit("htp", CoxLoss(scale * X, np.ones(len(X)), time, lam), sparsity=3)
    assert np.isfinite(result.weights).all()
    assert result.loss_trace[-1] < result.loss_trace[0]


def test_ridge_on_all_features_is_that_of_scikit_survival():
    for n_rows, n_features in ((40, 60), (80, 10)):
        X, event, time = cohort(5, n_rows, n_features, (0, 1))
        model = CoxPHSurvivalAnalysis(alpha=0.1 * n_rows, ties="breslow", tol=1e-14, n_iter=500)
        model.fit(X, Surv.from_arrays(event, time))
        np.testing.assert_allclose(ridge_cox(X, event, time, 0.1), model.coef_, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_concordance_is_that_of_scikit_survival(seed):
    _, event, time = cohort(seed, n_times=12)
    risk = np.random.default_rng(seed).integers(0, 20, len(time)) - 0.2 * time
    assert concordance(event, time, risk) == pytest.approx(concordance_index_censored(event, time, risk)[0], rel=1e-12)
    assert concordance(event, time, -time - 1e-3 * ~event) == 1.0


def test_what_has_no_partial_likelihood_is_refused():
    X, event, time = cohort()
    with pytest.raises(ValueError, match="htp or graph-htp; got method 'iht'"):
        fit("iht", CoxLoss(X, event, time), sparsity=3)
    late = np.where(np.arange(len(X)) == 3, -2.5, time)
    for bad, why in (
        (lambda: CoxLoss(X, event & False, time), "all patients are censored: .* at least one event"),
        (lambda: CoxLoss(X, event, time * np.nan), "times must be finite and at least 0; got nan in row 0"),
        (lambda: CoxLoss(X, event, late), r"times must be finite and at least 0; got -2\.5 in row 3"),
        (lambda: CoxLoss(X, event[1:], time), "need one value per row"),
        (lambda: CoxLoss(X, event, time, sample_weight=np.arange(len(X))), "must be positive"),
        (lambda: concordance([True], [1.0], [0.0]), "needs an event before"),
    ):
        with pytest.raises(ValueError, match=why):
            bad()
