"""Whether groups of high and low risk could differ as much by chance: outcomes permuted through cross-validation.

A log-rank test of out-of-fold risk is not valid as it stands, because the risks were learned from the outcomes of the
other patients. Here outcomes, times included, are given to other patients' expression at random, and everything that
used them is repeated. The setting is fixed beforehand, so that nothing is chosen inside.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from study.cv.model import Point
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator
from study.evidence.fixed import fold_fits
from study.stats.survival import high_risk, signed_log_rank

# Beyond this signed root the log-rank test has a nominal two-sided p below 0.05.
NOMINAL = 1.959963984540054
POINT = Point(lam=0.3, sparsity=50, n_blocks=1, epochs=10)


def fixed_point(n_genes: int) -> Point:
    """Return the setting fixed in advance; on a network of 100 genes or fewer with half of the genes."""
    return POINT._replace(sparsity=min(POINT.sparsity, max(n_genes // 2, 1)))


def cross_validated_risk(
    learner, point: Point, X: np.ndarray, outcome: Outcome, splits: Splits, seed: int
) -> np.ndarray:
    """Return each patient's risk from the fit of trial 1 that left her out."""
    risk = np.empty(len(X))
    for test, _, scores in fold_fits(learner, point, X, outcome, splits, 1, seed, "permutation fit"):
        risk[test] = expit(scores)
    return risk


def permutation_test(
    risk_of: Callable[[np.ndarray], np.ndarray],
    X: np.ndarray,
    time: np.ndarray,
    event: np.ndarray,
    permutations: int,
    seed: int,
    tell: Callable[[int], None] = lambda done: None,
) -> dict:
    """Return statistic, p and the permuted statistics of the signed log-rank between risk groups.

    `nominal_rejections` is how often the nominal test would have rejected at 0.05 where nothing is to be found.

    Permuting the rows of X against (y, time, event) is permuting outcomes against expression, and keeps folds
    stratified. p = (1 + permutations at least as large) / (1 + permutations), one-sided: high risk fares worse.

    Parameters
    ----------
    risk_of : function of X
        From expression to out-of-fold risk, by the cross-validation of the fixed setting.
    """
    observed = signed_log_rank(time, event, high_risk(risk_of(X)))
    permuted = []
    for number in range(1, permutations + 1):
        order = generator(seed, 0, number, "permute outcomes").permutation(len(X))
        permuted.append(signed_log_rank(time, event, high_risk(risk_of(X[order]))))
        tell(number)
    as_large = int(np.sum(np.array(permuted) >= observed - 1e-12))
    return {
        "statistic": observed,
        "p": (1 + as_large) / (1 + permutations),
        "permutations": permutations,
        "nominal_rejections": float(np.mean(np.abs(permuted) > NOMINAL)),
        "permuted": permuted,
    }
