"""Nested cross-validation: no leak, the right choice, and each step against an oracle."""

import numpy as np
import pytest

from study.metrics import auc, balanced_error
from study.nested import Standardiser, choose, inner_errors, score_fold
from study.splits import make_splits

SETTINGS = {
    "seed": 3,
    "sparsities": [2, 5],
    "n_blocks": [1, 2],
    "lambdas": [0.01, 1.0],
    "near_tie": 0.0,
    "n_components": 1,
    "edge_cost": "unit",
    "max_epochs": 20,
    "tolerance": 1e-4,
}
CHOSEN = (
    "sparsity",
    "n_blocks",
    "lam",
    "inner_error",
    "intercept",
    "genes",
    "weights",
    "status",
    "loss_trace",
)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 12)) * rng.uniform(0.5, 3, size=12) + rng.normal(size=12)
    y = (X[:, 0] - X[:, 1] + rng.normal(size=60) > 0).astype(np.int8)
    return X, y, make_splits(y, seed=3, trials=1, folds=3, inner_folds=3)


def spoiled(X, y, rows):
    """The data with `rows` replaced by noise and their labels flipped."""
    X, y = X.copy(), y.copy()
    X[rows] = np.random.default_rng(1).normal(size=X[rows].shape) * 100
    y[rows] = 1 - y[rows]
    return X, y


@pytest.mark.parametrize("method", ["iht", "sto-iht"])
def test_test_patients_cannot_influence_the_model(data, method):
    X, y, splits = data
    for fold in (1, 2, 3):
        clean = score_fold(method, X, y, splits, 1, fold, SETTINGS)
        noisy = score_fold(method, *spoiled(X, y, splits.test(1, fold)), splits, 1, fold, SETTINGS)
        for key in CHOSEN:
            assert clean[key] == noisy[key], key
        assert clean["test_scores"] != noisy["test_scores"]


class PositionsAsRows:
    """The published mistake: inner folds drawn as positions in the training set, used as row numbers."""

    def __init__(self, splits):
        self.splits, self.n_inner = splits, splits.n_inner

    def fitting(self, trial, fold, inner):
        return np.searchsorted(self.splits.train(trial, fold), self.splits.fitting(trial, fold, inner))

    def validation(self, trial, fold, inner):
        return np.searchsorted(self.splits.train(trial, fold), self.splits.validation(trial, fold, inner))


def test_leak_test_notices_positions_used_as_rows(data):
    X, y, splits = data
    leaky = PositionsAsRows(splits)
    clean = inner_errors("iht", X, y, leaky, 1, 1, SETTINGS)
    noisy = inner_errors("iht", *spoiled(X, y, splits.test(1, 1)), leaky, 1, 1, SETTINGS)
    assert clean != noisy


def test_leak_test_notices_standardisation_over_all_rows(data):
    X, y, splits = data
    noisy, _ = spoiled(X, y, splits.test(1, 1))
    clean = inner_errors("iht", Standardiser(X)(X), y, splits, 1, 1, SETTINGS)
    train = splits.train(1, 1)
    assert not np.array_equal(Standardiser(X)(X)[train], Standardiser(noisy)(noisy)[train])
    # Standardising again inside each inner fold undoes any scaling that is the same for all rows of a gene.
    again = inner_errors("iht", Standardiser(noisy)(noisy), y, splits, 1, 1, SETTINGS)
    assert clean.keys() == again.keys()


def test_scores_are_those_of_the_reported_model(data):
    X, y, splits = data
    result = score_fold("iht", X, y, splits, 1, 2, SETTINGS)
    train, test = splits.train(1, 2), splits.test(1, 2)
    mean, std = X[train].mean(axis=0), X[train].std(axis=0)
    genes = result["genes"]
    expected = ((X[test] - mean) / std)[:, genes] @ np.array(result["weights"]) + result["intercept"]
    np.testing.assert_allclose(result["test_scores"], expected, rtol=1e-10)
    assert result["test_patients"] == test.tolist()
    assert result["balanced_error"] == balanced_error(y[test], expected)
    assert result["auc"] == auc(y[test], expected)
    assert result["n_nonzero"] == len(genes) <= result["sparsity"]


def test_standardiser_leaves_constant_genes_alone():
    X = np.array([[1.0, 5.0], [3.0, 5.0]])
    np.testing.assert_allclose(Standardiser(X)(X), [[-1, 0], [1, 0]])


def test_choice_prefers_the_simpler_of_near_ties():
    errors = {
        (0.1, 10, 1): 0.300,
        (1.0, 50, 2): 0.304,
        (1.0, 50, 1): 0.304,
        (1.0, 90, 1): 0.301,
        (1.0, 10, 1): 0.306,
    }
    exact = choose(errors, 0.0)
    assert (exact.lam, exact.sparsity, exact.n_blocks) == (0.1, 10, 1)
    near = choose(errors, 0.005)
    assert (near.lam, near.sparsity, near.n_blocks, near.inner_error) == (1.0, 50, 1, 0.304)


def test_full_gradient_is_not_fitted_twice_for_blocks_it_does_not_have(data):
    X, y, splits = data
    assert {point[2] for point in inner_errors("iht", X, y, splits, 1, 1, SETTINGS)} == {1}
    assert {point[2] for point in inner_errors("sto-iht", X, y, splits, 1, 1, SETTINGS)} == {1, 2}


def test_one_block_makes_sto_iht_iht(data):
    X, y, splits = data
    iht = inner_errors("iht", X, y, splits, 1, 1, SETTINGS)
    sto = inner_errors("sto-iht", X, y, splits, 1, 1, SETTINGS)
    assert {point: error for point, error in sto.items() if point[2] == 1} == iht
