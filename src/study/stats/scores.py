"""How good a prediction is.

In numpy alone: every fit job imports this, and scikit-learn would take longer to start than a fold takes to score.
"""

from __future__ import annotations

import numpy as np


def balanced_error(
    y: np.ndarray, score: np.ndarray, threshold: float = 0.0, weights: np.ndarray | None = None
) -> float:
    """Return (FN/P + FP/N)/2; predicted positive where `score` > `threshold` (0 = probability one half)."""
    positive = y == 1
    predicted = score > threshold
    missed, false_alarms = (
        _share(wrong, part, weights) for wrong, part in ((~predicted, positive), (predicted, ~positive))
    )
    return float((missed + false_alarms) / 2)


def _share(wrong: np.ndarray, part: np.ndarray, weights: np.ndarray | None) -> float:
    return np.average(wrong[part], weights=None if weights is None else weights[part])


def auc(y: np.ndarray, score: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the probability that a random positive outranks a random negative; ties count one half.

    With weights, positives and negatives are drawn in proportion to them. With those of `study.stats.censoring` it is
    the cumulative/dynamic AUC at the horizon.
    """
    positive, negative = y == 1, y != 1
    order = np.argsort(score[negative], kind="stable")
    ranked = score[negative][order]
    below = np.searchsorted(ranked, score[positive], side="left")
    not_above = np.searchsorted(ranked, score[positive], side="right")
    if weights is None:
        return float((below + not_above).sum() / (2 * positive.sum() * negative.sum()))
    up_to = np.r_[0.0, np.cumsum(weights[negative][order])]
    return float(weights[positive] @ (up_to[below] + up_to[not_above]) / (2 * weights[positive].sum() * up_to[-1]))


def best_threshold(y: np.ndarray, score: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the threshold of least balanced error, half-way between scores; of several the nearest to 0."""
    order = np.argsort(score, kind="stable")
    ranked, positive = score[order], y[order] == 1
    counted = 1 if weights is None else weights[order]
    missed = np.cumsum(positive * counted) / (positive * counted).sum()
    false_alarms = 1 - np.cumsum(~positive * counted) / (~positive * counted).sum()
    errors = np.r_[0.5, (missed + false_alarms) / 2]
    between = np.r_[ranked[0] - 1, (ranked[:-1] + ranked[1:]) / 2, ranked[-1] + 1]
    # No threshold separates equal scores.
    errors[1:-1][ranked[:-1] == ranked[1:]] = np.inf
    best = np.flatnonzero(errors <= errors.min() + 1e-12)
    return float(between[best[np.argmin(np.abs(between[best]))]])
