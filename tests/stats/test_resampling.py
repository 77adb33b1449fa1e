"""Figures over resamples: against scikit-survival, against our own figures, and against resampling by hand."""

import numpy as np
import pytest
from sksurv.metrics import concordance_index_ipcw, cumulative_dynamic_auc
from sksurv.util import Surv

from study.stats.censoring import by_horizon, censoring_weights
from study.stats.meta import random_effects
from study.stats.resampling import BootstrapEvaluation, resamples
from study.stats.scores import auc, balanced_error

HORIZON = 3.0


@pytest.fixture(scope="module")
def cohort():
    rng = np.random.default_rng(0)
    score = np.round(rng.normal(size=150), 1)
    failure, lost = rng.exponential(6 * np.exp(-score)), rng.exponential(5, 150)
    draws = resamples(150, 20, np.random.default_rng(1))
    return score, np.minimum(failure, lost), (failure <= lost).astype(int), draws


def test_figures_of_the_cohort_itself(cohort):
    score, time, event, draws = cohort
    figures = BootstrapEvaluation(time, event, HORIZON, draws).figures(score, 0.3)
    outcome = Surv.from_arrays(event.astype(bool), time)
    (expected,), _ = cumulative_dynamic_auc(outcome, outcome, score, [HORIZON])
    assert figures["auc_horizon"][0] == pytest.approx(expected, abs=1e-12)
    expected = concordance_index_ipcw(outcome, outcome, score, tau=HORIZON)[0]
    assert figures["concordance"][0] == pytest.approx(expected, abs=1e-12)


def test_resamples_are_patients_drawn_again(cohort):
    """The first is the cohort itself."""
    score, time, event, draws = cohort
    figures = BootstrapEvaluation(time, event, HORIZON, draws).figures(score, 0.3)
    known, y = by_horizon(time, event, HORIZON)
    weights = censoring_weights(time, event, HORIZON, time, event)
    for number, counts in enumerate(draws):
        again = np.repeat(np.arange(150), counts.astype(int))
        assert figures["auc_status"][number] == pytest.approx(auc(event[again], score[again]), abs=1e-12)
        again = again[known[again]]
        assert figures["auc_horizon"][number] == pytest.approx(auc(y[again], score[again], weights[again]), abs=1e-12)
        for key, threshold in (("error", 0.0), ("error_tuned", 0.3)):
            expected = balanced_error(y[again], score[again], threshold, weights[again])
            assert figures[key][number] == pytest.approx(expected, abs=1e-12)


def test_random_effects_find_the_mean_and_the_spread():
    rng = np.random.default_rng(2)
    for tau in (0.0, 0.08):
        held, found = [], []
        for _ in range(400):
            errors = rng.uniform(0.03, 0.06, 6)
            combined = random_effects(rng.normal(0.7, np.hypot(tau, errors)), errors)
            held.append(combined.low <= 0.7 <= combined.high)
            found.append(combined.tau)
        assert 0.92 <= np.mean(held) <= 1.0
        assert np.mean(held) <= 0.98 or tau == 0
        assert np.mean(found) == pytest.approx(tau, abs=0.03)


def test_random_effects_by_hand():
    values, error = np.array([0.6, 0.7, 0.8]), 0.05
    combined = random_effects(values, np.full(3, error))
    assert combined.estimate == pytest.approx(0.7)
    q = ((values - 0.7) ** 2).sum() / error**2
    assert combined.i2 == pytest.approx(1 - 2 / q)
    assert combined.tau**2 == pytest.approx(values.var(ddof=1) - error**2, rel=1e-3)
    one = random_effects([0.6], [0.1])
    assert (one.low, one.high) == pytest.approx((0.6 - 0.196, 0.6 + 0.196), abs=1e-3)
