"""Learners that refit each support, and best subset selection: against the library, scikit-learn and each other."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

import small
from graphiht.fitting import fit
from graphiht.losses import balanced_logistic, least_squares
from graphiht.network import Network
from small import learner_of, study_of
from study.cv.model import GridPoint
from study.cv.newton import balanced_weights, fit_ridge
from study.cv.penalised import class_balanced
from study.errors import StudyError
from study.methods import GROUPS, ITERATIVE, METHODS, PAIRS, unavailable

SETTINGS = small.SETTINGS | {"sparsities": [3, 6], "lambdas": [0.01, 1.0]}
needs_abess = pytest.mark.skipif(bool(unavailable(["abess"])), reason="abess has no wheel here")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(60, 40))
    y = (X[:, :4].sum(axis=1) + rng.normal(size=60) > 0.8).astype(np.int8)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def dense(model, n_genes=40):
    weights = np.zeros(n_genes)
    weights[model.genes] = model.weights
    return weights


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["htp", "graph-htp"])
def test_a_pursuit_is_the_librarys(data, method, weighted):
    X, y = data
    study, weights = study_of(X, y), np.linspace(0.5, 2.0, 60) if weighted else None
    network = Network(study.edges, 40, names=study.symbol)
    models = learner_of(method, SETTINGS, study).fit_grid(X, y, np.random.default_rng(0), weights)
    assert list(models) == [GridPoint(lam, size) for lam in (1.0, 0.01) for size in (3, 6)]
    for point, model in models.items():
        oracle = fit(
            method, balanced_logistic(X, y, point.lam, sample_weight=weights), sparsity=point.sparsity, network=network
        )
        np.testing.assert_array_equal(model.genes, oracle.support)
        np.testing.assert_array_equal(model.weights, oracle.weights[oracle.support])
        assert (model.intercept, model.status) == (oracle.intercept, oracle.status)
        refitted, intercept = fit_ridge(X[:, model.genes], y, point.lam, weights)
        np.testing.assert_allclose(model.weights, refitted, atol=1e-6)
        assert model.intercept == pytest.approx(intercept, abs=1e-6)


def test_on_a_complete_graph_the_network_makes_no_difference(data):
    X, y = data
    edges = [(i, j) for i in range(40) for j in range(i)]
    settings = SETTINGS | {"slack": 0.0}
    with_network, without = (
        learner_of(name, settings, study_of(X, y, edges)).fit_grid(X, y, None) for name in ("graph-htp", "htp")
    )
    for point, model in with_network.items():
        np.testing.assert_array_equal(model.genes, without[point].genes)
        np.testing.assert_allclose(model.weights, without[point].weights, rtol=1e-9)


def test_all_genes_are_ridge(data):
    X, y = data
    settings = SETTINGS | {"sparsities": [40]}
    for method in ("htp", "graph-htp"):
        for point, model in learner_of(method, settings, study_of(X, y)).fit_grid(X, y, None).items():
            weights, intercept = fit_ridge(X, y, point.lam)
            np.testing.assert_allclose(dense(model), weights, atol=1e-6)
            assert model.intercept == pytest.approx(intercept, abs=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_pupil_learns_the_scores_of_laplacian_ridge(data, weighted):
    X, y = data
    study, weights = study_of(X, y), np.linspace(0.5, 2.0, 60) if weighted else None
    learner = learner_of("graph-distilled", SETTINGS, study)
    assert sorted({1 / point.teacher for point in learner.points}) == pytest.approx([1e-4, 1e-3, 1e-2])
    assert {point.smoothing for point in learner.points} == {1.0}
    network, k = Network(study.edges, 40, names=study.symbol), class_balanced(y, weights)
    teacher = learner_of("laplacian-ridge", SETTINGS, study)
    for point, model in learner.fit_grid(X, y, np.random.default_rng(0), weights).items():
        lesson = GridPoint(lam=point.teacher, smoothing=1.0)
        scores = teacher.fit(X, y, lesson, np.random.default_rng(0), weights).scores(X)
        loss = least_squares(X, scores, point.lam, sample_weight=k)
        oracle = fit("graph-htp", loss, sparsity=point.sparsity, network=network)
        np.testing.assert_array_equal(model.genes, oracle.support)
        np.testing.assert_array_equal(model.weights, oracle.weights[oracle.support])
        # Refitted to the scores by ridge, in which both classes have the same total weight.
        ridge = Ridge(alpha=len(y) * point.lam, solver="cholesky").fit(X[:, model.genes], scores, k / k.mean())
        np.testing.assert_allclose(model.weights, ridge.coef_, rtol=1e-5, atol=1e-8)
        assert model.intercept == pytest.approx(ridge.intercept_, rel=1e-5, abs=1e-8)
        for label in (0, 1):
            np.testing.assert_allclose(k[y == label].sum(), len(y) / 2)


@needs_abess
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_of_abess_are_ridge_on_its_genes(data, weighted):
    """Its alpha is our lambda: the objective on its genes is least at its weights, by scikit-learn and by ours."""
    X, y = data
    weights = np.linspace(0.5, 2.0, 60) if weighted else None
    models = learner_of("abess", SETTINGS, study_of(X, y)).fit_grid(X, y, None, weights)
    assert len(models) == 4
    for point, model in models.items():
        assert len(model.genes) == point.sparsity
        oracle = LogisticRegression(C=1 / (len(y) * point.lam), tol=1e-12, max_iter=10_000)
        oracle.fit(X[:, model.genes], y, balanced_weights(y, weights))
        for slopes, intercept in (
            (oracle.coef_[0], oracle.intercept_[0]),
            fit_ridge(X[:, model.genes], y, point.lam, weights),
        ):
            np.testing.assert_allclose(model.weights, slopes, atol=1e-4)
            assert model.intercept == pytest.approx(intercept, abs=1e-4)


@needs_abess
def test_abess_finds_no_worse_genes_than_those_of_the_first_step(data):
    """Its objective against that of the genes of `iht`, refitted; and the order of patients does not matter."""
    X, y = data
    study = study_of(X, y)
    abess, iht = (learner_of(name, SETTINGS, study) for name in ("abess", "iht"))
    models, steps = abess.fit_grid(X, y, None), iht.fit_grid(X, y, np.random.default_rng(0))
    order = np.random.default_rng(1).permutation(60)
    again = abess.fit_grid(X[order], y[order], None)
    for point, model in models.items():
        genes = steps[point._replace(n_blocks=1, epochs=20)].genes

        def value(genes, lam=point.lam):
            slopes, intercept = fit_ridge(X[:, genes], y, lam)
            margins = np.where(y == 1, 1, -1) * (X[:, genes] @ slopes + intercept)
            return np.mean(balanced_weights(y) * np.logaddexp(0, -margins)) + lam / 2 * slopes @ slopes

        assert value(model.genes) <= value(genes) + 1e-12
        np.testing.assert_array_equal(model.genes, again[point].genes)
        np.testing.assert_allclose(model.weights, again[point].weights, atol=1e-6)


def test_without_its_package_abess_says_so(data, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "abess.linear", None)
    with pytest.raises(StudyError, match="methods: abess needs its package, which cannot be used here"):
        learner_of("abess", SETTINGS, study_of(*data)).fit_grid(*data, None)


def test_groups_are_the_papers_methods_and_what_is_not_of_the_library():
    assert GROUPS["graph methods"] == ["graph-iht", "graph-sto-iht", "graph-svrg-iht", "graph-scsg-iht"]
    assert {"abess", "ridge", "t-graph", "laplacian-ridge"} <= set(GROUPS["baselines"])
    refitted = {name for name, row in METHODS.items() if row.update == "refit"}
    assert refitted == {"htp", "graph-htp", "graph-distilled"}
    assert not refitted & {*ITERATIVE, *GROUPS["graph methods"], *GROUPS["baselines"]}
    assert PAIRS["graph-htp"] == "htp"
    assert {METHODS[name].update for name in ITERATIVE} == {"step"}
