"""Figures of what was chosen inside."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from study.figures.style import MORE, plot, styled, tell


@styled
def early_stopping(paths: pd.DataFrame, axis: str) -> Figure:
    """Return 1 - inner error of one method against epochs, a line per penalty, and where it is largest."""
    figure, axes = plot(3.0)
    lambdas, epochs = sorted(paths["lambda"].unique()), sorted(paths["epochs"].unique())
    for lam, shade in zip(lambdas, np.linspace(0.75, 0.0, len(lambdas)), strict=True):
        line = paths[paths["lambda"] == lam].sort_values("epochs")
        look = {"color": str(shade), "markersize": 3, "label": f"λ {lam:g}"}
        (drawn,) = axes.plot(line["epochs"], 1 - line["inner_error"], "o-", **look)
        tell(drawn, f"penalty {lam:g}")
    best = paths.loc[paths["inner_error"].idxmin()]
    axes.plot(best["epochs"], 1 - best["inner_error"], "o", color=MORE, markersize=11, markerfacecolor="none")
    axes.set_xscale("log")
    axes.set_xticks(epochs, [f"{value:g}" for value in epochs])
    axes.minorticks_off()
    axes.set(xlabel="epochs", ylabel=axis)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    return figure
