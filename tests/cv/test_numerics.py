"""Numbers at the edge: finite results, equal to an oracle's, or a failure that is stated."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import small
from graphiht import GraphIHTClassifier
from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.methods import METHODS as EIGHT
from graphiht.network import Network
from graphiht.solver import DIVERGED
from small import learner_of, study_of
from study.cv.nested import Standardiser
from study.methods import METHODS

SETTINGS = small.SETTINGS | {"sparsities": [2, 6], "epochs": [2, 15]}
# Elastic net and stability selection take long, and are made of the same fits.
STUDIED = [name for name in METHODS if name not in ("elastic-net", "graph-stability")]
LAM = 0.1


def cohort(n=40, p=12, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (X[:, :3].sum(axis=1) + rng.normal(size=n) > 0).astype(int)


EDGES = {
    "all_equal": lambda X, y: (np.ones_like(X), y),
    "some_equal": lambda X, y: (np.where(np.arange(12) < 4, 7.0, X), y),
    "separable": lambda X, y: (X, (X[:, 0] > 0).astype(int)),
    "duplicates": lambda X, y: (np.column_stack([X[:, :6], X[:, :6]]), y),
    "three_in_a_class": lambda X, y: (X, (X[:, 0] >= np.sort(X[:, 0])[-3]).astype(int)),
    "from 1e-12 to 1e98": lambda X, y: (X * 10.0 ** np.linspace(-12, 98, X.shape[1]), y),
    "one_far_away": lambda X, y: (np.where((np.arange(40)[:, None] == 5) & (np.arange(12) == 1), 1e99, X), y),
    "far_from_zero": lambda X, y: (X + 1e8, y),
    "two_values": lambda X, y: ((X > 0).astype(float), y),
}


def at_edge(kind):
    """Return a cohort whose numbers are hard."""
    return EDGES[kind](*cohort())


@pytest.mark.parametrize("kind", EDGES)
@pytest.mark.parametrize("method", STUDIED)
def test_every_method_of_the_study_has_finite_scores(method, kind):
    X, y = at_edge(kind)
    standardised = Standardiser(X)(X)
    learner = learner_of(method, SETTINGS, study_of(standardised, y), None)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        grid = learner.fit_grid(standardised, y.astype(np.int8), np.random.default_rng(0))
    assert grid
    for model in grid.values():
        assert np.isfinite(model.weights).all()
        assert np.isfinite(model.intercept)
        assert np.isfinite(model.scores(standardised)).all()


def test_genes_without_differences_say_nothing():
    X, y = at_edge("all_equal")
    model = GraphIHTClassifier(sparsity=3, max_epochs=50).fit(np.zeros_like(X), y)
    np.testing.assert_allclose(model.predict_proba(X - 1), 0.5, atol=1e-9)
    assert not model.coef_.any()


@pytest.mark.parametrize("kind", ["separable", "duplicates", "three_in_a_class", "some_equal", "two_values"])
def test_all_genes_together_are_scikit_learns_ridge(kind):
    """With a sparsity of all genes the problem is convex: its minimum is scikit-learn's, also at the edge."""
    X, y = at_edge(kind)
    X = Standardiser(X)(X)
    n, share = len(y), y.mean()
    # The same weights of classes: the share of the other one.
    weights = np.where(y == 1, 1 - share, share)
    oracle = LogisticRegression(C=1 / (n * LAM), tol=1e-12, max_iter=10_000).fit(X, y, sample_weight=weights)
    options = {"max_epochs": 20_000, "tol": 0.0, "patience": 50, "intercept": "exact"}
    result = fit("iht", X, y, sparsity=X.shape[1], lam=LAM, **options)
    assert result.status != DIVERGED
    np.testing.assert_allclose(result.weights, oracle.coef_[0], atol=2e-6)
    np.testing.assert_allclose(result.intercept, oracle.intercept_[0], atol=2e-6)
    if kind == "duplicates":
        np.testing.assert_allclose(result.weights[:6], result.weights[6:], rtol=1e-9)


def test_separable_classes_without_a_penalty_are_told_apart_and_finite():
    X, y = at_edge("separable")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GraphIHTClassifier(sparsity=1, lam=0.0, max_epochs=500).fit(X, y)
    assert model.support_.tolist() == [0]
    assert np.isfinite(model.coef_).all()
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("exponent", [-300, -100, 100, 300])
@pytest.mark.parametrize("method", EIGHT)
def test_a_unit_does_not_matter(method, exponent):
    """In units of a power of two standardised values have the same bits, and so has everything after them."""
    X, y = cohort()
    ring = Network([(i, (i + 1) % 12) for i in range(12)], 12)
    results = [
        fit(method, Standardiser(matrix)(matrix), y, sparsity=4, network=ring, rng=np.random.default_rng(0))
        for matrix in (X, X * 2.0**exponent)
    ]
    np.testing.assert_array_equal(results[0].weights, results[1].weights)
    assert results[0].intercept == results[1].intercept


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", EIGHT)
def test_single_precision_finds_the_genes_of_double(method, seed):
    X, y = cohort(120, 40, seed)
    X = Standardiser(X)(X)
    ring = Network([(i, (i + 1) % 40) for i in range(40)], 40)
    single, double = (
        fit(method, balanced_logistic(X, y, LAM, dtype=dtype), sparsity=6, network=ring, rng=np.random.default_rng(1))
        for dtype in (np.float32, np.float64)
    )
    assert single.support.tolist() == double.support.tolist()
    np.testing.assert_allclose(single.weights, double.weights, atol=2e-5)


@pytest.mark.parametrize("scale", [1e80, 1e150, 1e200, 1e300])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_estimator_states_that_it_cannot(scale, dtype):
    """Unscaled, as no study is: finite weights, or a status and a warning; never a number that is none in silence."""
    X, y = cohort()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = GraphIHTClassifier(sparsity=3, dtype=dtype).fit(X * scale, y)
    is_finite = np.isfinite(model.coef_).all() and np.isfinite(model.intercept_).all()
    assert is_finite or (model.status_ == DIVERGED and any("diverged" in str(each.message) for each in said))
