"""Differences between methods: adjusted p and groups by hand, tables against the test they are made of."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

from study import tables
from study.evidence.differences import differences_table, verdict
from study.evidence.failed import failed_folds

MEASURED = ("auc", "balanced_error_tuned", "balanced_error", "n_nonzero")


def metrics_of(values, trials=2, folds=3):
    """A metrics table from {method: array (trials * folds)}; the AUC is 1 - error, the genes 10 x error."""
    table = pd.DataFrame(values).melt(var_name="method", value_name="balanced_error")
    number, error = table.groupby("method").cumcount(), table["balanced_error"]
    table = table.assign(trial=number // folds + 1, fold=number % folds + 1, status="converged")
    return table.assign(balanced_error_tuned=error, auc=1 - error, n_nonzero=10 * error)


@pytest.fixture
def metrics():
    rng = np.random.default_rng(3)
    return metrics_of({name: rng.random(20) for name in ("b", "a", "d", "c")}, folds=5)


def test_statistics_are_those_of_scipy_with_the_corrected_error(metrics):
    """t of the paired test shrinks by sqrt(1 + J/(k - 1)); the effect size is that t over sqrt(J)."""
    table = differences_table(metrics, 5)
    pairs = [("b", "a"), ("b", "d"), ("b", "c"), ("a", "d"), ("a", "c"), ("d", "c")]
    for metric in MEASURED:
        rows = table[table["metric"] == metric]
        assert list(zip(rows["method_a"], rows["method_b"], strict=True)) == pairs, "in the order of the methods"
        np.testing.assert_allclose(rows["p_holm"], multipletests(rows["p"], method="holm")[1], rtol=1e-9)
    wide = {m: g["balanced_error"].to_numpy() for m, g in metrics.groupby("method")}
    for row in table[table["metric"] == "balanced_error"].itertuples():
        t = ttest_rel(wide[row.method_a], wide[row.method_b]).statistic
        assert row.difference / row.error == pytest.approx(t / np.sqrt(1 + 20 / 4), rel=1e-10)
        assert row.effect_size == pytest.approx(t / np.sqrt(20), rel=1e-10)
        assert row.folds == 20
        assert row.low < row.difference < row.high


def test_pairs_are_matched_by_fold_not_by_row(metrics):
    shuffled = metrics.sample(frac=1, random_state=1).sort_values("method", kind="stable")
    ordered = metrics.sort_values("method", kind="stable")
    pd.testing.assert_frame_equal(differences_table(shuffled, 5), differences_table(ordered, 5))


def test_equal_methods_have_no_difference_and_no_effect():
    errors = np.random.default_rng(0).random(6)
    row = differences_table(metrics_of({"a": errors, "b": errors}), 3).iloc[0]
    assert (row["difference"], row["effect_size"], row["p"], row["p_holm"]) == (0, 0, 1, 1)


def test_a_single_method_gives_empty_differences():
    differences = differences_table(metrics_of({"a": np.arange(6) / 6}), 3)
    assert differences.empty
    assert list(differences.columns)[:3] == ["method_a", "method_b", "metric"]


def test_failed_folds_are_counted_beside_every_method(metrics):
    metrics.loc[metrics.index[metrics["method"] == "d"][:3], "status"] = "diverged"
    failed = failed_folds(metrics)
    assert failed.to_dict() == {"b": 0, "a": 0, "d": 3, "c": 0}
    table = differences_table(metrics, 5)
    assert set(tables.columns("evidence/differences")) == set(table)
    assert (table["failed_a"] == 3 * (table["method_a"] == "d")).all()
    assert (table["failed_b"] == 3 * (table["method_b"] == "d")).all()


@pytest.mark.parametrize(
    ("low", "high", "p", "expected"),
    [
        (-0.01, 0.015, 0.5, "equivalent"),
        (-0.01, 0.025, 0.5, "undecided"),
        (-0.03, 0.01, 0.06, "undecided"),
        (0.001, 0.015, 0.01, "different"),
        (0.03, 0.09, 0.001, "different"),
        (0.001, 0.015, 0.2, "equivalent"),
    ],
)
def test_a_pair_is_different_equivalent_or_undecided(low, high, p, expected):
    assert verdict(low, high, p) == expected


def test_verdicts_are_those_of_the_table_and_not_of_numbers_of_genes():
    rng = np.random.default_rng(8)
    base = rng.uniform(0.2, 0.4, 30)
    values = {"a": base, "b": base + rng.normal(0, 1e-4, 30), "c": base + 0.2 + rng.normal(0, 0.01, 30)}
    table = differences_table(metrics_of(values, trials=10), 3).set_index(["metric", "method_a", "method_b"])["verdict"]
    assert table["auc", "a", "b"] == "equivalent"
    assert table["auc", "a", "c"] == table["balanced_error_tuned", "b", "c"] == "different"
    assert (table["n_nonzero"] == "").all()
