"""The scikit-learn estimators: the library's own checks, its tools, and bad input."""

import pickle
import warnings

import networkx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.feature_selection import SelectFromModel, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import as_concordance_index_ipcw_scorer, concordance_index_censored
from sksurv.util import Surv

from graphiht import GraphIHTClassifier, GraphIHTRegressor, GraphIHTSurvival, Network
from graphiht.graphs import as_network
from graphiht.methods import METHODS
from synthetic import grid_edges, noisy_classes, planted_regression

GRID = grid_edges(6)
# Classes with a plus-shaped support on the grid.
X = np.random.default_rng(0).standard_normal((240, 36))
SUPPORT = np.array([8, 13, 14, 15, 20])
y = np.where(X[:, SUPPORT].sum(axis=1) > 0.3, "event", "none")
# A row of weight two is one row of a block; the same row twice is two, in other blocks and with other draws.
SAMPLING = {"check_sample_weight_equivalence_on_dense_data": "rows are sampled: a repeated row is drawn differently"}
SAMPLED = [
    make(method=method, n_blocks=2, max_epochs=200)
    for make in (GraphIHTClassifier, GraphIHTRegressor)
    for method in ("sto-iht", "svrg-iht", "scsg-iht")
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (GraphIHTClassifier(max_epochs=200), {}),
        (GraphIHTRegressor(), {}),
        (GraphIHTClassifier(), {}),
        (GraphIHTClassifier(standardize=False, max_epochs=200), {}),
        (GraphIHTRegressor(standardize=False), {}),
        *((estimator, SAMPLING if isinstance(estimator, GraphIHTClassifier) else {}) for estimator in SAMPLED),
    ],
    ids=str,
)
def test_estimators_fail_only_the_checks_of_sklearn_that_they_must(estimator, expected):
    results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail="raise")
    failed = {result["check_name"] for result in results if result["status"] not in ("passed", "skipped")}
    assert failed == set(expected)


@pytest.mark.parametrize("method", [name for name, row in METHODS.items() if row.uses_network])
def test_every_graph_method_finds_the_planted_nodes(method):
    model = GraphIHTClassifier(GRID, method, sparsity=5, n_blocks=2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.support_, SUPPORT)
    assert model.score(X, y) > 0.85


def test_regressor_recovers_planted_weights():
    A, _, x_true, edges = planted_regression(side=10, sparsity=8, n_rows=300, seed=1)
    A, network = A * np.sqrt(300), Network(edges, 100)
    model = GraphIHTRegressor(network, sparsity=8, max_epochs=500, tol=1e-14).fit(A, A @ x_true + 2)
    np.testing.assert_allclose(model.coef_, x_true, atol=1e-5)
    assert model.intercept_ == pytest.approx(2.0, abs=1e-5)


def test_fitted_attributes_fit_together():
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
    given = {0: y.mean(), 1: 1 - y.mean()}
    balanced, same, plain = (GraphIHTClassifier(class_weight=w).fit(X, y) for w in ("balanced", given, None))
    np.testing.assert_allclose(balanced.coef_, same.coef_, rtol=1e-9)
    assert plain.predict(X).sum() < balanced.predict(X).sum()


def test_network_in_several_pieces_uses_the_largest_and_says_so():
    loose = GRID[(GRID != 35).all(axis=1) & (GRID != 0).all(axis=1)]
    with pytest.warns(UserWarning, match="3 components.*2 of 36 features are left out"):
        model = GraphIHTClassifier(loose, sparsity=5).fit(X, y)
    np.testing.assert_array_equal(model.support_, SUPPORT)
    assert model.coef_.shape == (1, 36)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GraphIHTClassifier(loose, sparsity=5, n_components=2).fit(X, y)


