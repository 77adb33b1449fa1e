"""Figures of genes: how often they are selected, in which pathways they are, and what methods have in common."""

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from study.figures.style import DASHED, FAINT, FEWER, INK, MORE, chart, directions, heat_map, styled, tell
from study.methods import label

SHORT = 36
FREQUENCY = "share of folds that select the gene"


def _bars(axes: Axes, lengths: pd.Series, more: pd.Series, tips: list[str], is_grey: bool) -> BarContainer:
    """Draw a bar per gene, coloured by its direction; grey for a model that is no better than chance."""
    shades = [FAINT if is_grey else MORE if is_more else FEWER for is_more in more]
    bars = axes.barh(range(len(lengths)), lengths, color=shades, height=0.7)
    for bar, tip in zip(bars, tips, strict=True):
        tell(bar, tip)
    return bars


@styled
def gene_chart(genes: pd.DataFrame, is_grey: bool = False) -> Figure:
    """Return a bar per gene: how often it is selected, coloured by its direction; a line where permuted outcomes lead.

    `genes` has symbol, frequency, more, opposite, known and, if outcomes were permuted, `permuted`, the same frequency
    there. A dashed border marks a gene whose weight in the model has the opposite sign.
    """
    figure, axes = chart([f"{row.symbol} *" if row.known else row.symbol for row in genes.itertuples()], 0.19, 0.75)
    tips = [f"{row.symbol}: {row.frequency:.0%} of the folds; {directions(row)}" for row in genes.itertuples()]
    bars = _bars(axes, genes["frequency"], genes["more"], tips, is_grey)
    for bar, is_opposite in zip(bars, genes["opposite"], strict=True):
        if is_opposite:
            bar.set(edgecolor=INK, linestyle=DASHED, linewidth=1.3)
    for shade, more in () if is_grey else ((MORE, "more"), (FEWER, "fewer")):
        axes.plot([], [], color=shade, linewidth=6, label=f"higher: {more} events")
    if genes["opposite"].any():
        axes.plot([], [], color=INK, linestyle=DASHED, label="opposite weight")
    if "permuted" in genes:
        mark = {"color": INK, "markersize": 9, "markeredgewidth": 2, "label": "permuted outcomes"}
        axes.plot(genes["permuted"], range(len(genes)), "|", **mark)
    axes.set_xlim(0, 1)
    axes.set_xlabel(FREQUENCY, fontsize=9)
    axes.grid(axis="x")
    if axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside upper left", ncols=3, fontsize=8, columnspacing=1.2)
    return figure


@styled
def pathway_dots(table: pd.DataFrame) -> Figure:
    """Return a dot per gene set: across how many times more stable genes than expected, its size how many.

    Full where q, against genes of the same degrees, is below .05. `table` has shown, overlap, expected, q_matched.
    """
    names = [name if len(name) <= SHORT else f"{name[: SHORT - 1]}…" for name in table["shown"]]
    figure, axes = chart(names, 0.25, 0.95, 8)
    times, hollow = table["overlap"] / table["expected"], {"color": FAINT, "markerfacecolor": "none"}

    def dot(x: list, y: list, genes: float, **look) -> Artist:
        return axes.plot(x, y, "o", markersize=3.5 + 2.2 * np.sqrt(genes), **look)[0]

    for place, row in enumerate(table.itertuples()):
        look = {"color": MORE} if row.q_matched < 0.05 else hollow
        tip = f"{row.shown}: {row.overlap:.0f} genes, {row.expected:.1f} expected, q = {row.q_matched:.2g}"
        tell(dot([times.iloc[place]], [place], row.overlap, **look), tip)
    axes.axvline(1, color=FAINT, linewidth=1)
    axes.set_xlim(0, 1.1 * max(1.0, times.max()))
    axes.set_xlabel("stable genes in the set / expected (same degrees)", fontsize=8.5)
    axes.plot([], [], "o", color=MORE, label="q < .05")
    axes.plot([], [], "o", label="may be chance", **hollow)
    for n in (2, 10):
        dot([], [], n, color=FAINT, label=f"{n} genes")
    figure.legend(loc="outside upper left", ncols=4, fontsize=8, handletextpad=0.4, columnspacing=1)
    return figure


@styled
def weights(genes: pd.DataFrame, is_grey: bool = False) -> Figure:
    """Return the weights of a model as bars, red where higher expression raises the risk score."""
    figure, axes = chart(genes["symbol"], 0.17, 0.6, 8)
    tips = [f"{row.symbol}: {row.weight:+.4f}" for row in genes.itertuples()]
    _bars(axes, genes["weight"], genes["weight"] > 0, tips, is_grey)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("weight", fontsize=9)
    return figure


def genes_in_common(jaccard: pd.DataFrame) -> Figure:
    """Return the Jaccard indices between methods; on the diagonal each method with itself."""
    failed = jaccard.set_index("method_a")["failed_a"]
    failed = failed[~failed.index.duplicated()]
    values = jaccard.pivot(index="method_a", columns="method_b", values="jaccard").loc[failed.index, failed.index]
    text = values.map(lambda value: "" if pd.isna(value) else f"{value:.2f}").to_numpy()
    rows = {name: f"{label(name)} ({n:.0f} failed)" if n else label(name) for name, n in failed.items()}
    named = values.rename(index=rows, columns=label)
    return heat_map(named, "mean Jaccard index", 0.42 * len(named) + 1.8, text, cmap="cividis", vmin=0, vmax=1)
