"""Which methods can be told apart: every pair on every metric, paired by fold, corrected for overlapping folds."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd
from scipy.stats import rankdata
from statsmodels.stats.multitest import multipletests

from study import tables
from study.evidence.failed import failed_folds, with_failures
from study.metrics import MARGIN, METRICS, metrics_of
from study.stats.paired import paired_difference

LEVEL = 0.05
DIFFERENT, EQUIVALENT, UNDECIDED = "different", "equivalent", "undecided"


def difference_tables(metrics: pd.DataFrame, folds: int) -> dict[str, pd.DataFrame]:
    """Return the tables by name: differences, mean ranks, groups of methods that are not told apart."""
    differences, ranks = differences_table(metrics, folds), ranks_table(metrics)
    cliques, failed = cliques_table(differences, ranks), failed_folds(metrics)
    return {
        f"evidence/{name}": with_failures(table, failed)
        for name, table in {"differences": differences, "ranks": ranks, "cliques": cliques}.items()
    }


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
    for metric in metrics_of(metrics):
        wide = by_fold(metrics, metric)
        of_metric = []
        for a, b in combinations(wide.columns, 2):
            pairs = wide[[a, b]].dropna()
            if len(pairs) < 2:
                continue
            test = paired_difference(pairs[a], pairs[b], folds)
            spread = float((pairs[a] - pairs[b]).std(ddof=1))
            same = 0.0 if test["difference"] == 0 else np.nan
            effect = test["difference"] / spread if spread > 0 else same
            row = {"method_a": a, "method_b": b, "metric": metric, **test}
            of_metric.append(row | {"effect_size": effect, "folds": len(pairs)})
        # One family per metric: its question is which methods differ in it.
        adjusted = multipletests([row["p"] for row in of_metric], method="holm")[1]
        for row, p in zip(of_metric, adjusted, strict=True):
            decided = verdict(row["low"], row["high"], p) if METRICS[metric].is_quality else ""
            rows.append(row | {"p_holm": p, "verdict": decided})
    return pd.DataFrame(rows, columns=tables.columns("evidence/differences"))


def verdict(low: float, high: float, p_holm: float) -> str:
    """Return what a pair of methods is, from the corrected 95 % interval of its difference and its adjusted p.

    Different: told apart from no difference. Equivalent: not, and the whole interval is within the margin. Undecided:
    neither, so that these patients cannot tell.
    """
    if p_holm < LEVEL:
        return DIFFERENT
    return EQUIVALENT if low > -MARGIN and high < MARGIN else UNDECIDED


def ranks_table(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rank of each method over the folds by metric, 1 = best, ties shared.

    No Friedman test goes with it: that takes folds for independent, and these share patients.
    """
    rows = []
    for metric in metrics_of(metrics):
        wide = by_fold(metrics, metric).dropna()
        if wide.empty:
            continue
        ranks = rankdata(METRICS[metric].sign() * wide.to_numpy(float), axis=1).mean(axis=0)
        rows += [(metric, method, rank) for method, rank in zip(wide.columns, ranks, strict=True)]
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
        alike = differences[(differences["metric"] == metric) & (differences["p_holm"] >= level)]
        graph = nx.Graph(zip(alike["method_a"], alike["method_b"], strict=True))
        graph.add_nodes_from(order)
        groups = sorted(sorted(map(order.index, group)) for group in nx.find_cliques(graph))
        rows += [(metric, number, order[i]) for number, group in enumerate(groups, start=1) for i in group]
    return pd.DataFrame(rows, columns=["metric", "clique", "method"])
