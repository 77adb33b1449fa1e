"""Differences between methods: adjusted p and groups by hand, tables against the test they are made of."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, ttest_rel
from statsmodels.stats.multitest import multipletests

from study import tables
from study.evidence.differences import cliques_table, difference_tables, differences_table, ranks_table, verdict
from study.evidence.failed import failed_folds
from study.metrics import METRICS


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
    for metric in METRICS.keys() & set(metrics):
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


def test_a_single_method_gives_empty_differences_and_a_group_of_one():
    metrics = metrics_of({"a": np.arange(6) / 6})
    differences = differences_table(metrics, 3)
    assert differences.empty
    assert list(differences.columns)[:3] == ["method_a", "method_b", "metric"]
    cliques = cliques_table(differences, ranks_table(metrics))
    assert cliques["method"].tolist() == ["a"] * 4


def test_ranks_agree_with_scipy(metrics):
    """Ties have the mean of their ranks; the AUC is 1 - error, and the larger the better: the same ranks."""
    metrics = metrics.round(1)
    ranks = ranks_table(metrics).set_index(["metric", "method"])["mean_rank"]
    wide = metrics.pivot(index=["trial", "fold"], columns="method", values="auc")
    expected = rankdata(-wide.to_numpy(), axis=1).mean(axis=0)
    np.testing.assert_allclose(ranks["auc"][wide.columns], expected)
    np.testing.assert_allclose(ranks["balanced_error"][wide.columns], expected)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 30))])
def test_groups_are_all_sets_of_methods_alike_that_none_could_join(seed):
    """By trying every set of methods."""
    rng = np.random.default_rng(seed)
    metrics = metrics_of({name: rng.random(6) for name in "abcdef"})
    differences, ranks = differences_table(metrics, 3), ranks_table(metrics)
    differences["p_holm"] = rng.random(len(differences)) < rng.random()
    cliques = cliques_table(differences, ranks)
    for metric in METRICS:
        of_metric = differences[(differences["metric"] == metric) & (differences["p_holm"] >= 0.05)]
        alike = {frozenset(pair) for pair in zip(of_metric["method_a"], of_metric["method_b"], strict=True)}
        sets = [set(some) for size in range(1, 7) for some in combinations("abcdef", size)]
        sets = [some for some in sets if all(frozenset(pair) in alike for pair in combinations(some, 2))]
        largest = [some for some in sets if not any(some < other for other in sets)]
        groups = cliques[cliques["metric"] == metric].groupby("clique")["method"].agg(list)
        assert sorted(map(sorted, groups)) == sorted(map(sorted, largest))
        # Within a group, and from group to group, the best mean rank comes first.
        rank = ranks[ranks["metric"] == metric].set_index("method")["mean_rank"]
        order = rank.sort_values(kind="stable").index.tolist()
        places = [[order.index(method) for method in group] for group in groups]
        assert places == sorted(sorted(group) for group in places)


def test_failed_folds_are_counted_beside_every_method(metrics):
    metrics.loc[metrics.index[metrics["method"] == "d"][:3], "status"] = "diverged"
    failed = failed_folds(metrics)
    assert failed.to_dict() == {"b": 0, "a": 0, "d": 3, "c": 0}
    by_name = difference_tables(metrics, 5)
    assert all(set(tables.columns(name)) == set(table) for name, table in by_name.items())
    table = by_name["evidence/differences"]
    assert (table["failed_a"] == 3 * (table["method_a"] == "d")).all()
    assert (table["failed_b"] == 3 * (table["method_b"] == "d")).all()
    assert by_name["evidence/ranks"].groupby("method")["failed"].first()["d"] == 3


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
