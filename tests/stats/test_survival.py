"""Survival statistics against statsmodels, scikit-survival and their definitions."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from sksurv.util import Surv
from statsmodels.duration.survfunc import SurvfuncRight, survdiff

from study.errors import StudyError
from study.stats.survival import (
    change_over_time,
    concordance,
    hazard_ratio,
    high_risk,
    kaplan_meier,
    log_rank,
)


def cohort(seed, n=90, effect=0.0, ties=True):
    """Covariates, times (with ties), events; the first covariate raises the hazard by `effect`."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1, 5, 0.2]
    failure = rng.exponential(np.exp(-effect * X[:, 0]) * 8)
    censored = rng.uniform(1, 15, n)
    time = np.minimum(failure, censored)
    time = np.ceil(time) if ties else time
    return X, time, (failure <= censored).astype(int)


@pytest.mark.parametrize("ties", [True, False])
def test_kaplan_meier_is_that_of_statsmodels_with_the_log_log_interval_of_greenwood(ties):
    _, time, event = cohort(1, ties=ties)
    curve = kaplan_meier(time, event)
    oracle = SurvfuncRight(time, event)
    at_events = curve[curve["time"].isin(oracle.surv_times)]
    np.testing.assert_allclose(at_events["survival"], oracle.surv_prob, rtol=1e-12)
    np.testing.assert_array_equal(at_events["at_risk"], oracle.n_risk)
    assert curve.iloc[0].tolist() == [0, 1, 1, 1, 90]
    inner = (oracle.surv_prob > 0) & (oracle.surv_prob < 1)
    survival, error = oracle.surv_prob[inner], oracle.surv_prob_se[inner]
    reach = 1.959963984540054 * error / (survival * np.abs(np.log(survival)))
    np.testing.assert_allclose(at_events["low"][inner], survival ** np.exp(reach), rtol=1e-9)
    np.testing.assert_allclose(at_events["high"][inner], survival ** np.exp(-reach), rtol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_log_rank_is_that_of_statsmodels(seed):
    X, time, event = cohort(seed, effect=0.5)
    high = high_risk(X[:, 0])
    np.testing.assert_allclose(log_rank(time, event, high), survdiff(time, event, high), rtol=1e-10)


def minus_log_likelihood(beta, X, time, event):
    """Cox's partial likelihood from its definition, ties by Efron's method."""
    hazard, value = np.exp(X @ beta), 0.0
    for moment in np.unique(time[event == 1]):
        at_risk, dying = time >= moment, (time == moment) & (event == 1)
        value += (X[dying] @ beta).sum()
        for share in np.arange(dying.sum()) / dying.sum():
            value -= np.log(hazard[at_risk].sum() - share * hazard[dying].sum())
    return -value


def curvature(function, at, step=1e-3):
    """Return the matrix of second derivatives, by differences."""
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    steps = step * np.eye(len(at))
    rows = [[sum(i * j * function(at + i * a + j * b) for i, j in signs) for b in steps] for a in steps]
    return np.array(rows) / (4 * step**2)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_hazard_ratio_maximises_the_partial_likelihood(seed, ties):
    X, time, event = cohort(seed, effect=0.7, ties=ties)
    found = hazard_ratio(time, event, X[:, 0], X[:, 1:])
    data = (X, time, event)
    other = CoxPHSurvivalAnalysis(ties="efron").fit(X, Surv.from_arrays(event.astype(bool), time))
    assert np.log(found.ratio) == pytest.approx(other.coef_[0], rel=1e-5, abs=1e-8)
    # Wald's error: the curvature of the likelihood, by differences.
    error = np.sqrt(np.linalg.inv(curvature(lambda beta: minus_log_likelihood(beta, *data), other.coef_))[0, 0])
    assert np.log([found.low, found.high]) == pytest.approx(
        np.log(found.ratio) + 1.959963984540054 * error * np.array([-1, 1]), abs=1e-3
    )
    assert found.p == pytest.approx(chi2.sf((np.log(found.ratio) / error) ** 2, 1), rel=1e-2)


@pytest.mark.parametrize("n_covariates", [0, 2])
def test_likelihood_ratio_compares_with_the_covariates_alone(n_covariates):
    X, time, event = cohort(4, effect=0.5)
    covariates = X[:, 1 : 1 + n_covariates]
    values = []
    for columns in (covariates, np.column_stack([X[:, 0], covariates])):
        start = np.zeros(columns.shape[1])
        values.append(minus_log_likelihood(start, columns, time, event))
        if len(start):
            values[-1] = minimize(minus_log_likelihood, start, (columns, time, event), tol=1e-9).fun
    found = hazard_ratio(time, event, X[:, 0], covariates)
    assert found.p_likelihood_ratio == pytest.approx(chi2.sf(2 * (values[0] - values[1]), 1), rel=1e-5)


def test_cox_without_a_maximum_gives_no_bounds():
    time = np.arange(1.0, 21)
    high = np.arange(20) < 10
    ratio, *others = hazard_ratio(time, high.astype(int), high)
    assert ratio > 1e3
    assert np.isnan(others).all()
    X, time, event = cohort(8)
    assert np.isnan(hazard_ratio(time, event, X[:, 0], X[:, [1, 1]])).all()  # columns that determine each other


def test_cox_names_what_it_cannot_use():
    _, time, event = cohort(6)
    with pytest.raises(StudyError, match="a covariate is constant"):
        hazard_ratio(time, event, np.ones(90))
    with pytest.raises(StudyError, match="no patient has the event"):
        hazard_ratio(time, np.zeros(90), time)


@pytest.mark.parametrize("ties", [True, False])
def test_concordance_and_its_resamples_are_those_of_scikit_survival(ties):
    X, time, event = cohort(7, n=60, effect=0.8, ties=ties)
    risk = np.round(X[:, 0], 1)
    point, low, high = concordance(time, event, risk, np.random.default_rng(3), draws=200)
    assert point == pytest.approx(concordance_index_censored(event.astype(bool), time, risk)[0])
    counts = np.random.default_rng(3).multinomial(60, np.full(60, 1 / 60), size=200)
    values = []
    for weights in counts:
        rows = np.repeat(np.arange(60), weights)
        values.append(concordance_index_censored(event[rows].astype(bool), time[rows], risk[rows])[0])
    np.testing.assert_allclose([low, high], np.quantile(values, [0.025, 0.975]), rtol=1e-9)


def test_constant_hazard_ratios_stay_and_others_change():
    rng = np.random.default_rng(5)
    high = np.arange(2000) % 2 == 1
    time = rng.exponential(1 / np.where(high, 2.0, 1.0))
    change = change_over_time(time, np.ones(2000, int), high)
    assert change.split_at == np.median(time)
    assert (change.before, change.after) == pytest.approx((2, 2), rel=0.15)
    assert change.p > 0.01
    whole = hazard_ratio(time, np.ones(2000, int), high).ratio
    assert min(change.before, change.after) <= whole <= max(change.before, change.after)
    early = rng.exponential(1 / np.where(high, 4.0, 1.0))
    late = change.split_at + rng.exponential(1 / np.where(high, 1.0, 1.0))
    turned = change_over_time(np.where(early < change.split_at, early, late), np.ones(2000, int), high)
    assert turned.before > 1.5 * turned.after
    assert turned.p < 1e-6


def test_change_is_unknown_where_a_group_has_no_late_event():
    time, event = np.array([1.0, 2, 3, 4, 5, 6]), np.array([1, 1, 1, 0, 0, 1])
    high = np.array([True, True, True, True, False, False])
    assert np.isnan(change_over_time(time, event, high).p)
