"""Patients by the risk that fits which never saw them gave: tables of survival, discrimination, calibration."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.cv.splits import generator
from study.data.studyfile import Cohort
from study.stats.cox import fit_cox
from study.stats.discrimination import auc_interval, calibration, roc_band
from study.stats.scores import balanced_error
from study.stats.survival import concordance, high_risk, kaplan_meier, log_rank

SURVIVAL_COLUMNS = [
    "method",
    "n_high",
    "n_low",
    "hazard_ratio",
    "low",
    "high",
    "logrank_p",
    "permutation_p",
    "concordance",
    "concordance_low",
    "concordance_high",
    "failed_folds",
]
KM_COLUMNS = ["method", "group", "time", "survival", "low", "high", "at_risk"]
HORIZONS = (5, 10)


def logistic(score: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + exp(-score)), without overflow."""
    return 0.5 * (1.0 + np.tanh(0.5 * score))


def out_of_fold(folds: list[dict], n_patients: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (risk, score) per patient: the means over trials of the probability and of the linear score.

    A fold whose fit diverged still counts with the scores it gave; `failed_folds` counts it.
    """
    probability, score, times = np.zeros(n_patients), np.zeros(n_patients), np.zeros(n_patients)
    for fold in folds:
        rows, values = np.array(fold["test_patients"]), np.array(fold["test_scores"])
        probability[rows] += logistic(values)
        score[rows] += values
        times[rows] += 1
    with np.errstate(invalid="ignore"):
        return probability / times, score / times


def by_method(folds: list[dict]) -> dict[str, list[dict]]:
    """Return the fold results of each method, in the order they are first met."""
    groups: dict[str, list[dict]] = {}
    for fold in folds:
        groups.setdefault(fold["method"], []).append(fold)
    return groups


def failed_folds(folds: list[dict]) -> int:
    """Return how many of the fits diverged."""
    return sum(fold["status"] == "diverged" for fold in folds)


def patients_table(groups: dict[str, list[dict]], cohort: Cohort) -> pd.DataFrame:
    """Return a row per method and patient: risk, score, time, event, group (high above the median risk)."""
    tables = []
    for method, folds in groups.items():
        risk, score = out_of_fold(folds, len(cohort.y))
        table = {"method": method, "patient": cohort.patients, "risk": risk, "score": score}
        table |= {"time": cohort.time, "event": cohort.y, "group": np.where(high_risk(risk), "high", "low")}
        tables.append(pd.DataFrame(table))
    return pd.concat(tables, ignore_index=True)


def survival_table(patients: pd.DataFrame, failed: dict[str, int], seed: int) -> pd.DataFrame:
    """Return a row per method: groups, hazard ratio, nominal log-rank p, concordance, failed folds.

    The log-rank p treats the risks as if they were known beforehand; the patients' risks come from fits on each
    other's outcomes, so it is nominal. `permutation_p` is filled in by `with_permutation`.
    """
    rows = []
    for method, table in patients.groupby("method", sort=False):
        time, event = table["time"].to_numpy(), table["event"].to_numpy()
        high = (table["group"] == "high").to_numpy()
        # The same resamples for every method, so that intervals differ by the method alone.
        rng = generator(seed, 0, 0, "concordance")
        ratio = fit_cox(high, time, event).hazard_ratio() if 0 < high.sum() < len(high) else (np.nan,) * 3
        ranked = concordance(time, event, table["risk"].to_numpy(), rng)
        values = [method, int(high.sum()), int((~high).sum()), *ratio, log_rank(time, event, high)[1], np.nan]
        rows.append([*values, *ranked, failed[method]])
    return pd.DataFrame(rows, columns=SURVIVAL_COLUMNS)


def km_table(patients: pd.DataFrame, key: str = "method") -> pd.DataFrame:
    """Return the Kaplan-Meier curves of the high and the low group of every `key`."""
    curves = []
    for (name, group), table in patients.groupby([key, "group"], sort=False):
        curve = kaplan_meier(table["time"].to_numpy(), table["event"].to_numpy())
        curves.append(pd.DataFrame({key: name, "group": group}, index=curve.index).join(curve))
    return pd.concat(curves, ignore_index=True)


def roc_table(patients: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Return the ROC curve with its band of every method."""
    curves = []
    for method, table in patients.groupby("method", sort=False):
        rng = generator(seed, 0, 0, "roc")
        curve = roc_band(table["event"].to_numpy(), table["risk"].to_numpy(), rng)
        curve.insert(0, "method", method)
        curves.append(curve)
    return pd.concat(curves, ignore_index=True)


def calibration_table(patients: pd.DataFrame) -> pd.DataFrame:
    """Return the calibration of every method in groups of equal size."""
    tables = []
    for method, table in patients.groupby("method", sort=False):
        made = calibration(table["event"].to_numpy(), table["risk"].to_numpy())
        made.insert(0, "method", method)
        tables.append(made)
    return pd.concat(tables, ignore_index=True)


def within(time: np.ndarray, event: np.ndarray, years: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (known, outcome): who was followed to `years` or had the event before, and whether it came by then."""
    outcome = (event == 1) & (time <= years)
    return outcome | (time >= years), outcome.astype(int)


def outcomes_table(patients: pd.DataFrame, failed: dict[str, int], in_years: bool, name: str) -> pd.DataFrame:
    """Return AUC and balanced error of the same risks against other readings of the outcome.

    Nothing is trained again: the fits learned `name` in follow-up. Patients censored before a horizon are left out.
    """
    rows = []
    for method, table in patients.groupby("method", sort=False):
        time, event = table["time"].to_numpy(), table["event"].to_numpy()
        risk, score = table["risk"].to_numpy(), table["score"].to_numpy()
        readings = {f"{name} in follow-up": (np.ones(len(event), bool), event)}
        if in_years:
            readings |= {f"{name} within {years} years": within(time, event, years) for years in HORIZONS}
        for outcome, (known, y) in readings.items():
            y = y[known]
            if not 0 < y.sum() < len(y):
                continue
            row = [outcome, method, len(y), int(y.sum()), *auc_interval(y, risk[known])]
            rows.append([*row, balanced_error(y, score[known]), failed[method]])
    columns = [
        "outcome",
        "method",
        "patients",
        "events",
        "auc",
        "low",
        "high",
        "balanced_error",
        "failed_folds",
    ]
    return pd.DataFrame(rows, columns=columns)


def with_permutation(survival: pd.DataFrame, permutation: dict | None) -> pd.DataFrame:
    """Return the table with the permutation p of the one method that was permuted."""
    if permutation is None:
        return survival
    permuted = survival["method"] == permutation["method"]
    return survival.assign(permutation_p=survival["permutation_p"].mask(permuted, permutation["p"]))


def notes(cohort: Cohort, failed: dict[str, int], permutation: dict | None, in_years: bool) -> pd.DataFrame:
    """Return part, note: what a reader must know of the tables."""
    said = []
    if not cohort.has_times:
        text = (
            "The cohort has no survival times, so survival curves, hazard ratios, concordance and the "
            "permutation test are left out."
        )
        said.append(("survival", text))
    else:
        text = (
            "The log-rank p is nominal: it takes the risks as given, although they come from fits on other "
            "patients of the same cohort."
        )
        said.append(("survival", text))
        if permutation is None:
            said.append(("permutation", "The permutation test has not been run."))
        else:
            text = (
                f"The permutation p is that of one setting fixed in advance ({permutation['method']}, "
                f"{permutation['sparsity']} genes, lambda {permutation['lam']:g}, the folds of trial 1): outcomes "
                f"and times were permuted against the expression {permutation['permutations']} times and the "
                f"whole cross-validation repeated. It stands in the row of {permutation['method']}, whose settings are "
                f"chosen inside, and says nothing of the others. On the permuted outcomes, where nothing is "
                f"to be found, the nominal test rejects at 0.05 in {permutation['nominal_rejections']:.0%}."
            )
            said.append(("permutation", text))
        if in_years:
            text = (
                "Death within 5 and within 10 years: the same out-of-fold risks, evaluated against another outcome, "
                "not trained again; patients censored before are left out."
            )
            said.append(("outcomes", text))
    text = (
        "Every fit weighs both classes alike, so predicted probabilities are those of a cohort in which half of "
        "the patients have the event; predicted_prior undoes that."
    )
    said.append(("calibration", text))
    for method, number in failed.items():
        if number:
            said.append(
                ("failed folds", f"{method}: {number} folds diverged; they are counted in every number.")
            )
    return pd.DataFrame(said, columns=["part", "note"])
