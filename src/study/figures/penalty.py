"""The figure of what the penalty does: recovery of planted sets against stability on the real outcome."""

import pandas as pd
from matplotlib.figure import Figure

from study.figures.curves import framed, line_style
from study.figures.style import styled


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
