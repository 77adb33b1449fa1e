"""Nested cross-validation: no leak, the right choice, and each step against an oracle."""

import numpy as np
import pytest

from small import SETTINGS, learner_of, study_of
from study.cv import nested
from study.cv.model import GridPoint
from study.cv.nested import Standardiser, choose, further_penalty, inner_errors, out_of_fold_scores, score_fold
from study.cv.newton import fit_ridge
from study.cv.outcome import Outcome
from study.cv.splits import Splits, make_splits
from study.methods import METHODS as ROWS
from study.stats.scores import auc, balanced_error

IHT_METHODS = ["iht", "sto-iht", "svrg-iht", "scsg-iht"]
METHODS = [*IHT_METHODS, *(f"graph-{name}" for name in IHT_METHODS), "t-top", "t-graph", "ridge", "l1"]
CHOSEN = ["sparsity", "n_blocks", "lambda", "C", "inner_error", "threshold", "intercept", "genes", "weights", "status"]


def make(method, X, y, n_blocks=None):
    return learner_of(method, SETTINGS, study_of(X, y), n_blocks)


def score(method, X, y, splits, fold, **changes):
    settings, study = SETTINGS | changes, study_of(X, y)
    return score_fold(ROWS[method], learner_of(method, settings, study), study, splits, 1, fold, settings)


def out_of_fold(learner, X, y, splits, fold, seed):
    study = study_of(X, y)
    return out_of_fold_scores(learner, study, Outcome.of(study, SETTINGS), splits, 1, fold, seed)


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


@pytest.mark.parametrize("method", METHODS)
def test_test_patients_cannot_influence_the_model(data, method):
    X, y, splits = data
    for fold in (1, 2, 3):
        clean = score(method, X, y, splits, fold, refit=True)
        noisy = score(method, *spoiled(X, y, splits.test(1, fold)), splits, fold, refit=True)
        assert clean["test_scores"] != noisy["test_scores"]
        for key in CHOSEN:
            assert clean[key] == noisy[key], key
            assert ("refit" not in clean) or clean["refit"][key] == noisy["refit"][key], key


@pytest.mark.parametrize("slip", ["positions", "standardisation"])
def test_influence_through_positions_or_standardisation_is_noticed(data, monkeypatch, slip):
    """The published slips: rows of inner folds that are positions in the training set, means over all patients."""
    if slip == "positions":
        fitting = Splits.fitting
        numbers = lambda self, t, f, i: np.searchsorted(self.train(t, f), fitting(self, t, f, i))  # noqa: E731
        monkeypatch.setattr(Splits, "fitting", numbers)
    else:
        monkeypatch.setattr(nested, "standardiser", lambda study, rows: Standardiser(study.X))
    with pytest.raises(AssertionError):
        test_test_patients_cannot_influence_the_model(data, "iht")


def test_scores_are_those_of_the_reported_model(data):
    X, y, splits = data
    result = score("iht", X, y, splits, 2)
    train, test = splits.train(1, 2), splits.test(1, 2)
    mean, std = X[train].mean(axis=0), X[train].std(axis=0)
    genes = result["genes"]
    expected = ((X[test] - mean) / std)[:, genes] @ np.array(result["weights"]) + result["intercept"]
    np.testing.assert_allclose(result["test_scores"], expected, rtol=1e-10)
    assert result["test_patients"] == test.tolist()
    assert result["balanced_error"] == balanced_error(y[test], expected)
    assert result["balanced_error_tuned"] == balanced_error(y[test], expected, result["threshold"])
    assert result["auc"] == auc(y[test], expected)
    assert result["n_nonzero"] == len(genes) <= result["sparsity"]


def test_out_of_fold_scores_come_from_fits_without_the_patient(data):
    X, y, splits = data
    learner = make("t-top", X, y)
    scores = out_of_fold(learner, X, y, splits, 2, 3)
    assert np.isnan(scores[:, splits.test(1, 2)]).all()
    fitting, held_out = splits.fitting(1, 2, 3), splits.validation(1, 2, 3)
    mean, std = X[fitting].mean(axis=0), X[fitting].std(axis=0)
    model = learner.fit((X[fitting] - mean) / std, y[fitting], learner.points[1], None)
    expected = ((X[held_out] - mean) / std)[:, model.genes] @ model.weights + model.intercept
    np.testing.assert_allclose(scores[1, held_out], expected, rtol=1e-10)
    errors = inner_errors(scores, Outcome.of(study_of(X, y), SETTINGS), splits, 1, 2)
    rows = [splits.validation(1, 2, i) for i in (1, 2, 3)]
    assert errors[1] == pytest.approx(np.mean([1 - auc(y[r], scores[1, r]) for r in rows]), abs=1e-15)
    errors = inner_errors(scores, Outcome.of(study_of(X, y), SETTINGS), splits, 1, 2, "balanced_error")
    assert errors[1] == pytest.approx(np.mean([balanced_error(y[r], scores[1, r]) for r in rows]), abs=1e-15)


def test_shared_scores_stand_for_ones_own(data):
    X, y, splits = data
    whole = score("sto-iht", X, y, splits, 1)
    base, own = make("iht", X, y, [1]), make("sto-iht", X, y, [2])
    shared = (base.points, out_of_fold(base, X, y, splits, 1, SETTINGS["seed"]))
    row, study = ROWS["sto-iht"], study_of(X, y)
    assert score_fold(row, own, study, splits, 1, 1, SETTINGS, shared) == whole


