"""Out-of-fold risk and its tables: by hand on small examples; the permutation test under a null and a signal."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from small import study_of
from study import tables
from study.cv.model import Model, Point
from study.cv.newton import fit_ridge
from study.cv.outcome import Outcome
from study.cv.splits import make_splits
from study.data.registry import COHORTS
from study.data.studyfile import Cohort
from study.evidence import patients
from study.evidence.failed import failed_folds
from study.evidence.permutation import cross_validated_risk, fixed_point, permutation_test
from study.stats.survival import log_rank


def fold(method, trial, number, rows, scores, status="converged"):
    return {
        "method": method,
        "trial": trial,
        "fold": number,
        "status": status,
        "test_patients": rows,
        "test_scores": scores,
    }


def small_cohort(time=(1.0, 2.0, 3.0, 4.0)):
    y = np.array([1, 0, 1, 0], np.int8)
    names = np.array(list("abcd"))
    return Cohort(np.zeros((4, 1)), y, np.array(time), names, np.array([1]), np.array(["G"]), np.ones(3, int))


FOLDS = [
    fold("m", 1, 1, [0, 1], [2.0, -1.0]),
    fold("m", 1, 2, [2, 3], [0.5, -3.0], "diverged"),
    fold("m", 2, 1, [3, 0], [-1.0, 0.0]),
    fold("m", 2, 2, [1, 2], [1.0, 1.5]),
]


def test_risk_is_the_mean_probability_over_trials():
    risk, score = patients.out_of_fold(FOLDS, 4)
    logistic = 1 / (1 + np.exp(-np.array([[2, 0], [-1, 1], [0.5, 1.5], [-3, -1]])))
    np.testing.assert_allclose(risk, logistic.mean(axis=1))
    np.testing.assert_allclose(score, [1, 0, 1, -2])


def test_groups_are_cut_at_the_median_and_failed_folds_counted():
    table = patients.patients_table(FOLDS, small_cohort())
    assert table["group"].tolist() == ["high", "low", "high", "low"]
    failed = failed_folds(pd.DataFrame(FOLDS))
    assert failed.to_dict() == {"m": 1}
    assert patients.outcomes_table(table, failed, COHORTS["own"])["failed_folds"].tolist() == [1]
    assert patients.survival_table(table, failed, None, 1)["failed_folds"].tolist() == [1]


def test_permutation_p_stands_in_the_row_of_its_method_only():
    folds = [fold | {"method": method} for method in ("iht", "graph-iht") for fold in FOLDS]
    table, failed = patients.patients_table(folds, small_cohort()), failed_folds(pd.DataFrame(folds))
    permutation = {"method": "graph-iht", "p": 0.02, "permutations": 200, "nominal_rejections": 0.1}
    survival = patients.survival_table(table, failed, permutation, 1)
    assert survival[["permutations", "nominal_rejections"]].to_numpy()[1].tolist() == [200, 0.1]
    assert survival["permutation_p"].tolist()[1] == 0.02
    assert np.isnan(survival["permutation_p"].iloc[0])
    assert patients.survival_table(table, failed, None, 1)["permutation_p"].isna().all()


class Ridge:
    """A learner on all genes, to drive the permutation test quickly."""

    def fit(self, X, y, point, rng, weights):
        weights, intercept = fit_ridge(X, y, point.lam)
        return Model(np.arange(X.shape[1]), weights, intercept)


def permuted_p(seed, effect, permutations):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    failure, censored = rng.exponential(np.exp(-effect * X[:, 0]) * 5), rng.uniform(2, 10, 60)
    time, event = np.minimum(failure, censored), (failure <= censored).astype(np.int8)
    splits, outcome = make_splits(event, seed, 1, 3, 3), Outcome.of(study_of(X, event), {})

    def risk_of(expression):
        return cross_validated_risk(Ridge(), Point(lam=0.1), expression, outcome, splits, seed)

    return permutation_test(risk_of, X, time, event, permutations, seed), risk_of(X), time, event


def test_permutation_test_keeps_its_level_under_the_null():
    """Rejections at 0.05 are at most 0.05 plus Monte-Carlo error when expression and outcome are unrelated."""
    rejected = [permuted_p(seed, 0.0, 19)[0]["p"] <= 0.05 for seed in range(120)]
    assert np.mean(rejected) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 120)


def test_permutation_test_sees_a_signal_and_repeats_itself():
    result, risk, time, event = permuted_p(3, 1.5, 39)
    assert result["p"] == 1 / 40
    assert result["statistic"] > max(result["permuted"])
    statistic, _ = log_rank(time, event, risk > np.median(risk))
    assert result["statistic"] == pytest.approx(np.sqrt(statistic))
    assert result["nominal_rejections"] == np.mean([abs(value) > 1.96 for value in result["permuted"]])
    assert permuted_p(3, 1.5, 39)[0] == result


def test_fixed_setting_fits_a_small_network():
    assert fixed_point(1894) == Point(lam=0.3, sparsity=50, n_blocks=1, epochs=10)
    assert fixed_point(30).sparsity == 15


@pytest.mark.parametrize("has_times", [True, False])
def test_tables_have_the_promised_columns_and_survival_only_with_times(tmp_path, has_times):
    rng = np.random.default_rng(0)
    study = study_of(rng.normal(size=(60, 3)), np.arange(60) % 3 == 0)
    study = replace(study, time=np.linspace(1, 9, 60) if has_times else np.full(60, np.nan))
    folds = []
    for method in ("iht", "ridge"):
        for number in (1, 2):
            rows = np.arange(number - 1, 60, 2)
            folds.append(fold(method, 1, number, rows.tolist(), (study.y[rows] + rng.normal(size=30)).tolist()))
    computed = patients.patient_tables(folds, study, COHORTS["own"], None, 1)
    for name, table in computed.items():
        tables.write(tmp_path / f"{name}.csv", table)
    by_name = {name.removeprefix("evidence/"): tables.read(tmp_path / f"{name}.csv") for name in computed}
    assert len(by_name["patients"]) == 120
    assert len(by_name["roc"]) == 202
    assert set(by_name["outcomes"]["outcome"]) == {"event in follow-up"}
    assert by_name["outcomes"]["patients"].tolist() == [60, 60]
    assert by_name["calibration"].groupby("method")["patients"].sum().tolist() == [60, 60]
    survival = by_name["survival"]
    if has_times:
        assert survival["method"].tolist() == ["iht", "ridge"]
        assert (survival["n_high"] + survival["n_low"]).tolist() == [60, 60]
        assert by_name["km"].drop_duplicates(["method", "group"])["at_risk"].sum() == 120
    else:
        assert survival.empty
        assert by_name["km"].empty
