"""Ours against the paper's tables, and the graph methods against the peers, picked without a look at test folds."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import t as student_t

METRICS = ("balanced_error", "auc", "n_nonzero")
TRIAL_COLUMNS = [
    "trial",
    "method",
    "metric",
    "paper_mean",
    "paper_std",
    "our_mean",
    "our_std",
    "difference",
]
LOWER_IS_BETTER = {"balanced_error": True, "auc": False, "n_nonzero": True}
GROUPS = {
    "graph methods": ["graph-iht", "graph-sto-iht", "graph-svrg-iht", "graph-scsg-iht"],
    "peers": ["ridge", "l1"],
}


def corrected_error(std: float, n_folds: int, folds: int) -> float:
    """Return the standard error of a mean over repeated k-fold cross-validation (Nadeau and Bengio 2003).

    The variance is std^2 (1/J + n_test/n_train), J folds in all, because training sets overlap; with k folds
    n_test/n_train = 1/(k - 1).
    """
    return std * np.sqrt(1 / n_folds + 1 / (folds - 1))


def paired_difference(a: np.ndarray, b: np.ndarray, folds: int) -> dict:
    """Return the mean of a - b with its corrected standard error, 95 % interval and two-sided p.

    Student's t with J - 1 degrees of freedom.
    """
    difference = np.asarray(a, float) - np.asarray(b, float)
    n = len(difference)
    mean, error = difference.mean(), corrected_error(difference.std(ddof=1), n, folds)
    half = student_t.ppf(0.975, n - 1) * error
    p = 2 * student_t.sf(abs(mean) / error, n - 1) if error > 0 else float(mean == 0)
    return {"difference": mean, "error": error, "low": mean - half, "high": mean + half, "p": p}


def against_paper(summary: pd.DataFrame, published: pd.DataFrame, folds: int) -> pd.DataFrame:
    """Return a row per method and metric of the paper's tables with ours beside it and a verdict.

    `better` and `worse` mean more than two corrected standard errors of the difference apart.
    """
    rows = []
    ours = summary[summary["trial"] == "all"].set_index("method")
    for row in published[published["trial"] == "all"].to_dict("records"):
        method, metric = row["method"], row["metric"]
        if method not in ours.index:
            continue
        mean, std = ours.loc[method, f"{metric}_mean"], ours.loc[method, f"{metric}_std"]
        n_folds = int(ours.loc[method, "folds"])
        error = np.hypot(corrected_error(std, n_folds, folds), corrected_error(row["std"], 100, 5))
        gain = (row["mean"] - mean) * (1 if LOWER_IS_BETTER[metric] else -1)
        words = ("fewer genes", "more genes") if metric == "n_nonzero" else ("better", "worse")
        verdict = "no clear difference" if abs(gain) <= 2 * error else words[0] if gain > 0 else words[1]
        rows.append(
            {
                "method": method,
                "metric": metric,
                "paper_mean": row["mean"],
                "paper_std": row["std"],
                "our_mean": mean,
                "our_std": std,
                "difference": mean - row["mean"],
                "standard_error": error,
                "verdict": verdict,
            }
        )
    return pd.DataFrame(rows)


def against_paper_by_trial(summary: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return a row per trial, method and metric that both the paper's tables and ours have, with the difference.

    Means and population standard deviations over the folds of the trial; no verdict, because a trial has few folds.
    """
    ours = summary[summary["trial"] != "all"].set_index(["trial", "method"])
    rows = []
    for row in published[published["trial"] != "all"].to_dict("records"):
        key = (row["trial"], row["method"])
        if key not in ours.index:
            continue
        mean, std = (float(ours.loc[key, f"{row['metric']}_{kind}"]) for kind in ("mean", "std"))
        rows.append(
            {
                "trial": int(row["trial"]),
                "method": row["method"],
                "metric": row["metric"],
                "paper_mean": row["mean"],
                "paper_std": row["std"],
                "our_mean": mean,
                "our_std": std,
                "difference": mean - row["mean"],
            }
        )
    return pd.DataFrame(rows, columns=TRIAL_COLUMNS)


