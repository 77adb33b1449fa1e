"""Figures of what results are compared with: controls, and planted truth."""

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
