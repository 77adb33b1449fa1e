"""Figures of the synthetic curves: median and interquartile band over seeds, log scale, settings underneath."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from study.figures.style import styled
from study.methods import colour, find, label, uses_network
from study.simulation.experiments import LONG_SVRG, OPTION_I, SIZES
from study.simulation.layout import axes as axes_of

AXES = {"epoch": "epochs", "data_points": "data points used"}
# Title, and panels in a row.
FIGURES = {
    "fig1": ("Learning rates (the paper's Figure 1)", 3),
    "fig1_published": (
        "Learning rates: Algorithms 1 and 2 as printed, with single rows (top), and two states of the published code",
        3,
    ),
    "fig2": ("Sparsities, with B = s (the paper's Figure 2)", 2),
    "fig3": ("Batch sizes (the paper's Figure 3)", 3),
    "batches": ("Combinations of B and b (the paper's appendix)", 3),
    "components": ("Numbers of connected components g (the paper's appendix)", 3),
}
_TOP = 10.0


def bands(curves: pd.DataFrame, axis: str) -> pd.DataFrame:
    """Return the quartiles over seeds of residual / start per panel and curve, at the median x of each epoch.

    By Option I seeds differ in the data points of an epoch: between epochs their residuals are interpolated, and the
    band ends with the first seed.
    """
    tables = []
    for (panel, curve, method), runs in curves.groupby(["panel", "curve", "method"], sort=False):
        seeds = [run for _, run in runs.groupby("seed")]
        x = np.median([run[axis] for run in seeds], axis=0)
        x = x[x <= min(run[axis].iloc[-1] for run in seeds)]
        levels = [np.interp(x, run[axis], run["residual"] / run["residual"].iloc[0]) for run in seeds]
        low, median, high = np.quantile(levels, [0.25, 0.5, 0.75], axis=0, method="nearest")
        key = {"panel": panel, "curve": curve, "method": method}
        tables.append(pd.DataFrame(key | {"x": x, "low": low, "median": median, "high": high}))
    return pd.concat(tables, ignore_index=True)


def framed(rows: int, columns: int, title: str, curves: list[str], text: str, **options) -> tuple[Figure, np.ndarray]:
    """Return (figure, axes) with the title and a legend of the curves above, and a text below."""
    width = 3.2 * columns + 0.6
    figure = Figure(figsize=(width, 2.3 * rows + 1.7), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False, **options)
    handles = [Line2D([], [], label=_name(curve), **line_style(curve)) for curve in curves]
    figure.legend(
        handles=handles, title=title, title_fontsize=11, alignment="left", loc="outside upper left", fontsize=7.5,
        ncols=8 if columns > 2 and len(curves) <= 8 else 5, columnspacing=1.1,
    )  # fmt: skip
    figure.supxlabel(textwrap.fill(text, int(width * 17)), x=0.01, ha="left", fontsize=7)
    for place in places.flat:
        place.tick_params(labelsize=7.5, which="both")
        place.grid(axis="y")
    return figure, places


def line_style(curve: str) -> dict:
    """Return how a curve is drawn: full with the network, dotted without, dashed with K = n/b, or by Option I."""
    method, _, variant = curve.partition(" ")
    graph = uses_network(method)
    styles = {"": "-" if graph else ":", LONG_SVRG.strip(): (0, (4, 2)), OPTION_I.strip(): (0, (4, 1.5, 1, 1.5))}
    return {"color": colour(method), "linestyle": styles[variant], "linewidth": 1.5 if graph else 1.1}


def _name(curve: str) -> str:
    method, *variant = curve.split(" ", 1)
    return ", ".join([label(method), *variant])


def draw_curves(figure: str, curves: pd.DataFrame) -> tuple[list[pd.DataFrame], list[Figure]]:
    """Return the table of the curves and a drawing per x axis: a panel per setting, a line per method."""
    return [curves], [_draw(figure, curves, axis) for axis in axes_of(figure)]


@styled
def _draw(name: str, curves: pd.DataFrame, axis: str) -> Figure:
    panels = list(dict.fromkeys(curves["panel"]))
    title, columns = FIGURES[name]
    columns = min(columns, len(panels))
    lines, text = list(dict.fromkeys(curves["curve"])), caption(name, curves)
    share = "row" if axis == "epoch" else False
    figure, places = framed(-(-len(panels) // columns), columns, title, lines, text, sharex=share)
    table = bands(curves, axis)
    for place, panel in zip(places.flat, panels, strict=False):
        _panel(place, panel, table[table["panel"] == panel], curves[curves["panel"] == panel])
    for place in places.flat[len(panels) :]:
        place.set_visible(False)
    for place in places[-1]:
        place.set_xlabel(AXES[axis])
    for place in places[:, 0]:
        place.set_ylabel("residual norm / start")
    return figure


def _panel(place: Axes, title: str, table: pd.DataFrame, curves: pd.DataFrame) -> None:
    for (curve, method), line in table.groupby(["curve", "method"], sort=False):
        low, median, high = (line[key].clip(upper=10 * _TOP) for key in ("low", "median", "high"))
        if uses_network(method):
            place.fill_between(line["x"], low, high, color=colour(method), alpha=0.15, linewidth=0)
        place.plot(line["x"], median, **line_style(curve))
    place.set_yscale("log")
    reached = table["low"].where(np.isfinite(table["low"])).min()
    highest = table["high"].clip(upper=_TOP).max()
    place.set_ylim(reached * (highest / reached) ** -0.06, highest * (highest / reached) ** 0.03)
    decades = np.log10(highest / reached)
    place.yaxis.set_major_locator(
        LogLocator(subs=(1,) if decades > 3 else (1, 2, 5) if decades > 0.5 else range(1, 10))
    )
    place.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    place.yaxis.set_minor_formatter(NullFormatter())
    place.set_xlim(0, table["x"].max())
    place.set_title(title, fontsize=9)
    place.text(0.99, 0.98, _divergence(curves), transform=place.transAxes, fontsize=6.5, ha="right", va="top")


def _divergence(curves: pd.DataFrame) -> str:
    """Return how many runs of which graph method end above their start; nothing when none does."""
    lines = []
    for curve, runs in curves.groupby("curve", sort=False):
        ends = runs.sort_values("epoch").groupby("seed")["residual"].agg(["first", "last"])
        risen = int((ends["last"] > ends["first"]).sum())
        if risen and uses_network(runs["method"].iloc[0]):
            lines.append(f"{_name(curve)}: {risen} of {len(ends)} end above the start")
    return "\n".join(lines)


def caption(figure: str, curves: pd.DataFrame) -> str:
    """Return the settings behind a figure, as printed under it."""
    shared = []
    for column, name in (("sparsity", "s"), ("eta", "eta"), ("n_components", "g"), ("mini_batch", "b")):
        values = curves[column].unique()
        if len(values) == 1:
            shared.append(f"{name} = {values[0]:g}")
    text = (
        f"{SIZES.side} x {SIZES.side} grid, connected support from a random walk, N(0,1) coefficients, "
        f"Gaussian design with n = {SIZES.rows} rows, no noise, x0 = 0, f_i = (n/2)(a_i x - y_i)^2, fixed step. "
        f"{', '.join(shared)}. "
    )
    text += _sizes_as_published(curves) if figure == "fig1_published" else _sizes(curves)
    text += f" Median and interquartile band over {curves['seed'].nunique()} seeds; "
    return text + "dotted: the same gradients with the s largest entries instead of the graph."


def _sizes(curves: pd.DataFrame) -> str:
    def values(variant: str, column: str) -> str:
        return ", ".join(map(str, sorted(curves.loc[curves["curve"].str.endswith(variant), column].unique())))

    return (
        f"B = {values('', 'batch')} (rows of a GraphStoIHT block and of SCSG's batch); SVRG and SCSG take "
        f"K = ceil(B/b) = {values(OPTION_I, 'inner_steps')} inner steps (SCSG: Option II; dash-dotted: Option I, a "
        f"geometric K of that mean), dashed: SVRG takes K = ceil(n/b) = {values(LONG_SVRG, 'inner_steps')}; "
        f"head {curves['head'].iloc[0]}."
    )


def _sizes_as_published(curves: pd.DataFrame) -> str:
    """Return B, b and K of each row of panels, and what else differs."""
    rows = []
    for row, part in curves.groupby(curves["panel"].str.rpartition(", ")[0], sort=False):
        sizes = []
        for first in part.drop_duplicates("curve").itertuples():
            gradient = find(first.method).gradient
            if uses_network(first.method) and gradient in ("svrg", "scsg"):
                outer = f"B = {first.batch}, " if gradient == "scsg" else ""
                mean = "of mean " if first.option == 1 else "= "
                sizes.append(f"{_name(first.curve)} {outer}b = {first.mini_batch}, K {mean}{first.inner_steps}")
        rows.append(f"{row}: {'; '.join(sizes)}; head {part['head'].iloc[0]}")
    return (
        ". ".join(row[0].upper() + row[1:] for row in rows)
        + ". Published gradients are twice sums where those as printed are means, and uncorrected in the first epoch."
    )
