"""Figures of a score in a cohort over resamples of its patients.

A resample is a vector w of how often each patient is drawn, so a figure over thousands of resamples is a few matrix
products. All scores of a cohort share their resamples, so that differences have intervals too.
"""

import numpy as np

from study.stats.censoring import by_horizon, censoring_weights

TIE = 1e-8


def resamples(n: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Return (draws + 1, n): how often each patient is drawn; the first row is the cohort itself, each patient once."""
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=draws)
    return np.vstack([np.ones((1, n)), drawn.astype(float)])


def ordered_pairs(time: np.ndarray, event: np.ndarray) -> np.ndarray:
    """Return for every (i, j) whether i is known to fail before j; `event` is boolean."""
    earlier = (time[:, None] < time[None, :]) | ((time[:, None] == time[None, :]) & ~event[None, :])
    return event[:, None] & earlier


def concordances(score: np.ndarray, comparable: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Return the concordance in each resample w: w'Aw / w'Bw, A and B the concordant and the comparable pairs."""
    concordant = comparable * _above(score[:, None], score[None, :])
    pairs = [np.einsum("ij,ij->i", draws @ matrix, draws) for matrix in (concordant, comparable)]
    return _ratio(*pairs)


class BootstrapEvaluation:
    """Evaluate scores in a cohort and its bootstrap resamples, by event status and by the outcome at a horizon.

    The censoring weights are those of the cohort itself in every resample of `draws`.
    """

    def __init__(self, time: np.ndarray, event: np.ndarray, horizon: float, draws: np.ndarray):
        self.event, self.draws = event.astype(bool), draws
        self.y = by_horizon(time, event, horizon)[1].astype(bool)
        self.weights = censoring_weights(time, event, horizon, time, event)
        # Uno's concordance: pairs whose earlier event came before the horizon, weighed by 1 / P(followed)^2.
        first = np.where(self.y, self.weights, 0.0) ** 2
        self.comparable = ordered_pairs(time, self.event) * first[:, None]

    def figures(self, score: np.ndarray, threshold: float) -> dict[str, np.ndarray]:
        """Return each figure over the resamples, the first value being that of the cohort itself.

        auc_horizon, auc_status
            The AUC for the event by the horizon (cumulative/dynamic, weighted for censoring), and for event status.
        concordance
            Uno's, up to the horizon.
        error, error_tuned
            Balanced error by the horizon at probability one half, and at the cut-off chosen in training.
        """
        at_horizon = self.draws * self.weights
        return {
            "auc_horizon": aucs(score, self.y, at_horizon),
            "auc_status": aucs(score, self.event, self.draws),
            "concordance": concordances(score, self.comparable, self.draws),
            "error": self._error(score, 0.0, at_horizon),
            "error_tuned": self._error(score, threshold, at_horizon),
        }

    def _error(self, score: np.ndarray, threshold: float, weights: np.ndarray) -> np.ndarray:
        predicted = score > threshold
        shares = [
            _ratio(weights[:, part] @ wrong[part], weights[:, part].sum(axis=1))
            for part, wrong in ((self.y, ~predicted), (~self.y, predicted))
        ]
        return (shares[0] + shares[1]) / 2


def _above(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return 1 where the first score is above the second, 1/2 where they tie, 0 elsewhere."""
    difference = first - second
    return np.where(np.abs(difference) <= TIE, 0.5, difference > 0)


def aucs(score: np.ndarray, positive: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the AUC in each resample; `positive` is boolean."""
    above = _above(score[positive][:, None], score[~positive][None, :])
    cases, controls = weights[:, positive], weights[:, ~positive]
    return _ratio(np.einsum("ij,ij->i", cases @ above, controls), cases.sum(axis=1) * controls.sum(axis=1))


def _ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return the quotient; NaN where a resample has nobody to compare."""
    return np.divide(numerator, denominator, out=np.full(len(numerator), np.nan), where=denominator > 0)
