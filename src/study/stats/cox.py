"""Cox's proportional-hazards regression with standard errors and likelihood-ratio tests.

scikit-survival fits the coefficients but returns neither their errors nor the likelihood, and both are needed here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2, norm

from study.run.errors import StudyError

MAX_STEPS = 50
TOLERANCE = 1e-10
# A coefficient per standard deviation beyond this is on its way to infinity.
LARGEST = 8.0


@dataclass(frozen=True)
class CoxFit:
    """Coefficients, their covariance and the log partial likelihood at them."""

    coefficients: np.ndarray
    covariance: np.ndarray
    log_likelihood: float
    converged: bool

    def hazard_ratio(self, column: int = 0, level: float = 0.95) -> tuple[float, float, float]:
        """Return (ratio, low, high) of one covariate, by Wald's interval; without bounds if not converged."""
        beta = float(self.coefficients[column])
        if not self.converged:
            return float(np.exp(beta)), np.nan, np.nan
        reach = norm.ppf(0.5 + level / 2) * float(np.sqrt(self.covariance[column, column]))
        return float(np.exp(beta)), float(np.exp(beta - reach)), float(np.exp(beta + reach))

    def p_value(self, column: int = 0) -> float:
        """Return Wald's two-sided p of one covariate."""
        if not self.converged:
            return np.nan
        z = self.coefficients[column] / np.sqrt(self.covariance[column, column])
        return float(2 * norm.sf(abs(z)))


def log_likelihood(beta: np.ndarray, X: np.ndarray, time: np.ndarray, event: np.ndarray):
    """Return (value, gradient, information) of the log partial likelihood, ties by Efron's method.

        sum over event times t of  sum_{i dies at t} x_i b  -  sum_{l<d} log(R - (l/d) D)

    with R the sum of exp(x b) over those at risk at t, D that over the d who die at t.
    """
    eta = X @ beta
    hazard = np.exp(eta - eta.max())
    value, gradient, information = 0.0, np.zeros(X.shape[1]), np.zeros((X.shape[1],) * 2)
    for moment in np.unique(time[event]):
        at_risk, dying = time >= moment, (time == moment) & event
        d = int(dying.sum())
        risk_0, dying_0 = hazard[at_risk].sum(), hazard[dying].sum()
        risk_1, dying_1 = hazard[at_risk] @ X[at_risk], hazard[dying] @ X[dying]
        risk_2 = (X[at_risk] * hazard[at_risk, None]).T @ X[at_risk]
        dying_2 = (X[dying] * hazard[dying, None]).T @ X[dying]
        value += eta[dying].sum() - d * eta.max()
        gradient += X[dying].sum(axis=0)
        for share in np.arange(d) / d:
            total = risk_0 - share * dying_0
            mean = (risk_1 - share * dying_1) / total
            value -= np.log(total)
            gradient -= mean
            information += (risk_2 - share * dying_2) / total - np.outer(mean, mean)
    return value, gradient, information


def fit_cox(X: np.ndarray, time: np.ndarray, event: np.ndarray) -> CoxFit:
    """Return the fit of the covariates X (patients, covariates), by Newton's method with step halving.

    Where the likelihood has no maximum, for example when nobody in one group has the event, the fit says that it
    has not converged.
    """
    X = np.asarray(X, float).reshape(len(time), -1)
    event = np.asarray(event, bool)
    if not event.any():
        raise StudyError("Cox regression: expected at least one event, found none.")
    spread = X.std(axis=0)
    if (spread == 0).any():
        raise StudyError("Cox regression: expected covariates that vary, found a constant one.")
    scaled = (X - X.mean(axis=0)) / spread
    beta = np.zeros(X.shape[1])
    value, gradient, information = log_likelihood(beta, scaled, time, event)
    if not X.shape[1]:
        return CoxFit(beta, information, float(value), True)
    converged = False
    for _ in range(MAX_STEPS):
        try:
            move = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            break
        step = 1.0
        while step > 1e-8:
            new = log_likelihood(beta + step * move, scaled, time, event)
            if new[0] >= value:
                break
            step /= 2
        gain, beta = new[0] - value, beta + step * move
        value, gradient, information = new
        if gain <= TOLERANCE * max(1.0, abs(value)):
            converged = bool(np.all(np.abs(beta) < LARGEST) and np.linalg.cond(information) < 1e12)
            break
    covariance = np.linalg.inv(information) if converged else np.full_like(information, np.nan)
    return CoxFit(beta / spread, covariance / np.outer(spread, spread), float(value), converged)


def likelihood_ratio_p(smaller: CoxFit, larger: CoxFit) -> float:
    """Return the p of the likelihood-ratio test between nested fits."""
    if not (smaller.converged and larger.converged):
        return np.nan
    degrees = len(larger.coefficients) - len(smaller.coefficients)
    return float(chi2.sf(2 * max(larger.log_likelihood - smaller.log_likelihood, 0.0), degrees))