def picked(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return, per group of methods and fold, the row of the method with the least inner error there.

    The choice sees the outer training set only; of equals the first in the group's order is taken.
    """
    rows = []
    for group, methods in GROUPS.items():
        members = metrics[metrics["method"].isin(methods)].copy()
        members["order"] = members["method"].map({method: i for i, method in enumerate(methods)})
        for _, fold in members.groupby(["trial", "fold"], sort=True):
            best = fold.sort_values(["inner_error", "order"], kind="stable").iloc[0]
            rows.append({"group": group, **best.drop("order").to_dict()})
    return pd.DataFrame(rows, columns=["group", *metrics.columns])


def picked_difference(table: pd.DataFrame, folds: int) -> dict[str, dict]:
    """Return the paired, corrected difference graph - peer of each metric; empty when a group is missing."""
    first, second = (table[table["group"] == group].set_index(["trial", "fold"]) for group in GROUPS)
    common = first.index.intersection(second.index)
    if len(common) < 2:
        return {}
    return {
        metric: paired_difference(first.loc[common, metric], second.loc[common, metric], folds)
        for metric in METRICS
    }


DIFFERENT_DATA = (
    "The paper's numbers are of another outcome (metastasis, 78 events) on another gene set (3,243 genes), tuned with "
    "inner folds that saw test patients. They are shown for orientation: a difference is not a failure to reproduce."
)
SAME_DATA = (
    "The {same} are those of the paper's tables{folds}. What differs is the study: the paper's settings were tuned "
    "with inner folds that saw test patients, ours were not (docs/published.md)."
)


def _about_the_data(config: dict) -> str:
    """Return what the paper's numbers and ours have in common."""
    if config["cohort"] != "published":
        return DIFFERENT_DATA
    stored = config["splits"] == "stored"
    same = ["patients", "labels"]
    same += ["genes", "network"] if config["network"] == "published" else []
    same += ["outer folds"] if stored else []
    return SAME_DATA.format(
        same=f"{', '.join(same[:-1])} and {same[-1]}", folds="" if stored else "; the outer folds are our own"
    )


def trials_as_text(trials: pd.DataFrame, stored: bool) -> str:
    """Return the trial-by-trial comparison for people, in Markdown."""
    said = (
        "A trial has the same test folds in both." if stored else "The folds of a trial are not the paper's."
    )
    lines = ["# Trial by trial", "", f"{said} Mean ± standard deviation over the folds of the trial.", ""]
    lines += ["| trial | method | metric | paper | ours | difference |", "|---|---|---|---|---|---|"]
    for row in trials.to_dict("records"):
        digits = 1 if row["metric"] == "n_nonzero" else 3
        lines.append(
            f"| {row['trial']} | {row['method']} | {row['metric']} "
            f"| {row['paper_mean']:.{digits}f} ± {row['paper_std']:.{digits}f} "
            f"| {row['our_mean']:.{digits}f} ± {row['our_std']:.{digits}f} | {row['difference']:+.{digits}f} |"
        )
    return "\n".join(lines) + "\n"


def as_text(comparison: pd.DataFrame, table: pd.DataFrame, config: dict) -> str:
    """Return the comparison for people, in Markdown."""
    lines = [f"# Against the paper: cohort {config['cohort']}, network {config['network']}", ""]
    lines += [_about_the_data(config), ""]
    lines += ["| method | metric | paper | ours | difference | verdict |", "|---|---|---|---|---|---|"]
    for row in comparison.to_dict("records"):
        digits = 1 if row["metric"] == "n_nonzero" else 3
        lines.append(
            f"| {row['method']} | {row['metric']} | {row['paper_mean']:.{digits}f} ± {row['paper_std']:.{digits}f} "
            f"| {row['our_mean']:.{digits}f} ± {row['our_std']:.{digits}f} "
            f"| {row['difference']:+.{digits}f} ± {row['standard_error']:.{digits}f} | {row['verdict']} |"
        )
    differences = picked_difference(table, config["folds"])
    if differences:
        lines += ["", "# The graph approach against the peers", ""]
        lines += ["In every outer training set the method of least inner error stands for its group.", ""]
        lines += [
            "| metric | graph | peer | graph - peer (95 % interval, corrected) | p |",
            "|---|---|---|---|---|",
        ]
        means = table.groupby("group")[list(METRICS)].mean()
        for metric, found in differences.items():
            digits = 1 if metric == "n_nonzero" else 3
            graph, peer = (means.loc[group, metric] for group in GROUPS)
            lines.append(
                f"| {metric} | {graph:.{digits}f} | {peer:.{digits}f} | {found['difference']:+.{digits}f} "
                f"({found['low']:+.{digits}f} to {found['high']:+.{digits}f}) | {found['p']:.2g} |"
            )
    return "\n".join(lines) + "\n"
