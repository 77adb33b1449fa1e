"""Figures of the curves: median and interquartile band over seeds, log scale, settings underneath."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from study.palette import colour, label
from study.simulation.experiments import LONG_SVRG

AXES = {"epoch": "epochs", "data_points": "data points used"}
TITLES = {
    "fig1": "Learning rates (the paper's Figure 1)",
    "fig1_published": "Learning rates with gradients as printed (top) and as in the published code (bottom)",
    "fig2": "Sparsities, with B = s (the paper's Figure 2)",
    "fig3": "Batch sizes (the paper's Figure 3)",
    "batches": "Combinations of B and b (the paper's appendix)",
    "components": "Numbers of connected components g (the paper's appendix)",
}
COLUMNS = {"fig1": 3, "fig1_published": 3, "fig2": 2, "fig3": 3, "batches": 2, "components": 3}
_INK, _FAINT = "#333333", "#DDDDDD"
_TOP = 10.0


def bands(curves: pd.DataFrame, axis: str) -> pd.DataFrame:
    """Return the quartiles over seeds of residual / start per panel, curve and epoch, and x on the axis."""
    starts = curves.groupby(["panel", "curve", "seed"], sort=False)["residual"].transform("first")
    groups = curves.assign(level=curves["residual"] / starts).groupby(
        ["panel", "curve", "method", "epoch"], sort=False
    )
    table = groups["level"].quantile([0.25, 0.5, 0.75], interpolation="nearest").unstack()
    table.columns = ["low", "median", "high"]
    # With blocks of unequal size the data points differ a little between seeds.
    return table.assign(x=groups[axis].median()).reset_index()


def draw_curves(figure: str, curves: pd.DataFrame, config: dict, axis: str) -> Figure:
    """Return the figure: a panel per setting, a line per method."""
    panels = list(dict.fromkeys(curves["panel"]))
    columns = min(COLUMNS[figure], len(panels))
    rows = -(-len(panels) // columns)
    made = Figure(figsize=(3.2 * columns + 0.6, 2.3 * rows + 1.9))
    axes = made.subplots(rows, columns, squeeze=False, sharex="row" if axis == "epoch" else False)
    table = bands(curves, axis)
    for place, panel in zip(axes.ravel(), panels, strict=False):
        _panel(place, panel, table[table["panel"] == panel], curves[curves["panel"] == panel])
    for place in axes.ravel()[len(panels) :]:
        place.set_visible(False)
    for place in axes[-1]:
        place.set_xlabel(AXES[axis], color=_INK, fontsize=9)
    for place in axes[:, 0]:
        place.set_ylabel("residual norm / start", color=_INK, fontsize=9)
    _frame(
        made, TITLES[figure], list(dict.fromkeys(curves["curve"])), caption(figure, curves, config), columns
    )
    return made


def _panel(place: Axes, title: str, table: pd.DataFrame, curves: pd.DataFrame) -> None:
    for (curve, method), line in table.groupby(["curve", "method"], sort=False):
        graph = method.startswith("graph-")
        low, median, high = (line[key].clip(upper=10 * _TOP) for key in ("low", "median", "high"))
        if graph:
            place.fill_between(line["x"], low, high, color=colour(method), alpha=0.15, linewidth=0)
        style = (0, (4, 2)) if curve.endswith(LONG_SVRG) else "-" if graph else ":"
        place.plot(line["x"], median, color=colour(method), linestyle=style, linewidth=1.6 if graph else 1.1)
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
    place.set_title(title, fontsize=9, color=_INK, loc="left")
    style_axes(place)
    _note_divergence(place, curves)


def _note_divergence(place: Axes, curves: pd.DataFrame) -> None:
    """Say in the panel how many runs of which graph method end above their start."""
    lines = []
    for method, runs in curves[curves["curve"] == curves["method"]].groupby("method", sort=False):
        if not method.startswith("graph-"):
            continue
        ends = runs.sort_values("epoch").groupby("seed")["residual"].agg(["first", "last"])
        risen = int((ends["last"] > ends["first"]).sum())
        if risen:
            lines.append(f"{label(method)}: {risen} of {len(ends)} end above the start")
    if lines:
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
        place.text(
            0.99, 0.98, "\n".join(lines), transform=place.transAxes, fontsize=6.5, color=_INK, bbox=box, ha="right",
            va="top",
        )  # fmt: skip


def style_axes(place: Axes) -> None:
    """Take away what carries no data."""
    for side in ("top", "right"):
        place.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        place.spines[side].set_color(_INK)
    place.tick_params(labelsize=7.5, colors=_INK, which="both")
    place.grid(axis="y", color=_FAINT, linewidth=0.6)
    place.set_axisbelow(True)


def legend_lines(curves: list[str]) -> list[Line2D]:
    """Return a legend entry per curve."""
    entries = []
    for curve in curves:
        method = curve.removesuffix(LONG_SVRG)
        style = (0, (4, 2)) if curve != method else "-" if method.startswith("graph-") else ":"
        name = label(method) + curve[len(method) :].replace(" K", ", K")
        entries.append(Line2D([], [], color=colour(method), linestyle=style, label=name))
    return entries


def _frame(made: Figure, title: str, curves: list[str], text: str, columns: int) -> None:
    """Put the title and legend above and the settings below the panels."""
    height, width = made.get_figheight(), made.get_figwidth()
    lines = textwrap.wrap(text, int(width * 17))
    bottom = 0.45 + 0.16 * len(lines)
    entries = legend_lines(curves)
    across = 8 if columns > 2 else 4
    above = 0.3 + 0.17 * -(-len(entries) // across)
    made.suptitle(title, x=0.02, y=1 - 0.08 / height, ha="left", va="top", fontsize=11, color=_INK)
    made.legend(
        handles=entries, ncols=min(across, len(entries)), loc="upper left", bbox_to_anchor=(0.01, 1 - 0.27 / height),
        frameon=False, fontsize=7, handlelength=2, columnspacing=1.1, labelspacing=0.3,
    )  # fmt: skip
    made.text(0.02, 0.08 / height, "\n".join(lines), fontsize=7, color=_INK, va="bottom", linespacing=1.4)
    made.subplots_adjust(
        left=0.72 / width, right=1 - 0.15 / width, top=1 - (above + 0.3) / height, bottom=bottom / height,
        hspace=0.35, wspace=0.25,
    )  # fmt: skip


def caption(figure: str, curves: pd.DataFrame, config: dict) -> str:
    """Return the settings behind a figure, as printed under it."""
    shared = []
    for column, name in (("sparsity", "s"), ("eta", "eta"), ("n_components", "g"), ("mini_batch", "b")):
        values = curves[column].unique()
        if len(values) == 1:
            shared.append(f"{name} = {values[0]:g}")
    sampled = curves[curves["method"].isin(["graph-svrg-iht", "graph-scsg-iht"])]
    steps = sorted(sampled["inner_steps"].unique())
    batches = sorted(curves["batch"].unique())
    text = (
        f"{config['side']} x {config['side']} grid, connected support from a random walk, N(0,1) coefficients, "
        f"Gaussian design with n = {config['rows']} rows, no noise, x0 = 0, f_i = (n/2)(a_i x - y_i)^2, fixed step. "
        f"{', '.join(shared)}. B = {', '.join(map(str, batches))} (rows of a GraphStoIHT block and of SCSG's batch); "
        f"K = {', '.join(map(str, steps))} inner steps of SVRG and SCSG"
    )
    text += ", SVRG K = n, SCSG K = B" if figure == "fig1_published" else ", K = ceil(B/b)"
    text += f"; head of size {curves['head'].iloc[0]}. Median and interquartile band over "
    text += f"{curves['seed'].nunique()} seeds; "
    return text + "dotted: the same gradients with the s largest entries instead of the graph."
