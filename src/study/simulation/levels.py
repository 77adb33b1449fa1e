"""Curves brought to a common x axis, and paired differences between them.

A level is log10 of the residual norm relative to its start; 0 means no progress, and runs that diverged are
at `CEILING`. A difference of levels of log10(2) means twice the residual.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

CEILING = 6.0
AXES = {"epoch": "epochs", "data_points": "data points", "steps": "steps"}


class Levels:
    """The levels of a figure's curves, by panel, curve and seed.

    Parameters
    ----------
    curves : DataFrame
        With the columns panel, curve, seed, residual and the axes.
    figure : str
    """

    def __init__(self, curves: pd.DataFrame, figure: str):
        self.figure = figure
        self.panels = list(dict.fromkeys(curves["panel"]))
        self.n_seeds = curves["seed"].nunique()
        self._tables: dict[tuple[str, str], pd.DataFrame] = {}
        for key, group in curves.groupby(["panel", "curve"], sort=False):
            self._tables[key] = group.sort_values(["seed", "epoch"], kind="stable")

    def constant(self, panel: str, curve: str, column: str):
        """Return the value of a setting that all rows of a curve share."""
        return self._tables[panel, curve][column].iloc[0]

    def end(self, panel: str, curves: list[str], axis: str) -> float:
        """Return how far along the axis all these curves go."""
        return float(min(self._tables[panel, curve][axis].max() for curve in curves))

    def at(self, panel: str, curve: str, axis: str, x: float) -> np.ndarray:
        """Return the level of every seed at x, linear between epochs."""
        levels = []
        for _, run in self._tables[panel, curve].groupby("seed", sort=True):
            residual = run["residual"].to_numpy()
            with np.errstate(divide="ignore"):
                level = np.log10(residual / residual[0])
            levels.append(np.interp(x, run[axis], np.clip(level, -16.0, CEILING)))
        return np.array(levels)

    def final(self, panel: str, curve: str) -> np.ndarray:
        """Return the level of every seed after the last epoch."""
        return self.at(panel, curve, "epoch", self.end(panel, [curve], "epoch"))

    def difference(self, panel: str, curve: str, other: str, axis: str, share: float = 1.0) -> np.ndarray:
        """Return the level of `curve` minus that of `other`, paired by seed, at a share of their common range."""
        x = share * self.end(panel, [curve, other], axis)
        return self.at(panel, curve, axis, x) - self.at(panel, other, axis, x)


def ratio(difference: float) -> str:
    """Return a difference of levels as a factor of residuals, for people."""
    if abs(difference) >= CEILING / 2:
        return "over 1,000" if difference > 0 else "under 1/1,000"
    factor = 10.0**difference
    # Near 1 the second digit would hide on which side it is.
    digits = 4 if 0.0 < abs(difference) < 0.002 else 2 if factor < 10 else 0
    return f"{factor:,.{digits}f}"
