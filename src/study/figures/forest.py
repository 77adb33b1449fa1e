"""Forest plots: an estimate with its interval in each row, and its comparison."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from study.figures.style import FAINT, WIDTH, name_rows, panels, styled, tell
from study.methods import colour, label

ROW = 0.25


@styled
def forest(
    table: pd.DataFrame, axis: str, at: float, margin: float | None = None, log: bool = False, across: int = 3
) -> Figure:
    """Return a row per row of the table, in a panel per value of `panel` if it has that column.

    Parameters
    ----------
    table : pd.DataFrame
        Columns method, value, low and high; a row without a value stays empty.
    axis : str
        What the figures are.
    at : float
        Where a line says what guessing, or no difference, would be.
    margin : float, optional
        Half the width of a band around it: differences inside do not matter.
    log : bool
        Whether the axis is logarithmic, as of ratios.
    across : int
        Panels in a row.
    """
    parts = [("", table)] if "panel" not in table else list(table.groupby("panel", sort=False))
    names = table["method"].unique().tolist()
    height = ROW * len(names) + (0.35 if parts[0][0] else 0.1)
    figure, places = panels(len(parts), min(across, len(parts)), WIDTH, height, 0.45, sharex=True)
    for place, (title, part) in zip(places, parts, strict=True):
        _draw(place, part, names, at, margin)
        place.set_title(title, fontsize=9)
    first = places[0]
    name_rows(first, [label(name) for name in names], 10)
    if log:
        first.set_xscale("log")
        low, high = first.get_xlim()
        first.set_xticks([tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if low <= tick <= high])
        first.xaxis.set_major_formatter("{x:g}")
        first.xaxis.set_minor_formatter(NullFormatter())
    figure.supxlabel(axis, fontsize=9)
    return figure


def _draw(place: Axes, table: pd.DataFrame, names: list[str], at: float, margin: float | None) -> None:
    if margin is not None:
        place.axvspan(at - margin, at + margin, color=FAINT, alpha=0.2, linewidth=0)
    place.axvline(at, color=FAINT, linewidth=1)
    for row in table.itertuples():
        if not np.isfinite(row.value):
            continue
        y, shade = names.index(row.method), colour(row.method)
        (line,) = place.plot([row.low, row.high], [y, y], color=shade, linewidth=1.6)
        (dot,) = place.plot(row.value, y, "o", color=shade, markersize=5.5)
        for artist in (line, dot):
            tell(artist, f"{label(row.method)}: {row.value:.3f} ({row.low:.3f} to {row.high:.3f})")
    place.grid(axis="x")
    place.tick_params(left=False)
    place.spines["left"].set_visible(False)
