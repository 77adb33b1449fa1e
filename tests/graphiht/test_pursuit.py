"""Hard thresholding pursuit: brute force, scikit-learn, reductions, and what must not matter."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.utils.estimator_checks import check_estimator

from graphiht import GraphIHTClassifier, GraphIHTRegressor
from graphiht.fitting import fit, fit_path
from graphiht.losses import balanced_logistic, least_squares
from graphiht.network import Network
from graphiht.pursuit import MAX_ITERATIONS, free_columns, refit, refit_free
from synthetic import grid_edges, noisy_classes, random_walk_support

METHODS = ["htp", "graph-htp"]
SEEDS = range(40)
SIDE = 10
GRID = Network(grid_edges(SIDE), SIDE**2)


def classes(seed=7, n_rows=80):
    return noisy_classes(n_rows, SIDE**2, seed)


def make_loss(kind, X, y, lam=0.1, **options):
    """Return the loss of a kind; y of the classes serves both."""
    return balanced_logistic(X, y, lam, **options) if kind == "logistic" else least_squares(X, 3.0 * y, lam, **options)


def tiny_problem(seed, n_nodes=10, n_rows=40):
    """Return a loss with a connected set in correlated features, and the network: a random tree and a few edges."""
    rng = np.random.default_rng(seed)
    edges = {(int(rng.integers(node)), node) for node in range(1, n_nodes)}
    edges |= {tuple(sorted(rng.choice(n_nodes, 2, replace=False).tolist())) for _ in range(3)}
    X = rng.standard_normal((n_rows, n_nodes)) @ (np.eye(n_nodes) + 0.4 * rng.standard_normal((n_nodes, n_nodes)))
    support = random_walk_support(sorted(edges), n_nodes, 4, rng)
    score = X[:, support] @ rng.standard_normal(4) + rng.standard_normal(n_rows)
    y = score > np.median(score)
    loss = balanced_logistic(X, y, 0.1) if seed % 2 else least_squares(X, score, 0.1)
    return loss, Network(sorted(edges), n_nodes)


def refitted_loss(loss, support):
    columns = free_columns(loss.n_rows)
    return refit(loss, refit_free(loss, columns), np.array(support), columns, 1.0).value


def least_loss(loss, network, size):
    """Return the least refitted loss of all connected sets of this size (smaller ones are part of one)."""
    near = np.eye(loss.n_features)
    near[tuple(network.edges.T)] = near[tuple(network.edges.T[::-1])] = 1
    sets = map(list, combinations(range(loss.n_features), size))
    return min(refitted_loss(loss, s) for s in sets if np.linalg.matrix_power(near[np.ix_(s, s)], size).all())


def test_loss_is_near_the_best_of_all_connected_sets():
    """docs/methods.md quotes what this prints."""
    ratios = []
    for seed in SEEDS:
        loss, network = tiny_problem(seed)
        found = fit("graph-htp", loss, sparsity=4, slack=0.0, network=network)
        assert network.n_components(found.support) == 1
        assert found.loss_trace[-1] == pytest.approx(refitted_loss(loss, found.support), rel=1e-9)
        ratios.append(found.loss_trace[-1] / least_loss(loss, network, 4))
    ratios = np.array(ratios)
    print(f"optimal {np.mean(ratios < 1 + 1e-9):.0%}, within 5 % of it {np.mean(ratios <= 1.05):.0%}")
    print(f"mean gap {ratios.mean() - 1:.0%}, largest {ratios.max() - 1:.0%}")
    assert ratios.min() > 1 - 1e-9
    assert np.mean(ratios < 1 + 1e-9) > 0.55
    assert np.mean(ratios <= 1.05) >= 0.9
    assert ratios.mean() < 1.05


@pytest.mark.parametrize("kind", ["logistic", "squared"])
@pytest.mark.parametrize("has_intercept", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_weights_are_those_of_scikit_learn_on_the_support(method, kind, has_intercept):
    X, y = classes()
    loss = make_loss(kind, X, y)
    options = {"network": GRID, "intercept": "newton" if has_intercept else "none"}
    for sparsity in (8, SIDE**2):
        result = fit(method, loss, sparsity=sparsity, **options)
        if kind == "logistic":
            model = LogisticRegression(C=10 / len(y), fit_intercept=has_intercept, solver="newton-cholesky", tol=1e-10)
        else:
            model = Ridge(alpha=0.1 * len(y), fit_intercept=has_intercept)
        model.fit(X[:, result.support], loss.targets, sample_weight=loss.row_weights)
        expected = np.zeros(SIDE**2)
        expected[result.support] = np.ravel(model.coef_)
        np.testing.assert_allclose(result.weights, expected, atol=1e-6)
        assert result.intercept == pytest.approx(float(np.ravel(model.intercept_)[0]), abs=1e-6)
        x = loss.iterate(result.weights, result.support, result.intercept)
        assert loss.value(x) == pytest.approx(result.loss_trace[-1], rel=1e-12)


def unpenalised(kind, loss, design, n_free):
    """Return (weights, intercept) of scikit-learn with a ridge penalty on all but the last `n_free` columns."""
    # A column a thousand times as long with the same penalty costs a millionth.
    stretch = np.r_[np.ones(design.shape[1] - n_free), np.full(n_free, 1e5)]
    if kind == "logistic":
        model = LogisticRegression(C=1 / loss.lam / len(design), solver="newton-cholesky", tol=1e-12, max_iter=1000)
    else:
        model = Ridge(alpha=loss.lam * len(design), solver="svd")
    model.fit(design * stretch, loss.targets, sample_weight=loss.row_weights)
    return np.ravel(model.coef_) * stretch, np.ravel(model.intercept_)[0]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kind", ["logistic", "squared"])
@pytest.mark.parametrize("method", METHODS)
def test_covariates_are_in_every_refit_without_penalty(method, kind):
    X, y = classes()
    rng = np.random.default_rng(3)
    covariates = np.column_stack([rng.normal(55, 10, len(y)), 0.8 * y + rng.standard_normal(len(y))])
    loss = make_loss(kind, X, y, lam=0.3)
    result = fit(method, loss, sparsity=6, network=GRID, covariates=covariates)
    assert 4 <= len(result.support) <= 6
    design = np.column_stack([X[:, result.support], covariates])
    coefficients, intercept = unpenalised(kind, loss, design, 2)
    np.testing.assert_allclose(result.weights[result.support], coefficients[:-2], atol=1e-6)
    np.testing.assert_allclose(result.covariate_weights, coefficients[-2:], atol=1e-6)
    assert result.intercept == pytest.approx(intercept, abs=1e-4)
    # Another unit of a covariate, and another origin, change its own weight and the intercept only.
    other = fit(method, loss, sparsity=6, network=GRID, covariates=covariates * [12.0, 1.0] + [0.0, 1000.0])
    np.testing.assert_allclose(other.weights, result.weights, atol=1e-7)
    np.testing.assert_allclose(other.covariate_weights * [12.0, 1.0], result.covariate_weights, atol=1e-7)


def test_a_gene_that_a_covariate_explains_is_not_selected():
    """Features 0 to 3 predict; a covariate that is the sum of 0 and 1 leaves nothing for these."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 40))
    loss = least_squares(X, X[:, :4].sum(axis=1), 1e-6)
    path = Network([(i, i + 1) for i in range(39)], 40)
    assert set(fit("graph-htp", loss, sparsity=4, slack=0.0, network=path).support) == {0, 1, 2, 3}
    adjusted = fit("graph-htp", loss, sparsity=2, slack=0.0, network=path, covariates=X[:, [0]] + X[:, [1]])
    np.testing.assert_array_equal(adjusted.support, [2, 3])
    np.testing.assert_allclose(adjusted.covariate_weights, 1.0, atol=1e-4)


