"""Figures of the evidence on methods and genes, as SVG text that is the same whenever the numbers are."""

from __future__ import annotations

import io

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from study.palette import colour, label

METRIC_NAMES = {"balanced_error": "balanced error", "auc": "AUC", "n_nonzero": "number of genes"}
CONTROL_NAMES = {"labels": "permuted labels", "network": "rewired", "coexpression": "co-expression"}
STYLE = {
    "svg.hashsalt": "study",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    # First the font that matplotlib brings along: text is measured the same on every machine.
    "font.sans-serif": ["DejaVu Sans", "Arial", "sans-serif"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
GENES_SHOWN = 20
PANELS_PER_ROW = 4


def to_svg(figure: Figure) -> str:
    """Return a figure as SVG without a date."""
    stream = io.StringIO()
    with mpl.rc_context(STYLE):
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    return stream.getvalue()


def method_name(method: str, failed: pd.Series) -> str:
    """Return the label of a method, with its failed folds if it has any."""
    count = int(failed.get(method, 0))
    return f"{label(method)} ({count} failed)" if count else label(method)


def critical_difference(ranks: pd.DataFrame, cliques: pd.DataFrame, metric: str, failed: pd.Series) -> str:
    """Return the methods by mean rank, with a bar of dots through each group of which no two are told apart."""
    rank = ranks[ranks["metric"] == metric].set_index("method")["mean_rank"].sort_values(kind="stable")
    groups = [group["method"].tolist() for _, group in cliques[cliques["metric"] == metric].groupby("clique")]
    groups = [group for group in groups if len(group) > 1]
    height = len(rank)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.5, 1.0 + 0.28 * height))
        axes, bars = figure.subplots(
            1, 2, sharey=True, width_ratios=[3, max(0.25 * len(groups), 0.5)], gridspec_kw={"wspace": 0.05}
        )
        place = {method: height - 1 - i for i, method in enumerate(rank.index)}
        for method, value in rank.items():
            axes.plot([rank.min(), value], [place[method]] * 2, color="#dddddd", zorder=1)
            axes.plot([value], [place[method]], "o", color=colour(method), markersize=8, zorder=2)
        axes.set_yticks(list(place.values()), [method_name(method, failed) for method in place])
        axes.set_xlabel(f"mean rank by {METRIC_NAMES[metric]} over the test folds (1 = best)")
        for i, group in enumerate(groups):
            rows = [place[method] for method in group]
            bars.plot([i, i], [min(rows), max(rows)], color="#bbbbbb", linewidth=1, zorder=1)
            bars.plot([i] * len(rows), rows, "o", color="#222222", markersize=5, zorder=2)
        bars.set_xlim(-0.7, max(len(groups), 1) - 0.3)
        bars.set_xticks([])
        bars.set_xlabel("not told apart" if groups else "all told apart")
        bars.spines[["left", "bottom"]].set_visible(False)
        bars.tick_params(left=False)
    return to_svg(figure)


def jaccard_map(jaccard: pd.DataFrame, failed: pd.Series) -> str:
    """Return a heat map of the Jaccard indices between methods; its diagonal is each method with itself."""
    methods = list(dict.fromkeys(jaccard["method_a"]))
    values = jaccard.pivot(index="method_a", columns="method_b", values="jaccard")
    values = values.reindex(index=methods, columns=methods).to_numpy(float)
    names = [method_name(method, failed) for method in methods]
    n = max(len(methods), 1)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(2.2 + 0.55 * n, 1.6 + 0.5 * n))
        axes = figure.subplots()
        if methods:
            image = axes.imshow(values, cmap="cividis", vmin=0, vmax=1)
            for i, row in enumerate(values):
                for j, value in enumerate(row):
                    if np.isfinite(value):
                        ink = "white" if value < 0.55 else "black"
                        axes.text(j, i, f"{value:.2f}", ha="center", va="center", color=ink, fontsize=8)
            figure.colorbar(image, ax=axes, label="mean Jaccard index", shrink=0.8)
        axes.set_xticks(range(len(methods)), names, rotation=45, ha="right")
        axes.set_yticks(range(len(methods)), names)
        axes.spines[:].set_visible(False)
        axes.set_title("Genes in common: same fold; diagonal: pairs of folds", fontsize=10)
    return to_svg(figure)


def frequency_bars(frequencies: pd.DataFrame, failed: pd.Series) -> str:
    """Return bars of the most frequent genes of each method; known breast-cancer genes have a star."""
    methods = list(dict.fromkeys(frequencies["method"]))
    columns = min(PANELS_PER_ROW, max(len(methods), 1))
    lines = max(-(-len(methods) // columns), 1)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(2.6 * columns, 3.7 * lines), layout="constrained")
        panels = figure.subplots(lines, columns, squeeze=False).ravel()
        for panel, method in zip(panels, methods, strict=False):
            top = frequencies[frequencies["method"] == method].head(GENES_SHOWN)
            rows = np.arange(len(top))
            panel.barh(rows, top["frequency"], color=colour(method))
            stars = [
                f"{symbol} ★" if known else symbol
                for symbol, known in zip(top["symbol"], top["known"], strict=True)
            ]
            panel.set_yticks(rows, stars, fontsize=7)
            panel.invert_yaxis()
            panel.set_xlim(0, 1)
            panel.set_xticks([0, 0.5, 1], ["0", "0.5", "1"], fontsize=8)
            panel.set_title(method_name(method, failed), fontsize=9)
        for panel in panels[len(methods) :]:
            panel.set_visible(False)
        figure.supxlabel("share of the fits that selected the gene (★ known breast-cancer gene)", fontsize=9)
    return to_svg(figure)


def control_dots(repetitions: pd.DataFrame) -> str:
    """Return each repetition of the controls as a dot, beside the real result as a line, by method."""
    real = repetitions[repetitions["control"] == "real"].set_index("method")["balanced_error"]
    controls = [name for name in CONTROL_NAMES if (repetitions["control"] == name).any()]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.5, 0.6 + 0.75 * len(real)), layout="constrained")
        panels = figure.subplots(len(real), 1, sharex=True, squeeze=False).ravel()
        for panel, (method, value) in zip(panels, real.items(), strict=True):
            panel.axvline(value, color=colour(method), linewidth=2)
            for row, control in enumerate(controls):
                found = repetitions[(repetitions["control"] == control) & (repetitions["method"] == method)]
                dots = found["balanced_error"]
                panel.plot(dots, [row] * len(dots), "o", color=colour(method), alpha=0.5, markersize=4)
            panel.set_yticks(range(len(controls)), [CONTROL_NAMES[name] for name in controls], fontsize=8)
            panel.set_ylim(len(controls) - 0.5, -0.5)
            panel.set_title(label(method), fontsize=9, loc="left")
        said = "balanced error (line: real labels and network; dot: one repetition of a control)"
        figure.supxlabel(said, fontsize=9)
    return to_svg(figure)
