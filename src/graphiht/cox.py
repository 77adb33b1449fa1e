"""Cox's partial likelihood: value, derivatives along the scores, and curvature along every feature.

    L(w) = (1/n) sum_i k_i event_i [log sum_{j: time_j >= time_i} k_j exp(x_j w) - x_i w]

Ties are Breslow's: all patients with an event at one time share one risk set. Then a row of weight two is that row
twice, as everywhere in this package, which Efron's ties would not give.

Compiled like `kernels`: a fixed order of operations. Sums of exponentials are logarithms throughout, so that no score
overflows, and variances within risk sets are updated patient by patient, so that no mean is too far from zero.
"""

import math

import numpy as np

from graphiht._jit import compiled

COX = 2  # beside kernels.LOGISTIC and kernels.SQUARED


@compiled
def partial_likelihood(margins, events, row_weights, order, starts):
    """Return (value, slopes, shares, deaths) of the mean negative log partial likelihood.

    Parameters
    ----------
    margins, events, row_weights : float arrays of shape (n_rows,)
    order : int array of shape (n_rows,)
        The rows from the last time to the first.
    starts : int array of shape (n_times + 1,)
        Where each time begins in `order`.

    Returns
    -------
    value : float
    slopes : float array of shape (n_rows,)
        The derivative along each margin.
    shares : float array of shape (n_rows,)
        Of each row in the risk set that it joins, rows being added by `order`.
    deaths : float array of shape (n_times,)
        The weight of the events at each time.
    """
    n, n_times = len(order), len(starts) - 1
    slopes, shares = np.empty(n), np.empty(n)
    deaths, log_risks = np.zeros(n_times), np.empty(n_times)
    value, log_risk, log_hazard = 0.0, -math.inf, -math.inf
    for k in range(n_times):
        for i in order[starts[k] : starts[k + 1]]:
            own = margins[i] + math.log(row_weights[i])
            log_risk = _log_sum(log_risk, own)
            shares[i] = math.exp(own - log_risk)
            deaths[k] += row_weights[i] * events[i]
            value -= row_weights[i] * events[i] * margins[i]
        log_risks[k] = log_risk
        value += deaths[k] * log_risk
    for k in range(n_times - 1, -1, -1):
        if deaths[k] > 0.0:
            log_hazard = _log_sum(log_hazard, math.log(deaths[k]) - log_risks[k])
        for i in order[starts[k] : starts[k + 1]]:
            slopes[i] = row_weights[i] * (math.exp(margins[i] + log_hazard) - events[i]) / n
    return value / n, slopes, shares, deaths


@compiled
def _log_sum(a, b):
    """Return log(exp(a) + exp(b))."""
    top = max(a, b)
    return top + math.log(math.exp(a - top) + math.exp(b - top)) if top > -math.inf else top


@compiled
def curvatures(matrix, shares, deaths, order, starts):
    """Return the second derivative along each weight: the sum over events of the variance in the risk set."""
    width = matrix.shape[1]
    mean, variance, out = np.zeros(width), np.zeros(width), np.zeros(width)
    for k in range(len(deaths)):
        for i in order[starts[k] : starts[k + 1]]:
            share = shares[i]
            for j in range(width):
                away = matrix[i, j] - mean[j]
                mean[j] += share * away
                variance[j] = (1.0 - share) * (variance[j] + share * away * away)
        if deaths[k] > 0.0:
            for j in range(width):
                out[j] += deaths[k] / len(order) * variance[j]
    return out


@compiled
def hessian(design, shares, deaths, order, starts):
    """Return the lower triangle of the second derivatives: the sum over events of covariances in the risk set."""
    width = design.shape[1]
    mean, away = np.zeros(width), np.empty(width)
    covariance, out = np.zeros((width, width)), np.zeros((width, width))
    for k in range(len(deaths)):
        for i in order[starts[k] : starts[k + 1]]:
            share = shares[i]
            for a in range(width):
                away[a] = design[i, a] - mean[a]
                mean[a] += share * away[a]
                line, scaled = covariance[a], share * away[a]
                for b in range(a + 1):
                    line[b] = (1.0 - share) * (line[b] + scaled * away[b])
        if deaths[k] > 0.0:
            for a in range(width):
                for b in range(a + 1):
                    out[a, b] += deaths[k] / len(order) * covariance[a, b]
    return out
