"""Outcomes and weights: every learner takes weights as repetitions of patients, and looks at training rows alone."""

import numpy as np
import pytest

import small
from small import learner_of, study_of
from study.cv.nested import score_fold
from study.cv.outcome import Outcome
from study.cv.splits import leave_cohorts_out
from study.cv.t_statistics import t_statistics
from study.methods import COVARIATES, METHODS
from study.stats.censoring import censoring_weights

SETTINGS = small.SETTINGS | {"sparsities": [2, 4], "n_blocks": [1], "lambdas": [0.1, 1.0], "tolerance": 1e-6}
IPCW = SETTINGS | {"outcome": {"horizon": 3.0, "censoring": "ipcw"}}
# Those that draw rows at random draw others when rows are repeated, halves of patients are other halves, and t
# statistics count patients as Kish does.
EXACT = [
    name
    for name, row in METHODS.items()
    if not row.samples and not row.thresholds and name not in ("t-graph", "t-top", "walk-t")
]


def pooled_study(seed=0, sizes=(70, 50, 60)):
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    X = rng.normal(size=(n, 10))
    failure = rng.exponential(5 * np.exp(-X[:, 0] - X[:, 1]))
    lost = rng.exponential(6, n)
    return study_of(
        X,
        failure <= lost,
        time=np.minimum(failure, lost),
        source=np.repeat([f"c{i}" for i in range(len(sizes))], sizes),
    )


@pytest.mark.parametrize("method", EXACT)
def test_integer_weights_are_repeated_patients(method):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 8))
    y = (X[:, 0] + rng.normal(size=40) > 0).astype(np.int8)
    weights = rng.integers(1, 4, 40)
    again = np.repeat(np.arange(40), weights)
    learner = learner_of(method, SETTINGS, study_of(X, y))
    one = learner.fit_grid(X, y, np.random.default_rng(0), weights.astype(float))
    # Beside fits on the same rows repeated. A penalty that is a sum over patients has to grow with them.
    axis = "teacher" if METHODS[method].teacher else "lam"
    scale = {point: point._replace(**{axis: getattr(point, axis) * len(again) / len(y)}) for point in learner.points}
    if METHODS[method].C or METHODS[method].teacher:
        learner.points = list(scale.values())
    else:
        scale = {point: point for point in learner.points}
    other = learner.fit_grid(X[again], y[again], np.random.default_rng(0))
    for point, model in one.items():
        twin = other[scale[point]]
        assert model.genes.tolist() == twin.genes.tolist()
        # Patients repeated leave more degrees of freedom to the variance of centroids: the same up to a factor.
        factor = (1 - 2 / len(again)) / (1 - 2 / len(y)) if METHODS[method].shrinkage else 1.0
        np.testing.assert_allclose(factor * model.weights, twin.weights, rtol=2e-3, atol=2e-4)


def test_equal_weights_change_nothing_of_a_t_statistic():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(30, 5)), rng.integers(0, 2, 30)
    np.testing.assert_allclose(t_statistics(X, y, np.full(30, 0.3)), t_statistics(X, y), rtol=1e-12)


def test_weights_are_those_of_the_training_rows():
    study = pooled_study()
    single = study_of(study.X, study.y, time=study.time)
    outcome, rows = Outcome.of(single, IPCW), np.arange(60)
    kept, weights = outcome.ipcw_weights(rows, rows)
    expected = censoring_weights(study.time[:60], study.y[:60], 3.0, study.time[:60], study.y[:60])
    assert kept.tolist() == np.flatnonzero(expected).tolist()
    np.testing.assert_array_equal(weights, expected[kept])
    # Of other rows, by the follow-up of the reference.
    others = np.arange(60, 180)
    kept, weights = outcome.ipcw_weights(others, rows)
    expected = censoring_weights(study.time[60:], study.y[60:], 3.0, study.time[:60], study.y[:60])
    np.testing.assert_array_equal(weights, expected[expected > 0])


def test_pooled_cohorts_and_their_classes_count_alike():
    study = pooled_study()
    for settings in (SETTINGS, IPCW):
        outcome, rows = Outcome.of(study, settings), np.arange(len(study.y))
        kept, weights = outcome.ipcw_weights(rows, rows)
        for name in np.unique(study.source):
            for label in (0, 1):
                part = (study.source[kept] == name) & (outcome.y[kept] == label)
                assert weights[part].sum() == pytest.approx(1)


def test_folds_are_cohorts():
    study = pooled_study()
    names = ["c0", "c1", "c2"]
    splits = leave_cohorts_out(study.source, names, [names, ["c0", "c1"]])
    for trial, trained in ((1, names), (2, ["c0", "c1"])):
        for fold, tested in enumerate(names, start=1):
            assert set(study.source[splits.test(trial, fold)]) == {tested}
            others = [name for name in trained if name != tested]
            assert set(study.source[splits.train(trial, fold)]) == set(others)
            assert splits.n_inner(trial, fold) == len(others)
            for inner, name in enumerate(others, start=1):
                assert set(study.source[splits.validation(trial, fold, inner)]) == {name}


@pytest.mark.parametrize("method", [name for name in METHODS if name != COVARIATES])
@pytest.mark.parametrize("settings", [SETTINGS, IPCW], ids=["status", "ipcw"])
def test_a_cohort_left_out_influences_nothing(method, settings):
    study = pooled_study()
    names, left_out = ["c0", "c1", "c2"], study.source == "c1"
    splits = leave_cohorts_out(study.source, names, [names])
    rng = np.random.default_rng(5)
    order = np.where(left_out, 0, np.arange(len(study.y)))
    order[left_out] = rng.permutation(np.flatnonzero(left_out))
    X = study.X.copy()
    X[left_out] = rng.normal(size=X[left_out].shape)
    spoiled = study_of(X, study.y[order], time=study.time[order], source=study.source)

    def model(study):
        result = score_fold(METHODS[method], learner_of(method, settings, study), study, splits, 1, 2, settings)
        kept = ("sparsity", "lambda", "C", "inner_error", "threshold", "genes", "weights", "intercept")
        return {key: result[key] for key in kept}, result["test_scores"]

    (one, scores), (other, others) = model(study), model(spoiled)
    assert one == other
    assert scores != others
