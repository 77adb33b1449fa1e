"""The result tables: one row a fold, one row a selected gene, one row a method."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.data.studyfile import Cohort

METRIC_COLUMNS = [
    "method",
    "trial",
    "fold",
    "balanced_error",
    "auc",
    "n_nonzero",
    "sparsity",
    "n_blocks",
    "n_components",
    "status",
    "lam",
    "inner_error",
    "balanced_error_tuned",
]
SUMMARY_METRICS = ["balanced_error", "auc", "n_nonzero", "balanced_error_tuned"]


def with_refits(folds: list[dict]) -> list[dict]:
    """Return the results with the refit variants behind them, as methods of their own."""
    return [*folds, *(fold["refit"] for fold in folds if "refit" in fold)]


def metrics_table(folds: list[dict]) -> pd.DataFrame:
    """Return a row per fold, in the order method (as first met), trial, fold."""
    return pd.DataFrame([{column: fold[column] for column in METRIC_COLUMNS} for fold in folds])


def genes_table(folds: list[dict], cohort: Cohort) -> pd.DataFrame:
    """Return a row per fold and selected gene with its name and weight; an unknown Entrez id stays empty."""
    rows = [
        (fold["method"], fold["trial"], fold["fold"], cohort.entrez[gene], cohort.symbol[gene], weight)
        for fold in folds
        for gene, weight in zip(fold["genes"], fold["weights"], strict=True)
    ]
    table = pd.DataFrame(rows, columns=["method", "trial", "fold", "entrez", "symbol", "weight"])
    table["entrez"] = table["entrez"].astype("Int64").mask(table["entrez"] == 0)
    return table


def summary_table(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return mean and population std of each metric: a row per method and trial, and `all` over every fold."""
    by_trial = metrics.assign(trial=metrics["trial"].astype(str))
    over_all = metrics.assign(trial="all")
    rows = []
    for (method, trial), group in pd.concat([by_trial, over_all]).groupby(["method", "trial"], sort=False):
        row = {"method": method, "trial": trial, "folds": len(group)}
        for metric in SUMMARY_METRICS:
            values = group[metric].to_numpy(float)
            row[f"{metric}_mean"], row[f"{metric}_std"] = np.mean(values), np.std(values)
        row["failed_folds"] = int((group["status"] == "diverged").sum())
        rows.append(row)
    return pd.DataFrame(rows)
