"""Folds whose fit diverged: part of every number, and counted."""

import pandas as pd


def failed_folds(metrics: pd.DataFrame) -> pd.Series:
    """Return per method the number of folds whose fit diverged, in the table's order of methods."""
    return (metrics["status"] == "diverged").groupby(metrics["method"], sort=False).sum()


def with_failures(table: pd.DataFrame, failed: pd.Series) -> pd.DataFrame:
    """Return `table` with the failed folds of each method it names, in columns of their own at the end."""
    ends = {"method": "failed", "method_a": "failed_a", "method_b": "failed_b"}
    columns = {ends[key]: table[key].map(failed).fillna(0).astype(int) for key in ends if key in table.columns}
    return table.assign(**columns)
