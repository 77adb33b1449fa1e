"""Patients by the risk that fits which never saw them gave: tables of survival, discrimination, calibration."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.special import expit

from study import tables
from study.cv.splits import generator
from study.data.registry import CohortSpec
from study.data.studyfile import Cohort
from study.evidence.failed import failed_folds
from study.stats.censoring import by_horizon
from study.stats.discrimination import auc_interval, calibration, roc_band
from study.stats.resampling import aucs, resamples
from study.stats.scores import balanced_error
from study.stats.survival import change_over_time, concordance, hazard_ratio, high_risk, kaplan_meier, log_rank

HORIZONS = (5, 10)
DRAWS = 1000


def patient_tables(
    folds: list[dict],
    cohort: Cohort,
    clinical: pd.DataFrame,
    spec: CohortSpec,
    seed: int,
    horizon: float | None = None,
    is_cox: bool = False,
) -> dict[str, pd.DataFrame]:
    """Return the tables by name; those of survival are empty for a cohort without times.

    `clinical` has a row per patient of whom more is known. `horizon` is that of the outcome that was learned, if it has
    one. A risk of Cox's model is no probability but h / (1 + h), h the hazard over the average one: no calibration.
    """
    failed = failed_folds(pd.DataFrame(folds, columns=["method", "status"]))
    patients = judged = patients_table(folds, cohort)
    if horizon is not None:
        known, outcome = by_horizon(patients["time"].to_numpy(), patients["event"].to_numpy(), horizon)
        judged = patients.assign(event=outcome)[known]

    def roc(event: np.ndarray, risk: np.ndarray) -> pd.DataFrame:
        # The same resamples for every method, so that bands differ by the method alone.
        return roc_band(event, risk, generator(seed, 0, 0, "roc"))

    by_name = {
        "patients": patients,
        "survival": tables.empty("evidence/survival"),
        "km": tables.empty("evidence/km"),
        "roc": by_group(judged, ["method"], roc, "event", "risk"),
        "calibration": tables.empty("evidence/calibration")
        if is_cox
        else by_group(judged, ["method"], calibration, "event", "risk"),
        "outcomes": outcomes_table(patients, failed, spec, horizon),
        "other_event": other_event_table(patients, clinical, spec, seed),
    }
    if cohort.has_times:
        by_name["survival"] = survival_table(patients, failed, seed)
        by_name["km"] = km_table(patients, "method")
    return {f"evidence/{name}": table for name, table in by_name.items()}


def out_of_fold(folds: list[dict], n_patients: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (risk, score) per patient: the means over trials of the probability and of the linear score.

    A fold whose fit diverged still counts with the scores it gave; `failed_folds` counts it.
    """
    probability, score, times = np.zeros(n_patients), np.zeros(n_patients), np.zeros(n_patients)
    for fold in folds:
        rows, values = np.array(fold["test_patients"]), np.array(fold["test_scores"])
        probability[rows] += expit(values)
        score[rows] += values
        times[rows] += 1
    with np.errstate(invalid="ignore"):
        return probability / times, score / times


def patients_table(folds: list[dict], cohort: Cohort) -> pd.DataFrame:
    """Return a row per method and patient: risk, score, time, event, group (high above the median risk)."""
    parts = []
    for method in dict.fromkeys(fold["method"] for fold in folds):
        risk, score = out_of_fold([fold for fold in folds if fold["method"] == method], len(cohort.y))
        table = {"method": method, "patient": cohort.patients, "risk": risk, "score": score}
        table |= {"time": cohort.time, "event": cohort.y, "group": np.where(high_risk(risk), "high", "low")}
        parts.append(pd.DataFrame(table))
    return pd.concat(parts, ignore_index=True)