def test_covariates_are_refused_in_one_sentence():
    X, y = classes()
    with pytest.raises(ValueError, match="htp or graph-htp; got method 'iht'"):
        fit("iht", X, y, sparsity=3, covariates=X[:, :1])
    for covariates in (X[:, 0], X[1:, :1], X[:, :1] * np.nan):
        with pytest.raises(ValueError, match="covariates must be finite numbers of shape"):
            fit("htp", X, y, sparsity=3, covariates=covariates)
    path = fit_path("htp", X, y, sparsities=[2, 4], covariates=X[:, :1])
    single = fit("htp", X, y, sparsity=4, covariates=X[:, :1])
    np.testing.assert_array_equal(path[None, 4].weights, single.weights)
    assert len(single.covariate_weights) == 1
    assert len(fit("htp", X, y, sparsity=4).covariate_weights) == 0


@pytest.mark.parametrize("kind", ["logistic", "squared"])
@pytest.mark.parametrize("seed", range(5))
def test_complete_graph_and_as_many_components_as_features_are_htp(seed, kind):
    loss = make_loss(kind, *noisy_classes(60, 30, seed))
    plain = fit("htp", loss, sparsity=6)
    complete = Network(list(combinations(range(30), 2)), 30)
    for network, n_components in ((complete, 1), (Network(np.empty((0, 2), int), 30), 6)):
        same = fit("graph-htp", loss, sparsity=6, slack=0.0, network=network, n_components=n_components)
        np.testing.assert_array_equal(same.weights, plain.weights)
        assert same.loss_trace == plain.loss_trace


