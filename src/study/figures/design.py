"""Figures of how a study was made, and of what became of the paper's claims."""

from __future__ import annotations

import textwrap

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures.style import FAINT, FEWER, INK, MORE, WIDTH, styled, tell

VERDICTS = {"holds": "#009E73", "holds in part": "#E69F00", "refuted": MORE, "undecided": FAINT}
WIDE = 58


@styled
def nested(boxes: list[tuple[str, str]]) -> Figure:
    """Return the way of the patients: a box per step, its head and what happens there, joined by arrows."""
    height = 0.62
    figure = Figure(figsize=(WIDTH, height * len(boxes)))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(-len(boxes) + 0.5, 0.5))
    axes.axis("off")
    for row, (head, text) in enumerate(boxes):
        axes.text(
            0.02, -row, head, va="center", fontsize=9, fontweight="bold",
            bbox={"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": FEWER},
        )  # fmt: skip
        axes.text(0.3, -row, textwrap.fill(text, WIDE), va="center", fontsize=8.5)
        if row:
            axes.annotate(
                "", (0.07, -row + 0.27), (0.07, -row + 0.73), arrowprops={"arrowstyle": "->", "color": INK, "lw": 1}
            )
    return figure


@styled
def verdict_chart(verdicts: pd.DataFrame) -> Figure:
    """Return a line per claim of the paper, marked with what became of it."""
    claims = [textwrap.shorten(claim, WIDE + 12, placeholder="…") for claim in verdicts["claim"]]
    figure = Figure(figsize=(WIDTH, 0.23 * len(claims) + 0.4))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(-len(claims) + 0.3, 1.4))
    axes.axis("off")
    for row, (claim, verdict) in enumerate(zip(claims, verdicts["verdict"], strict=True)):
        (mark,) = axes.plot(0.02, -row, "s", color=VERDICTS.get(verdict, INK), markersize=8)
        tell(mark, f"{verdicts['claim'].iloc[row]}: {verdict}")
        axes.text(0.05, -row, claim, va="center", fontsize=8)
    handles = [
        Line2D([], [], marker="s", linestyle="", color=shade, label=name)
        for name, shade in VERDICTS.items()
        if (verdicts["verdict"] == name).any()
    ]
    axes.legend(handles=handles, loc="upper left", ncols=4, fontsize=8, borderaxespad=0, handletextpad=0.2)
    return figure