def test_standardiser_leaves_constant_genes_alone():
    X = np.array([[1.0, 5.0], [3.0, 5.0]])
    np.testing.assert_allclose(Standardiser(X)(X), [[-1, 0], [1, 0]])


def test_choice_prefers_the_simpler_of_near_ties():
    points = [
        GridPoint(0.1, 50, 1),
        GridPoint(1.0, 20, 2),
        GridPoint(1.0, 20, 1),
        GridPoint(1.0, 90, 1),
        GridPoint(1.0, 10, 1),
    ]
    errors = np.array([0.300, 0.304, 0.304, 0.301, 0.306])
    assert choose(points, errors, 0.0) == 0
    assert choose(points, errors, 0.005) == 2
    points = [GridPoint(1.0, 20, 1, epochs=10), GridPoint(1.0, 20, 2, epochs=3), GridPoint(1.0, 20, 1, epochs=30)]
    assert choose(points, np.zeros(3), 0.0) == 1


def test_of_penalties_that_do_equally_well_the_middle_one_is_chosen():
    points = [GridPoint(lam) for lam in (0.01, 10.0, 0.1, 1.0, 100.0)]
    assert points[choose(points, np.zeros(5), 0.0)].lam == 1.0
    assert points[choose(points, np.array([0.3, 0.4, 0.3, 0.3, 0.4]), 0.005)].lam == 0.1
    # Of two in the middle the stronger; an end where it is better than the rest.
    assert points[choose(points, np.array([0.4, 0.3, 0.4, 0.3, 0.4]), 0.005)].lam == 10.0
    assert points[choose(points, np.array([0.4, 0.4, 0.4, 0.4, 0.3]), 0.005)].lam == 100.0


@pytest.mark.parametrize("method", ["iht", "sto-iht", "t-top"])
@pytest.mark.parametrize("lambdas", [[1e-5, 1e-4, 1e-3], [100.0, 1e3, 1e4], [0.01, 0.1, 1.0]])
def test_a_choice_at_an_end_widens_the_grid_as_if_it_had_been_wider_from_the_start(data, method, lambdas):
    X, y, splits = data
    one = {"sparsities": [5], "n_blocks": [2]}
    for fold in (1, 2, 3):
        found = score(method, X, y, splits, fold, lambdas=lambdas, extend_lambdas=2, **one)
        beyond = found.pop("lambdas_beyond")
        tried = [*lambdas, *beyond]
        from_the_start = score(method, X, y, splits, fold, lambdas=tried, **one)
        assert found == {key: value for key, value in from_the_start.items() if key != "lambdas_beyond"}
        assert min(tried) < found["lambda"] < max(tried) or len(beyond) >= 2
        at_first = score(method, X, y, splits, fold, lambdas=lambdas, **one)["lambda"]
        assert beyond == [] or at_first in (lambdas[0], lambdas[-1])


def test_where_the_grid_goes_on():
    grid = [0.01, 0.1, 1.0]
    points = [GridPoint(lam) for lam in grid]
    assert further_penalty(points, GridPoint(0.01), grid, 2) == 0.001
    assert further_penalty(points, GridPoint(1.0), grid, 2) == 10.0
    assert further_penalty(points, GridPoint(0.1), grid, 2) is None
    assert further_penalty([*points, GridPoint(10.0), GridPoint(100.0)], GridPoint(100.0), grid, 2) is None
    assert further_penalty(points[:2], GridPoint(0.01), grid[:2], 2) is None
    # Beyond the grid only with five genes: with ten the grid still ends where it did.
    with_ten = [GridPoint(lam, 10) for lam in grid]
    assert (
        further_penalty([*with_ten, *(GridPoint(lam, 5) for lam in (0.001, *grid))], GridPoint(0.01, 10), grid, 2)
        == 0.001
    )


def test_refit_keeps_the_genes_and_reports_a_method_of_its_own(data):
    X, y, splits = data
    for fold in (1, 2, 3):
        result = score("graph-iht", X, y, splits, fold, refit=True)
        refit = result.pop("refit")
        assert result == score("graph-iht", X, y, splits, fold), "the switch must not change the method itself"
        assert refit["method"] == "graph-iht+ridge"
        assert refit["genes"] == result["genes"]
        train = splits.train(1, fold)
        standardised = Standardiser(X[train])(X[train])
        weights, intercept = fit_ridge(standardised[:, refit["genes"]], y[train], refit["lambda"])
        assert refit["weights"] == weights.tolist()
        assert refit["intercept"] == intercept


@pytest.mark.parametrize("kind", ["mean", "knn"])
def test_missing_values_are_filled_in_from_training_rows_alone(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6)) * 3 + 1
    X[rng.random(X.shape) < 0.1] = np.nan
    train, test = X[:20], X[20:]
    standardise = Standardiser(train, kind)
    filled = standardise(test)
    assert not np.isnan(filled).any()
    known = ~np.isnan(test)
    by_hand = (test - np.nanmean(train, axis=0)) / np.nanstd(train, axis=0)
    np.testing.assert_allclose(filled[known], by_hand[known])
    if kind == "mean":
        assert (filled[~known] == 0).all()
    changed = test.copy()
    changed[1:] = 1e3
    np.testing.assert_array_equal(standardise(changed)[0], filled[0])
