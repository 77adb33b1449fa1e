"""The static figures as SVG: text stays text, ink follows the page's colour, and equal tables give equal bytes."""

from __future__ import annotations

import io
import re
import warnings

import matplotlib
import numpy as np
import pandas as pd
from markupsafe import Markup

matplotlib.use("svg")

import matplotlib.pyplot as plt
import seaborn as sns
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from study.palette import colour, label

INK = "#1c2431"
GUESSING = 0.5
STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 12,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


def _finish(figure: plt.Figure, name: str) -> Markup:
    """Return the figure as SVG for a page with several: every id starts with `name`, ink is the page's."""
    stream = io.StringIO()
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure.savefig(stream, format="svg", metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
    return inline(stream.getvalue(), name)


def inline(svg: str, name: str) -> Markup:
    """Return an SVG file's element with its ids made unique to `name`, scaled to the page's width."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r'(xlink:)?href="#([^"]+)"', rf'href="#{name}-\2"', svg)
    opening, rest = svg[: svg.index(">")], svg[svg.index(">") :]
    if "viewBox" in opening:
        opening = re.sub(r'\s(width|height)="[^"]*"', "", opening)
    return Markup((opening + rest).replace(INK, "currentColor").strip())


def message(text: str, name: str) -> Markup:
    """Return a figure that says why it is empty."""
    with matplotlib.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 1))
        axes.axis("off")
        axes.text(0.5, 0.5, text, ha="center", va="center")
    return _finish(figure, name)


def accuracy(metrics: pd.DataFrame, methods: list[str]) -> Markup:
    """Return balanced error and AUC per method over the folds, as boxes."""
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # seaborn passes on a keyword that matplotlib is about to rename
        warnings.simplefilter("ignore", DeprecationWarning)
        figure, panels = plt.subplots(1, 2, figsize=(10, 0.34 * len(methods) + 1.1), sharey=True)
        for axes, metric, title in zip(
            panels, ("balanced_error", "auc"), ("Balanced error", "AUC"), strict=True
        ):
            sns.boxplot(
                metrics,
                x=metric,
                y="method",
                hue="method",
                order=methods,
                hue_order=methods,
                palette={method: colour(method) for method in methods},
                legend=False,
                fliersize=2,
                linewidth=1,
                linecolor=INK,
                showmeans=True,
                meanprops={
                    "marker": "x",
                    "markeredgecolor": INK,
                    "markersize": 6,
                },
                ax=axes,
            )
            axes.axvline(GUESSING, color=INK, linewidth=1, linestyle="--")
            axes.set(xlabel=title, ylabel="")
            axes.set_yticks(range(len(methods)), [label(method) for method in methods])
            axes.grid(axis="x", color="#8893a0", alpha=0.35, linewidth=0.6)
            axes.set_axisbelow(True)
    return _finish(figure, "accuracy")


def difference_matrix(table: pd.DataFrame, methods: list[str], metric: str) -> Markup:
    """Return the matrix of paired differences row - column: colour the effect size, number the difference."""
    present = [name for name in methods if name in {*table["method_a"], *table["method_b"]}]
    place = {name: i for i, name in enumerate(present)}
    effect = np.full((len(present),) * 2, np.nan)
    text = np.full(effect.shape, "", object)
    for row in table.itertuples():
        if row.method_a in place and row.method_b in place:
            a, b = place[row.method_a], place[row.method_b]
            mark = " •" if row.p_holm < 0.05 else ""
            effect[a, b], effect[b, a] = row.effect_size, -row.effect_size
            text[a, b] = f"{row.difference:+.3f}{mark}".replace("-", "−")
            text[b, a] = f"{-row.difference:+.3f}{mark}".replace("-", "−")
    limit = max(1.0, float(np.nanmax(np.abs(effect)))) if np.isfinite(effect).any() else 1.0
    names = [label(name) for name in present]
    with matplotlib.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(11, 0.42 * len(present) + 1.8))
        sns.heatmap(
            effect,
            mask=np.isnan(effect),
            annot=text,
            fmt="",
            annot_kws={"size": 8.5},
            cmap="PuOr_r" if metric == "balanced_error" else "PuOr",
            center=0,
            vmin=-limit,
            vmax=limit,
            xticklabels=names,
            yticklabels=names,
            linewidths=0.5,
            linecolor="#8893a0",
            cbar_kws={"label": "effect size (row − column)"},
            ax=axes,
        )
        axes.set_xticklabels(names, rotation=35, ha="right")
        axes.set_yticklabels(names, rotation=0)
    return _finish(figure, f"differences-{metric.replace('_', '-')}")


def gene_heatmap(shares: pd.DataFrame, known: set[str]) -> Markup:
    """Return selection frequencies genes x methods; known genes are starred."""
    if not len(shares.columns) or not len(shares):
        return message("No method of this run selects genes.", "gene-frequencies")
    names = [f"{symbol} *" if symbol in known else symbol for symbol in shares.index]
    with matplotlib.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(10, 0.26 * len(shares) + 1.6))
        sns.heatmap(
            shares,
            cmap="cividis_r",
            vmin=0,
            vmax=1,
            yticklabels=names,
            xticklabels=[label(name) for name in shares.columns],
            linewidths=0.4,
            linecolor="#8893a0",
            cbar_kws={"label": "share of folds that select the gene"},
            ax=axes,
        )
        axes.set(xlabel="", ylabel="")
        axes.set_xticklabels(axes.get_xticklabels(), rotation=35, ha="right")
        axes.set_yticklabels(names, rotation=0)
    return _finish(figure, "gene-frequencies")


def cost(milliseconds: dict[str, float], methods: list[str]) -> Markup:
    """Return milliseconds per fit by method, on a logarithmic axis."""
    present = [name for name in methods if name in milliseconds]
    if not present:
        return message("No job has finished.", "cost-figure")
    with matplotlib.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(10, 0.3 * len(present) + 1))
        values = [milliseconds[name] for name in present]
        axes.barh(range(len(present)), values, color=[colour(name) for name in present], height=0.7)
        for i, value in enumerate(values):
            axes.annotate(
                f"{value:.3g}", (value, i), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9
            )
        axes.set_yticks(range(len(present)), [label(name) for name in present])
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("milliseconds per fit")
        axes.margins(x=0.12)
    return _finish(figure, "cost-figure")


def convergence(traces: pd.DataFrame, methods: list[str]) -> Markup:
    """Return the median loss by epoch as a share of the first, with quartiles."""
    present = [name for name in methods if name in set(traces["method"])]
    if not present:
        return message("No method of this run iterates.", "convergence-figure")
    with matplotlib.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(10, 4.2))
        for name in present:
            part = traces[traces["method"] == name]
            axes.fill_between(part["epoch"], part["low"], part["high"], color=colour(name), alpha=0.12)
            axes.plot(
                part["epoch"], part["loss"], color=colour(name), label=label(name), marker="o", markersize=3
            )
        axes.set(xlabel="epoch", ylabel="loss, share of the first")
        axes.legend(frameon=False, bbox_to_anchor=(1.01, 1), loc="upper left")
    return _finish(figure, "convergence-figure")
