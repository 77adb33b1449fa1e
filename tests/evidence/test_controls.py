"""Negative controls: what is changed and what is not, and the tables by hand."""

import numpy as np
import pandas as pd
import pytest

import small
from study.cv.learners import make_learner
from study.cv.model import GridPoint
from study.cv.splits import generator, make_splits
from study.errors import StudyError
from study.evidence import controls
from study.evidence.controls import (
    ALL_GRAPH,
    control_methods,
    control_study,
    controls_table,
    cross_validate,
    repetitions_table,
    run_control,
)
from study.methods import METHODS
from study.stats.paired import paired_difference
from study.stats.scores import auc, balanced_error

SETTINGS = small.SETTINGS | {"folds": 3, "inner_folds": 2, "tolerance": 1e-3}
SETTINGS |= {"controls": {"methods": ["iht", "graph-iht", "graph-svrg-iht"], "repetitions": 2}}
FIXED = controls.FIXED._replace(sparsity=5)


@pytest.fixture
def study(own_study):
    return own_study


def test_permuted_labels_keep_patients_whole_and_folds_stratified(study):
    changed = control_study("labels", study, SETTINGS, 1)
    np.testing.assert_array_equal(changed.y, study.y)
    np.testing.assert_array_equal(changed.edges, study.edges)
    assert not np.array_equal(changed.X, study.X)
    order = np.lexsort(study.X.T), np.lexsort(changed.X.T)
    np.testing.assert_array_equal(study.X[order[0]], changed.X[order[1]])
    again, other = (control_study("labels", study, SETTINGS, number).X for number in (1, 2))
    np.testing.assert_array_equal(again, changed.X)
    assert not np.array_equal(other, changed.X)


def test_changed_networks_leave_patients_alone(study):
    rewired = control_study("network", study, SETTINGS, 1)
    np.testing.assert_array_equal(rewired.X, study.X)
    assert not np.array_equal(np.sort(rewired.edges, axis=0), np.sort(study.edges, axis=0))
    np.testing.assert_array_equal(np.bincount(rewired.edges.ravel()), np.bincount(study.edges.ravel()))
    other = control_study("coexpression", study, SETTINGS, 1)
    r = np.abs(np.corrcoef(study.X.T))
    np.fill_diagonal(r, 0)
    position = {symbol: i for i, symbol in enumerate(study.symbol)}
    for a, b in other.edges:
        i, j = position[other.symbol[a]], position[other.symbol[b]]
        # The last bit of r depends on the order of the two genes.
        stronger = r[[i, j]] > r[i, j] + 1e-9
        assert stronger.sum(axis=1).min() < 3
    assert control_study("real", study, SETTINGS, 1) is study


def test_a_changed_network_concerns_methods_that_use_one():
    methods = SETTINGS["controls"]["methods"]
    assert control_methods("network", methods) == ["graph-iht", "graph-svrg-iht"]
    assert control_methods("labels", methods) == methods


def test_cross_validation_is_that_of_the_learner_fold_by_fold(study):
    """By hand: standardised on training rows, one fit, one score per fold, on the study's own folds."""
    splits = make_splits(study.y, 3, 2, 3, 2)
    found = cross_validate("graph-svrg-iht", study, splits, SETTINGS, FIXED)
    grid = SETTINGS | {"sparsities": [5], "lambdas": [0.3], "n_blocks": [2], "epochs": [10]}
    learner = make_learner(METHODS["graph-svrg-iht"], grid, study)
    errors, areas, sizes = [], [], []
    for trial in (1, 2):
        for fold in (1, 2, 3):
            test = splits.outer[trial - 1] == fold
            mean, std = study.X[~test].mean(axis=0), study.X[~test].std(axis=0)
            X = (study.X - mean) / std
            rng = generator(3, trial, fold, "refit")
            model = learner.fit(X[~test], study.y[~test], GridPoint(0.3, 5, 2, epochs=10), rng)
            scores = model.scores(X[test])
            errors.append(balanced_error(study.y[test], scores))
            areas.append(auc(study.y[test], scores))
            sizes.append(len(model.genes))
    assert found["balanced_errors"] == errors
    assert found["aucs"] == areas
    assert found["mean_genes"] == np.mean(sizes)
    # Four of the five genes that carry the outcome, or more, are found again and again.
    assert len({f"G{i}" for i in range(5)} & set(found["frequent_genes"])) >= 4


