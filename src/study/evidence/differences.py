"""Which methods can be told apart: every pair on every metric, paired by fold, corrected for overlapping folds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from study.evidence.paper import LOWER_IS_BETTER, METRICS, paired_difference

LEVEL = 0.05
DIFFERENCE_COLUMNS = [
    "method_a",
    "method_b",
    "metric",
    "difference",
    "error",
    "low",
    "high",
    "effect_size",
    "p",
    "p_holm",
    "folds",
]


def holm(p: np.ndarray) -> np.ndarray:
    """Return Holm's step-down adjusted p values: a family-wise error rate under any dependence (Holm 1979)."""
    p = np.asarray(p, float)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p))))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def failed_folds(metrics: pd.DataFrame) -> pd.Series:
    """Return per method the number of folds whose fit diverged, in the table's order of methods."""
    return (metrics["status"] == "diverged").groupby(metrics["method"], sort=False).sum()


def with_failures(table: pd.DataFrame, failed: pd.Series) -> pd.DataFrame:
    """Return `table` with the failed folds of each method it names, in columns of their own at the end."""
    ends = {"method": "failed", "method_a": "failed_a", "method_b": "failed_b"}
    columns = {
        ends[key]: table[key].map(failed).fillna(0).astype(int) for key in ends if key in table.columns
    }
    return table.assign(**columns)


def by_fold(metrics: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the values of a metric with a row per fold and a column per method, in the table's order."""
    wide = metrics.pivot(index=["trial", "fold"], columns="method", values=metric)
    return wide[list(dict.fromkeys(metrics["method"]))]


def differences_table(metrics: pd.DataFrame, folds: int) -> pd.DataFrame:
    """Return a row per pair of methods and metric: a - b with its corrected t test, Holm-adjusted by metric.

    The effect size is the mean over the standard deviation of the paired differences (Cohen's d_z); it is empty
    when every fold has the same difference other than zero.
    """
    rows = []
    for metric in METRICS:
        wide = by_fold(metrics, metric)
        for a, b in combinations(wide.columns, 2):
            pairs = wide[[a, b]].dropna()
            if len(pairs) < 2:
                continue
            found = paired_difference(pairs[a], pairs[b], folds)
            spread = float((pairs[a] - pairs[b]).std(ddof=1))
            same = 0.0 if found["difference"] == 0 else np.nan
            effect = found["difference"] / spread if spread > 0 else same
            rows.append(
                {
                    "method_a": a,
                    "method_b": b,
                    "metric": metric,
                    **found,
                    "effect_size": effect,
                    "folds": len(pairs),
                }
            )
    table = pd.DataFrame(rows, columns=[name for name in DIFFERENCE_COLUMNS if name != "p_holm"])
    # One family per metric: its question is which methods differ in it.
    table["p_holm"] = table.groupby("metric")["p"].transform(lambda p: holm(p.to_numpy(float)))
    return table[DIFFERENCE_COLUMNS]


def ranks_table(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rank of each method over the folds by metric, 1 = best, ties shared.

    No Friedman test goes with it: that takes folds for independent, and these share patients.
    """
    rows = []
    for metric in METRICS:
        wide = by_fold(metrics, metric).dropna()
        sign = 1 if LOWER_IS_BETTER[metric] else -1
        ranks = rankdata(sign * wide.to_numpy(float), axis=1).mean(axis=0) if len(wide) else np.empty(0)
        rows += [
            {"metric": metric, "method": method, "mean_rank": rank}
            for method, rank in zip(wide.columns, ranks, strict=bool(len(wide)))
        ]
    return pd.DataFrame(rows, columns=["metric", "method", "mean_rank"])


def cliques_table(differences: pd.DataFrame, ranks: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Return the largest groups of methods of which no two are told apart, by metric, best mean rank first.

    Two methods are told apart when the Holm-adjusted p of their corrected paired test is below `level`. A method told
    apart from all others is a group of its own; one method can be in several groups.
    """
    rows = []
    for metric in METRICS:
        rank = ranks[ranks["metric"] == metric].set_index("method")["mean_rank"]
        order = rank.sort_values(kind="stable").index.tolist()
        pairs = differences[(differences["metric"] == metric) & (differences["p_holm"] >= level)]
        together = {method: set() for method in order}
        for a, b in zip(pairs["method_a"], pairs["method_b"], strict=True):
            together[a].add(b)
            together[b].add(a)
        position = {method: i for i, method in enumerate(order)}
        groups = [sorted(group, key=position.get) for group in maximal_cliques(together)]
        groups.sort(key=lambda group: [position[method] for method in group])
        rows += [
            {"metric": metric, "clique": number, "method": method}
            for number, group in enumerate(groups, start=1)
            for method in group
        ]
    return pd.DataFrame(rows, columns=["metric", "clique", "method"])


def maximal_cliques(neighbours: dict[str, set[str]]) -> list[set[str]]:
    """Return every set of mutual neighbours that no other node could join (Bron and Kerbosch 1973, with a pivot).

    Exponential in the worst case, instant for the dozen methods of a study.
    """
    found = []

    def extend(clique: set, candidates: set, excluded: set) -> None:
        if not candidates and not excluded:
            found.append(clique)
            return
        pivot = max(sorted(candidates | excluded), key=lambda node: len(neighbours[node] & candidates))
        for node in sorted(candidates - neighbours[pivot]):
            extend(clique | {node}, candidates & neighbours[node], excluded & neighbours[node])
            candidates = candidates - {node}
            excluded = excluded | {node}

    if neighbours:
        extend(set(), set(neighbours), set())
    return found
