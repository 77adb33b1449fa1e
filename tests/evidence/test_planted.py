"""Planted gene sets: what is simulated, what counts as found, and recall where it is known beforehand."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.discrete.discrete_model import Logit

import small
from graphiht.network import Network
from small import study_of
from study.cv.newton import fit_ridge
from study.cv.splits import make_splits
from study.errors import StudyError
from study.evidence import planted
from study.evidence.controls import FIXED, cross_validate
from study.evidence.planted import (
    fit_of_size,
    found,
    mean_interval,
    method_without_network,
    path_methods,
    plant,
    planted_tables,
    ratio_interval,
    run_draw,
    run_planted,
)
from study.evidence.random_sets import neighbours_of
from study.methods import unavailable

METHODS = ["iht", "graph-iht", "graph-svrg-iht", "graph-scsg-iht", "t-top", "t-graph", "l1", "ridge"]
METHODS += ["htp", "graph-htp", "graph-distilled", *([] if unavailable(["abess"]) else ["abess"])]
SETTINGS = small.SETTINGS | {
    "seed": 9,
    "folds": 3,
    "inner_folds": 2,
    "tolerance": 1e-3,
    "planted": {"methods": METHODS},
}


@pytest.fixture(autouse=True)
def small_sets(monkeypatch):
    monkeypatch.setattr(planted, "SIZES", (5,))
    monkeypatch.setattr(planted, "STRENGTHS", (0,))


def ring(n_patients=60, n_genes=40, share=0.4):
    rng = np.random.default_rng(12)
    y = np.arange(n_patients) < share * n_patients
    return study_of(rng.standard_normal((n_patients, n_genes)), y)


def test_the_set_is_connected_and_the_event_goes_with_its_mean():
    study = ring(n_patients=300)
    neighbours = neighbours_of(study.edges, 40)
    weak, strong = (plant(study, neighbours, 6, strength, 3, SETTINGS) for strength in (1.0, 1e7))
    np.testing.assert_array_equal(weak.genes, strong.genes)
    assert Network(study.edges, 40).n_components(weak.genes) == 1
    Z = (study.X - study.X.mean(axis=0)) / study.X.std(axis=0)
    total = Z[:, weak.genes].sum(axis=1)
    np.testing.assert_allclose(weak.score, total / total.std(), atol=1e-12)
    # Without luck the event is what has the highest scores, as many as in the study but for the one at the cut-off.
    events = int(strong.y.sum())
    assert abs(events - study.y.sum()) <= 1
    np.testing.assert_array_equal(np.flatnonzero(strong.y), np.sort(np.argsort(-strong.score)[:events]))
    assert sorted([*weak.train, *weak.test]) == list(range(300))
    assert len(weak.test) == 100


def test_log_odds_are_the_strength_and_the_share_of_events_is_the_studys():
    """By logistic regression on the score, over many draws: the slope and the share, within their errors."""
    study = ring(n_patients=400, share=0.25)
    neighbours = neighbours_of(study.edges, 40)
    draws = [plant(study, neighbours, 6, 1.5, draw, SETTINGS) for draw in range(20)]
    score, y = (np.concatenate([getattr(draw, key) for draw in draws]) for key in ("score", "y"))
    share = np.mean([draw.y.mean() for draw in draws])
    assert abs(share - 0.25) < 4 * np.sqrt(0.25 * 0.75 / len(y))
    fit = Logit(y, np.column_stack([score, np.ones(len(score))])).fit(disp=0)
    assert abs(fit.params[0] - 1.5) < 4 * fit.bse[0]


@pytest.mark.parametrize("method", METHODS)
def test_an_easy_problem_is_solved(method, monkeypatch):
    """Independent genes, many patients, no luck: the planted genes are the only ones that say anything."""
    monkeypatch.setattr(planted, "STRENGTHS", (1e7,))
    study, settings = ring(n_patients=600), SETTINGS | {"planted": {"methods": [method]}}
    for draw in range(3):
        row, mixed = run_draw(study, settings, draw)
        assert (row["effects"], mixed["effects"]) == ("equal", "mixed")
        assert row["recall"] == 1.0
        assert row["near"] == 1.0
        assert row["precision"] == pytest.approx(5 / row["selected"])
        assert row["best_auc"] == mixed["best_auc"] == 1.0
        assert row["auc"] > 0.95
        # A gene of the least effect, among those of the largest, may drown in what few events say.
        assert mixed["recall"] >= 0.6
        assert mixed["auc"] > 0.9


@pytest.mark.parametrize("draws", [25, pytest.param(100, marks=pytest.mark.long)])
def test_without_an_effect_recall_is_chance(draws):
    """On a ring every gene is planted as often, so a selection of m genes holds m k / p of the k planted ones."""
    study, size = ring(), 5
    settings = SETTINGS | {"planted": {"methods": [name for name in METHODS if name != "l1"]}}
    table = pd.DataFrame([row for draw in range(draws) for row in run_draw(study, settings, draw)])
    for method, own in table.groupby("method"):
        excess = own["recall"] - own["selected"] / 40
        assert abs(excess.mean()) < 3.5 * excess.std(ddof=1) / np.sqrt(len(own)), method
        assert (own["selected"] == size).all(), method


def test_what_counts_as_found_by_hand():
    network = Network([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]], 7)
    row = found(np.array([0, 3]), np.array([1, 3, 5]), network)
    assert row == {"selected": 2, "recall": 1 / 3, "precision": 1 / 2, "near": 2 / 3}
    assert np.isnan(found(np.array([], int), np.array([1]), network)["precision"])


def test_penalised_regressions_are_cut_at_the_size():
    study = ring(n_patients=120)
    y = plant(study, neighbours_of(study.edges, 40), 5, 2.0, 1, SETTINGS).y
    X = (study.X - study.X.mean(axis=0)) / study.X.std(axis=0)
    whole = fit_of_size("ridge", study, X, y, 40, SETTINGS, 1)
    weights, intercept = fit_ridge(X, y, FIXED.lam)
    np.testing.assert_allclose(whole.weights, weights, rtol=1e-4, atol=1e-6)
    assert whole.intercept == pytest.approx(intercept, abs=1e-4)
    largest = np.sort(np.argsort(-np.abs(weights))[:7])
    np.testing.assert_array_equal(fit_of_size("ridge", study, X, y, 7, SETTINGS, 1).genes, largest)
    assert len(fit_of_size("l1", study, X, y, 7, SETTINGS, 1).genes) == 7


def test_a_draw_has_the_same_bits_in_any_order(monkeypatch):
    monkeypatch.setattr(planted, "STRENGTHS", (0, 2))
    study = ring()
    up = {draw: run_draw(study, SETTINGS, draw) for draw in (1, 2)}
    down = {draw: run_draw(study, SETTINGS, draw) for draw in (2, 1)}
    assert up == down
    assert up[1] != up[2]


def test_a_size_beyond_the_network_is_named(monkeypatch):
    monkeypatch.setattr(planted, "SIZES", (41, 50))
    with pytest.raises(StudyError, match=r"planted: sets of 41 or 50 genes do not fit a network of 40 genes"):
        run_draw(ring(), SETTINGS, 1)
    monkeypatch.setattr(planted, "SIZES", (5, 41))
    assert {row["size"] for row in run_draw(ring(), SETTINGS, 1)} == {5}


def test_pairs_are_of_the_same_learner():
    plain = [None, "iht", "iht", "iht", None, "t-top", None, None, None, "htp"]
    assert [method_without_network(name, METHODS) for name in METHODS[: len(plain)]] == plain
    assert not any(method_without_network(name, METHODS) for name in METHODS[len(plain) :])
    assert method_without_network("graph-svrg-iht", ["iht", "svrg-iht", "graph-svrg-iht"]) == "svrg-iht"
    assert method_without_network("graph-iht", ["graph-iht", "t-top"]) is None


def planted_of(graph, plain):
    """A table of two methods with these recalls by draw, at strength 2 and size 10."""
    rows = [
        (10, "equal", 2.0, draw, method, 10, recall, recall, 1.0, 0.5 + recall / 4, 0.9)
        for method, recalls in (("graph-iht", graph), ("iht", plain))
        for draw, recall in enumerate(recalls, start=1)
    ]
    columns = [
        "size",
        "effects",
        "strength",
        "draw",
        "method",
        "selected",
        "recall",
        "precision",
        "near",
        "auc",
        "best_auc",
    ]
    return pd.DataFrame(rows, columns=columns)


def tables_of(table):
    return planted_tables([{"part": "sets"} | row for row in table.to_dict("records")])


def summary_of(table):
    return tables_of(table)["evidence/planted_summary"]


def test_mixed_effects_are_the_weights_of_the_score():
    """Signs and sizes by least squares from the score; other sets than those of equal effects."""
    study = ring(n_patients=300)
    neighbours = neighbours_of(study.edges, 40)
    sets = [plant(study, neighbours, 6, 1.0, draw, SETTINGS, "mixed") for draw in range(40)]
    Z = (study.X - study.X.mean(axis=0)) / study.X.std(axis=0)
    weights = np.array([np.linalg.lstsq(Z[:, one.genes], one.score)[0] for one in sets])
    for one, own in zip(sets, weights, strict=True):
        np.testing.assert_allclose(Z[:, one.genes] @ own, one.score, atol=1e-10)
        assert np.abs(own).max() <= 4 * np.abs(own).min()
    assert 0.35 < np.mean(weights > 0) < 0.65
    equal = [plant(study, neighbours, 6, 1.0, draw, SETTINGS).genes.tolist() for draw in range(40)]
    assert equal != [one.genes.tolist() for one in sets]


def test_pairs_are_differences_and_ratios_of_the_same_draws():
    table = tables_of(planted_of([0.3, 0.5, 0.7], [0.2, 0.5, 0.4]))["evidence/planted_pairs"]
    assert table[["method", "other"]].to_numpy().tolist() == [["graph-iht", "iht"]]
    row = table.iloc[0]
    assert tuple(row[["difference", "low", "high"]]) == pytest.approx(mean_interval(np.array([0.1, 0.0, 0.3])))
    assert row["ratio"] == pytest.approx(1.5 / 1.1)
    assert row["ratio_low"] < row["ratio"] < row["ratio_high"]
    assert ratio_interval(np.array([0.2, 0.4]), np.array([0.1, 0.2])) == pytest.approx((2.0, 2.0, 2.0))
    assert np.isnan(ratio_interval(np.array([0.2, 0.4]), np.zeros(2))).all()


def test_the_interval_of_a_ratio_holds_the_ratio_in_95_of_100_samples():
    rng = np.random.default_rng(4)
    first, second = rng.normal(0.4, 0.1, (2000, 30)), rng.normal(0.2, 0.05, (2000, 30))
    bounds = np.array([ratio_interval(a, b)[1:] for a, b in zip(first, second, strict=True)])
    assert 0.93 < np.mean((bounds[:, 0] <= 2.0) & (bounds[:, 1] >= 2.0)) < 0.97


def test_recovery_and_stability_are_those_of_each_penalty():
    study, names = ring(n_patients=120), ["iht", "graph-iht", "htp", "graph-htp"]
    assert path_methods(SETTINGS) == names
    settings = SETTINGS | {"planted": {"methods": ["t-top", "graph-htp"]}}
    parts = {"sets": (1, 2), "penalty": (1, 2), "stability": (1,)}
    results = [
        row
        for part, numbers in parts.items()
        for number in numbers
        for row in run_planted(part, study, settings, number)
    ]
    table = planted_tables(results)["evidence/lambda_path"]
    assert table[["method", "lambda"]].to_numpy().tolist() == [["graph-htp", lam] for lam in planted.LAMBDAS]
    assert (table[["size", "sparsity", "fits", "draws"]] == [5, 20, 15, 2]).all(axis=None)
    # The row of the penalty that other parts have, too, is theirs.
    draws = [row["recall"] for row in results if row["part"] == "penalty" and row["lambda"] == 1.0]
    assert table.set_index("lambda").loc[1.0, "recall"] == pytest.approx(np.mean(draws))
    point = FIXED._replace(sparsity=20, lam=0.1)
    splits = make_splits(study.y, SETTINGS["seed"], 5, SETTINGS["folds"], SETTINGS["inner_folds"])
    oracle = cross_validate("graph-htp", study, splits, SETTINGS | {"slack": 0.0}, point)
    assert table.set_index("lambda").loc[0.1, "stability"] == oracle["stability"]
    assert planted_tables([row for row in results if row["part"] == "sets"])["evidence/lambda_path"].empty


def test_summary_pairs_draws_and_does_not_depend_on_their_order():
    table = planted_of([0.3, 0.5, 0.7], [0.2, 0.5, 0.4])
    summary = summary_of(table)
    row = summary.set_index(["method", "measure"]).loc["graph-iht", "recall"]
    assert (row["value"], row["without"], row["draws"]) == (pytest.approx(0.5), "iht", 3)
    expected = mean_interval(np.array([0.1, 0.0, 0.3]))
    assert tuple(row[["difference", "difference_low", "difference_high"]]) == pytest.approx(expected)
    # Student's quantile with two degrees of freedom is 4.302653.
    assert expected[2] - expected[0] == pytest.approx(4.302653 * np.std([0.1, 0, 0.3], ddof=1) / np.sqrt(3))
    assert summary[summary["method"] == "iht"][["difference", "difference_low"]].isna().all(axis=None)
    shuffled = summary_of(table.sample(frac=1, random_state=1).sort_values("method", kind="stable"))
    pd.testing.assert_frame_equal(shuffled, summary)
