"""Other cohorts: read as they are, scored unchanged, compared with chance."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from study.cv.final import final_model
from study.cv.learners import TStatistics
from study.cv.model import Point
from study.cv.nested import Standardiser
from study.cv.newton import fit_ridge
from study.cv.splits import generator, stratified
from study.data import external
from study.data.cohorts import read_survset
from study.data.studyfile import Cohort, Study
from study.evidence import external as transfer
from study.evidence.external_text import transfer_sentences
from study.evidence.random_sets import connected_set, neighbours_of, random_models
from study.evidence.seventy import centroid_scores, good_centroid
from study.run.errors import StudyError
from study.stats.scores import balanced_error

FACTS = {"gse1992": (124, 35), "gse3143": (158, 50), "gse4335": (115, 38)}


@pytest.fixture(scope="module")
def aliases(repository):
    return external.read_aliases(repository / "data/symbol_aliases.csv")


@pytest.fixture(scope="module")
def others(wheels, sources, nki, aliases):
    return {
        name: external.read_external(wheels["survset"], sources["survset"], name, nki, aliases)
        for name in FACTS
    }


@pytest.mark.parametrize("name", FACTS)
def test_cohort_has_its_patients_events_and_values(name, others, wheels, sources):
    cohort, clinical = others[name]
    assert (len(cohort.y), cohort.y.sum()) == FACTS[name]
    assert cohort.has_times
    frame = read_survset(wheels["survset"], sources["survset"], name)
    place = list(cohort.symbol).index("AURKA")
    np.testing.assert_array_equal(cohort.X[:, place], frame["num_HS_AURKA"])
    assert clinical["patient"].tolist() == frame["pid"].tolist()
    assert "event" not in clinical
    assert external.EXTERNAL[name].event_means


def test_old_names_find_their_genes(others):
    """CDK1 was CDC2 when these arrays were made; nothing else of the table may take that column."""
    for cohort, _ in others.values():
        assert "CDK1" in cohort.symbol
        _, by_symbol, found = cohort.counts
        assert found > by_symbol
        assert len(set(cohort.entrez)) == len(cohort.entrez)


def test_aliases_belong_to_one_gene_and_are_nobodys_current_symbol(aliases, nki):
    current = {name.upper(): gene for name, gene in zip(nki.symbol, nki.entrez, strict=True)}
    owners = aliases.assign(alias=aliases["alias"].str.upper()).groupby("alias")["entrez"].nunique()
    assert owners.max() == 1
    for gene, alias in zip(aliases["entrez"], aliases["alias"], strict=True):
        assert current.get(alias.upper(), gene) == gene


def test_columns_are_matched_by_symbol_then_former_then_alias():
    aliases = pd.DataFrame(
        [
            (1, "A", "OLDA", "former"),
            (2, "B", "BB", "alias"),
            (3, "C", "B", "alias"),
            (1, "A", "AA", "alias"),
        ],
        columns=["entrez", "symbol", "alias", "kind"],
    )
    found = external.match_columns(
        ["AA", "OLDA", "bb", "B", "HLA_X"],
        np.array([1, 2, 3, 4]),
        np.array(["A", "B", "C", "HLA-X"]),
        aliases,
    )
    assert found == {1: ("former", [1]), 2: ("symbol", [3]), 4: ("symbol", [4])}


def test_wrong_cohort_is_named(wheels, sources, nki, aliases, monkeypatch):
    spec = replace(external.EXTERNAL["gse3143"], events=51)
    monkeypatch.setitem(external.EXTERNAL, "gse3143", spec)
    with pytest.raises(
        StudyError, match="expected 158 patients with 51 events in gse3143, found 158 with 50"
    ):
        external.read_external(wheels["survset"], sources["survset"], "gse3143", nki, aliases)


def test_nki_clinical_columns_go_to_the_right_patients(wheels, sources, nki):
    """Expression aligned the patients; the receptor's own gene, which aligned nothing, must agree with its status."""
    clinical = external.read_nki_clinical(wheels["survset"], sources["survset"])
    assert len(clinical) == 144
    assert clinical["patient"].is_unique
    assert clinical.notna().all().all()
    rows = pd.Series(np.arange(295), index=nki.patients)[clinical["patient"]].to_numpy()
    esr1 = nki.X[rows, list(nki.symbol).index("ESR1")]
    positive = clinical["er"].to_numpy() == 1
    assert np.median(esr1[positive]) > np.quantile(esr1[~positive], 0.9)


def test_seventy_genes(wheels, sources, nki, aliases, repository):
    annotation = pd.read_csv(repository / "data/probe_annotation.tsv", sep="\t")
    table = external.read_seventy(wheels["survset"], sources["survset"], nki, annotation, aliases)
    assert len(table) == 70
    by_name = table.set_index("name")
    assert by_name.loc["NM_004702", "symbol"] == "CCNE2"
    assert by_name.loc[["DIAPH3", "DIAPH3_1", "DIAPH3_2"], "symbol"].tolist() == ["DIAPH3"] * 3
    assert by_name.loc["PRC1", "symbol"] == "PRC1"
    assert by_name.loc["Contig63649_RC", "entrez"] == 0
    assert (table["entrez"] > 0).sum() >= 60


