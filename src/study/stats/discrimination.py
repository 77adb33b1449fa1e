"""How well a score separates patients with and without the event, with intervals.

No pinned library has DeLong's variance, or ROC curves fast enough for a bootstrap.
"""

import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata
from statsmodels.stats.proportion import proportion_confint

LEVEL = 0.95
Z = float(norm.ppf(0.5 + LEVEL / 2))
GRID = np.linspace(0, 1, 101)


def _placements(y: np.ndarray, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how far each positive stands above the negatives, and each negative below the positives."""
    positive, negative = score[y == 1], score[y != 1]
    ranks = rankdata(np.r_[positive, negative])
    m, n = len(positive), len(negative)
    return (ranks[:m] - rankdata(positive)) / n, 1 - (ranks[m:] - rankdata(negative)) / m


def auc_covariance(y: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (AUCs, covariance) of several scores (scores, patients) on the same patients.

    DeLong, DeLong and Clarke-Pearson (1988), by mid-ranks; O(n log n) per score.
    """
    pairs = [_placements(y, score) for score in scores]
    above, below = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    covariance = np.atleast_2d(np.cov(above)) / above.shape[1] + np.atleast_2d(np.cov(below)) / below.shape[1]
    return above.mean(axis=1), covariance


def auc_interval(y: np.ndarray, score: np.ndarray) -> tuple[float, float, float]:
    """Return (AUC, low, high), 95 % by DeLong's variance, cut at 0 and 1."""
    values, covariance = auc_covariance(y, score[None, :])
    reach = Z * np.sqrt(covariance[0, 0])
    return float(values[0]), float(max(values[0] - reach, 0)), float(min(values[0] + reach, 1))


def auc_difference(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[float, float, float, float]:
    """Return (AUC of a - AUC of b, low, high, p) on the same patients, by DeLong's covariance."""
    values, covariance = auc_covariance(y, np.array([a, b]))
    difference = float(values[0] - values[1])
    error = float(np.sqrt(max(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1], 0)))
    if error == 0:
        return difference, difference, difference, 1.0
    p = float(2 * norm.sf(abs(difference) / error))
    return difference, difference - Z * error, difference + Z * error, p


def gene_aucs(X: np.ndarray, y: np.ndarray, cohort: np.ndarray) -> np.ndarray:
    """Return the AUC of each gene's expression on its own: above one half, higher expression goes with more events.

    It compares patients of one cohort only, because expression differs in scale between cohorts.

    Parameters
    ----------
    X : ndarray of shape (n_patients, n_genes)
        Expression; patients with NaN count for the other genes only.
    y : ndarray of shape (n_patients,)
        1 for patients with the event.
    cohort : ndarray of shape (n_patients,)
        Name of the cohort of each patient.

    Returns
    -------
    ndarray of shape (n_genes,)
        Share of the pairs of a patient with and one without the event in which the first is higher; ties count half.
    """
    higher, pairs = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for name in np.unique(cohort):
        own, event = X[cohort == name], y[cohort == name] == 1
        m, n = ((~np.isnan(own[group])).sum(axis=0) for group in (event, ~event))
        ranks = rankdata(own, axis=0, nan_policy="omit")
        higher += np.nansum(ranks[event], axis=0) - m * (m + 1) / 2
        pairs += m * n
    return np.divide(higher, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)


def sensitivities(positive: np.ndarray, negative: np.ndarray) -> np.ndarray:
    """Return the sensitivity at each false-positive rate of `GRID`: the highest with no more false positives."""
    descending = np.sort(negative)[::-1]
    allowed = np.floor(GRID * len(negative) + 1e-9).astype(int)
    threshold = np.where(allowed < len(negative), descending[np.minimum(allowed, len(negative) - 1)], -np.inf)
    return 1 - np.searchsorted(np.sort(positive), threshold, side="right") / len(positive)


def roc_band(y: np.ndarray, score: np.ndarray, rng: np.random.Generator, draws: int = 500) -> pd.DataFrame:
    """Return false_positive_rate, sensitivity, low, high: a pointwise 95 % bootstrap band.

    Patients with and without the event are resampled apart, so both numbers stay as they are.
    """
    positive, negative = score[y == 1], score[y != 1]
    curves = np.array(
        [sensitivities(rng.choice(positive, len(positive)), rng.choice(negative, len(negative))) for _ in range(draws)]
    )
    low, high = np.quantile(curves, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    sensitivity = sensitivities(positive, negative)
    return pd.DataFrame({"false_positive_rate": GRID, "sensitivity": sensitivity, "low": low, "high": high})


def calibration(y: np.ndarray, probability: np.ndarray, bins: int = 5) -> pd.DataFrame:
    """Return bin, predicted, observed, low, high, patients, predicted_prior: groups of equal size by risk.

    low and high are Wilson's 95 % interval of the share observed. Fits weigh both classes alike, as if half of the
    patients had the event; `predicted_prior` is the mean probability after that is undone,
    p -> logistic(logit p + logit of the share of events).
    """
    order = np.argsort(probability, kind="stable")
    odds = y.mean() / (1 - y.mean())
    clipped = np.clip(probability, 1e-12, 1 - 1e-12)
    shifted = clipped * odds / (clipped * odds + 1 - clipped)
    rows = []
    for number, members in enumerate(np.array_split(order, bins), start=1):
        low, high = proportion_confint(y[members].sum(), len(members), 1 - LEVEL, method="wilson")
        means = [values[members].mean() for values in (probability, y)]
        rows.append([number, *means, low, high, len(members), shifted[members].mean()])
    return pd.DataFrame(rows, columns=["bin", "predicted", "observed", "low", "high", "patients", "predicted_prior"])
