"""Numbers at the edge: finite results, equal to an oracle's, or a failure that is stated."""

import warnings

import numpy as np
import pytest

import small
from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.methods import METHODS as EIGHT
from graphiht.network import Network
from small import learner_of, study_of
from study.cv.nested import Standardiser
from study.methods import METHODS

SETTINGS = small.SETTINGS | {"sparsities": [2, 6], "epochs": [2, 15]}
# Elastic net and stability selection take long, and are made of the same fits.
STUDIED = [name for name in METHODS if name not in ("elastic-net", "graph-stability")]


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


@pytest.mark.parametrize("method", STUDIED)
def test_every_method_of_the_study_has_finite_scores(method):
    for kind, spoiled in EDGES.items():
        X, y = spoiled(*cohort())
        standardised = Standardiser(X)(X)
        learner = learner_of(method, SETTINGS, study_of(standardised, y), None)
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            grid = learner.fit_grid(standardised, y.astype(np.int8), np.random.default_rng(0))
        assert grid, kind
        for model in grid.values():
            assert np.isfinite(model.weights).all(), kind
            assert np.isfinite(model.intercept), kind
            assert np.isfinite(model.scores(standardised)).all(), kind


@pytest.mark.parametrize("exponent", [-300, -100, 100, 300])
def test_a_unit_does_not_matter(exponent):
    """In units of a power of two standardised values have the same bits, and so has everything after them."""
    X, _ = cohort()
    np.testing.assert_array_equal(Standardiser(X)(X), Standardiser(X * 2.0**exponent)(X * 2.0**exponent))


@pytest.mark.parametrize("method", EIGHT)
def test_single_precision_finds_the_genes_of_double(method):
    ring = Network([(i, (i + 1) % 40) for i in range(40)], 40)
    for seed in range(5):
        X, y = cohort(120, 40, seed)
        X, rng = Standardiser(X)(X), np.random.default_rng
        single, double = (
            fit(method, balanced_logistic(X, y, 0.1, dtype=dtype), sparsity=6, network=ring, rng=rng(1))
            for dtype in (np.float32, np.float64)
        )
        assert single.support.tolist() == double.support.tolist(), seed
        np.testing.assert_allclose(single.weights, double.weights, atol=2e-5)
