"""Survival of groups of patients: curves, tests, hazard ratios and concordance, with intervals.

Curves and the log-rank test are scikit-survival's, Cox's regression is that of statsmodels; lifelines does not allow
the pandas this project runs with.
"""

import warnings
from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import chi2, norm
from sksurv.compare import compare_survival
from sksurv.nonparametric import kaplan_meier_estimator
from sksurv.util import Surv
from statsmodels.duration.hazard_regression import PHReg

from study.errors import StudyError
from study.stats.discrimination import LEVEL, Z
from study.stats.resampling import concordances, ordered_pairs, resamples

# A coefficient per standard deviation beyond this is on its way to infinity.
LARGEST = 8.0
Change = namedtuple("Change", "split_at before after p")


def high_risk(risk: np.ndarray) -> np.ndarray:
    """Return where the risk is above its median, the cut-off fixed in advance."""
    return risk > np.median(risk)


def kaplan_meier(time: np.ndarray, event: np.ndarray) -> pd.DataFrame:
    """Return the curve: time, survival, low, high (95 %, log-log), at_risk; it starts at 1 at time 0."""
    moments, survival, bounds = kaplan_meier_estimator(event.astype(bool), time, conf_level=LEVEL, conf_type="log-log")
    at_risk = len(time) - np.searchsorted(np.sort(time), moments, side="left")
    start = pd.DataFrame({"time": [0.0], "survival": 1.0, "low": 1.0, "high": 1.0, "at_risk": len(time)})
    curve = pd.DataFrame(
        {"time": moments, "survival": survival, "low": bounds[0], "high": bounds[1], "at_risk": at_risk}
    )
    return pd.concat([start, curve], ignore_index=True)


def log_rank(time: np.ndarray, event: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """Return (chi-square, p) of the log-rank test between two groups; (0, 1) if one of them is empty."""
    if high.all() or not high.any():
        return 0.0, 1.0
    statistic, p = compare_survival(Surv.from_arrays(event.astype(bool), time), high)
    return float(statistic), float(p)


class HazardRatio(NamedTuple):
    """A hazard ratio with Wald's bounds and p, and the p of the likelihood-ratio test of leaving its column out."""

    ratio: float
    low: float
    high: float
    p: float
    p_likelihood_ratio: float


def hazard_ratio(
    time: np.ndarray, event: np.ndarray, risk: np.ndarray, covariates: np.ndarray | None = None
) -> HazardRatio:
    """Return the hazard ratio of one unit of `risk`, adjusted for covariates (patients, columns) if there are any.

    Cox's regression, ties by Efron's method. Where the likelihood has no maximum, for example when nobody in one group
    has the event, the ratio is where the search ended and everything else is NaN; of covariates that determine each
    other nothing is known at all.
    """
    X = np.asarray(risk, float)[:, None]
    if covariates is not None:
        X = np.hstack([X, covariates])
    if not np.any(event):
        raise StudyError("Cox regression: no patient has the event.")
    spread = X.std(axis=0)
    if (spread == 0).any():
        raise StudyError("Cox regression: a covariate is constant. Leave it out.")
    scaled = (X - X.mean(axis=0)) / spread
    beta, error, log_likelihood = _cox(time, event, scaled)
    _, _, without = _cox(time, event, scaled[:, 1:])
    reach = Z * error
    ratio, low, high = (float(np.exp(value / spread[0])) for value in (beta, beta - reach, beta + reach))
    gain = np.maximum(log_likelihood - without, 0.0)
    return HazardRatio(ratio, low, high, float(2 * norm.sf(abs(beta) / error)), float(chi2.sf(2 * gain, 1)))


def change_over_time(time: np.ndarray, event: np.ndarray, group: np.ndarray) -> Change:
    """Return (median time of an event, hazard ratio of a group before it, after it, p that they are the same).

    Cox's likelihood is a product over the events, so those before and those after a moment give independent estimates,
    and their difference has a normal test. NaN where one of them has no maximum.
    """
    split = float(np.median(time[event == 1]))
    later = time > split
    parts = [(np.minimum(time, split), (event == 1) & ~later, group), (time[later], event[later] == 1, group[later])]
    ratios = [
        hazard_ratio(t, e, g) if e.any() and 0 < g.sum() < len(g) else HazardRatio(*(np.nan,) * 5) for t, e, g in parts
    ]
    errors = [(np.log(ratio.high) - np.log(ratio.low)) / (2 * Z) for ratio in ratios]
    z = (np.log(ratios[1].ratio) - np.log(ratios[0].ratio)) / np.hypot(*errors)
    return Change(split, ratios[0].ratio, ratios[1].ratio, float(2 * norm.sf(abs(z))))


def _cox(time: np.ndarray, event: np.ndarray, scaled: np.ndarray) -> tuple[float, float, float]:
    """Return (coefficient, standard error, log likelihood) for the first of some standardised columns."""
    if not scaled.shape[1]:
        # Without covariates every hazard is the same: the likelihood where the coefficient of any column is 0.
        return 0.0, 0.0, PHReg(time, time[:, None], status=event, ties="efron").loglike(np.zeros(1))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            fit = PHReg(time, scaled, status=event, ties="efron").fit()
        except np.linalg.LinAlgError:
            return np.nan, np.nan, np.nan
    covariance = fit.cov_params()
    if caught or np.any(np.abs(fit.params) > LARGEST) or np.linalg.cond(covariance) > 1e12:
        return fit.params[0], np.nan, np.nan
    return fit.params[0], np.sqrt(covariance[0, 0]), fit.llf


def concordance(
    time: np.ndarray, event: np.ndarray, risk: np.ndarray, rng: np.random.Generator, draws: int = 1000
) -> tuple[float, float, float]:
    """Return (Harrell's concordance, low, high); the interval is the bootstrap's over patients."""
    comparable = ordered_pairs(time, event.astype(bool)).astype(float)
    values = concordances(risk, comparable, resamples(len(time), draws, rng))
    tail = (1 - LEVEL) / 2
    low, high = np.nanquantile(values[1:], [tail, 1 - tail])
    return float(values[0]), float(low), float(high)
