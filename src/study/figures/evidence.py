"""Figures of planted truth: how much is found, and what the penalty does to it."""

import pandas as pd
from matplotlib.figure import Figure

from study.figures.curves import framed, line_style
from study.figures.style import styled

CONTROLS = {
    "real": "the real data",
    "labels": "permuted outcomes",
    "network": "edges swapped, degrees kept",
    "coexpression": "co-expression network",
}


@styled
def planted_recall(summary: pd.DataFrame) -> Figure:
    """Return a panel per size and kind of effects of planted sets: the share found over the strength by method."""
    table = summary[summary["measure"] == "recall"]
    panels, draws = list(table.groupby(["size", "effects"], sort=False)), int(table["draws"].max())
    text = f"Means over {draws} draws; bars: 95 % intervals."
    methods = list(dict.fromkeys(table["method"]))
    figure, places = framed(1, len(panels), "Planted sets", methods, text, sharey=True)
    for place, ((size, effects), part) in zip(places.flat, panels, strict=True):
        for method, line in part.groupby("method", sort=False):
            error = (line["value"] - line["low"], line["high"] - line["value"])
            place.errorbar(line["strength"], line["value"], yerr=error, elinewidth=0.6, **line_style(method))
        place.set_title(f"{size} genes, {effects} effects", fontsize=9)
        place.set_xlabel("strength (log odds per SD)", fontsize=8)
    # Intervals over few draws reach beyond what a share can be.
    places[0, 0].set_ylim(-0.02, min(table["high"].max(), 1.0) + 0.02 if draws > 1 else 1.02)
    places[0, 0].set_ylabel("share of the planted genes found", fontsize=8)
    return figure


@styled
def recovery_and_stability(path: pd.DataFrame) -> Figure:
    """Return the share of planted sets found over stability: a line per method, a point per penalty, named by it."""
    first = path.iloc[0]
    text = (
        f"Stability: Nogueira's index of {first['fits']:g} fits on the real outcome, {first['sparsity']:g} genes each. "
        f"Share found: of {first['draws']:g} planted sets of {first['size']:g} genes, strength {first['strength']:g}; "
        "bars: 95 % intervals. The number at a point is the penalty."
    )
    methods = list(dict.fromkeys(path["method"]))
    figure, places = framed(1, 2, "What the penalty does", methods, text)
    measures = (("recall", "share of the planted genes found"), ("auc", "AUC in cross-validation"))
    for place, (key, name) in zip(places.flat, measures, strict=True):
        for method, line in path.groupby("method", sort=False):
            if key == "recall":
                error = (line["recall"] - line["low"], line["high"] - line["recall"])
                place.errorbar(line["stability"], line[key], yerr=error, elinewidth=0.6, **line_style(method))
            place.plot(line["stability"], line[key], marker="o", markersize=3, **line_style(method))
            for x, y, penalty in zip(line["stability"], line[key], line["lambda"], strict=True):
                place.annotate(f"{penalty:g}", (x, y), (2, 3), textcoords="offset points", fontsize=6)
        place.set_xlabel("stability of the gene sets", fontsize=8)
        place.set_ylabel(name, fontsize=8)
    return figure
