"""Figures that compare methods: accuracy, differences, ranks, cost."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from study.figures.style import FAINT, INK, WIDTH, heat_map, lines, name_of, name_rows, panels, plot, styled, tell
from study.methods import colour, label
from study.metrics import METRICS

GUESSING = 0.5


@styled
def accuracy(metrics: pd.DataFrame, names: list[str]) -> Figure:
    """Return AUC and balanced error per method over the folds, as boxes."""
    figure = Figure(figsize=(10, 0.34 * len(names) + 1.1))
    places = figure.subplots(1, 2, sharey=True)
    line = {"color": INK, "linewidth": 1}
    for axes, metric in zip(places, ("auc", "balanced_error_tuned"), strict=True):
        boxes = axes.boxplot(
            [metrics.loc[metrics["method"] == name, metric] for name in names],
            orientation="horizontal", tick_labels=[label(name) for name in names], widths=0.8, patch_artist=True,
            showmeans=True, boxprops={"edgecolor": INK}, whiskerprops=line, capprops=line, medianprops=line,
            meanprops={"marker": "x", "markeredgecolor": INK}, flierprops={"marker": ".", "markeredgecolor": INK},
        )  # fmt: skip
        for box, name in zip(boxes["boxes"], names, strict=True):
            box.set_facecolor(colour(name))
        axes.axvline(GUESSING, linestyle="--", **line)
        axes.set_xlabel(METRICS[metric].label)
        axes.grid(axis="x")
    places[0].invert_yaxis()
    return figure


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
def critical_difference(ranks: pd.DataFrame, cliques: pd.DataFrame, metric: str) -> Figure:
    """Return the methods by mean rank, with a bar of dots through each group of which no two are told apart."""
    ranks = ranks[ranks["metric"] == metric].sort_values("mean_rank", kind="stable")
    groups = [group["method"].tolist() for _, group in cliques[cliques["metric"] == metric].groupby("clique")]
    groups = [group for group in groups if len(group) > 1]
    figure = Figure(figsize=(8.5, 1.0 + 0.28 * len(ranks)))
    widths = [3, max(0.25 * len(groups), 0.5)]
    axes, bars = figure.subplots(1, 2, sharey=True, width_ratios=widths, gridspec_kw={"wspace": 0.05})
    place = {name: row for row, name in enumerate(ranks["method"])}
    best = ranks["mean_rank"].min()
    for row in ranks.itertuples():
        axes.plot([best, row.mean_rank], [place[row.method]] * 2, color=FAINT, linewidth=0.8, zorder=1)
        axes.plot(row.mean_rank, place[row.method], "o", color=colour(row.method), markersize=8, zorder=2)
    axes.set_yticks(list(place.values()), [name_of(row.method, row.failed) for row in ranks.itertuples()])
    axes.invert_yaxis()
    axes.set_xlabel(f"mean rank by {METRICS[metric].label} over the test folds (1 = best)")
    for i, group in enumerate(groups):
        rows = [place[name] for name in group]
        bars.plot([i, i], [min(rows), max(rows)], color=FAINT, linewidth=1, zorder=1)
        bars.plot([i] * len(rows), rows, "o", color=INK, markersize=5, zorder=2)
    bars.set_xlim(-0.7, max(len(groups), 1) - 0.3)
    bars.set_xticks([])
    bars.set_xlabel("not told apart" if groups else "all told apart")
    bars.spines[["left", "bottom"]].set_visible(False)
    bars.tick_params(left=False)
    return figure


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
