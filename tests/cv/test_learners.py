"""Learners: each against an oracle, and each point of a grid equal to its single fit, to the bit."""

import numpy as np
import pytest
from scipy.stats import ttest_ind
from sklearn.linear_model import LogisticRegression

import small
from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.methods import equivalent
from graphiht.network import Network
from small import learner_of, study_of
from study.cv.newton import balanced_weights, fit_ridge
from study.cv.stability_selection import complementary_halves, expected_false
from study.cv.t_statistics import t_statistics
from study.methods import COVARIATES, ITERATIVE, PARTS
from study.methods import METHODS as ROWS

SETTINGS = small.SETTINGS | {"sparsities": [3, 6], "epochs": [2, 15]}
METHODS = list(ITERATIVE)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(50, 40))
    y = (X[:, :4].sum(axis=1) + rng.normal(size=50) > 0.8).astype(np.int8)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, y


@pytest.fixture(scope="module")
def ring(data):
    return study_of(*data)


def make(method, ring, n_blocks=None):
    return learner_of(method, SETTINGS, ring, n_blocks)


@pytest.mark.parametrize("method", [name for name in ROWS if name not in ("graph-stability", COVARIATES)])
def test_single_fit_equals_its_point_of_the_grid(data, ring, method):
    learner = make(method, ring)
    grid = learner.fit_grid(*data, np.random.default_rng(1))
    assert len(learner.points) >= 2
    assert set(grid) == set(learner.points)
    for point in (learner.points[0], learner.points[-1], learner.points[len(learner.points) // 2]):
        single = learner.fit(*data, point, np.random.default_rng(1))
        np.testing.assert_array_equal(single.genes, grid[point].genes)
        np.testing.assert_array_equal(single.weights, grid[point].weights)
        assert single.intercept == grid[point].intercept


@pytest.mark.parametrize("method", METHODS)
def test_shared_fits_are_those_that_coincide(method):
    shared = {"iht": "top", "graph-iht": "graph"}.get(equivalent(method, 1))
    assert ROWS[method].shared_part([1, 2]) == shared
    if method not in PARTS.values():
        assert ROWS[method].shared_part([2]) is None


@pytest.mark.parametrize("head", ["identity", "half", "2s"])
def test_head_and_slack_of_the_configuration_are_those_of_the_fit(data, ring, head):
    X, y = data
    settings = SETTINGS | {"head": head, "slack": 0.5, "sparsities": [6], "lambdas": [0.01]}
    (_, point) = learner_of("graph-iht", settings, ring).points
    model = learner_of("graph-iht", settings, ring).fit(X, y, point, np.random.default_rng(1))
    options = {"sparsity": 6, "lam": 0.01, "max_epochs": 15, "tol": 1e-4, "head": head, "slack": 0.5}
    network = Network(ring.edges, X.shape[1], names=ring.symbol)
    oracle = fit("graph-iht", balanced_logistic(X, y, dtype=np.float32), network=network, **options)
    np.testing.assert_array_equal(model.genes, oracle.support)
    np.testing.assert_array_equal(model.weights, oracle.weights[oracle.support])
    other = learner_of("graph-iht", settings | {"head": "2s" if head != "2s" else "half"}, ring)
    assert not np.array_equal(other.fit(X, y, point, np.random.default_rng(1)).weights, model.weights)


def test_graph_learners_return_connected_genes(data, ring):
    for method in ("graph-iht", "t-graph", "mean-graph"):
        for point, model in make(method, ring).fit_grid(*data, np.random.default_rng(1)).items():
            gaps = np.sort(np.diff(np.r_[model.genes, model.genes[0] + 40]))
            assert (gaps[:-1] == 1).all(), "on a ring a connected set has at most one gap"
            assert len(model.genes) <= 1.1 * point.sparsity


def test_t_statistics_are_scipys(data):
    X, y = data
    np.testing.assert_allclose(t_statistics(X, y), ttest_ind(X[y == 1], X[y == 0]).statistic, rtol=1e-10)


@pytest.mark.parametrize("lam", [1e-3, 0.1, 1.0])
def test_ridge_is_scikit_learns_optimum(data, lam):
    X, y = data
    weights, intercept = fit_ridge(X, y, lam)
    oracle = LogisticRegression(C=1 / (len(y) * lam), tol=1e-12, max_iter=10_000)
    oracle.fit(X, y, sample_weight=balanced_weights(y))
    np.testing.assert_allclose(weights, oracle.coef_[0], atol=1e-5)
    assert intercept == pytest.approx(oracle.intercept_[0], abs=1e-5)


def objective(X, y, weights, intercept, point):
    """What a penalised logistic regression with balanced classes minimises."""
    margins = np.where(y == 1, 1, -1) * (X @ weights + intercept)
    penalty = point.l1_ratio * np.abs(weights).sum() + (1 - point.l1_ratio) / 2 * (weights**2).sum()
    return (2 * balanced_weights(y) * np.logaddexp(0, -margins)).sum() + point.lam * penalty


# The least penalties of L1 leave its objective flat.
@pytest.mark.parametrize(
    ("method", "relative", "absolute"), [("ridge", 1e-4, 1e-9), ("elastic-net", 0, 2e-3), ("l1", 0.02, 2e-3)]
)
def test_penalised_baselines_are_scikit_learns_optimum(data, ring, method, relative, absolute):
    X, y = data
    models = make(method, ring).fit_grid(X, y, np.random.default_rng(0))
    for point, model in models.items():
        solver = {"solver": "saga", "tol": 1e-7} if point.l1_ratio else {"tol": 1e-10}
        oracle = LogisticRegression(
            C=1 / point.lam, l1_ratio=point.l1_ratio, class_weight="balanced", max_iter=100_000, **solver
        ).fit(X, y)
        weights = np.zeros(X.shape[1])
        weights[model.genes] = model.weights
        np.testing.assert_allclose(weights, oracle.coef_[0], atol=relative * np.abs(oracle.coef_).max() + absolute)
        theirs = objective(X, y, oracle.coef_[0], oracle.intercept_[0], point)
        assert objective(X, y, weights, model.intercept, point) <= theirs * (1 + (1e-4 if method == "l1" else 1e-6))
        assert model.status == "converged"
    sizes = [len(models[point].genes) for point in sorted(models, key=lambda point: -point.lam)]
    assert max(sizes) > 10
    assert method != "l1" or sizes[0] == 0


def test_stability_selection_finds_the_planted_genes_and_obeys_its_bound(data, ring):
    X, y = data
    learner = learner_of("graph-stability", SETTINGS | {"sparsities": [6]}, ring)
    frequency = learner.frequencies(X, y, np.random.default_rng(0))
    assert set(np.argsort(-frequency)[:2]) <= {0, 1, 2, 3}
    point = next(point for point in learner.points if point.threshold == 0.9)
    model = learner.fit(X, y, point, np.random.default_rng(0))
    assert (frequency[model.genes] >= 0.9).all() or len(model.genes) == 1
    q = frequency.sum()
    assert model.details["bound"] == pytest.approx(q * q / (40 * 0.8))
    assert expected_false(q, 40, 0.5) is None
    first, second = complementary_halves(y, np.random.default_rng(0))
    assert not set(first) & set(second)
    assert y[first].sum() == y[second].sum() == y.sum() // 2
    assert len(first) == len(second)
