"""Models in other cohorts: scored unchanged, compared with chance."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from small import study_of
from study import tables as registry
from study.cv.newton import fit_ridge
from study.data.registry import COHORTS
from study.data.studyfile import Cohort
from study.evidence import external
from study.evidence.random_sets import connected_set, neighbours_of, random_models, random_row, share_as_good
from synthetic import grid_edges, noisy_classes

MODEL = {
    "method": "m",
    "intercept": 0.5,
    "entrez": [10, 20, 99],
    "symbol": ["A", "B", "GONE"],
    "weights": [2.0, -1.0, 7.0],
}


def cohort(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(3, 2, size=(n, 3))
    time, y = rng.exponential(5, n) + 0.1, (rng.random(n) < 0.5).astype(np.int8)
    names = np.arange(n).astype(str)
    return Cohort(X, y, time, names, np.array([20, 10, 30]), np.array(["B", "A", "C"]), np.ones(3, int))


def test_model_is_applied_unchanged_and_missing_genes_are_named():
    patients = cohort()
    Z = (patients.X - patients.X.mean(axis=0)) / patients.X.std(axis=0)
    applied = external.apply(MODEL, "gse1992", patients, external.standardised(patients))
    np.testing.assert_allclose(applied.scores, 2 * Z[:, 1] - Z[:, 0] + 0.5)
    assert (applied.genes_used, applied.missing) == (2, ["GONE"])
    row = external.external_row(applied, patients, 1)
    assert (row["genes_missing"], row["missing"]) == (1, "GONE")


def test_scores_do_not_look_at_the_outcome_of_the_other_cohort():
    """Other outcomes and times change what is measured, never the scores."""
    patients = cohort()
    flipped = replace(patients, y=1 - patients.y, time=patients.time[::-1])
    before, after = (external.apply(MODEL, "gse1992", c, external.standardised(c)) for c in (patients, flipped))
    np.testing.assert_array_equal(before.scores, after.scores)
    rows = [external.external_row(before, c, 1)["auc"] for c in (patients, flipped)]
    assert rows[0] == pytest.approx(1 - rows[1])


EDGES = grid_edges(6)


@pytest.mark.parametrize("size", [1, 5, 20, 36])
def test_random_sets_are_connected_and_of_their_size(size):
    neighbours = neighbours_of(EDGES, 36)
    network = nx.Graph(EDGES.tolist())
    seen = set()
    for seed in range(30):
        genes = connected_set(neighbours, size, np.random.default_rng(seed))
        assert len(set(genes.tolist())) == size
        assert nx.is_connected(network.subgraph(genes.tolist()))
        seen.update(genes.tolist())
    assert len(seen) > min(30, 36 - 1) * 0.6
    np.testing.assert_array_equal(genes, connected_set(neighbours, size, np.random.default_rng(29)))


def test_signature_scores_are_minus_the_cosine_with_the_good_patients():
    training, patients = cohort(seed=4), cohort(seed=5)
    signature = pd.DataFrame({"name": ["a", "b", "x"], "entrez": [10, 20, 0]})
    Z = external.standardised(patients)
    found = external.apply_signature(signature, training, "gse1992", patients, Z)
    good = external.standardised(training)[training.y == 0][:, [1, 0]].mean(axis=0)
    expected = [-(row @ good) / np.sqrt((row @ row) * (good @ good)) for row in Z[:, [1, 0]]]
    np.testing.assert_allclose(found.scores, expected)
    assert (found.genes_used, found.missing) == (2, ["x"])


def test_random_models_are_ridge_fits_on_their_genes():
    X, y = noisy_classes(60, 36, seed=2)
    weights = random_models(X, y, neighbours_of(EDGES, 36), 4, 3, seed=1)
    for row in weights:
        genes = np.flatnonzero(row)
        assert len(genes) == 4
        np.testing.assert_array_equal(row[genes], fit_ridge(X[:, genes], y, 1.0)[0])


def test_share_as_good_counts_ties_and_never_is_zero():
    assert share_as_good(0.7, np.array([0.6, 0.7, 0.8, 0.65])) == 3 / 5
    assert share_as_good(0.9, np.full(199, 0.5)) == 1 / 200


def test_comparison_with_random_sets_by_hand():
    patients = cohort()
    Z = external.standardised(patients)
    applied = external.apply(MODEL, "gse1992", patients, Z)
    place = np.array([1, 0, -1, 2])  # network genes A, B, one not measured, C
    weights = np.array([[1.0, 0, 5, 0], [0, 0, -3, -1.0]])
    row = random_row(applied.scores, weights, np.array([2.0, -1, 7, 0]), place, patients, Z)
    from sklearn.metrics import roc_auc_score

    values = [roc_auc_score(patients.y, Z[:, 1]), roc_auc_score(patients.y, -Z[:, 2])]
    assert row["random_median"] == pytest.approx(np.mean(values))
    assert row["auc"] == pytest.approx(roc_auc_score(patients.y, 2 * Z[:, 1] - Z[:, 0]))
    assert row["auc_refit"] == row["auc"]
    assert row["share_as_good"] == (1 + sum(value >= row["auc"] for value in values)) / 3
    assert (row["sets"], row["genes"]) == (2, 3)


def test_added_value_is_that_of_statsmodels():
    from scipy.stats import chi2
    from statsmodels.duration.hazard_regression import PHReg

    rng = np.random.default_rng(5)
    patients = cohort(80, seed=5)
    score = rng.normal(size=80)
    clinical = pd.DataFrame({"age": rng.normal(50, 9, 80), "er": rng.integers(0, 2, 80).astype(float), "flat": 1.0})
    clinical.loc[[3, 8], "er"] = np.nan
    alone, beside = external.added_value("c", "m", score, clinical, patients.time, patients.y)
    known = clinical["er"].notna().to_numpy()
    assert (alone["covariates"], beside["covariates"], beside["patients"]) == ("none", "age;er", 78)
    X = clinical.loc[known, ["age", "er"]].to_numpy()
    scaled = score[known] / score[known].std()
    small = PHReg(patients.time[known], X, status=patients.y[known], ties="efron").fit()
    large = PHReg(patients.time[known], np.c_[scaled, X], status=patients.y[known], ties="efron").fit()
    assert np.log(beside["hazard_ratio"]) == pytest.approx(large.params[0], rel=1e-5)
    assert beside["p_likelihood_ratio"] == pytest.approx(chi2.sf(2 * (large.llf - small.llf), 1), rel=1e-5)


def test_tables_have_their_columns_and_every_model(tmp_path):
    """Two models, one of which selects, in two cohorts; the training cohort has clinical columns too."""
    rng = np.random.default_rng(4)
    training = replace(cohort(seed=1), patients=np.array([f"T{i}" for i in range(40)]))
    study = replace(study_of(training.X, training.y), entrez=training.entrez, symbol=training.symbol)
    models = [
        MODEL | {"method": "graph-iht", "entrez": [10, 20], "symbol": ["A", "B"], "weights": [2.0, -1.0]},
        MODEL | {"method": "ridge", "entrez": [20, 10, 30], "symbol": ["B", "A", "C"]},
    ]

    def described(name, patients):
        names = [column.name for column in COHORTS[name].clinical]
        clinical = pd.DataFrame(rng.normal(size=(40, len(names))), columns=names)
        return external.ClinicalCohort(name, patients, clinical.assign(patient=patients.patients))

    risks = pd.DataFrame({"method": "graph-iht", "patient": training.patients, "score": rng.normal(size=40)})
    by_name = external.external_tables(
        study,
        described("nki", training),
        [described("gse1992", cohort(seed=2)), described("gse3143", cohort(seed=3))],
        models,
        risks.assign(time=training.time, event=training.y),
        pd.DataFrame({"name": ["a", "b", "x"], "entrez": [10, 20, 0]}),
        {"seed": 1, "random_sets": 5},
        lambda text: None,
    )
    for name, table in by_name.items():
        registry.write(tmp_path / f"{name}.csv", table)
        assert len(registry.read(tmp_path / f"{name}.csv")), name
    scored = by_name["evidence/external"]
    assert scored["model"].tolist() == ["graph-iht", "ridge", external.SIGNATURE] * 2
    assert scored["missing"].tolist() == ["", "", "x"] * 2
    assert by_name["evidence/random_sets"]["model"].tolist() == ["graph-iht"] * 2
    assert set(by_name["evidence/external_differences"]["baseline"]) == {"ridge"}
    assert by_name["evidence/added_value"]["cohort"].value_counts()["nki"] == 2
    curves = by_name["evidence/external_km"].drop_duplicates(["cohort", "model", "group"])
    assert curves["group"].tolist() == ["high", "low"] * 6
