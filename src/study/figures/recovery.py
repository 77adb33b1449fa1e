"""Figures of recovery, noise and cost: the ones that `snakemake simulations_full` draws."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from study.figures.simulation import legend_lines, style_axes
from study.palette import colour
from study.simulation import recovery

_INK = "#333333"


def _figure(columns: int, rows: int, title: str, methods: list[str], text: str):
    """Return (figure, axes) with room for a title and legend above and a text below."""
    width, height = 3.2 * columns + 0.6, 2.4 * rows + 1.7
    made = Figure(figsize=(width, height))
    axes = made.subplots(rows, columns, squeeze=False)
    lines = textwrap.wrap(text, int(width * 17))
    made.suptitle(title, x=0.02, y=1 - 0.08 / height, ha="left", va="top", fontsize=11, color=_INK)
    made.legend(
        handles=legend_lines(methods), ncols=4, loc="upper left", bbox_to_anchor=(0.01, 1 - 0.27 / height),
        frameon=False, fontsize=7.5, handlelength=2.2, columnspacing=1.2,
    )  # fmt: skip
    made.text(0.02, 0.08 / height, "\n".join(lines), fontsize=7, color=_INK, va="bottom", linespacing=1.4)
    made.subplots_adjust(
        left=0.72 / width, right=1 - 0.15 / width, top=1 - 1.05 / height,
        bottom=(0.5 + 0.16 * len(lines)) / height, hspace=0.4, wspace=0.25,
    )  # fmt: skip
    return made, axes


def _line(place, table: pd.DataFrame, x: str, y: str) -> None:
    for method, line in table.groupby("method", sort=False):
        style = "-" if method.startswith("graph-") else ":"
        place.plot(
            line[x], line[y], color=colour(method), linestyle=style, linewidth=1.4, marker="o", markersize=2.5
        )
    style_axes(place)


def _said() -> str:
    options = recovery.OPTIONS
    return (
        f"fixed step {options['step']:g} from 0, blocks of n/2 rows (SCSG: B = n/2, b = B/4, K = 4; SVRG: K = 2), head "
        f"{options['head']}, at most {recovery.MAX_STEPS} steps. Dotted: the same gradients with the s largest entries."
    )


def draw_transition(table: pd.DataFrame, config: dict) -> Figure:
    """Return the phase transition: share of trials recovered, and median F1, over n, a column per sparsity."""
    sparsities = list(dict.fromkeys(table["sparsity"]))
    text = (
        f"{config['side']} x {config['side']} grid, no noise; recovered: relative error of x at most "
        f"{recovery.RECOVERED:.0%}; {table['trials'].max()} trials a point; {_said()}"
    )
    methods = list(dict.fromkeys(table["method"]))
    made, axes = _figure(len(sparsities), 2, "How many observations recovery needs", methods, text)
    for column, sparsity in enumerate(sparsities):
        part = table[table["sparsity"] == sparsity]
        for row, key in enumerate(("recovered", "f1")):
            place = axes[row, column]
            _line(place, part, "n_rows", key)
            place.set_ylim(-0.03, 1.03)
            place.set_xlabel("observations n", fontsize=9, color=_INK)
            if row == 0:
                place.set_title(f"s = {sparsity}", fontsize=9, color=_INK, loc="left")
    axes[0, 0].set_ylabel("share of trials recovered", fontsize=9, color=_INK)
    axes[1, 0].set_ylabel("median F1 of the support", fontsize=9, color=_INK)
    return made


def draw_families(table: pd.DataFrame, config: dict) -> Figure:
    """Return median F1 and error over the noise level, a column per graph family."""
    families = list(dict.fromkeys(table["family"]))
    text = (
        f"s = {config['noise_sparsity']} connected nodes, n = {config['noise_rows']} observations; noise: its norm "
        f"over the signal's; {table['trials'].max()} trials a point; errors above 1.2 are drawn there; "
        f"{_said()}"
    )
    methods = list(dict.fromkeys(table["method"]))
    made, axes = _figure(len(families), 2, "Noise and the shape of the graph", methods, text)
    for column, family in enumerate(families):
        part = table[table["family"] == family]
        for row, key in enumerate(("f1", "error")):
            place = axes[row, column]
            _line(place, part.assign(error=part["error"].clip(upper=1.2)), "noise", key)
            place.set_ylim(-0.03, 1.03 if key == "f1" else 1.23)
            place.set_xlabel("noise / signal", fontsize=9, color=_INK)
            if row == 0:
                title = f"{family} ({part['nodes'].iloc[0]:,} nodes)"
                place.set_title(title, fontsize=9, color=_INK, loc="left")
    axes[0, 0].set_ylabel("median F1 of the support", fontsize=9, color=_INK)
    axes[1, 0].set_ylabel("median error of x / ||x*||", fontsize=9, color=_INK)
    return made


def draw_scaling(table: pd.DataFrame) -> Figure:
    """Return seconds per step and per Steiner solve over the number of nodes, both logarithmic."""
    slopes = table.drop_duplicates("method").set_index("method")["slope"]
    graph = table[table["method"].str.startswith("graph-")]
    of_solve = graph.drop_duplicates("method")["slope_of_solve"]
    text = (
        f"Grids, s = {table['sparsity'].iloc[0]}, {table['rows'].iloc[0]} rows, one core. Slope of log seconds on log "
        f"nodes from 1,000 on: {', '.join(f'{method} {value:.2f}' for method, value in slopes.items())}; of one "
        f"Steiner solve {of_solve.min():.2f} to {of_solve.max():.2f}. Grey: slope 1."
    )
    made, axes = _figure(2, 1, "What a step costs", list(dict.fromkeys(table["method"])), text)
    for place, part, key, name in (
        (axes[0, 0], table, "seconds_per_step", "seconds per step"),
        (axes[0, 1], graph, "seconds_per_solve", "seconds per Steiner solve"),
    ):
        _line(place, part, "nodes", key)
        nodes = np.array(sorted(part["nodes"].unique()), dtype=float)
        first = part.loc[part["nodes"] == nodes[0], key].median()
        place.plot(nodes, first * nodes / nodes[0], color="#AAAAAA", linewidth=0.8, zorder=0)
        place.set_xscale("log")
        place.set_yscale("log")
        place.set_xlabel("nodes", fontsize=9, color=_INK)
        place.set_ylabel(name, fontsize=9, color=_INK)
    return made