def test_centroid_score_is_minus_the_cosine():
    rng = np.random.default_rng(0)
    Z, y = rng.normal(size=(30, 6)), np.repeat([0, 1], 15)
    centroid = good_centroid(Z, y)
    np.testing.assert_allclose(centroid, Z[:15].mean(axis=0))
    expected = [-(row @ centroid) / np.sqrt((row @ row) * (centroid @ centroid)) for row in Z]
    np.testing.assert_allclose(centroid_scores(Z, centroid), expected)


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
    there = cohort()
    Z = (there.X - there.X.mean(axis=0)) / there.X.std(axis=0)
    applied = transfer.apply(MODEL, "gse1992", there, transfer.standardised(there))
    np.testing.assert_allclose(applied.scores, 2 * Z[:, 1] - Z[:, 0] + 0.5)
    assert (applied.genes_used, applied.missing) == (2, ["GONE"])
    row = transfer.external_row(applied, there, 1)
    assert (row["genes_missing"], row["missing"]) == (1, "GONE")


def test_scores_do_not_look_at_the_outcome_there():
    """Other outcomes and times change what is measured, never the scores."""
    there = cohort()
    flipped = replace(there, y=1 - there.y, time=there.time[::-1])
    before, after = (transfer.apply(MODEL, "gse1992", c, transfer.standardised(c)) for c in (there, flipped))
    np.testing.assert_array_equal(before.scores, after.scores)
    rows = [transfer.external_row(before, c, 1)["auc"] for c in (there, flipped)]
    assert rows[0] == pytest.approx(1 - rows[1])


def grid_study(n=60):
    """Genes on a 6 x 6 grid, the first three carry the outcome."""
    grid = np.arange(36).reshape(6, 6)
    right, down = np.c_[grid[:, :-1].ravel(), grid[:, 1:].ravel()], np.c_[grid[:-1].ravel(), grid[1:].ravel()]
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, 36))
    y = (X[:, :3].sum(axis=1) + 0.5 * rng.normal(size=n) > 0).astype(np.int8)
    edges = np.vstack([right, down])
    names = np.arange(n).astype(str)
    symbol = np.array([f"G{i}" for i in range(36)])
    return Study(
        X, y, np.ones(n), names, np.arange(1, 37), symbol, np.ones(3, int), edges, np.ones(len(edges))
    )


@pytest.mark.parametrize("size", [1, 5, 20, 36])
def test_random_sets_are_connected_and_of_their_size(size):
    study = grid_study()
    neighbours = neighbours_of(study.edges, 36)
    network = nx.Graph(study.edges.tolist())
    seen = set()
    for seed in range(30):
        genes = connected_set(neighbours, size, np.random.default_rng(seed))
        assert len(set(genes.tolist())) == size
        assert nx.is_connected(network.subgraph(genes.tolist()))
        seen.update(genes.tolist())
    assert len(seen) > min(30, 36 - 1) * 0.6
    np.testing.assert_array_equal(genes, connected_set(neighbours, size, np.random.default_rng(29)))


def test_random_set_larger_than_the_network_is_refused():
    neighbours = neighbours_of(np.array([[0, 1], [2, 3]]), 4)
    with pytest.raises(StudyError, match="at most the network's 4 genes, found size 5"):
        connected_set(neighbours, 5, np.random.default_rng(0))
    with pytest.raises(StudyError, match="expected a connected network, found a piece of 2 genes"):
        connected_set(neighbours, 3, np.random.default_rng(0))


def test_random_models_are_ridge_fits_on_their_genes():
    study = grid_study()
    weights = random_models(study.X, study.y, neighbours_of(study.edges, 36), 4, 3, seed=1)
    for row in weights:
        genes = np.flatnonzero(row)
        assert len(genes) == 4
        np.testing.assert_array_equal(row[genes], fit_ridge(study.X[:, genes], study.y, 1.0)[0])


def test_share_as_good_counts_ties_and_never_is_zero():
    assert transfer.share_as_good(0.7, np.array([0.6, 0.7, 0.8, 0.65])) == 3 / 5
    assert transfer.share_as_good(0.9, np.full(199, 0.5)) == 1 / 200