@pytest.mark.parametrize("method", METHODS)
def test_loss_falls_until_no_support_is_better(method):
    for seed in range(10):
        result = fit(method, *classes(seed), sparsity=8, network=GRID)
        *falling, last, final = result.loss_trace
        assert result.status == "converged"
        assert np.all(np.diff([*falling, last]) < 0)
        assert final == last
        assert len(result.loss_trace) == result.epochs + 1 <= MAX_ITERATIONS + 2


@pytest.mark.parametrize("n_components", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_order_of_rows_features_and_edges_does_not_matter(method, n_components):
    rng = np.random.default_rng(5)
    X, y = classes()
    X[:, 41] = X[:, 40]
    names = np.array([f"G{i:03d}" for i in range(SIDE**2)])
    options = {"sparsity": 9, "n_components": n_components, "sample_weight": rng.uniform(0.5, 2.0, len(y))}
    expected = fit(method, X, y, network=Network(GRID.edges, SIDE**2, names=names), **options)
    if method == "graph-htp":
        assert GRID.n_components(expected.support) <= n_components
    for _ in range(5):
        rows, order, lines = rng.permutation(len(y)), rng.permutation(SIDE**2), rng.permutation(len(GRID.edges))
        network = Network(np.argsort(order)[GRID.edges[lines]][:, ::-1], SIDE**2, names=names[order])
        shuffled = options | {"sample_weight": options["sample_weight"][rows]}
        result = fit(method, X[rows][:, order], y[rows], network=network, **shuffled)
        np.testing.assert_array_equal(np.sort(order[result.support]), expected.support)
        np.testing.assert_allclose(result.weights, expected.weights[order], atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_points_of_a_path_are_single_fits(method):
    data = classes()
    path = fit_path(method, *data, sparsities=[12, 4], lambdas=[0.01, 1.0], network=GRID, checkpoints=[2])
    assert set(path) == {(lam, sparsity) for lam in (0.01, 1.0) for sparsity in (4, 12)}
    for (lam, sparsity), result in path.items():
        single = fit(method, *data, sparsity=sparsity, lam=lam, network=GRID)
        for each in (result, result.checkpoints[2]):
            np.testing.assert_array_equal(each.weights, single.weights)
            assert (each.loss_trace, each.n_solves) == (single.loss_trace, single.n_solves)


@pytest.mark.parametrize("X", [np.ones((20, 5)), np.eye(20)[:, :5] * 1e99, np.tile(np.arange(20.0)[:, None], 5)])
@pytest.mark.parametrize("lam", [0.0, 0.1])
def test_constant_huge_and_equal_features_give_finite_weights(X, lam):
    y = np.arange(20) % 3 > 0
    for loss in (balanced_logistic(X, y, lam), least_squares(X, y, lam)):
        assert np.isfinite(fit("htp", loss, sparsity=3).weights).all()
    with pytest.raises(ValueError, match="standardise"):
        fit("htp", X * 1e200, y, sparsity=3)


@pytest.mark.parametrize("noise", [1e-4, 1e-2])
def test_regressor_warns_where_its_loss_is_above_that_of_least_squares(noise):
    """Nearly equal features, and an outcome that depends on their difference."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 1)) + noise * rng.standard_normal((60, 4))
    y = (X[:, 1] - X[:, 2]) / noise + 0.1 * rng.standard_normal(60)
    design = np.column_stack([X, np.ones(60)])
    least = np.mean((y - design @ np.linalg.lstsq(design, y)[0]) ** 2) / 2
    model = GraphIHTRegressor(method="htp", sparsity=4, standardize=False)
    if noise == 1e-2:
        assert model.fit(X, y).status_ == "converged"
        assert model.trace_[-1] == pytest.approx(least, rel=1e-9)
    else:
        with pytest.warns(ConvergenceWarning, match="raise lam above 0"):
            model.fit(X, y)
        assert model.status_ == "refit limit"
        assert model.trace_[-1] > 1.1 * least


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_classes_that_a_feature_separates_have_no_minimum_without_a_penalty(share):
    """With the share .3 a feature is 1 for some patients of one class only."""
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((80, 3)), np.arange(80) % 2 == 0
    X[:, 0] = y & (rng.random(80) < share)
    statuses = [fit("htp", X, y, sparsity=2, lam=lam).status for lam in (0.0, 1e-6)]
    assert statuses == ["refit limit", "converged"]


@pytest.mark.parametrize("make", [GraphIHTClassifier, GraphIHTRegressor])
def test_estimators_pass_the_checks_of_scikit_learn_and_ignore_steps(make):
    check_estimator(make(method="htp"))
    X, y = classes()
    one, same = (
        make(GRID, "graph-htp", sparsity=8, **each).fit(X, y) for each in ({}, {"step": 9.0, "max_epochs": 99})
    )
    np.testing.assert_array_equal(one.coef_, same.coef_)
    assert one.status_ == "converged"
    assert GRID.n_components(one.support_) == 1
