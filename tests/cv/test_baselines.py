"""The baselines that ask what iterating, and the network, are worth: each against an oracle."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import ttest_ind
from sklearn.neighbors import NearestCentroid

import small
from small import study_of
from study.cv.learners import make_learner
from study.cv.model import GridPoint
from study.cv.nested import as_chosen
from study.cv.network import walk_solver
from study.cv.newton import fit_ridge
from study.methods import METHODS

SETTINGS = small.SETTINGS | {"sparsities": [3, 6], "n_blocks": [1], "epochs": [1, 10], "tolerance": 1e-3}
NEW = ["mean-top", "mean-graph", "centroids", "laplacian-ridge", "walk-t", "iht-converged"]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(60, 25))
    y = (X[:, :3].sum(axis=1) + 2 * rng.normal(size=60) > 0.9).astype(np.int8)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.fixture(scope="module")
def graph():
    return nx.connected_watts_strogatz_graph(25, 4, 0.3, seed=2)


def make(name, data, graph, **changes):
    return make_learner(replace(METHODS[name], **changes), SETTINGS, study_of(*data, edges=list(graph.edges)))


def dense(model, n_genes=25):
    weights = np.zeros(n_genes)
    weights[model.genes] = model.weights
    return weights


@pytest.mark.parametrize("method", ["mean-top", "mean-graph"])
def test_one_step_is_the_nearest_mean_on_its_genes(data, graph, method):
    X, y = data
    difference = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    for point, model in make(method, data, graph).fit_grid(X, y, None).items():
        if method == "mean-top":
            assert set(model.genes) == set(np.argsort(-np.abs(difference))[: point.sparsity])
        else:
            assert nx.is_connected(graph.subgraph(model.genes.tolist()))
        np.testing.assert_allclose(model.weights, difference[model.genes])
        nearest = NearestCentroid().fit(X[:, model.genes], y)
        assert ((model.scores(X) > 0) == nearest.predict(X[:, model.genes])).all()
        halfway = (X[y == 1].mean(axis=0) + X[y == 0].mean(axis=0)) / 2
        assert model.scores(halfway[None])[0] == pytest.approx(0, abs=1e-12)


def test_centroids_are_scikit_learns(data, graph):
    X, y = data
    new = np.random.default_rng(3).normal(size=(200, 25))
    unshrunken = NearestCentroid().fit(X, y)
    most = np.abs(unshrunken.deviations_).max()
    sizes = []
    for point, model in make("centroids", data, graph).fit_grid(X, y, None).items():
        oracle = NearestCentroid(shrink_threshold=point.threshold * most or None).fit(X, y)
        np.testing.assert_allclose(2 * model.scores(new), oracle.decision_function(new), atol=1e-9)
        assert model.genes.tolist() == np.flatnonzero(oracle.deviations_[1]).tolist()
        # With equal priors `predict` measures distances in genes that are not scaled; with others it does scale.
        prior = NearestCentroid(shrink_threshold=point.threshold * most or None, priors=[0.3, 0.7]).fit(X, y)
        assert ((model.scores(new) + np.log(0.7 / 0.3) > 0) == prior.predict(new)).all()
        sizes.append(len(model.genes))
    assert sizes[0] == 25
    assert 1 <= sizes[-1] < 5
    assert sizes == sorted(sizes, reverse=True)


def test_centroids_do_not_depend_on_the_unit_of_weights(data, graph):
    X, y = data
    weights = np.random.default_rng(4).random(60)
    learner = make("centroids", data, graph)
    for point in learner.points:
        one, other = (learner.fit(X, y, point, None, scale * weights) for scale in (1.0, 1e-3))
        np.testing.assert_allclose(dense(one), dense(other), rtol=1e-9)


def test_laplacian_ridge_minimises_its_objective(data, graph):
    X, y = data
    laplacian = nx.normalized_laplacian_matrix(graph, nodelist=range(25)).toarray()
    balance = np.where(y == 1, len(y) / (2 * y.sum()), len(y) / (2 * (1 - y).sum()))
    sign = np.where(y == 1, 1, -1)
    learner = make("laplacian-ridge", data, graph, C=(-2.0, 0.0, 2))
    assert {point.smoothing for point in learner.points} == set(METHODS["laplacian-ridge"].smoothing)
    for point, model in learner.fit_grid(X, y, np.random.default_rng(0)).items():
        penalty = np.eye(25) + point.smoothing * laplacian

        def objective(beta, penalty=penalty, lam=point.lam):
            margins = sign * (X @ beta[:-1] + beta[-1])
            residual = -sign * balance / (1 + np.exp(margins))
            value = (balance * np.logaddexp(0, -margins)).sum() + lam / 2 * beta[:-1] @ penalty @ beta[:-1]
            return value, np.r_[X.T @ residual + lam * penalty @ beta[:-1], residual.sum()]

        best = minimize(objective, np.zeros(26), jac=True, method="BFGS", options={"gtol": 1e-8})
        np.testing.assert_allclose(dense(model), best.x[:-1], atol=1e-5 * np.abs(best.x).max())
        assert model.intercept == pytest.approx(best.x[-1], abs=1e-5)
        assert model.status == "converged"


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_walk_is_the_matrix_inverse(graph, alpha):
    edges = np.array(graph.edges)
    values = np.random.default_rng(0).normal(size=26)
    adjacency = nx.to_numpy_array(graph, nodelist=range(25))
    step = np.eye(26)
    step[:25, :25] = adjacency / adjacency.sum(axis=1, keepdims=True)
    expected = (1 - alpha) * np.linalg.inv(np.eye(26) - alpha * step) @ values
    np.testing.assert_allclose(walk_solver(edges, 26, alpha)(values), expected, atol=1e-12)
    assert expected[25] == pytest.approx(values[25])


def test_walk_t_takes_the_largest_smoothed_statistics(data, graph):
    X, y = data
    t = ttest_ind(X[y == 1], X[y == 0]).statistic
    for point, model in make("walk-t", data, graph).fit_grid(X, y, None).items():
        smoothed = walk_solver(np.array(graph.edges), 25, point.smoothing)(t)
        assert set(model.genes) == set(np.argsort(-np.abs(smoothed))[: point.sparsity])
        np.testing.assert_array_equal(model.weights, fit_ridge(X[:, model.genes], y, point.lam)[0])


def test_converged_iht_has_the_optimal_weights_of_its_genes(data, graph):
    X, y = data

    def distances(name):
        found = {}
        for point, model in make(name, data, graph).fit_grid(X, y, np.random.default_rng(0)).items():
            best, _ = fit_ridge(X[:, model.genes], y, point.lam)
            found[point] = np.abs(model.weights - best).max() / np.abs(best).max(), model.status
        return found

    converged, early = distances("iht-converged"), distances("iht")
    assert {status for _, status in converged.values()} == {"converged"}
    assert max(distance for distance, _ in converged.values()) < 0.05
    assert all(early[point._replace(epochs=1)][0] > 0.1 for point in converged if point.lam == 0.01)


def test_what_a_method_does_not_have_is_not_written():
    chosen = as_chosen(METHODS["mean-top"], GridPoint(sparsity=10))
    assert chosen["sparsity"] == 10
    assert chosen["lambda"] is None
    assert chosen["C"] is None
    chosen = as_chosen(METHODS["laplacian-ridge"], GridPoint(lam=100.0, smoothing=10.0))
    assert (chosen["C"], chosen["lambda"], chosen["smoothing"]) == (0.01, None, 10.0)
