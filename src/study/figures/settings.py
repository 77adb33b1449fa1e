"""Figures of what was chosen inside."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from study.figures.style import styled
from study.methods import label

PER_ROW = 4


@styled
def inner_paths(paths: pd.DataFrame, names: list[str]) -> Figure:
    """Return a panel per method: 1 - inner error against epochs, a line per penalty."""
    present = [name for name in names if name in set(paths["method"])]
    rows = -(-len(present) // PER_ROW)
    figure = Figure(figsize=(10, 2.3 * rows + 0.5), layout="constrained")
    panels = figure.subplots(rows, PER_ROW, sharex=True, sharey=True, squeeze=False).ravel()
    lambdas = sorted(paths["lambda"].unique())
    shades = np.linspace(0.85, 0.0, len(lambdas))
    for panel, name in zip(panels, present, strict=False):
        own = paths[paths["method"] == name]
        for lam, shade in zip(lambdas, shades, strict=True):
            line = own[own["lambda"] == lam].sort_values("epochs")
            panel.plot(
                line["epochs"], 1 - line["inner_error"], "o-", color=str(shade), markersize=3, label=f"λ {lam:g}"
            )
        panel.set_xscale("log")
        panel.set_xticks(sorted(paths["epochs"].unique()), [str(value) for value in sorted(paths["epochs"].unique())])
        panel.minorticks_off()
        panel.set_title(label(name))
    for panel in panels[len(present) :]:
        panel.set_visible(False)
    panels[0].legend(fontsize=8)
    figure.supxlabel("epochs")
    return figure
