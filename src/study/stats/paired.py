"""Differences of two methods over the folds of a repeated cross-validation.

Our own: no pinned library corrects a paired test for training sets that overlap.
"""

import numpy as np
from scipy.stats import t as student_t


def corrected_error(std: float, n_folds: int, folds: int) -> float:
    """Return the standard error of a mean over repeated k-fold cross-validation (Nadeau and Bengio 2003).

    The variance is std^2 (1/J + n_test/n_train), J folds in all, because training sets overlap; with k folds
    n_test/n_train = 1/(k - 1).
    """
    return std * np.sqrt(1 / n_folds + 1 / (folds - 1))


def paired_difference(a: np.ndarray, b: np.ndarray, folds: int) -> dict:
    """Return the mean of a - b with its corrected standard error, 95 % interval and two-sided p.

    Student's t with J - 1 degrees of freedom.
    """
    difference = np.asarray(a, float) - np.asarray(b, float)
    n = len(difference)
    mean, error = difference.mean(), corrected_error(difference.std(ddof=1), n, folds)
    half = student_t.ppf(0.975, n - 1) * error
    p = 2 * student_t.sf(abs(mean) / error, n - 1) if error > 0 else float(mean == 0)
    return {"difference": mean, "error": error, "low": mean - half, "high": mean + half, "p": p}
