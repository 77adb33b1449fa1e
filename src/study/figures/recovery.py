"""Figures of recovery, noise and cost, and what draws each synthetic experiment: `DRAWINGS`."""

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from study.figures.curves import draw_curves, framed, line_style
from study.figures.style import FAINT, styled
from study.methods import uses_network
from study.simulation import recovery
from study.simulation.layout import FIGURES

Drawn = tuple[list[pd.DataFrame], list[Figure]]


def _plot(place: Axes, table: pd.DataFrame, x: str, y: str) -> None:
    for method, line in table.groupby("method", sort=False):
        place.plot(line[x], line[y], marker="o", markersize=2.5, **line_style(method))


def _grid(
    table: pd.DataFrame, by: list[str], x: tuple[str, str], rows: dict, title: str, text: str, head: str
) -> Figure:
    """Return a column per value of `by`, titled by `head`, and a row per measure: its name and largest value."""
    groups = list(table.groupby(by, sort=False))
    methods = list(dict.fromkeys(table["method"]))
    figure, places = framed(len(rows), len(groups), title, methods, f"{text}; {_how()}")
    for column, (values, part) in enumerate(groups):
        places[0, column].set_title(head.format(*values), fontsize=9)
        for row, (key, (name, top)) in enumerate(rows.items()):
            _plot(places[row, column], part.assign(**{key: part[key].clip(upper=top)}), x[0], key)
            places[row, column].set(ylim=(-0.03, top + 0.03), xlabel=x[1])
            places[row, 0].set_ylabel(name)
    return figure


def _how() -> str:
    options = recovery.OPTIONS
    return (
        f"fixed step {options['step']:g} from 0, blocks of n/2 rows (SCSG: B = n/2, b = B/4, K = 4; SVRG: K = 2), head "
        f"{options['head']}, at most {recovery.MAX_STEPS} steps. Dotted: the same gradients with the s largest entries."
    )


@styled
def draw_transition(trials: pd.DataFrame) -> Drawn:
    """Return the phase transition: share of trials recovered, and median F1, over n, a column per sparsity."""
    table = recovery.summary(trials, ["sparsity", "n_rows"])
    rows = {"recovered": ("share of trials recovered", 1.0), "f1": ("median F1 of the support", 1.0)}
    text = (
        f"{recovery.SIZES.side} x {recovery.SIZES.side} grid, no noise; recovered: relative error of x at most "
        f"{recovery.RECOVERED:.0%}; {table['trials'].max()} trials a point"
    )
    title = "How many observations recovery needs"
    figure = _grid(table, ["sparsity"], ("n_rows", "observations n"), rows, title, text, "s = {}")
    return [table, recovery.needed(table)], [figure]


@styled
def draw_families(trials: pd.DataFrame) -> Drawn:
    """Return median F1 and error over the noise level, a column per graph family."""
    table = recovery.summary(trials, ["family", "nodes", "noise"])
    rows = {"f1": ("median F1 of the support", 1.0), "error": ("median error of x / ||x*||", 1.2)}
    text = (
        f"s = {recovery.SIZES.noise_sparsity} connected nodes, n = {recovery.SIZES.noise_rows} observations; noise: "
        f"its norm over the signal's; {table['trials'].max()} trials a point; errors above 1.2 are drawn there"
    )
    title, head = "Noise and the shape of the graph", "{} ({:,} nodes)"
    figure = _grid(table, ["family", "nodes"], ("noise", "noise / signal"), rows, title, text, head)
    return [table], [figure]


@styled
def draw_scaling(table: pd.DataFrame) -> Drawn:
    """Return seconds per step and per Steiner solve over the number of nodes, both logarithmic."""
    slopes = table.drop_duplicates("method").set_index("method")["slope"]
    graph = table[table["method"].map(uses_network)]
    of_solve = graph.drop_duplicates("method")["slope_of_solve"]
    text = (
        f"Grids, s = {table['sparsity'].iloc[0]}, {table['rows'].iloc[0]} rows, one core. Slope of log seconds on log "
        f"nodes from 1,000 on: {', '.join(f'{method} {value:.2f}' for method, value in slopes.items())}; of one "
        f"Steiner solve {of_solve.min():.2f} to {of_solve.max():.2f}. Grey: slope 1."
    )
    figure, places = framed(1, 2, "What a step costs", list(dict.fromkeys(table["method"])), text)
    measures = (
        (table, "seconds_per_step", "seconds per step"),
        (graph, "seconds_per_solve", "seconds per Steiner solve"),
    )
    for place, (part, key, what) in zip(places.flat, measures, strict=True):
        _plot(place, part, "nodes", key)
        nodes = np.array(sorted(part["nodes"].unique()), dtype=float)
        first = part.loc[part["nodes"] == nodes[0], key].median()
        place.plot(nodes, first * nodes / nodes[0], color=FAINT, linewidth=0.8, zorder=0)
        place.set(xscale="log", yscale="log", xlabel="nodes", ylabel=what)
        for axis in (place.xaxis, place.yaxis):
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter(NullFormatter())
    return [table], [figure]


# What makes the tables and figures of each experiment from the table of all its parts.
DRAWINGS = {figure: partial(draw_curves, figure) for figure in FIGURES} | {
    "theory": lambda table: ([table], []),
    "recovery": draw_transition,
    "families": draw_families,
    "scaling": draw_scaling,
}
