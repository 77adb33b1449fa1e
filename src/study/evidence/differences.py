"""Which methods can be told apart: every pair on every metric, paired by fold, corrected for overlapping folds."""

from itertools import combinations

import numpy as np
import pandas as pd
from statsmodels.stats.multitest import multipletests

from study import tables
from study.evidence.failed import failed_folds, with_failures
from study.metrics import MARGIN, METRICS, metrics_of
from study.stats.paired import paired_difference

LEVEL = 0.05
DIFFERENT, EQUIVALENT, UNDECIDED = "different", "equivalent", "undecided"


def by_fold(metrics: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the values of a metric with a row per fold and a column per method, in the table's order."""
    wide = metrics.pivot(index=["trial", "fold"], columns="method", values=metric)
    return wide[list(dict.fromkeys(metrics["method"]))]


def differences_table(metrics: pd.DataFrame, folds: int) -> pd.DataFrame:
    """Return a row per pair of methods and metric: a - b with its corrected t test, Holm-adjusted by metric.

    The effect size is the mean over the standard deviation of the paired differences (Cohen's d_z); it is empty
    when every fold has the same difference other than zero. Diverged fits of both methods are counted.
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
    table = pd.DataFrame(rows, columns=tables.columns("evidence/differences"))
    return with_failures(table, failed_folds(metrics))


def verdict(low: float, high: float, p_holm: float) -> str:
    """Return what a pair of methods is, from the corrected 95 % interval of its difference and its adjusted p.

    Different: told apart from no difference. Equivalent: not, and the whole interval is within the margin. Undecided:
    neither, so that these patients cannot tell.
    """
    if p_holm < LEVEL:
        return DIFFERENT
    return EQUIVALENT if low > -MARGIN and high < MARGIN else UNDECIDED
