"""The result tables, gathered from fold files and signatures: metrics, genes, summary, the work of the fits."""

from collections import defaultdict

import numpy as np
import pandas as pd

from graphiht.signature import Signature
from study.data.studyfile import Cohort
from study.methods import find
from study.metrics import metrics_of
from study.tables import columns


def with_refits(folds: list[dict]) -> list[dict]:
    """Return the results with the refit variants behind them, as methods of their own."""
    return [*folds, *(fold["refit"] for fold in folds if "refit" in fold)]


def fold_tables(folds: list[dict], cohort: Cohort, settings: dict) -> dict[str, pd.DataFrame]:
    """Return the tables that are made of fold results alone, by name; `settings` are the grids of the configuration."""
    metrics = metrics_table(folds)
    return {
        "metrics": metrics,
        "genes": genes_table(folds, cohort),
        "summary": summary_table(metrics),
        "chosen": chosen_table(metrics, settings),
        "paths": paths_table(folds),
        "fits": fits_table(folds),
        "traces": traces_table(folds),
    }


def metrics_table(folds: list[dict]) -> pd.DataFrame:
    """Return a row per fold, in the order method (as first met), trial, fold."""
    names = dict.fromkeys([*columns("metrics"), *metrics_of(folds[0])])
    return pd.DataFrame([{column: fold[column] for column in names} for fold in folds])


def genes_table(folds: list[dict], cohort: Cohort) -> pd.DataFrame:
    """Return a row per fold and selected gene with its name and weight; an unknown Entrez id stays empty."""
    rows = [
        (fold["method"], fold["trial"], fold["fold"], cohort.entrez[gene], cohort.symbol[gene], weight)
        for fold in folds
        for gene, weight in zip(fold["genes"], fold["weights"], strict=True)
    ]
    table = pd.DataFrame(rows, columns=columns("genes"))
    table["entrez"] = table["entrez"].astype("Int64").mask(table["entrez"] == 0)
    return table


