"""Figures of patients: survival by group with numbers at risk, discrimination, calibration, and every patient."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from study.figures.style import FAINT, FEWER, INK, MORE, WIDTH, lines, panels, plot, styled, tell

GROUPS = {"high": ("high risk", MORE), "low": ("low risk", FEWER)}


@styled
def kaplan_meier(table: pd.DataFrame, time: str) -> Figure:
    """Return the curves of the two groups with 95 % bands, and below them the numbers at risk."""
    figure = Figure(figsize=(WIDTH, 3.9))
    place = figure.add_axes((0.13, 0.32, 0.84, 0.66))
    _curves(place, table)
    place.set_xlabel(time)
    place.set_ylabel("share without the event")
    place.legend(loc="lower left")
    ticks = [tick for tick in MaxNLocator(6).tick_values(0, table["time"].max()) if 0 <= tick <= table["time"].max()]
    place.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    place.text(0, -0.32, "At risk", transform=place.transAxes, ha="left", fontsize=9)
    for row, (group, part) in enumerate(table.groupby("group", sort=False)):
        shade = GROUPS[group][1]
        y = -0.41 - 0.08 * row
        for tick in ticks:
            later = part.loc[(part["time"] >= tick), "at_risk"]
            at_risk = int(later.iloc[0]) if len(later) else 0
            place.text(
                tick, y, f"{at_risk}", transform=place.get_xaxis_transform(), color=shade, ha="center", fontsize=9
            )
        place.text(-0.04, y, group, transform=place.transAxes, color=shade, ha="right", fontsize=9)
    return figure


@styled
def kaplan_meier_by_cohort(table: pd.DataFrame, time: str) -> Figure:
    """Return a small panel of curves per cohort."""
    parts = list(table.groupby("cohort", sort=False))
    figure, places = panels(len(parts), 3, 8.5, 1.9, 0.6, sharex=True)
    for place, (name, part) in zip(places, parts, strict=True):
        _curves(place, part, bands=False)
        place.set_title(name, fontsize=9)
    places[0].legend(loc="lower left", fontsize=8)
    figure.supxlabel(time, fontsize=9)
    figure.supylabel("share without the event", fontsize=9)
    return figure


def _curves(place: Axes, table: pd.DataFrame, bands: bool = True) -> None:
    for group, part in table.groupby("group", sort=False):
        name, shade = GROUPS[group]
        (line,) = place.step(part["time"], part["survival"], where="post", color=shade, linewidth=1.8, label=name)
        tell(line, f"{name}: {part['survival'].iloc[-1]:.2f} at {part['time'].iloc[-1]:.3g}")
        if bands:
            area = {"step": "post", "color": shade, "alpha": 0.13, "linewidth": 0}
            place.fill_between(part["time"], part["low"], part["high"], **area)
    place.set_ylim(0, 1.02)
    place.set_xlim(left=0)


@styled
def roc(table: pd.DataFrame) -> Figure:
    """Return a ROC curve per method."""
    return _square(table, "false_positive_rate", "sensitivity", "false positive rate", "sensitivity", linewidth=1.4)


@styled
def calibration(table: pd.DataFrame) -> Figure:
    """Return the observed share of events against the probability at that of the cohort, a line per method."""
    look = {"layout": "o-", "linewidth": 1, "markersize": 3.5}
    return _square(table, "predicted_prior", "observed", "predicted probability", "observed share of events", **look)


def _square(table: pd.DataFrame, x: str, y: str, x_name: str, y_name: str, **look) -> Figure:
    figure, place = plot(3.9)
    place.plot([0, 1], [0, 1], "--", color=FAINT, linewidth=1)
    lines(place, table, x, y, **look)
    place.set(xlabel=x_name, ylabel=y_name, xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure


@styled
def risks(table: pd.DataFrame, time: str) -> Figure:
    """Return every patient by risk and time to the event or the end of follow-up."""
    figure, place = plot(3.4)
    for event, name, shade in ((0, "no event", FAINT), (1, "event", MORE)):
        part = table[table["event"] == event]
        for row in part.itertuples():
            (dot,) = place.plot(row.risk, row.time, "o", color=shade, markersize=4, alpha=0.8, markeredgewidth=0)
            tell(dot, f"{row.patient}: risk {row.risk:.2f}, {name} at {row.time:.3g}")
        place.plot([], [], "o", color=shade, markersize=4, label=name)
    place.set(xlabel="predicted risk", ylabel=time, xlim=(0, 1))
    place.set_ylim(bottom=0)
    place.legend(loc="upper center", bbox_to_anchor=(0.5, 1.12), ncols=2, fontsize=8, labelcolor=INK)
    return figure
