"""Survival statistics against statsmodels, scikit-survival and brute force."""

import numpy as np
import pytest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from sksurv.util import Surv
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.duration.survfunc import SurvfuncRight, survdiff

from study.run.errors import StudyError
from study.stats.cox import fit_cox, likelihood_ratio_p, log_likelihood
from study.stats.survival import concordance, excess, high_risk, kaplan_meier, log_rank


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
def test_kaplan_meier_is_that_of_statsmodels(ties):
    _, time, event = cohort(1, ties=ties)
    curve = kaplan_meier(time, event)
    oracle = SurvfuncRight(time, event)
    at_events = curve[curve["time"].isin(oracle.surv_times)]
    np.testing.assert_allclose(at_events["survival"], oracle.surv_prob, rtol=1e-12)
    np.testing.assert_array_equal(at_events["at_risk"], oracle.n_risk)
    assert curve.iloc[0].tolist() == [0, 1, 1, 1, 90]


def test_kaplan_meier_interval_is_the_log_log_one_of_greenwood():
    _, time, event = cohort(2)
    curve = kaplan_meier(time, event)
    oracle = SurvfuncRight(time, event)
    survival, error = oracle.surv_prob, oracle.surv_prob_se
    inner = (survival > 0) & (survival < 1)
    reach = 1.959963984540054 * error[inner] / (survival[inner] * np.abs(np.log(survival[inner])))
    at_events = curve[curve["time"].isin(oracle.surv_times)][inner]
    np.testing.assert_allclose(at_events["low"], survival[inner] ** np.exp(reach), rtol=1e-9)
    np.testing.assert_allclose(at_events["high"], survival[inner] ** np.exp(-reach), rtol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_log_rank_is_that_of_statsmodels(seed):
    X, time, event = cohort(seed, effect=0.5)
    high = high_risk(X[:, 0])
    np.testing.assert_allclose(log_rank(time, event, high), survdiff(time, event, high), rtol=1e-10)


def test_signed_root_says_who_fares_worse():
    X, time, event = cohort(5, effect=1.5)
    high = high_risk(X[:, 0])
    statistic, _ = log_rank(time, event, high)
    assert excess(time, event, high) == pytest.approx(np.sqrt(statistic))
    assert excess(time, event, ~high) == pytest.approx(-np.sqrt(statistic))
    assert excess(time, event, np.ones(90, bool)) == 0


def test_log_rank_keeps_its_level_when_groups_mean_nothing():
    """With a grouping made without the outcome the test is valid: at most 5 % plus Monte-Carlo error."""
    rejected = []
    for seed in range(400):
        X, time, event = cohort(1000 + seed)
        rejected.append(log_rank(time, event, high_risk(X[:, 0]))[1] <= 0.05)
    assert np.mean(rejected) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_cox_is_that_of_statsmodels_and_scikit_survival(seed, ties):
    X, time, event = cohort(seed, effect=0.7, ties=ties)
    fit = fit_cox(X, time, event)
    oracle = PHReg(time, X, status=event, ties="efron").fit()
    np.testing.assert_allclose(fit.coefficients, oracle.params, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.sqrt(np.diag(fit.covariance)), oracle.bse, rtol=1e-6)
    assert fit.log_likelihood == pytest.approx(oracle.llf, rel=1e-9)
    for column in range(3):
        _, low, high = fit.hazard_ratio(column)
        np.testing.assert_allclose(np.log([low, high]), oracle.conf_int()[column], atol=1e-6)
        assert fit.p_value(column) == pytest.approx(oracle.pvalues[column], rel=1e-5)
    other = CoxPHSurvivalAnalysis(ties="efron").fit(X, Surv.from_arrays(event.astype(bool), time))
    np.testing.assert_allclose(fit.coefficients, other.coef_, rtol=1e-5, atol=1e-8)


def test_cox_gradient_and_information_are_derivatives():
    X, time, event = cohort(3)
    event = event.astype(bool)
    beta, step = np.array([0.2, -0.05, 0.4]), 1e-5
    _, gradient, information = log_likelihood(beta, X, time, event)
    for axis, move in enumerate(np.eye(3) * step):
        above, below = (
            log_likelihood(beta + move, X, time, event),
            log_likelihood(beta - move, X, time, event),
        )
        assert gradient[axis] == pytest.approx((above[0] - below[0]) / (2 * step), rel=1e-5)
        np.testing.assert_allclose(
            -information[axis], (above[1] - below[1]) / (2 * step), rtol=1e-5, atol=1e-6
        )


def test_likelihood_ratio_is_that_of_statsmodels_and_null_fit_has_no_covariates():
    X, time, event = cohort(4, effect=0.5)
    from scipy.stats import chi2

    small, large = (
        PHReg(time, X[:, columns], status=event, ties="efron").fit() for columns in ([1, 2], [0, 1, 2])
    )
    p = likelihood_ratio_p(fit_cox(X[:, 1:], time, event), fit_cox(X, time, event))
    assert p == pytest.approx(chi2.sf(2 * (large.llf - small.llf), 1), rel=1e-6)
    none = fit_cox(np.empty((90, 0)), time, event)
    alone = PHReg(time, X[:, [0]], status=event, ties="efron")
    assert none.log_likelihood == pytest.approx(alone.loglike(np.zeros(1)), rel=1e-9)


def test_cox_without_a_maximum_gives_no_bounds():
    """Nobody in the low group has the event: the ratio is infinite, and the fit says so."""
    time = np.arange(1.0, 21)
    high = np.arange(20) < 10
    fit = fit_cox(high, time, high.astype(int))
    assert not fit.converged
    assert np.isnan(fit.hazard_ratio()[1:]).all()
    assert np.isnan(fit.p_value())


def test_cox_names_what_it_cannot_use():
    _, time, event = cohort(6)
    with pytest.raises(StudyError, match="covariates that vary"):
        fit_cox(np.ones(90), time, event)
    with pytest.raises(StudyError, match="at least one event"):
        fit_cox(time, time, np.zeros(90))


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


def test_median_is_the_cut_off():
    assert high_risk(np.array([0.1, 0.2, 0.3, 0.3, 0.9])).tolist() == [False, False, False, False, True]
