"""Survival of groups of patients: curves, tests and concordance, with intervals.

Curves and the log-rank test are scikit-survival's; lifelines does not allow the pandas this project runs with.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from sksurv.compare import compare_survival
from sksurv.metrics import concordance_index_censored
from sksurv.nonparametric import kaplan_meier_estimator
from sksurv.util import Surv

LEVEL = 0.95


def high_risk(risk: np.ndarray) -> np.ndarray:
    """Return where the risk is above its median, the cut-off fixed in advance."""
    return risk > np.median(risk)


def kaplan_meier(time: np.ndarray, event: np.ndarray) -> pd.DataFrame:
    """Return the curve: time, survival, low, high (95 %, log-log), at_risk; it starts at 1 at time 0."""
    moments, survival, bounds = kaplan_meier_estimator(
        event.astype(bool), time, conf_level=LEVEL, conf_type="log-log"
    )
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


def excess(time: np.ndarray, event: np.ndarray, high: np.ndarray) -> float:
    """Return the signed root of the log-rank statistic: above 0 when the high-risk group fares worse."""
    statistic, _ = log_rank(time, event, high)
    moments = np.unique(time[event.astype(bool)])
    at_risk = time[None, :] >= moments[:, None]
    deaths = ((time[None, :] == moments[:, None]) & event.astype(bool)).sum(axis=1)
    expected = (deaths * (at_risk & high).sum(axis=1) / at_risk.sum(axis=1)).sum()
    observed = event[high].sum()
    return float(np.sign(observed - expected) * np.sqrt(statistic))


def concordance(
    time: np.ndarray, event: np.ndarray, risk: np.ndarray, rng: np.random.Generator, draws: int = 1000
) -> tuple[float, float, float]:
    """Return (Harrell's concordance, low, high); the interval is the bootstrap's over patients.

    A resample is a vector w of how often each patient is drawn, and its concordance w'Aw / w'Bw for the matrices
    of concordant and comparable pairs, so thousands of resamples are one matrix product.
    """
    point = float(concordance_index_censored(event.astype(bool), time, risk)[0])
    concordant, comparable = _pairs(time, event.astype(bool), risk)
    weights = rng.multinomial(len(time), np.full(len(time), 1 / len(time)), size=draws).astype(float)
    numerator = np.einsum("ij,ij->i", weights @ concordant, weights)
    denominator = np.einsum("ij,ij->i", weights @ comparable, weights)
    values = numerator[denominator > 0] / denominator[denominator > 0]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return point, float(low), float(high)


def _pairs(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for every (i, j) whether i is known to fail before j, and how far the risks say so (0, 1/2, 1)."""
    earlier = (time[:, None] < time[None, :]) | ((time[:, None] == time[None, :]) & ~event[None, :])
    comparable = event[:, None] & earlier
    difference = risk[:, None] - risk[None, :]
    agree = np.where(np.abs(difference) <= 1e-8, 0.5, difference > 0)
    return agree * comparable, comparable.astype(float)