def test_comparison_with_random_sets_by_hand():
    there = cohort()
    Z = transfer.standardised(there)
    applied = transfer.apply(MODEL, "gse1992", there, Z)
    place = np.array([1, 0, -1, 2])  # network genes A, B, one not measured, C
    weights = np.array([[1.0, 0, 5, 0], [0, 0, -3, -1.0]])
    row = transfer.random_row(applied, weights, np.array([2.0, -1, 7, 0]), place, there, Z)
    from sklearn.metrics import roc_auc_score

    values = [roc_auc_score(there.y, Z[:, 1]), roc_auc_score(there.y, -Z[:, 2])]
    assert row["random_median"] == pytest.approx(np.mean(values))
    assert row["auc"] == pytest.approx(roc_auc_score(there.y, 2 * Z[:, 1] - Z[:, 0]))
    assert row["auc_refit"] == row["auc"]
    assert row["share_as_good"] == (1 + sum(value >= row["auc"] for value in values)) / 3
    assert (row["sets"], row["genes"]) == (2, 3)


def test_added_value_is_that_of_statsmodels():
    from scipy.stats import chi2
    from statsmodels.duration.hazard_regression import PHReg

    rng = np.random.default_rng(5)
    there = cohort(80, seed=5)
    score = rng.normal(size=80)
    clinical = pd.DataFrame(
        {"age": rng.normal(50, 9, 80), "er": rng.integers(0, 2, 80).astype(float), "flat": 1.0}
    )
    clinical.loc[[3, 8], "er"] = np.nan
    alone, beside = transfer.added_value("c", "m", score, clinical, there.time, there.y)
    known = clinical["er"].notna().to_numpy()
    assert (alone["covariates"], beside["covariates"], beside["patients"]) == ("none", "age;er", 78)
    X = clinical.loc[known, ["age", "er"]].to_numpy()
    scaled = score[known] / score[known].std()
    small = PHReg(there.time[known], X, status=there.y[known], ties="efron").fit()
    large = PHReg(there.time[known], np.c_[scaled, X], status=there.y[known], ties="efron").fit()
    assert np.log(beside["hazard_ratio"]) == pytest.approx(large.params[0], rel=1e-5)
    assert beside["p_likelihood_ratio"] == pytest.approx(chi2.sf(2 * (large.llf - small.llf), 1), rel=1e-5)


def test_final_model_is_the_fit_of_all_patients_at_a_chosen_setting():
    study = grid_study()
    settings = {"n_components": 1, "lambdas": [0.1, 1.0], "sparsities": [3, 6], "seed": 1}
    settings |= {"near_tie": 0.0, "inner_folds": 4}
    learner = TStatistics(settings, None)
    model = final_model("t-top", learner, study, settings)
    assert model == final_model("t-top", learner, study, settings)
    point = Point(model["lam"], model["sparsity"])
    assert point in learner.points
    again = learner.fit(Standardiser(study.X)(study.X), study.y, point, None)
    assert model["weights"] == again.weights.tolist()
    assert model["symbol"] == [f"G{gene}" for gene in again.genes]
    # The choice again, from the definition: the point of least mean error over the inner folds.
    seed = int(generator(1, 0, 0, "final model").integers(2**31))
    inner = stratified(study.y, 4, generator(seed, 1, 1, "inner folds"))
    errors = {}
    for tried in learner.points:
        found = []
        for number in range(1, 5):
            fitting, held_out = inner != number, inner == number
            standardise = Standardiser(study.X[fitting])
            fitted = learner.fit(standardise(study.X[fitting]), study.y[fitting], tried, None)
            found.append(balanced_error(study.y[held_out], fitted.scores(standardise(study.X[held_out]))))
        errors[tried] = np.mean(found)
    assert model["inner_error"] == pytest.approx(min(errors.values()))
    assert errors[point] == pytest.approx(min(errors.values()))


def tables(low, difference, share):
    names = ["gse1992", "gse3143"]
    own = pd.DataFrame({"cohort": names, "model": "graph-iht", "auc": 0.6, "low": low, "high": 0.7})
    against = pd.DataFrame({"cohort": names, "model": "graph-iht", "difference": difference})
    against = against.assign(low=against["difference"] - 0.02, high=against["difference"] + 0.02)
    chance = pd.DataFrame({"cohort": names, "model": "graph-iht", "share_as_good": share})
    return own, against, chance


@pytest.mark.parametrize(
    ("low", "verdict"),
    [([0.52, 0.51], "holds)"), ([0.52, 0.48], "holds in part"), ([0.4, 0.48], "transfer fails")],
)
def test_sentence_says_whether_transfer_holds(low, verdict):
    said = transfer_sentences(*tables(low, [0.0, 0.01], [0.5, 0.2]), "graph-iht")
    assert verdict in said[0]
    assert "not told apart" in said[1]
    assert "0 of 2 cohorts" in said[2]
    assert "not particular" in said[2]
    assert transfer_sentences(*tables(low, [0.0, 0.01], [0.5, 0.2]), "iht") == []


def test_sentence_says_when_ridge_is_better():
    said = transfer_sentences(*tables([0.52, 0.51], [-0.05, 0.01], [0.5, 0.01]), "graph-iht")
    assert "worse in 1 and better in 0" in said[1]
    assert "1 of 2 cohorts" in said[2]
