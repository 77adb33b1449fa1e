"""Figures of genes: how often they are selected, in which pathways they are, and what methods have in common."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures.style import FAINT, FEWER, INK, MORE, WIDTH, heat_map, name_of, styled, tell
from study.methods import label

SHORT = 36


@styled
def gene_chart(genes: pd.DataFrame, axis: str) -> Figure:
    """Return a bar per gene: how often it is selected, coloured by its direction; a line where permuted outcomes lead.

    `genes` has symbol, frequency, mean_weight, known and, if outcomes were permuted, `permuted`, the same frequency
    there.
    """
    figure = Figure(figsize=(WIDTH, 0.19 * len(genes) + 0.75), layout="constrained")
    axes = figure.subplots()
    names = [f"{row.symbol} *" if row.known else row.symbol for row in genes.itertuples()]
    bars = axes.barh(
        range(len(genes)),
        genes["frequency"],
        color=[MORE if w > 0 else FEWER for w in genes["mean_weight"]],
        height=0.7,
    )
    for bar, row in zip(bars, genes.itertuples(), strict=True):
        more = "more" if row.mean_weight > 0 else "fewer"
        tell(bar, f"{row.symbol}: {row.frequency:.0%} of the folds; higher goes with {more} events")
    handles = [
        Line2D([], [], color=shade, linewidth=6, label=f"higher: {more} events")
        for shade, more in ((MORE, "more"), (FEWER, "fewer"))
    ]
    if "permuted" in genes:
        axes.plot(genes["permuted"], range(len(genes)), "|", color=INK, markersize=9, markeredgewidth=2)
        handles.append(
            Line2D(
                [], [], color=INK, marker="|", markersize=9, markeredgewidth=2, linestyle="", label="permuted outcomes"
            )
        )
    axes.set_yticks(range(len(genes)), names, fontsize=8.5)
    axes.set_ylim(len(genes) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel(axis, fontsize=9)
    axes.grid(axis="x")
    figure.legend(handles=handles, loc="outside upper left", ncols=3, fontsize=8, columnspacing=1.2)
    return figure


@styled
def pathway_dots(table: pd.DataFrame) -> Figure:
    """Return a dot per gene set: across how many times more stable genes than expected, its size how many.

    Full where q, against genes of the same degrees, is below .05. `table` has shown, overlap, expected, q_matched.
    """
    figure = Figure(figsize=(WIDTH, 0.25 * len(table) + 0.95), layout="constrained")
    axes = figure.subplots()
    for place, row in enumerate(table.itertuples()):
        times, sure = row.overlap / row.expected, row.q_matched < 0.05
        (dot,) = axes.plot(
            times, place, "o", markersize=3.5 + 2.2 * np.sqrt(row.overlap), color=MORE if sure else FAINT,
            markerfacecolor=MORE if sure else "none",
        )  # fmt: skip
        tell(dot, f"{row.shown}: {row.overlap:.0f} genes, {row.expected:.1f} expected, q = {row.q_matched:.2g}")
    names = [name if len(name) <= SHORT else f"{name[: SHORT - 1]}…" for name in table["shown"]]
    axes.set_yticks(range(len(table)), names, fontsize=8)
    axes.set_ylim(len(table) - 0.4, -0.6)
    axes.axvline(1, color=FAINT, linewidth=1)
    axes.set_xlim(0, 1.1 * max(1.0, (table["overlap"] / table["expected"]).max()))
    axes.set_xlabel("stable genes in the set / expected (same degrees)", fontsize=8.5)
    handles = [
        Line2D([], [], marker="o", linestyle="", color=MORE, label="q < .05"),
        Line2D([], [], marker="o", linestyle="", color=FAINT, markerfacecolor="none", label="may be chance"),
        *(
            Line2D([], [], marker="o", linestyle="", color=FAINT, markersize=3.5 + 2.2 * np.sqrt(n), label=f"{n} genes")
            for n in (2, 10)
        ),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=4, fontsize=8, handletextpad=0.4, columnspacing=1)
    return figure


@styled
def weights(genes: pd.DataFrame, axis: str) -> Figure:
    """Return the weights of a model as bars, red where higher expression goes with more events."""
    figure = Figure(figsize=(WIDTH, 0.17 * len(genes) + 0.6), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh(
        range(len(genes)), genes["weight"], color=[MORE if w > 0 else FEWER for w in genes["weight"]], height=0.7
    )
    for bar, row in zip(bars, genes.itertuples(), strict=True):
        tell(bar, f"{row.symbol}: {row.weight:+.4f}")
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(genes)), genes["symbol"], fontsize=8)
    axes.set_ylim(len(genes) - 0.4, -0.6)
    axes.set_xlabel(axis, fontsize=9)
    return figure


def gene_frequencies(shares: pd.DataFrame, known: set[str]) -> Figure:
    """Return selection frequencies genes x methods; known genes are starred."""
    named = shares.rename(index=lambda symbol: f"{symbol} *" if symbol in known else symbol, columns=label)
    bar = "share of folds that select the gene"
    return heat_map(named, bar, 0.26 * len(named) + 1.6, cmap="cividis_r", vmin=0, vmax=1)


def genes_in_common(jaccard: pd.DataFrame) -> Figure:
    """Return the Jaccard indices between methods; on the diagonal each method with itself."""
    failed = jaccard.set_index("method_a")["failed_a"]
    failed = failed[~failed.index.duplicated()]
    values = jaccard.pivot(index="method_a", columns="method_b", values="jaccard").loc[failed.index, failed.index]
    text = values.map(lambda value: "" if pd.isna(value) else f"{value:.2f}").to_numpy()
    named = values.rename(index=lambda name: name_of(name, failed[name]), columns=label)
    return heat_map(named, "mean Jaccard index", 0.42 * len(named) + 1.8, text, cmap="cividis", vmin=0, vmax=1)
