"""Comparisons with the paper: verdicts on made-up numbers, and a pick that cannot see test folds."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from study.evidence.paper import (
    against_paper,
    against_paper_by_trial,
    as_text,
    paper_tables,
    picked,
    picked_difference,
)


def summary_of(mean, std):
    row = {"method": "iht", "trial": "all", "folds": 100}
    for metric, value in mean.items():
        row[f"{metric}_mean"], row[f"{metric}_std"] = value, std[metric]
    return pd.DataFrame([row])


@pytest.mark.parametrize(
    ("error", "expected"),
    [(0.345, "no clear difference"), (0.20, "better"), (0.50, "worse"), (0.40, "no clear difference")],
)
def test_verdict(error, expected):
    published = pd.DataFrame(
        [{"trial": "all", "method": "iht", "metric": "balanced_error", "mean": 0.345, "std": 0.065}]
    )
    ours = summary_of({"balanced_error": error}, {"balanced_error": 0.06})
    table = against_paper(ours, published, 5)
    assert table["verdict"].tolist() == [expected]
    assert table["difference"].iloc[0] == pytest.approx(error - 0.345)


@pytest.fixture
def metrics():
    rng = np.random.default_rng(2)
    places = product(("graph-iht", "graph-sto-iht", "ridge", "l1", "iht"), (1, 2), (1, 2, 3))
    table = pd.DataFrame(places, columns=["method", "trial", "fold"]).assign(n_nonzero=10)
    names = ["balanced_error", "balanced_error_tuned", "auc", "inner_error"]
    return table.assign(**dict(zip(names, rng.random((4, len(table))), strict=True)))


def test_picked_method_has_the_least_inner_error(metrics):
    table = picked(metrics)
    assert len(table) == 12
    for row in table.to_dict("records"):
        members = ["ridge", "l1"] if row["group"] == "baselines" else ["graph-iht", "graph-sto-iht"]
        same = metrics[(metrics["trial"] == row["trial"]) & (metrics["fold"] == row["fold"])]
        same = same[same["method"].isin(members)]
        assert row["inner_error"] == same["inner_error"].min()


def test_pick_does_not_see_the_test_fold(metrics):
    other = metrics.assign(balanced_error=1 - metrics["balanced_error"], auc=1 - metrics["auc"])
    assert picked(other)["method"].tolist() == picked(metrics)["method"].tolist()


def test_picked_difference_is_paired_by_fold(metrics):
    table = picked(metrics)
    shuffled = table.sample(frac=1, random_state=0)
    assert picked_difference(shuffled, 3)["auc"] == picked_difference(table, 3)["auc"]
    assert picked_difference(picked(metrics[metrics["method"] != "ridge"].query("method != 'l1'")), 3) == {}


def test_text_says_when_the_data_differ(metrics):
    table = picked(metrics)
    text = as_text(pd.DataFrame(), table, {"cohort": "nki", "network": "scnet", "folds": 3})
    assert "another outcome" in text
    same = {"cohort": "published", "network": "published", "folds": 3, "splits": "stored"}
    text = as_text(pd.DataFrame(), table, same)
    assert "another outcome" not in text
    assert "The patients, labels, genes, network and outer folds are those of the paper's tables." in text
    text = as_text(pd.DataFrame(), table, same | {"network": "scnet", "splits": "ours"})
    assert "The patients and labels are those of the paper's tables; the outer folds are our own." in text


def test_trials_are_matched_by_trial_method_and_metric():
    """Rows in any order; a trial or a method that one side lacks is left out, and so is the average."""
    published = pd.DataFrame(
        {
            "trial": ["2", "1", "all", "3", "1"],
            "method": ["iht", "iht", "iht", "iht", "sto-iht"],
            "metric": "auc",
            "mean": [0.7, 0.6, 0.65, 0.9, 0.5],
            "std": [0.1, 0.2, 0.3, 0.1, 0.1],
        }
    )
    summary = pd.DataFrame({"method": ["iht", "iht", "iht", "ridge"], "trial": ["1", "2", "all", "1"], "folds": 5})
    summary = summary.assign(auc_mean=[0.75, 0.5, 0.6, 0.9], auc_std=[0.05, 0.01, 0.0, 0.0])
    table = against_paper_by_trial(summary, published)
    columns = ["trial", "paper_mean", "paper_std", "our_mean", "our_std"]
    assert table[columns].to_numpy().tolist() == [[2, 0.7, 0.1, 0.5, 0.01], [1, 0.6, 0.2, 0.75, 0.05]]
    np.testing.assert_allclose(table["difference"], [-0.2, 0.15])


def test_both_options_stand_beside_the_papers_method():
    published = pd.DataFrame([{"trial": "all", "method": "graph-scsg-iht", "metric": "auc", "mean": 0.7, "std": 0.06}])
    names = ["graph-scsg-iht-option-1", "graph-scsg-iht-option-2", "graph-iht", "iht-converged", "graph-scsg-iht+ridge"]
    summary = pd.DataFrame({"method": names, "trial": "all", "folds": 10, "auc_mean": [0.71, 0.69, 0.8, 0.8, 0.8]})
    table = against_paper(summary.assign(auc_std=0.05), published, 5)
    assert table["method"].tolist() == names[:2]
    np.testing.assert_allclose(table["difference"], [0.01, -0.01])


def test_the_papers_tables_by_hand(metrics):
    """Two trials, the paper's methods and the headline; ridge is in neither."""
    names = ["iht", "graph-iht", "graph-svrg-iht-printed", "ridge"]
    rows = [(name, trial) for trial in ("1", "2", "all") for name in names]
    errors = [0.3004, 0.3001, 0.32, 0.1, 0.4, 0.35, 0.33, 0.1, 0.35, 0.325, 0.325, 0.1]
    summary = pd.DataFrame(rows, columns=["method", "trial"]).assign(folds=5, balanced_error_mean=errors)
    summary["balanced_error_std"] = 0.05
    published = pd.DataFrame({"trial": "all", "method": ["iht", "graph-svrg-iht"], "metric": "balanced_error"})
    published = published.assign(mean=[0.345, 0.335], std=[0.065, 0.062])
    union = pd.DataFrame({"symbol": ["A", "B", "C"], "in_network": [1, 1, 0]})
    union = union.assign(**dict.fromkeys(names[:3], 0)).assign(iht=[1, 1, 0], **{"paper_iht": [0, 1, 1]})
    fits = pd.DataFrame({"method": np.repeat(names, 2), "n_line_searches": 10.0, "n_line_searches_failed": 4.0})
    comparison = against_paper(summary, published, 5)
    found = paper_tables(summary, comparison, union, fits)
    table = found["balanced_error"].set_index("trial")
    assert table.columns.tolist() == [*names[:3], "best"]
    ours = ["Trial 1", "Trial 2", "Averaged"]
    assert table.index.tolist() == [*ours, "Paper, averaged", "Ours − paper", "Verdict"]
    # What is equal as printed is equally good.
    assert table.loc[ours, "best"].tolist() == ["iht;graph-iht", "graph-svrg-iht-printed", ";".join(names[1:3])]
    assert table["graph-svrg-iht-printed"].tolist()[1:5] == [
        "0.330 ± 0.050",
        "0.325 ± 0.050",
        "0.335 ± 0.062",
        "-0.010",
    ]
    assert table.loc["Paper, averaged", "graph-iht"] == ""
    genes = found["identified_genes"].set_index("method")
    assert genes.loc["iht"].tolist() == ["2 of 2 reachable, of 3 known", "A B", 2, "B C"]
    assert genes.loc["graph-iht"].tolist() == ["0 of 2 reachable, of 3 known", "", "", ""]
    assert found["line_searches"].to_numpy().tolist() == [[name, 20, 8] for name in names[:3]]
    text = as_text(comparison, picked(metrics), {"cohort": "nki", "network": "scnet", "folds": 3}, found)
    assert "| Trial 1 | **0.300 ± 0.050** | **0.300 ± 0.050** | 0.320 ± 0.050 |" in text
    assert paper_tables(summary, comparison.iloc[:0], union, fits) == {}
