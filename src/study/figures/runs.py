"""Figures that compare runs: accuracy of each, and the genes that recur."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from study.figures.style import FAINT, heat_map, styled
from study.methods import colour, label

PER_ROW = 3


@styled
def auc_by_run(runs: pd.DataFrame) -> Figure:
    """Return a panel per run: the AUC of every method with its interval."""
    names, methods = list(dict.fromkeys(runs["run"])), list(dict.fromkeys(runs["method"]))
    rows = -(-len(names) // PER_ROW)
    figure = Figure(figsize=(10, rows * (0.24 * len(methods) + 0.6) + 0.4), layout="constrained")
    panels = figure.subplots(rows, PER_ROW, sharex=True, sharey=True, squeeze=False).ravel()
    for panel, name in zip(panels, names, strict=False):
        table = runs[runs["run"] == name]
        for row in table.itertuples():
            place = methods.index(row.method)
            panel.plot([row.auc_low, row.auc_high], [place, place], color=colour(row.method))
            panel.plot(row.auc, place, "o", color=colour(row.method), markersize=4)
        panel.axvline(0.5, color=FAINT, linewidth=0.8)
        panel.set_title(f"{name}: {table['events'].iloc[0]} events in {table['patients'].iloc[0]}")
        panel.set_yticks(np.arange(len(methods)), [label(method) for method in methods])
    for panel in panels[len(names) :]:
        panel.set_visible(False)
    panels[0].invert_yaxis()
    figure.supxlabel("AUC, 95 % interval")
    return figure


def recurrent_genes(frequency: pd.DataFrame, weight: pd.DataFrame) -> Figure:
    """Return selection frequencies genes x runs with the sign of the weight; a run without the gene is blank."""
    text = np.select([weight > 0, weight < 0], ["+", "−"], "")
    bar = "share of folds that select the gene"
    return heat_map(frequency, bar, 0.26 * len(frequency) + 1.6, text, cmap="cividis_r", vmin=0, vmax=1)
