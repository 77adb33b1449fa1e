"""Differences between methods: Holm and groups against their oracles, tables against the test they are made of."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, ttest_rel
from statsmodels.stats.multitest import multipletests

from study.evidence.differences import (
    cliques_table,
    differences_table,
    failed_folds,
    holm,
    maximal_cliques,
    ranks_table,
    with_failures,
)
from study.evidence.paper import METRICS, paired_difference


@pytest.mark.parametrize("n", [1, 2, 7, 66])
def test_holm_agrees_with_statsmodels(n):
    rng = np.random.default_rng(n)
    p = rng.random(n) ** 3
    p[: n // 3] = p[0]  # ties
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], rtol=1e-12)


def metrics_of(values, trials=2, folds=3, status="converged"):
    """A metrics table from {method: array (trials * folds)}; the AUC is 1 - error, the genes 10 x error."""
    rows = []
    for method, errors in values.items():
        for i, error in enumerate(errors):
            rows.append(
                {
                    "method": method,
                    "trial": i // folds + 1,
                    "fold": i % folds + 1,
                    "balanced_error": error,
                    "auc": 1 - error,
                    "n_nonzero": 10 * error,
                    "status": status,
                }
            )
    return pd.DataFrame(rows)


@pytest.fixture
def metrics():
    rng = np.random.default_rng(3)
    return metrics_of({name: rng.random(20) for name in ("b", "a", "d", "c")}, folds=5)


def test_every_pair_and_metric_once_in_the_order_of_the_methods(metrics):
    table = differences_table(metrics, 5)
    pairs = [("b", "a"), ("b", "d"), ("b", "c"), ("a", "d"), ("a", "c"), ("d", "c")]
    for metric in METRICS:
        rows = table[table["metric"] == metric]
        assert list(zip(rows["method_a"], rows["method_b"], strict=True)) == pairs
        np.testing.assert_allclose(rows["p_holm"], multipletests(rows["p"], method="holm")[1], rtol=1e-12)


def test_statistics_are_those_of_scipy_with_the_corrected_error(metrics):
    """t of the paired test shrinks by sqrt(1 + J/(k - 1)); the effect size is that t over sqrt(J)."""
    table = differences_table(metrics, 5)
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
    assert cliques["method"].tolist() == ["a"] * 3


def test_mean_ranks_by_hand():
    metrics = metrics_of({"a": [0.1, 0.5, 0.3], "b": [0.2, 0.5, 0.1], "c": [0.3, 0.6, 0.2]}, trials=1)
    ranks = ranks_table(metrics).set_index(["metric", "method"])["mean_rank"]
    assert ranks["balanced_error", "a"] == pytest.approx((1 + 1.5 + 3) / 3)
    assert ranks["balanced_error", "b"] == pytest.approx((2 + 1.5 + 1) / 3)
    # The AUC is 1 - error, and the larger the better: the same ranks.
    np.testing.assert_allclose(ranks["auc"], ranks["balanced_error"])


def test_ranks_agree_with_scipy(metrics):
    ranks = ranks_table(metrics).set_index(["metric", "method"])["mean_rank"]
    wide = metrics.pivot(index=["trial", "fold"], columns="method", values="auc")
    expected = rankdata(-wide.to_numpy(), axis=1).mean(axis=0)
    np.testing.assert_allclose(ranks["auc"][wide.columns], expected)


@pytest.mark.parametrize("seed", range(20))
def test_cliques_agree_with_networkx(seed):
    rng = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(int(rng.integers(1, 12)), rng.random(), seed=seed)
    neighbours = {f"{node:02d}": {f"{n:02d}" for n in graph[node]} for node in graph}
    found = sorted(sorted(int(node) for node in clique) for clique in maximal_cliques(neighbours))
    assert found == sorted(sorted(clique) for clique in nx.find_cliques(graph))


def test_groups_hold_methods_not_told_apart():
    """c differs from a and b beyond doubt; a and b are alike."""
    rng = np.random.default_rng(5)
    base = rng.random(100) * 0.01
    metrics = metrics_of({"a": base, "c": base + 0.5 + rng.random(100) * 0.01, "b": base[::-1]}, folds=5)
    differences = differences_table(metrics, 5)
    cliques = cliques_table(differences, ranks_table(metrics))
    groups = cliques[cliques["metric"] == "balanced_error"].groupby("clique")["method"].agg(set).tolist()
    assert groups == [{"a", "b"}, {"c"}]
    together = cliques_table(differences.assign(p_holm=1.0), ranks_table(metrics))
    assert (together["clique"] == 1).all()


def test_failed_folds_are_counted_beside_every_method(metrics):
    metrics.loc[metrics.index[metrics["method"] == "d"][:3], "status"] = "diverged"
    failed = failed_folds(metrics)
    assert failed.to_dict() == {"b": 0, "a": 0, "d": 3, "c": 0}
    table = with_failures(differences_table(metrics, 5), failed)
    assert (table["failed_a"] == 3 * (table["method_a"] == "d")).all()
    assert (table["failed_b"] == 3 * (table["method_b"] == "d")).all()
    assert with_failures(ranks_table(metrics), failed).groupby("method")["failed"].first()["d"] == 3


def test_null_rejection_rate_on_overlapping_training_sets():
    """Two learners that are equally good by symmetry: the corrected test is conservative, the plain one is not.

    Each learner is least squares on its own half of the features, so the folds share training patients as in the
    study.
    """
    rng = np.random.default_rng(8)
    repetitions, corrected, plain = 600, 0, 0
    for _ in range(repetitions):
        X = rng.standard_normal((2, 60, 3))
        y = X.sum(axis=(0, 2)) + 2 * rng.standard_normal(60)
        tests = np.concatenate([rng.permutation(60).reshape(5, 12) for _ in range(4)])
        # Normal equations of a training set: those of all patients without the test fold's.
        held_out = X[:, tests]
        gram = X.transpose(0, 2, 1) @ X
        right = (X * y[:, None]).sum(axis=1)
        gram = gram[:, None] - held_out.transpose(0, 1, 3, 2) @ held_out
        right = right[:, None] - (held_out * y[tests][..., None]).sum(axis=2)
        weights = np.linalg.solve(gram, right[..., None])
        a, b = ((y[tests] - (held_out @ weights)[..., 0]) ** 2).mean(axis=2)
        corrected += paired_difference(a, b, folds=5)["p"] < 0.05
        plain += ttest_rel(a, b).pvalue < 0.05
    bound = 0.05 + 3 * np.sqrt(0.05 * 0.95 / repetitions)
    print(f"rejected at 0.05: corrected {corrected / repetitions:.3f}, plain {plain / repetitions:.3f}")
    assert corrected / repetitions <= bound
    assert plain / repetitions > bound, "the folds do not overlap enough for the correction to matter"
