"""What the fold files say about the work: epochs, projections, losses, and the bound of graph-stability."""

from __future__ import annotations

import numpy as np
import pandas as pd

DETAILS = [
    "status",
    "epochs",
    "data_points",
    "n_solves",
    "n_line_searches",
    "n_line_searches_failed",
    "threshold",
    "mean_selected",
    "bound",
]


def fits_table(folds: list[dict]) -> pd.DataFrame:
    """Return a row per fold with the details its file has; what a method does not have stays empty."""
    keys = ["method", "trial", "fold"]
    return pd.DataFrame(
        [{key: fold.get(key) for key in keys + DETAILS} for fold in folds], columns=keys + DETAILS
    )


def traces_table(folds: list[dict]) -> pd.DataFrame:
    """Return the course of the loss: per method and epoch the median over folds and the quartiles.

    The loss is shown as a share of its first value; a fold that has stopped keeps its last value, so that later epochs
    are not a mean over the slow ones alone.
    """
    rows = []
    traces: dict[str, list[np.ndarray]] = {}
    for fold in folds:
        trace = np.asarray(fold.get("loss_trace") or [], float)
        if len(trace) > 1 and np.isfinite(trace).all() and trace[0] > 0:
            traces.setdefault(fold["method"], []).append(trace / trace[0])
    for method, found in traces.items():
        longest = max(map(len, found))
        padded = np.array([np.pad(trace, (0, longest - len(trace)), mode="edge") for trace in found])
        low, middle, high = np.quantile(padded, [0.25, 0.5, 0.75], axis=0)
        running = [sum(len(trace) > epoch for trace in found) for epoch in range(longest)]
        for epoch in range(longest):
            rows.append((method, epoch, middle[epoch], low[epoch], high[epoch], running[epoch]))
    return pd.DataFrame(rows, columns=["method", "epoch", "loss", "low", "high", "running"])
