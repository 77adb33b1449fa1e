"""Out-of-fold risk and its tables: by hand on small examples."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from small import study_of
from study import tables
from study.data.registry import COHORTS
from study.data.studyfile import Cohort
from study.evidence import patients
from study.evidence.failed import failed_folds


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
    assert patients.survival_table(table, failed, 1)["failed_folds"].tolist() == [1]


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
    computed = patients.patient_tables(folds, study, pd.DataFrame(columns=["patient"]), COHORTS["own"], 1)
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


def test_another_event_is_judged_in_the_patients_of_whom_it_is_known():
    """Against scikit-learn, on a patient less; the interval of a perfect score has no width."""
    rng, spec = np.random.default_rng(1), COHORTS["nki"]
    risk, event = rng.random(60), np.arange(60) % 3 == 0
    table = pd.DataFrame({"method": "m", "patient": [f"P{i}" for i in range(60)], "risk": risk, "event": event})
    other = (rng.random(60) < risk).astype(float)
    other[5] = np.nan
    clinical = pd.DataFrame({"patient": table["patient"], spec.other_event.name: other})[::-1]
    both = pd.concat([table, table.assign(method="perfect", risk=other + 1)])
    found = patients.other_event_table(both.fillna(0), clinical, spec, 1)
    known = np.arange(60) != 5
    areas = [roc_auc_score(truth[known], risk[known]) for truth in (other, event)]
    np.testing.assert_allclose(found["auc"][:2], areas)
    assert found["auc"][2] == found["low"][2] == found["high"][2] == 1
    assert found["outcome"].tolist() == ["metastasis in follow-up", "death in follow-up"] * 2
    assert set(found["patients"]) == {59}
    assert found["events"][:2].tolist() == [np.nansum(other), event[known].sum()]
    assert (found["low"] <= found["auc"]).all()
    assert (found["auc"] <= found["high"]).all()
    assert patients.other_event_table(table, clinical, COHORTS["own"], 1).empty