def test_bad_data_gets_sklearns_errors():
    with pytest.raises(NotFittedError):
        GraphIHTClassifier().predict(X)
    with pytest.raises(ValueError, match="features"):
        GraphIHTClassifier().fit(X, y).predict(X[:, :-1])
    for rows, labels, match in (
        (np.where(X > 2, np.nan, X), y, "NaN"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (X, np.zeros(len(X)), "one class"),
    ):
        with pytest.raises(ValueError, match=match):
            GraphIHTClassifier().fit(rows, labels)
    with pytest.raises(ValueError, match=r"X has no names.*DataFrame.*set_output\(transform='pandas'\)"):
        GraphIHTClassifier(named_graph()).fit(X, y)


def test_diverging_step_is_a_status_and_a_warning():
    A, y, _, edges = planted_regression(side=10, sparsity=8, n_rows=50, seed=1)
    model = GraphIHTRegressor(edges, sparsity=8, step=5000.0)
    with pytest.warns(ConvergenceWarning, match="diverged"):
        model.fit(A, y)
    assert model.status_ == "diverged"


# Networks as people have them. The numbered grid is the oracle: every form of it must give the same fit.
NAMES = [f"gene{i}" for i in range(36)]


def frame(X):
    return pd.DataFrame(X, columns=NAMES)


def adjacency(weights=None):
    entries = np.ones(len(GRID)) if weights is None else weights
    return scipy.sparse.coo_array((entries, (GRID[:, 0], GRID[:, 1])), shape=(36, 36))


def named_graph(weights=None):
    graph = networkx.Graph()
    for row, (a, b) in enumerate(GRID):
        graph.add_edge(NAMES[a], NAMES[b], weight=1.0 if weights is None else weights[row])
    graph.add_edge(NAMES[0], NAMES[0])
    graph.add_edge(NAMES[0], "no such gene")
    return graph


def named_edges(weights=None):
    rows = [(NAMES[a], NAMES[b]) for a, b in GRID]
    return rows if weights is None else [(*row, weight) for row, weight in zip(rows, weights, strict=True)]


FORMS = {
    "edges by number": lambda w: GRID if w is None else [(a, b, c) for (a, b), c in zip(GRID.tolist(), w, strict=True)],
    "edges by name": named_edges,
    "table by name": lambda w: pd.DataFrame(named_edges(w)),
    "networkx by name": named_graph,
    "networkx directed": lambda w: named_graph(w).to_directed(),
    "networkx by number": lambda w: networkx.relabel_nodes(
        named_graph(w), {name: i for i, name in enumerate(NAMES)} | {"no such gene": 0}
    ),
    "csr": lambda w: adjacency(w).tocsr(),
    "symmetric csc matrix": lambda w: scipy.sparse.csc_matrix(adjacency(w) + adjacency(w).T),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["unit", "confidence", "weight"])
def test_every_form_of_a_network_has_the_same_edges_and_costs_and_gives_the_same_fit(form, kind):
    weights = np.random.default_rng(1).uniform(0.05, 1, len(GRID))
    costs = {"unit": np.ones(len(GRID)), "confidence": 1.01 - weights, "weight": weights}[kind]
    given = FORMS[form](None if kind == "unit" else weights)
    network = as_network(given, 36, NAMES, kind)
    found = {frozenset(pair): cost for pair, cost in zip(network.edges.tolist(), network.costs, strict=True)}
    assert found == {frozenset(pair): cost for pair, cost in zip(GRID.tolist(), costs, strict=True)}
    expected = GraphIHTClassifier(Network(GRID, 36, costs, names=NAMES), sparsity=8).fit(X, y)
    model = GraphIHTClassifier(given, sparsity=8, edge_costs=kind).fit(frame(X), y)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    assert set(SUPPORT) <= set(model.support_)


def test_entrez_ids_as_numbers_are_names_where_columns_are_numbers():
    ids = np.random.default_rng(0).permutation(np.arange(1000, 1036))
    table = pd.DataFrame(ids[GRID])
    model = GraphIHTClassifier(table, sparsity=5).fit(pd.DataFrame(X, columns=ids.astype(str)), y)
    np.testing.assert_array_equal(model.support_, SUPPORT)


@pytest.mark.parametrize("network", [named_graph(), named_edges(), pd.DataFrame(named_edges())], ids=type)
def test_a_network_by_names_survives_feature_selection(network):
    pipeline = make_pipeline(StandardScaler(), SelectKBest(k=12), GraphIHTClassifier(network, sparsity=4, slack=0))
    pipeline.set_output(transform="pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        pipeline.fit(frame(X), y)
    kept = pipeline[:-1].get_feature_names_out()
    assert len(kept) == 12
    chosen = pipeline.get_feature_names_out().tolist()
    numbers = [NAMES.index(name) for name in chosen]
    assert set(chosen) <= set(kept)
    assert set(numbers) <= set(SUPPORT)
    assert Network(GRID, 36).n_components(numbers) == 1


def test_selected_features_by_every_name_of_scikit_learn():
    model = GraphIHTClassifier(named_graph(), sparsity=5).fit(frame(X), y)
    assert np.flatnonzero(model.get_support()).tolist() == SUPPORT.tolist()
    assert model.get_support(indices=True).tolist() == SUPPORT.tolist()
    assert model.get_feature_names_out().tolist() == [NAMES[i] for i in SUPPORT]
    np.testing.assert_array_equal(model.transform(frame(X)), X[:, SUPPORT])
    selector = SelectFromModel(GraphIHTClassifier(GRID, sparsity=5), threshold=1e-10).fit(X, y)
    assert np.flatnonzero(selector.get_support()).tolist() == SUPPORT.tolist()
    refitted = make_pipeline(GraphIHTClassifier(GRID, sparsity=5), LogisticRegression()).fit(X, y)
    assert refitted[-1].coef_.shape == (1, 5)
    assert refitted.score(X, y) > 0.9


def test_fits_in_a_grid_search_over_networks_and_sizes():
    pipeline = Pipeline([("scale", StandardScaler()), ("model", GraphIHTClassifier())]).set_output(transform="pandas")
    chain = [(NAMES[i], NAMES[i + 1]) for i in range(35)]
    grid = {"model__network": [chain, named_graph()], "model__sparsity": [2, 5]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(frame(X), y)
    assert search.best_params_["model__sparsity"] == 5
    assert isinstance(search.best_params_["model__network"], networkx.Graph)
    assert search.best_estimator_[-1].support_.tolist() == SUPPORT.tolist()


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"sparsity": 37}, "sparsity.*n_features = 36; got 37"),
        ({"class_weight": "even"}, "class_weight must be .*'even'"),
        ({"network": None, "method": "graph-iht"}, "network must be given.*graph-iht"),
        ({"network": Network([(0, 1)], 9)}, "36 features, the network 9 nodes"),
        (
            {"network": adjacency().tocsr()[:9, :9]},
            "36 features, the network 9 nodes; if features were selected before",
        ),
        ({"network": [(0, 36)]}, "0..35.*36"),
        ({"network": [("TP53", "MYC")]}, "like gene0, gene1, gene2; got none, but MYC, TP53"),
        ({"network": pd.DataFrame({"a": ["gene0"]})}, "two columns"),
        ({"network": np.eye(36)}, "scipy.sparse.csr_array"),
        ({"network": [(0, 1), (1, 2, 0.5)]}, r"two ends, or two and a weight; got lengths \[2, 3\]"),
        ({"edge_costs": "confidence"}, "needs a weight of each edge"),
        ({"network": [("gene0", "gene1", 700)], "edge_costs": "confidence"}, r"weights in \(0, 1\]; got 700"),
        ({"network": [("gene0", "gene1", -1.0)], "edge_costs": "weight"}, "positive"),
        ({"edge_costs": "free"}, "edge_costs must be one of unit, confidence, weight; got 'free'"),
    ],
)
def test_bad_parameters_are_answered_with_what_to_do(parameters, match):
    with pytest.raises(ValueError, match=match):
        GraphIHTClassifier(**{"network": GRID, "sparsity": 1, **parameters}).fit(frame(X), y)