def summary_table(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return mean and population std of each metric: a row per method and trial, and `all` over every fold."""
    by_trial = metrics.assign(trial=metrics["trial"].astype(str))
    over_all = metrics.assign(trial="all")
    rows = []
    for (method, trial), group in pd.concat([by_trial, over_all]).groupby(["method", "trial"], sort=False):
        row = {"method": method, "trial": trial, "folds": len(group)}
        for metric in metrics_of(metrics):
            values = group[metric].to_numpy(float)
            row[f"{metric}_mean"], row[f"{metric}_std"] = np.mean(values), np.std(values)
        row["failed_folds"] = int((group["status"] == "diverged").sum())
        rows.append(row)
    return pd.DataFrame(rows)


def chosen_table(metrics: pd.DataFrame, config: dict) -> pd.DataFrame:
    """Return how often each value of each setting was chosen; of penalties, whether it is an end of its grid.

    C is of grids of a method's own, whose values that were never chosen are not listed.
    """
    keys = {"sparsity": "sparsities", "lambda": "lambdas", "max_epochs": "epochs", "n_blocks": "n_blocks"}
    rows = []
    for method, table in metrics.groupby("method", sort=False):
        row = find(method)
        for setting in (*keys, "C", "smoothing"):
            chosen = table[setting].dropna().astype(float)
            if chosen.empty:
                continue
            settled = config[keys[setting]] if setting in keys else []
            if setting == "lambda":
                settled = reachable(settled, config.get("extend_lambdas", 0))
            theirs = row.C or row.teacher
            own = {"C": np.logspace(*theirs) if theirs else [], "smoothing": row.smoothing, "max_epochs": row.epochs}
            grid = np.array(sorted(own.get(setting) if setting in own and len(own[setting]) else settled))
            nearest = grid[np.abs(np.log(grid[None, :] / chosen.to_numpy()[:, None])).argmin(axis=1)]
            for i, value in enumerate(grid):
                count = int((nearest == value).sum())
                # Values beyond the configured ones were tried in some folds only.
                if not count and setting == "lambda" and value not in config["lambdas"]:
                    continue
                is_end = setting in ("lambda", "C") and len(grid) > 2 and i in (0, len(grid) - 1)
                rows.append((method, setting, value, count, count / len(chosen), int(is_end)))
    return pd.DataFrame(rows, columns=columns("chosen"))


def reachable(lambdas: list[float], times: int) -> list[float]:
    """Return the penalties of the grid and the powers of ten beyond its ends that a choice there goes on to."""
    beyond = range(1, times + 1) if len(lambdas) > 2 else ()
    return [min(lambdas) / 10**k for k in beyond] + list(lambdas) + [max(lambdas) * 10**k for k in beyond]


def paths_table(folds: list[dict]) -> pd.DataFrame:
    """Return the inner error by penalty and number of epochs, of methods that choose both.

    Only of penalties that every fold of the method tried: further ones were tried where an end of the grid did best.
    """
    rows = [
        (fold["method"], *entry)
        for fold in folds
        for entry in fold.get("inner_path", [])
        if entry[0] not in fold.get("lambdas_beyond", [])
    ]
    table = pd.DataFrame(rows, columns=["method", "lambda", "epochs", "inner_error"])
    grouped = table.groupby(["method", "lambda", "epochs"], sort=False)["inner_error"]
    return grouped.agg(inner_error="mean", folds="size").reset_index()[columns("paths")]


def fits_table(folds: list[dict]) -> pd.DataFrame:
    """Return a row per fold with the details its file has; what a method does not have stays empty."""
    names = columns("fits")
    return pd.DataFrame([{name: fold.get(name) for name in names} for fold in folds], columns=names)


def traces_table(folds: list[dict]) -> pd.DataFrame:
    """Return the course of the loss: per method and epoch the median over folds and the quartiles.

    The loss is shown as a share of its first value; a fold that has stopped keeps its last value, so that later epochs
    are not a mean over the slow ones alone.
    """
    rows, traces = [], defaultdict(list)
    for fold in folds:
        trace = np.asarray(fold.get("loss_trace") or [], float)
        if len(trace) > 1 and np.isfinite(trace).all() and trace[0] > 0:
            traces[fold["method"]].append(trace / trace[0])
    for method, kept in traces.items():
        longest = max(map(len, kept))
        padded = np.array([np.pad(trace, (0, longest - len(trace)), mode="edge") for trace in kept])
        low, middle, high = np.quantile(padded, [0.25, 0.5, 0.75], axis=0)
        for epoch in range(longest):
            running = sum(len(trace) > epoch for trace in kept)
            rows.append((method, epoch, middle[epoch], low[epoch], high[epoch], running))
    return pd.DataFrame(rows, columns=columns("traces"))


def signature_tables(signatures: list[Signature]) -> dict[str, pd.DataFrame]:
    """Return a row per method, and a row per method and gene; without mean and scale where cohorts were pooled."""
    rows = [
        {
            "method": one.method,
            "genes_used": len(one.symbol) - len(one.covariates),
            "intercept": one.intercept,
            "cut_off": one.cut_off,
            **{key: one.settings[key] for key in ("sparsity", "lambda", "C", "n_blocks")},
            **{key: one.training[key] for key in ("inner_error", "status", "patients", "events")},
            "scaling": one.scaling,
        }
        for one in signatures
    ]
    genes = pd.concat(
        pd.DataFrame(
            {
                "method": one.method,
                "symbol": one.symbol,
                "entrez": one.entrez,
                "weight": one.weights,
                "mean": np.nan if one.mean is None else one.mean,
                "scale": np.nan if one.scale is None else one.scale,
            }
        ).head(len(one.symbol) - len(one.covariates))
        for one in signatures
    )
    return {"evidence/signatures": pd.DataFrame(rows), "evidence/final_models": genes}
