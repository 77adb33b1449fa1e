"""Tables of cohorts left out: figures, strata and added value against direct computation on a small pooled study."""

import numpy as np
import pandas as pd
import pytest

from small import study_of
from study.evidence import left_out
from study.stats.discrimination import auc_interval
from study.stats.survival import hazard_ratio

COHORTS = ["gse1992", "gse3143", "gse4335", "tcga"]
SETTINGS = {
    "seed": 1,
    "outcome": {"horizon": 3.0, "censoring": "ipcw"},
    "pooled": {"cohorts": COHORTS, "rounds": [COHORTS, COHORTS[:3]]},
}


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    n = 480
    X = rng.normal(size=(n, 11))
    failure, lost = rng.exponential(5 * np.exp(-X[:, 0])), rng.exponential(6, n)
    built = study_of(X, failure <= lost, time=np.minimum(failure, lost), source=np.repeat(COHORTS, n // 4))
    built.entrez[:] = left_out.PROLIFERATION
    return built


@pytest.fixture(scope="module")
def folds(study):
    """Scores of a good method, and of ridge, which here is a worse one, on every cohort in both rounds."""
    rng = np.random.default_rng(1)
    rows = []
    for trial in (1, 2):
        for fold, name in enumerate(COHORTS, start=1):
            test = np.flatnonzero(study.source == name)
            for method, noise in (("graph-iht", 0.2), ("ridge", 3.0)):
                row = {"method": method, "trial": trial, "fold": fold, "threshold": 0.2, "sparsity": 2, "lambda": 0.1}
                row |= {"C": None, "inner_error": 0.3, "genes": [0, 1], "weights": [1.0, -trial * 1.0], "n_nonzero": 2}
                scores = study.X[test, 0] + noise * rng.normal(size=len(test))
                rows.append(row | {"test_patients": test.tolist(), "test_scores": scores.tolist()})
    return rows


@pytest.fixture(scope="module")
def clinical(study):
    rng = np.random.default_rng(2)
    table = pd.DataFrame({"patient": study.patients, "age": rng.normal(60, 9, len(study.y))})
    is_tcga = study.source == "tcga"
    table["subtype"] = np.where(is_tcga, rng.integers(0, 3, len(study.y)), np.nan)
    table["er"] = np.where(is_tcga, np.nan, rng.integers(0, 2, len(study.y)))
    return table.sample(frac=1, random_state=0)


@pytest.fixture(scope="module")
def made(study, folds, clinical):
    by_name = left_out.left_out_tables(folds, study, study, clinical, SETTINGS, print)
    return {name.removeprefix("evidence/"): table for name, table in by_name.items()}


def scores_of(folds, *key):
    """The test scores of a method, trial and fold."""
    return next(np.array(f["test_scores"]) for f in folds if (f["method"], f["trial"], f["fold"]) == key)


def test_every_round_cohort_and_method_has_its_figures(made, folds, study):
    table = made["left_out"]
    assert len(table) == 2 * 4 * 2 * 5
    assert set(table["round"]) == {"all", "without tcga"}
    row = table[(table["round"] == "all") & (table["cohort"] == "gse3143") & (table["method"] == "ridge")]
    test = np.flatnonzero(study.source == "gse3143")
    scores = scores_of(folds, "ridge", 1, 2)
    value, low, high = auc_interval(study.y[test], scores)
    got = row[row["metric"] == "auc_status"].iloc[0]
    assert got["value"] == pytest.approx(value)
    # The bootstrap's interval is about DeLong's.
    assert (got["low"], got["high"]) == pytest.approx((low, high), abs=0.02)


def test_differences_are_paired(made):
    table, differences = made["left_out"], made["left_out_differences"]
    keys = ["round", "cohort", "metric"]
    by_method = {name: rows.set_index(keys)["value"] for name, rows in table.groupby("method")}
    got = differences.set_index(keys)["value"]
    pd.testing.assert_series_equal(got, (by_method["graph-iht"] - by_method["ridge"])[got.index])
    assert set(differences["method"]) == {"graph-iht"}
    summary = made["left_out_summary"]
    gained = summary[(summary["of"] != "value") & (summary["metric"] == "auc_horizon") & (summary["round"] == "all")]
    assert (gained.loc[gained["cohorts"] == left_out.ALL, "low"] > 0).all()
    assert set(summary["cohorts"]) == {left_out.ALL, "gse1992, gse3143, gse4335"}


def test_strata_are_of_the_patients_known(made, study, clinical, folds):
    table = made["strata"]
    known = clinical.set_index("patient").loc[study.patients]
    scores = scores_of(folds, "graph-iht", 1, 1)
    test = np.flatnonzero(study.source == "gse1992")
    own = known["er"].to_numpy()[test] == 1
    row = table[(table["cohort"] == "gse1992") & (table["stratum"] == "1") & (table["round"] == "all")].iloc[0]
    assert row["method"] == "graph-iht"
    assert row["patients"] == own.sum()
    assert row["auc"] == pytest.approx(auc_interval(study.y[test][own], scores[own])[0])
    assert not ((table["cohort"] == "tcga") & (table["column"] == "er")).any()


def test_added_value_is_beside_what_is_known(made, study, folds, clinical):
    table = made["left_out_value"].set_index(["round", "cohort", "method", "beside"])
    row = table.loc[("all", "gse4335", "graph-iht", "clinical and proliferation")]
    assert row["covariates"] == "age;er;proliferation"
    test = np.flatnonzero(study.source == "gse4335")
    scores = scores_of(folds, "graph-iht", 1, 3)
    known = clinical.set_index("patient").loc[study.patients[test], ["age", "er"]].to_numpy()
    covariates = np.column_stack([known, study.X[test].mean(axis=1)])
    expected = hazard_ratio(study.time[test], study.y[test], scores / scores.std(), covariates)
    assert row["hazard_ratio"] == pytest.approx(expected.ratio)
    combined = table.loc[("all", left_out.ALL, "graph-iht", "nothing")]
    assert combined["low"] < combined["hazard_ratio"] < combined["high"]
    assert combined["patients"] == len(study.y)


def test_genes_are_counted_over_the_cohorts_left_out(made):
    table = made["left_out_genes"].set_index(["round", "method", "symbol"])
    assert table.loc[("all", "graph-iht", "G1"), "models"] == 4
    assert table.loc[("without tcga", "graph-iht", "G1"), "mean_weight"] == -2
    assert table["same_sign"].all()