def test_convergence_is_warned_of_only_where_more_than_the_default_epochs_were_asked_for():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert GraphIHTClassifier(GRID, sparsity=5, tol=0).fit(X, y).status_ == "epoch limit"
        assert GraphIHTClassifier(GRID, sparsity=5, max_epochs=2).fit(X, y).status_ == "epoch limit"
        assert GraphIHTClassifier(GRID, sparsity=5, max_epochs=500).fit(X, y).status_ == "converged"
    with pytest.warns(ConvergenceWarning, match="did not converge in 11 epochs: raise max_epochs or tol"):
        GraphIHTClassifier(GRID, sparsity=5, max_epochs=11, tol=0, patience=99).fit(X, y)


ODD_SCALES = np.random.default_rng(9).permutation(10.0 ** np.linspace(-3, 4, 36))


@pytest.mark.parametrize("method", ["iht", "htp", "graph-iht", "graph-htp"])
def test_scale_and_origin_of_features_do_not_matter(method):
    plain = GraphIHTClassifier(GRID, method, sparsity=5).fit(X, y)
    for data in (X * 1000 + 500, X * ODD_SCALES + 1 / ODD_SCALES):
        model = GraphIHTClassifier(GRID, method, sparsity=5).fit(data, y)
        np.testing.assert_array_equal(model.support_, plain.support_)
        np.testing.assert_allclose(model.decision_function(data), plain.decision_function(X), atol=1e-6)
        assert model.score(data, y) == plain.score(X, y)
    scaled = StandardScaler().fit_transform(X)
    same = GraphIHTClassifier(GRID, method, sparsity=5, standardize=False).fit(scaled, y)
    np.testing.assert_allclose(same.decision_function(scaled), plain.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("method", ["iht", "htp", "graph-iht", "graph-htp"])
def test_regressor_is_right_on_the_scale_of_its_input(method):
    weights = np.zeros(36)
    weights[SUPPORT] = [3.0, -2.0, 1.0, 2.0, -4.0]
    data, target = X * ODD_SCALES + 50.0, 1e4 * X @ weights - 7e5
    model = GraphIHTRegressor(GRID, method, sparsity=5, max_epochs=300, tol=1e-12).fit(data, target)
    np.testing.assert_array_equal(model.support_, SUPPORT)
    assert model.score(data, target) > 1 - 1e-6
    np.testing.assert_allclose(model.coef_ * ODD_SCALES, 1e4 * weights, atol=20)
    np.testing.assert_allclose(model.predict(data), data @ model.coef_ + model.intercept_, rtol=1e-9)
    assert GraphIHTRegressor(GRID, method, sparsity=5).fit(data, target).score(data, target) > 0.98


def test_no_intercept_means_none_on_the_scale_of_the_input():
    target = 2.0 * (X[:, 0] + 3.0)
    model = GraphIHTRegressor(None, "htp", sparsity=1, intercept="none").fit(X + 3.0, target)
    assert model.intercept_ == 0
    np.testing.assert_allclose(model.predict(X + 3.0), target, rtol=1e-9)


def with_age(rng):
    """Return the features with a column age in their midst, and classes that age decides more than any feature."""
    age = rng.normal(60, 12, len(X))
    data = frame(X)
    data.insert(10, "age", age)
    score = X[:, SUPPORT].sum(axis=1) + 0.2 * (age - 60) + 0.3 * rng.standard_normal(len(X))
    return data, np.where(score > 0, "event", "none")


@pytest.mark.parametrize("by", ["age", 10])
def test_covariates_are_kept_and_are_no_nodes(by):
    data, classes = with_age(np.random.default_rng(0))
    if by == 10:
        data = data.to_numpy()
    ends = GRID + (GRID >= 10)
    network = ends if by == 10 else [(NAMES[a], NAMES[b]) for a, b in GRID]
    model = GraphIHTClassifier(network, "graph-htp", sparsity=5, slack=0, covariates=[by]).fit(data, classes)
    expected = SUPPORT + (SUPPORT >= 10)
    np.testing.assert_array_equal(model.support_, expected)
    np.testing.assert_array_equal(model.covariates_, [10])
    np.testing.assert_array_equal(model.get_support(indices=True), sorted([*expected, 10]))
    assert model.transform(data).shape == (len(X), 6)
    columns = np.asarray(data)[:, model.get_support()]
    np.testing.assert_allclose(
        model.decision_function(data), columns @ model.coef_[0][model.get_support()] + model.intercept_[0]
    )
    assert model.score(data, classes) > 0.85
    # Another unit of age is another weight of age, and nothing else.
    monthly = np.array(data)
    monthly[:, 10] *= 12
    other = GraphIHTClassifier(ends, "graph-htp", sparsity=5, slack=0, covariates=[10]).fit(monthly, classes)
    np.testing.assert_allclose(other.coef_[0] * np.where(np.arange(37) == 10, 12, 1), model.coef_[0], atol=1e-6)


def test_covariates_work_in_a_grid_search_over_a_pipeline():
    data, classes = with_age(np.random.default_rng(0))
    network = [(NAMES[a], NAMES[b]) for a, b in GRID]
    model = GraphIHTClassifier(network, "graph-htp", sparsity=5, covariates=["age"])
    pipeline = Pipeline([("scale", StandardScaler()), ("model", model)]).set_output(transform="pandas")
    search = GridSearchCV(pipeline, {"model__covariates": [None, ["age"]]}, cv=3).fit(data, classes)
    assert search.best_params_ == {"model__covariates": ["age"]}
    assert "age" in search.best_estimator_.get_feature_names_out()


@pytest.mark.parametrize("covariates", [["size"], [36], [-1], [1, 1], [True], [1.0], "size", list(range(36))])
def test_covariates_that_are_no_columns_are_named(covariates):
    with pytest.raises(ValueError, match=r"^covariates must"):
        GraphIHTClassifier(None, "htp", covariates=covariates).fit(frame(X), y)
    with pytest.raises(ValueError, match="htp or graph-htp; got method 'iht'"):
        GraphIHTClassifier(covariates=[0]).fit(X, y)


def test_covariates_that_are_copies_of_y_are_refused():
    outcome = survival_outcome()
    for model, target, copy in (
        (GraphIHTClassifier(None, "htp", covariates=[36]), y, 5 - 2.0 * (y == y[0])),
        (GraphIHTRegressor(None, "htp", covariates=[36]), X[:, 0] + X[:, 1], 3 * (X[:, 0] + X[:, 1])),
        (GraphIHTSurvival(covariates=[36]), outcome, outcome["event"]),
        (GraphIHTSurvival(covariates=[36]), outcome, -np.log(outcome["time"])),
    ):
        with pytest.raises(ValueError, match="covariates must not hold y; column 36 of X is a copy of it"):
            model.fit(np.column_stack([X, copy]), target)
        model.fit(np.column_stack([X, np.roll(copy, 1)]), target)


def survival_outcome(n_features=36, seed=0):
    rng = np.random.default_rng(seed)
    times = rng.exponential(np.exp(-X[:, SUPPORT].sum(axis=1)))
    censoring = rng.uniform(0, np.quantile(times, 0.8), len(X))
    return Surv.from_arrays(times <= censoring, np.minimum(times, censoring))


def test_survival_estimator_finds_the_planted_nodes_and_predicts_risks():
    outcome = survival_outcome()
    event, time = (outcome[name] for name in outcome.dtype.names)
    model = GraphIHTSurvival(GRID, sparsity=5, slack=0).fit(X * ODD_SCALES + 7.0, outcome)
    np.testing.assert_array_equal(model.support_, SUPPORT)
    risks = model.predict(X * ODD_SCALES + 7.0)
    assert model.score(X * ODD_SCALES + 7.0, outcome) == concordance_index_censored(event, time, risks)[0] > 0.75
    np.testing.assert_allclose(risks, (X * ODD_SCALES + 7.0) @ model.coef_, rtol=1e-12)
    reference = CoxPHSurvivalAnalysis(alpha=0.1 * len(X), ties="breslow", tol=1e-14, n_iter=500)
    reference.fit(StandardScaler().fit_transform(X)[:, SUPPORT], outcome)
    np.testing.assert_allclose((model.coef_ * ODD_SCALES * X.std(axis=0))[SUPPORT], reference.coef_, atol=1e-6)


def test_survival_estimator_works_in_the_tools_of_both_libraries():
    outcome = survival_outcome()
    pipeline = make_pipeline(StandardScaler(), GraphIHTSurvival(GRID, sparsity=5))
    search = GridSearchCV(pipeline, {"graphihtsurvival__lam": [0.1, 1.0]}, cv=3, error_score="raise").fit(X, outcome)
    assert search.best_score_ > 0.7
    scorer = as_concordance_index_ipcw_scorer(GraphIHTSurvival(sparsity=5)).fit(X, outcome)
    assert scorer.score(X, outcome) > 0.7
    again = pickle.loads(pickle.dumps(clone(GraphIHTSurvival(GRID, sparsity=5)).fit(X, outcome)))
    weighted = GraphIHTSurvival(GRID, sparsity=5).fit(X, outcome, sample_weight=np.full(len(X), 2.0))
    np.testing.assert_allclose(weighted.coef_, again.coef_, atol=1e-9)
    assert again.predict(X).shape == (len(X),)
    adjusted = GraphIHTSurvival(sparsity=4, covariates=[8]).fit(X, outcome)
    assert set(adjusted.get_support(indices=True)) == set(SUPPORT)


@pytest.mark.parametrize(
    "outcome",
    [
        np.zeros(240),
        np.zeros((240, 2)),
        [True] * 240,
        pd.DataFrame({"event": [True] * 240, "time": [1.0] * 240}),
        np.zeros(240, dtype=[("event", float), ("time", float)]),
        np.zeros(240, dtype=[("event", bool), ("time", float), ("age", float)]),
    ],
    ids=repr,
)
def test_an_outcome_that_is_no_survival_outcome_says_how_to_make_one(outcome):
    with pytest.raises(ValueError, match=r"sksurv.util.Surv.from_arrays\(event, time\)"):
        GraphIHTSurvival().fit(X, outcome)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        GraphIHTSurvival().fit(X, survival_outcome()[1:])
    with pytest.raises(ValueError, match="htp or graph-htp"):
        GraphIHTSurvival(method="iht").fit(X, survival_outcome())
