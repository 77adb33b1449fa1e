"""How good a prediction is.

In numpy alone: every fit job imports this, and scikit-learn would take longer to start than a fold takes to score.
"""

from __future__ import annotations

import numpy as np


def balanced_error(y: np.ndarray, score: np.ndarray, threshold: float = 0.0) -> float:
    """Return (FN/P + FP/N)/2; predicted positive where `score` > `threshold` (0 = probability one half)."""
    positive = y == 1
    predicted = score > threshold
    return float((np.mean(~predicted[positive]) + np.mean(predicted[~positive])) / 2)


def auc(y: np.ndarray, score: np.ndarray) -> float:
    """Return the probability that a random positive outranks a random negative; ties count one half."""
    positive, negative = score[y == 1], np.sort(score[y != 1])
    below = np.searchsorted(negative, positive, side="left")
    not_above = np.searchsorted(negative, positive, side="right")
    return float((below + not_above).sum() / (2 * len(positive) * len(negative)))


def best_threshold(y: np.ndarray, score: np.ndarray) -> float:
    """Return the threshold of least balanced error, half-way between scores; of several the nearest to 0."""
    order = np.argsort(score, kind="stable")
    ranked, positive = score[order], y[order] == 1
    missed = np.cumsum(positive) / positive.sum()
    false_alarms = 1 - np.cumsum(~positive) / (~positive).sum()
    errors = np.r_[0.5, (missed + false_alarms) / 2]
    between = np.r_[ranked[0] - 1, (ranked[:-1] + ranked[1:]) / 2, ranked[-1] + 1]
    # No threshold separates equal scores.
    errors[1:-1][ranked[:-1] == ranked[1:]] = np.inf
    best = np.flatnonzero(errors <= errors.min() + 1e-12)
    return float(between[best[np.argmin(np.abs(between[best]))]])
