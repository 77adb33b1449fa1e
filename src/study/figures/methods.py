"""Figures that compare methods: differences, cost, the paper's metrics, convergence, early stopping."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from study.figures.style import MORE, WIDTH, heat_map, lines, name_rows, panels, plot, styled, tell
from study.methods import colour, label
from study.metrics import METRICS

GUESSING = 0.5


def difference_matrix(table: pd.DataFrame, names: list[str], metric: str) -> Figure:
    """Return the matrix of paired differences row - column: colour the effect size, number the difference."""
    mirrored = table.rename(columns={"method_a": "method_b", "method_b": "method_a"})
    mirrored = mirrored.assign(difference=-table["difference"], effect_size=-table["effect_size"])
    both = pd.concat([table, mirrored])
    marks = np.where(both["p_holm"] < 0.05, " •", "")
    both["text"] = both["difference"].map("{:+.3f}".format).str.replace("-", "−") + marks
    present = [name for name in names if name in set(both["method_a"])]
    effect, text = (
        both.pivot(index="method_a", columns="method_b", values=key).reindex(index=present, columns=present)
        for key in ("effect_size", "text")
    )
    limit = np.nanmax([1.0, effect.abs().max(axis=None)])
    return heat_map(
        effect.rename(index=label, columns=label), "effect size (row − column)", 0.42 * len(present) + 1.8,
        text.fillna("").to_numpy(), cmap="PuOr_r" if METRICS[metric].lower_is_better else "PuOr", center=0,
        vmin=-limit, vmax=limit,
    )  # fmt: skip


@styled
def time_per_fit(milliseconds: dict[str, float], names: list[str]) -> Figure:
    """Return milliseconds per fit by method, on a logarithmic axis."""
    present = [name for name in names if name in milliseconds]
    figure, axes = plot(0.22 * len(present) + 0.7)
    values, shades = [milliseconds[name] for name in present], [colour(name) for name in present]
    bars = axes.barh([label(name) for name in present], values, color=shades, height=0.7)
    axes.bar_label(bars, fmt="{:.3g}", padding=4, fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("milliseconds per fit")
    axes.margins(x=0.12)
    return figure


@styled
def paper_and_ours(comparison: pd.DataFrame) -> Figure:
    """Return a panel per metric: of each method of the paper its number (hollow) and ours (full), joined by a line."""
    metrics = [name for name in METRICS if (comparison["metric"] == name).any()]
    names = list(dict.fromkeys(comparison["method"]))
    figure, places = panels(len(metrics), len(metrics), WIDTH, 0.25 * len(names), 0.9)
    for place, metric in zip(places, metrics, strict=True):
        for row in comparison[comparison["metric"] == metric].itertuples():
            y, shade = names.index(row.method), colour(row.method)
            place.plot([row.paper_mean, row.our_mean], [y, y], color=shade, linewidth=1)
            (theirs,) = place.plot(row.paper_mean, y, "o", color=shade, markerfacecolor="#ffffff", markersize=6)
            (ours,) = place.plot(row.our_mean, y, "o", color=shade, markersize=6)
            tell(theirs, f"{label(row.method)}, paper: {row.paper_mean:.3f} ± {row.paper_std:.3f}")
            tell(ours, f"{label(row.method)}, ours: {row.our_mean:.3f} ± {row.our_std:.3f}")
        place.set_title(textwrap.fill(METRICS[metric].label, 14), fontsize=8)
        place.tick_params(axis="x", labelsize=8)
        place.grid(axis="x")
    name_rows(places[0], [label(name) for name in names], 8.5)
    return figure


@styled
def convergence(traces: pd.DataFrame) -> Figure:
    """Return the training loss by epoch as a share of the first, a line per method."""
    figure, axes = plot(3.2)
    lines(axes, traces, "epoch", "loss", linewidth=1.4)
    axes.set(xlabel="epoch", ylabel="loss, share of the first")
    return figure


@styled
def early_stopping(paths: pd.DataFrame, axis: str) -> Figure:
    """Return 1 - inner error of one method against epochs, a line per penalty, and where it is largest."""
    figure, axes = plot(3.0)
    lambdas, epochs = sorted(paths["lambda"].unique()), sorted(paths["epochs"].unique())
    for lam, shade in zip(lambdas, np.linspace(0.75, 0.0, len(lambdas)), strict=True):
        line = paths[paths["lambda"] == lam].sort_values("epochs")
        look = {"color": str(shade), "markersize": 3, "label": f"λ {lam:g}"}
        (drawn,) = axes.plot(line["epochs"], 1 - line["inner_error"], "o-", **look)
        tell(drawn, f"penalty {lam:g}")
    best = paths.loc[paths["inner_error"].idxmin()]
    axes.plot(best["epochs"], 1 - best["inner_error"], "o", color=MORE, markersize=11, markerfacecolor="none")
    axes.set_xscale("log")
    axes.set_xticks(epochs, [f"{value:g}" for value in epochs])
    axes.minorticks_off()
    axes.set(xlabel="epochs", ylabel=axis)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    return figure
