"""How good a prediction of two classes is, and where to cut a score.

In numpy alone: every fit job imports this, and scikit-learn would take longer to start than a fold takes to score.
"""

import numpy as np


def balanced_error(
    y: np.ndarray, score: np.ndarray, threshold: float = 0.0, weights: np.ndarray | None = None
) -> float:
    """Compute (FN/P + FP/N) / 2.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Classes: 1 is positive, anything else negative.
    score : ndarray of shape (n_samples,)
        Predicted positive where above `threshold`.
    threshold : float
        0 is probability one half.
    weights : ndarray of shape (n_samples,), optional

    Returns
    -------
    float
    """
    positive = y == 1
    predicted = score > threshold
    missed, false_alarms = (
        _share(wrong, part, weights) for wrong, part in ((~predicted, positive), (predicted, ~positive))
    )
    return float((missed + false_alarms) / 2)


def _share(wrong: np.ndarray, part: np.ndarray, weights: np.ndarray | None) -> float:
    return float(np.average(wrong[part], weights=None if weights is None else weights[part]))


def best_threshold(y: np.ndarray, score: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the threshold of least balanced error, half-way between scores; of several the nearest to 0.

    Parameters
    ----------
    y, score : ndarray of shape (n_samples,)
        Classes and scores, as in `balanced_error`.
    weights : ndarray of shape (n_samples,), optional

    Returns
    -------
    float
    """
    order = np.argsort(score, kind="stable")
    ranked, positive = score[order], y[order] == 1
    counted = np.ones(len(score)) if weights is None else weights[order]
    missed = np.cumsum(positive * counted) / (positive * counted).sum()
    false_alarms = 1 - np.cumsum(~positive * counted) / (~positive * counted).sum()
    errors = np.r_[0.5, (missed + false_alarms) / 2]
    between = np.r_[ranked[0] - 1, (ranked[:-1] + ranked[1:]) / 2, ranked[-1] + 1]
    # No threshold separates equal scores.
    errors[1:-1][ranked[:-1] == ranked[1:]] = np.inf
    best = np.flatnonzero(errors <= errors.min() + 1e-12)
    return float(between[best[np.argmin(np.abs(between[best]))]])
