"""How good a prediction is: balanced error and cut-off, which are the library's, and AUC.

In numpy alone: every fit job imports this, and scikit-learn would take longer to start than a fold takes to score.
"""

import numpy as np

from graphiht.scores import balanced_error as balanced_error
from graphiht.scores import best_threshold as best_threshold


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