def survival_table(patients: pd.DataFrame, failed: pd.Series, seed: int) -> pd.DataFrame:
    """Return a row per method: groups, hazard ratio, nominal log-rank p, concordance, failed folds.

    The log-rank p treats the risks as if they were known beforehand; the patients' risks come from fits on each
    other's outcomes, so it is nominal. The permuted experiment gives an honest one for the hazard ratio.
    """
    rows = []
    for method, table in patients.groupby("method", sort=False):
        time, event = table["time"].to_numpy(), table["event"].to_numpy()
        high = (table["group"] == "high").to_numpy()
        # The same resamples for every method, so that intervals differ by the method alone.
        rng = generator(seed, 0, 0, "concordance")
        ratio = hazard_ratio(time, event, high)[:3] if 0 < high.sum() < len(high) else (np.nan,) * 3
        ranked = concordance(time, event, table["risk"].to_numpy(), rng)
        tests = [log_rank(time, event, high)[1], *change_over_time(time, event, high)]
        rows.append([method, int(high.sum()), int((~high).sum()), *ratio, *tests, *ranked, failed[method]])
    return pd.DataFrame(rows, columns=tables.columns("evidence/survival"))


def by_group(patients: pd.DataFrame, keys: list[str], rows_of: Callable, *values: str) -> pd.DataFrame:
    """Return the rows that a function makes of some columns of every group of patients, behind the group's names."""
    parts = []
    for names, table in patients.groupby(keys, sort=False):
        rows = rows_of(*(table[value].to_numpy() for value in values))
        parts.append(pd.DataFrame(dict(zip(keys, names, strict=True)), index=rows.index).join(rows))
    return pd.concat(parts, ignore_index=True)


def km_table(patients: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """Return the Kaplan-Meier curves of the high and the low group of every combination of `keys`."""
    return by_group(patients, [*keys, "group"], kaplan_meier, "time", "event")


def outcomes_table(
    patients: pd.DataFrame, failed: pd.Series, spec: CohortSpec, horizon: float | None = None
) -> pd.DataFrame:
    """Return AUC and balanced error of the same risks against other readings of the outcome.

    Nothing is trained again: the fits learned one outcome. Patients censored before a horizon are left out.
    """
    rows, horizons = [], {f"{spec.event} in follow-up": np.inf}
    if spec.unit == "years":
        every = sorted({*HORIZONS, horizon or HORIZONS[0]})
        horizons |= {f"{spec.event} within {years:g} years": years for years in every}
    for method, table in patients.groupby("method", sort=False):
        time, event, risk, score = (table[name].to_numpy() for name in ("time", "event", "risk", "score"))
        for outcome, until in horizons.items():
            known, y = (event >= 0, event) if until == np.inf else by_horizon(time, event, until)
            y = y[known]
            if 0 < y.sum() < len(y):
                row = [outcome, method, len(y), int(y.sum()), *auc_interval(y, risk[known])]
                rows.append([*row, balanced_error(y, score[known]), failed[method]])
    return pd.DataFrame(rows, columns=tables.columns("evidence/outcomes"))


def other_event_table(patients: pd.DataFrame, clinical: pd.DataFrame, spec: CohortSpec, seed: int) -> pd.DataFrame:
    """Return the AUC of the same risks for an event that no fit learned, and for the one learned in the same patients.

    Only patients for whom both are known. The 95 % interval is the bootstrap's over patients, with the same resamples
    for every method and event.
    """
    rows, other = [], spec.other_event
    for method, table in patients.groupby("method", sort=False) if other else ():
        both = table.merge(clinical[["patient", other.name]].dropna(), on="patient")
        draws = resamples(len(both), DRAWS, generator(seed, 0, 0, "other event"))
        for outcome, column in ((other.meaning, other.name), (f"{spec.event} in follow-up", "event")):
            event = both[column].to_numpy() == 1
            values = aucs(both["risk"].to_numpy(), event, draws)
            rows.append(
                [outcome, method, len(both), event.sum(), values[0], *np.nanquantile(values[1:], [0.025, 0.975])]
            )
    return pd.DataFrame(rows, columns=tables.columns("evidence/other_event"))