def test_labels_of_no_meaning_give_an_error_of_one_half(study, monkeypatch):
    """Mean over permutations, within four standard errors; the real labels are far below."""
    monkeypatch.setattr(controls, "FIXED", FIXED)
    monkeypatch.setattr(controls, "TRIALS", 1)
    settings = SETTINGS | {"controls": {"methods": ["graph-iht"]}}

    def error_of(control, repetition):
        (found,) = run_control(control, study, settings, repetition)
        return np.mean(found["balanced_errors"])

    errors, real = [error_of("labels", number) for number in range(1, 31)], error_of("real", 1)
    assert abs(np.mean(errors) - 0.5) <= 4 * np.std(errors, ddof=1) / np.sqrt(30)
    assert real < min(errors)


def test_a_small_network_has_half_of_its_genes_selected(study):
    found = run_control("real", study, SETTINGS | {"controls": {"methods": ["iht"]}}, 1)
    assert found[0]["mean_genes"] == 15


def test_more_components_than_genes_are_named(study):
    message = r"config: n_components is 16, but on the 30 genes of control real 15 genes are selected"
    with pytest.raises(StudyError, match=message):
        run_control("real", study, SETTINGS | {"n_components": 16}, 1)


def result(control, method, repetition, errors, failed=0):
    errors = [errors] if np.isscalar(errors) else errors
    figures = {"balanced_errors": errors, "aucs": [1 - error for error in errors], "failed": failed, "seconds": 1.0}
    figures |= {"mean_genes": 5.0, "mean_jaccard": 0.5, "frequent_genes": []}
    return {"control": control, "method": method, "repetition": repetition, **figures}


def results_of(rewired, real=(0.3, 0.32, 0.31), iht=(0.25, 0.26, 0.24)):
    """Results with a list of mean errors on rewired networks; the graph methods differ by 0.02."""
    results = [result("real", "iht", 1, iht)]
    for method, more in (("graph-iht", 0.0), ("graph-sto-iht", 0.02)):
        results.append(result("real", method, 1, [error + more for error in real]))
        results.append(result("coexpression", method, 1, [0.33 + more, 0.34 + more, 0.3 + more], failed=2))
        results += [result("network", method, i, error + more) for i, error in enumerate(rewired, start=1)]
        results += [result("labels", method, i, 0.5) for i in range(1, 20)]
    return results


def test_table_by_hand():
    results = results_of([0.29, 0.31, 0.4])
    table = controls_table(results, folds=3).set_index(["control", "method"])
    assert table.loc[("real", "graph-iht"), "balanced_error"] == pytest.approx(0.31)
    row = table.loc[("network", "graph-iht")]
    assert (row["repetitions"], row["seconds"]) == (3, 3)
    assert row["balanced_error"] == pytest.approx(1 / 3)
    assert row["balanced_error_std"] == pytest.approx(np.std([0.29, 0.31, 0.4], ddof=1))
    # 0.29 and the tie 0.31 are as good as the real 0.31.
    assert (row["p"], row["p_auc"]) == pytest.approx((3 / 4, 3 / 4))
    assert table.loc[("labels", "graph-iht"), "p"] == pytest.approx(1 / 20)
    both = table.loc[("network", ALL_GRAPH)]
    assert (both["balanced_error"], both["p"]) == pytest.approx((1 / 3 + 0.01, 3 / 4))
    assert table.loc[("real", "iht"), ["p", "difference"]].isna().all()
    for place, pair in (
        (("real", ALL_GRAPH), ([0.31, 0.33, 0.32], [0.25, 0.26, 0.24])),
        (("coexpression", "graph-iht"), ([0.3, 0.32, 0.31], [0.33, 0.34, 0.3])),
    ):
        expected, bounds = paired_difference(*pair, 3), ["difference", "low", "high"]
        assert table.loc[place, bounds].tolist() == pytest.approx([expected[key] for key in bounds])
    assert table.loc["coexpression", "failed"].to_dict() == {"graph-iht": 2, "graph-sto-iht": 2, ALL_GRAPH: 4}
    # In another order, with the same rows.
    order = repetitions_table(results)["control"].drop_duplicates()
    assert order.tolist() == ["real", "labels", "network", "coexpression"]
    shuffled = [results[0], *(results[i + 1] for i in np.random.default_rng(0).permutation(len(results) - 1))]
    again = controls_table(shuffled, 3).set_index(["control", "method"])
    pd.testing.assert_frame_equal(table, again.loc[table.index])
