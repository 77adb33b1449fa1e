"""The scikit-learn estimators: the library's own checks, its tools, and bad input."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from graphiht import GraphIHTClassifier, GraphIHTRegressor, Network
from graphiht.methods import METHODS
from synthetic import grid_edges, noisy_classes, planted_regression

GRID = grid_edges(6)
# A row of weight two is one row of a block; the same row twice is two, in other blocks and with other draws.
SAMPLING = {"check_sample_weight_equivalence_on_dense_data": "rows are sampled: a repeated row is drawn differently"}


def planted_classes(seed=0):
    """Return (X, y, support) with a plus-shaped support on the 6 x 6 grid."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((240, 36))
    support = np.array([8, 13, 14, 15, 20])
    return X, np.where(X[:, support].sum(axis=1) > 0.3, "event", "none"), support


def failed_checks(estimator, expected):
    """Return the checks of scikit-learn that fail, which must be expected to."""
    results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail="raise")
    return {result["check_name"] for result in results if result["status"] not in ("passed", "skipped")}


@pytest.mark.parametrize("estimator", [GraphIHTClassifier(max_epochs=200), GraphIHTRegressor()], ids=str)
def test_estimators_pass_every_check_of_sklearn(estimator):
    assert failed_checks(estimator, {}) == set()


def test_ten_epochs_are_too_few_for_classes_weighted_ten_million_to_one_and_for_nothing_else():
    expected = {"check_class_weight_classifiers": "stopped early on purpose"}
    assert failed_checks(GraphIHTClassifier(), expected) == set(expected)


@pytest.mark.parametrize("make", [GraphIHTClassifier, GraphIHTRegressor])
@pytest.mark.parametrize("method", ["sto-iht", "svrg-iht", "scsg-iht"])
def test_sampling_methods_fail_sample_weight_equivalence_and_nothing_else(make, method):
    assert failed_checks(make(method=method, n_blocks=2, max_epochs=200), SAMPLING) == set(SAMPLING)


@pytest.mark.parametrize("method", [name for name, row in METHODS.items() if row.uses_network])
def test_every_graph_method_finds_the_planted_nodes(method):
    X, y, support = planted_classes()
    model = GraphIHTClassifier(GRID, method, sparsity=5, n_blocks=2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.support_, support)
    assert model.score(X, y) > 0.85


def test_regressor_recovers_planted_weights():
    A, _, x_true, edges = planted_regression(side=10, sparsity=8, n_rows=300, seed=1)
    A, network = A * np.sqrt(300), Network(edges, 100)
    model = GraphIHTRegressor(network, sparsity=8, max_epochs=500, tol=1e-14).fit(A, A @ x_true + 2)
    np.testing.assert_allclose(model.coef_, x_true, atol=1e-5)
    assert model.intercept_ == pytest.approx(2.0, abs=1e-5)


def test_fitted_attributes_fit_together():
    X, y, _ = planted_classes()
    model = GraphIHTClassifier(GRID, sparsity=5).fit(X, y)
    assert model.coef_.shape == (1, 36)
    assert model.intercept_.shape == (1,)
    assert set(np.flatnonzero(model.coef_[0])) <= set(model.support_)
    assert len(model.trace_) == model.n_iter_ + 1
    margins = X @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), margins, rtol=1e-10)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-margins)), rtol=1e-10)
    np.testing.assert_array_equal(model.predict(X), np.where(margins > 0, "none", "event"))
    assert model.result_.n_line_searches >= model.n_iter_


def test_class_weights_balance_or_follow_the_dict():
    X, y = noisy_classes(200, 36, seed=1, share=0.1)
    balanced = GraphIHTClassifier().fit(X, y)
    share = y.mean()
    same = GraphIHTClassifier(class_weight={0: share, 1: 1 - share}).fit(X, y)
    np.testing.assert_allclose(balanced.coef_, same.coef_, rtol=1e-9)
    plain = GraphIHTClassifier(class_weight=None).fit(X, y)
    assert plain.predict(X).sum() < balanced.predict(X).sum()


def test_sample_weights_are_repeated_rows_for_the_full_gradient_on_a_network():
    X, y, _ = planted_classes()
    repeats = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = GraphIHTClassifier(GRID, sparsity=5).fit(X, y, sample_weight=repeats)
    repeated = GraphIHTClassifier(GRID, sparsity=5).fit(X.repeat(repeats, axis=0), y.repeat(repeats))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-9)


def test_works_in_pipeline_grid_search_and_feature_selection():
    X, y, support = planted_classes()
    pipeline = make_pipeline(StandardScaler(), GraphIHTClassifier(GRID))
    search = GridSearchCV(pipeline, {"graphihtclassifier__sparsity": [1, 5]}, cv=3).fit(X, y)
    assert search.best_params_ == {"graphihtclassifier__sparsity": 5}
    selector = SelectFromModel(GraphIHTClassifier(GRID, sparsity=5), threshold=1e-10).fit(X, y)
    np.testing.assert_array_equal(np.flatnonzero(selector.get_support()), support)


def test_network_in_several_pieces_uses_the_largest_and_says_so():
    X, y, support = planted_classes()
    loose = GRID[(GRID != 35).all(axis=1) & (GRID != 0).all(axis=1)]
    with pytest.warns(UserWarning, match="3 components.*2 of 36 features are left out"):
        model = GraphIHTClassifier(loose, sparsity=5).fit(X, y)
    np.testing.assert_array_equal(model.support_, support)
    assert model.coef_.shape == (1, 36)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GraphIHTClassifier(loose, sparsity=5, n_components=2).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"method": "lasso"}, "method must be one of iht, .*graph-scsg-iht; got 'lasso'"),
        ({"network": Network([(0, 1)], 9)}, "36 features, the network 9 nodes"),
        ({"network": [(0, 36)]}, "0..35.*36"),
        ({"network": None, "method": "graph-iht"}, "network must be given.*graph-iht"),
        ({"sparsity": 37}, "sparsity.*n_features = 36; got 37"),
        ({"batch_size": 241, "method": "scsg-iht"}, "batch_size.*n_samples = 240; got 241"),
        ({"mini_batch": 0, "method": "scsg-iht"}, "mini_batch.*at least 1.*got 0"),
        ({"lam": -1}, "lambda must be a finite number of at least 0; got -1"),
        ({"class_weight": "even"}, "class_weight must be .*'even'"),
    ],
)
def test_bad_parameters_are_named(parameters, match):
    X, y, _ = planted_classes()
    with pytest.raises(ValueError, match=match):
        GraphIHTClassifier(**{"network": GRID, **parameters}).fit(X, y)


def test_bad_data_gets_sklearns_errors():
    X, y, _ = planted_classes()
    with pytest.raises(NotFittedError):
        GraphIHTClassifier().predict(X)
    with pytest.raises(ValueError, match="NaN"):
        GraphIHTClassifier().fit(np.where(X > 2, np.nan, X), y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        GraphIHTClassifier().fit(X, y[:-1])
    with pytest.raises(ValueError, match="one class"):
        GraphIHTClassifier().fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="features"):
        GraphIHTClassifier().fit(X, y).predict(X[:, :-1])


def test_diverging_step_is_a_status_and_a_warning():
    A, y, _, edges = planted_regression(side=10, sparsity=8, n_rows=50, seed=1)
    model = GraphIHTRegressor(edges, sparsity=8, step=5000.0)
    with pytest.warns(ConvergenceWarning, match="diverged"):
        model.fit(A, y)
    assert model.status_ == "diverged"
