"""Figures of what results are compared with: controls, and planted truth."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from study.figures.curves import framed, line_style
from study.figures.style import styled
from study.methods import colour, label

CONTROLS = {
    "real": "the real data",
    "labels": "shuffled labels",
    "network": "edges swapped, degrees kept",
    "coexpression": "co-expression network",
}


@styled
def control_repetitions(repetitions: pd.DataFrame) -> Figure:
    """Return each repetition of the controls as a dot, beside the real result as a line, by method."""
    real = repetitions[repetitions["control"] == "real"].set_index("method")["balanced_error"]
    controls = [name for name in CONTROLS if name != "real" and (repetitions["control"] == name).any()]
    figure = Figure(figsize=(8.5, 0.6 + 0.75 * len(real)), layout="constrained")
    panels = figure.subplots(len(real), 1, sharex=True, squeeze=False).ravel()
    for panel, (method, value) in zip(panels, real.items(), strict=True):
        panel.axvline(value, color=colour(method), linewidth=2)
        own = repetitions[repetitions["method"] == method]
        for row, control in enumerate(controls):
            dots = own.loc[own["control"] == control, "balanced_error"]
            panel.plot(dots, [row] * len(dots), "o", color=colour(method), alpha=0.5, markersize=4)
        panel.set_yticks(range(len(controls)), [CONTROLS[name] for name in controls], fontsize=8)
        panel.set_ylim(len(controls) - 0.5, -0.5)
        panel.set_title(label(method), fontsize=9)
    figure.supxlabel("balanced error (line: real labels and network; dot: one repetition of a control)", fontsize=9)
    return figure


@styled
def planted_recall(summary: pd.DataFrame) -> Figure:
    """Return a panel per size of planted sets: the share found over the strength, a line per method."""
    table = summary[summary["measure"] == "recall"]
    sizes, draws = table["size"].unique(), int(table["draws"].max())
    text = f"Means over {draws} draws; bars: 95 % intervals."
    methods = list(dict.fromkeys(table["method"]))
    figure, places = framed(1, len(sizes), "Planted sets", methods, text, sharey=True)
    for place, size in zip(places.flat, sizes, strict=True):
        for method, line in table[table["size"] == size].groupby("method", sort=False):
            error = (line["value"] - line["low"], line["high"] - line["value"])
            place.errorbar(line["strength"], line["value"], yerr=error, elinewidth=0.6, **line_style(method))
        place.set_title(f"{size} genes", fontsize=9)
        place.set_xlabel("strength (log odds per standard deviation)", fontsize=8)
    # Intervals over few draws reach beyond what a share can be.
    places[0, 0].set_ylim(-0.02, min(table["high"].max(), 1.0) + 0.02 if draws > 1 else 1.02)
    places[0, 0].set_ylabel("share of the planted genes found", fontsize=8)
    return figure
