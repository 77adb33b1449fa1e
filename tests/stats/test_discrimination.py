"""AUC, ROC and calibration against scikit-learn and brute force."""

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.metrics import roc_auc_score, roc_curve

from study.stats.discrimination import (
    GRID,
    auc_covariance,
    auc_difference,
    auc_interval,
    calibration,
    gene_aucs,
    roc_band,
    sensitivities,
)


def scores(seed, n=80, ties=True):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    a = rng.normal(size=n) + y
    b = 0.5 * a + rng.normal(size=n)
    return (y, np.round(a, 1), np.round(b, 1)) if ties else (y, a, b)


@pytest.mark.parametrize("seed", range(3))
def test_auc_of_each_gene_alone_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 5)).round(1), (np.arange(40) % 3 == 0).astype(int)
    expected = [roc_auc_score(y, values) for values in X.T]
    assert gene_aucs(X, y, np.full(40, "")) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_auc_of_each_gene_alone_counts_the_pairs_of_patients_of_one_cohort(seed):
    rng = np.random.default_rng(seed)
    X, y, cohort = rng.normal(size=(30, 4)).round(1), rng.integers(0, 2, 30), rng.choice(["a", "b", "c"], 30)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 3] = np.nan
    found = gene_aucs(X, y, cohort)
    for gene in range(3):
        wins = [
            (X[i, gene] > X[j, gene]) + (X[i, gene] == X[j, gene]) / 2
            for i in np.flatnonzero(y == 1)
            for j in np.flatnonzero(y == 0)
            if cohort[i] == cohort[j] and not np.isnan(X[[i, j], gene]).any()
        ]
        assert found[gene] == pytest.approx(np.mean(wins))
    assert np.isnan(found[3])


def delong_by_hand(y, first, second):
    """The covariance of two AUCs from the definition, pair by pair."""

    def placements(score):
        positive, negative = score[y == 1], score[y == 0]
        wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
        return wins.mean(axis=1), wins.mean(axis=0), wins.mean()

    (u, v, mean_1), (s, t, mean_2) = placements(first), placements(second)
    m, n = len(u), len(v)
    by_positives = ((u - mean_1) * (s - mean_2)).sum() / (m - 1) / m
    by_negatives = ((v - mean_1) * (t - mean_2)).sum() / (n - 1) / n
    return by_positives + by_negatives


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_delong_is_its_definition(seed, ties):
    y, a, b = scores(seed, ties=ties)
    values, covariance = auc_covariance(y, np.array([a, b]))
    np.testing.assert_allclose(values, [roc_auc_score(y, a), roc_auc_score(y, b)], rtol=1e-12)
    expected = [[delong_by_hand(y, i, j) for j in (a, b)] for i in (a, b)]
    np.testing.assert_allclose(covariance, expected, rtol=1e-10)
    value, low, high = auc_interval(y, a)
    assert (low + high) / 2 == pytest.approx(value)
    assert high - value == pytest.approx(1.959963984540054 * np.sqrt(expected[0][0]))
    difference, low, high, p = auc_difference(y, a, b)
    error = np.sqrt(expected[0][0] + expected[1][1] - 2 * expected[0][1])
    assert difference == pytest.approx(values[0] - values[1])
    assert (high - difference, difference - low) == pytest.approx((1.959963984540054 * error,) * 2)
    assert p == pytest.approx(2 * norm.sf(abs(difference) / error))


def test_delong_difference_of_a_score_with_itself_is_zero():
    y, a, b = scores(4)
    assert auc_difference(y, a, 2 * a + 1) == (0, 0, 0, 1)
    forth, back = auc_difference(y, a, b), auc_difference(y, b, a)
    np.testing.assert_allclose([back[0], back[1], back[2], back[3]], [-forth[0], -forth[2], -forth[1], forth[3]])


@pytest.mark.parametrize("ties", [True, False])
def test_sensitivity_is_that_of_the_roc_curve(ties):
    y, a, _ = scores(5, ties=ties)
    false_positive, true_positive, _ = roc_curve(y, a, drop_intermediate=False)
    expected = [true_positive[false_positive <= rate + 1e-12].max() for rate in GRID]
    np.testing.assert_allclose(sensitivities(a[y == 1], a[y == 0]), expected)


def test_roc_band_is_the_binomial_one_where_the_threshold_is_known():
    """With very many negatives the threshold does not move, and the sensitivity is a binomial share."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [40_000, 60])
    score = rng.normal(size=len(y)) + y
    band = roc_band(y, score, rng, draws=400)
    point = band[np.isclose(band["false_positive_rate"], 0.3)].iloc[0]
    share = point["sensitivity"]
    low, high = binom.ppf([0.025, 0.975], 60, share) / 60
    assert point["low"] == pytest.approx(low, abs=0.025)
    assert point["high"] == pytest.approx(high, abs=0.025)
    assert (band["low"] <= band["sensitivity"]).all()
    assert (band["sensitivity"] <= band["high"]).all()


def test_calibration_interval_is_that_of_wilson():
    """At its ends a true share p would be z standard errors sqrt(p (1 - p) / n) from the observed one."""
    rng = np.random.default_rng(2)
    probability = rng.random(120)
    table = calibration((rng.random(120) < probability).astype(int), probability, bins=4)
    for bound in ("low", "high"):
        error = np.sqrt(table[bound] * (1 - table[bound]) / table["patients"])
        reached = np.abs(table["observed"] - table[bound]) / error
        np.testing.assert_allclose(reached, 1.959963984540054, rtol=1e-9)
    assert ((table["low"] < table["observed"]) & (table["observed"] < table["high"])).all()
    nobody = calibration(np.repeat([0, 1], 20), np.arange(40) / 40, bins=2)
    assert (nobody["low"].iloc[0], nobody["high"].iloc[1]) == (0, 1)


def test_calibration_groups_by_risk():
    y = np.array([0, 0, 0, 1, 0, 0, 1, 1, 1, 1])
    table = calibration(y, np.arange(10) / 10, bins=2)
    assert table["predicted"].tolist() == pytest.approx([0.2, 0.7])
    assert table["observed"].tolist() == [0.2, 0.8]
    assert table["patients"].tolist() == [5, 5]
    np.testing.assert_allclose(table["predicted_prior"], table["predicted"], atol=1e-9)  # half have the event


def test_prior_undoes_the_balanced_classes():
    """Weighing classes alike shifts the log odds by those of the event: a logistic model shows it exactly."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=20_000)
    probability = 1 / (1 + np.exp(2 - x))
    y = (rng.random(20_000) < probability).astype(int)
    odds = y.mean() / (1 - y.mean())
    balanced = 1 / (1 + np.exp(2 - x) * odds)
    table = calibration(y, balanced, bins=4)
    np.testing.assert_allclose(table["predicted_prior"], table["observed"], atol=0.02)
    assert (table["predicted"] > table["high"]).all()
