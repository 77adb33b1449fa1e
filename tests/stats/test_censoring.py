"""Weights for patients who were lost: against scikit-survival and brute force."""

import numpy as np
import pytest
from sksurv.nonparametric import CensoringDistributionEstimator
from sksurv.util import Surv

from study.errors import StudyError
from study.stats.censoring import by_horizon, censoring_weights, uncensored
from study.stats.scores import auc, balanced_error, best_threshold


def simulated(seed, n):
    """Failure times that a score predicts, and censoring that it does not."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n)
    failure = rng.exponential(8 * np.exp(-score))
    lost = rng.exponential(4, size=n)
    return score, np.minimum(failure, lost), (failure <= lost).astype(np.int8)


def test_share_still_followed_is_scikit_survivals():
    _, time, event = simulated(0, 200)
    estimator = CensoringDistributionEstimator().fit(Surv.from_arrays(event.astype(bool), time))
    at = np.sort(time)[:-1]
    # Just before a time with us, at that time there: the same at any time nobody was lost.
    between = (at[1:] + at[:-1]) / 2
    np.testing.assert_allclose(uncensored(time, event, between), estimator.predict_proba(between), rtol=1e-12)


def test_share_still_followed_by_hand():
    """Ties: an event comes before a loss at the same time, and a share is that just before its time."""
    time, event = np.array([1.0, 2, 2, 2, 3, 4]), np.array([1, 0, 0, 1, 0, 1])
    # At 2, after the event, four are followed and two are lost; at 3 two are, and one is lost.
    np.testing.assert_allclose(uncensored(time, event, np.array([1, 2, 2.5, 3, 3.5])), [1, 1, 0.5, 0.5, 0.25])


def test_outcomes_by_a_horizon():
    time, event = np.array([2, 2, 5, 5, 7, 9]), np.array([1, 0, 1, 0, 1, 0])
    known, outcome = by_horizon(time, event, 5)
    assert known.tolist() == [True, False, True, True, True, True]
    assert outcome.tolist() == [1, 0, 1, 0, 0, 0]


def test_a_horizon_beyond_all_follow_up_is_refused():
    time, event = np.array([1.0, 2, 3, 9]), np.array([1, 0, 0, 1])
    with pytest.raises(StudyError, match="none of 3 patients is followed for 5"):
        censoring_weights(time, event, 5.0, time[:3], event[:3])


def test_integer_weights_are_repetitions():
    rng = np.random.default_rng(2)
    y, score, weights = rng.integers(0, 2, 40), np.round(rng.normal(size=40), 1), rng.integers(1, 4, 40)
    again = np.repeat(np.arange(40), weights)
    assert auc(y, score, weights.astype(float)) == pytest.approx(auc(y[again], score[again]), abs=1e-12)
    assert balanced_error(y, score, 0.1, weights) == pytest.approx(
        balanced_error(y[again], score[again], 0.1), abs=1e-12
    )
    assert best_threshold(y, score, weights) == best_threshold(y[again], score[again])
