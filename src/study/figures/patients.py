"""Figures of patients: survival curves, ROC curves and calibration, as SVG with equal bytes for equal numbers."""

from __future__ import annotations

import io

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from study.palette import colour, label

plt.rcParams.update(
    {
        "svg.hashsalt": "study",
        "svg.fonttype": "none",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }
)
PANEL = (3.1, 2.7)
LOW_RISK = "#7A7A7A"
Axes = matplotlib.axes.Axes


def as_svg(figure: plt.Figure) -> str:
    """Return the figure as SVG text, without date, and close it."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    plt.close(figure)
    # matplotlib leaves spaces at line ends.
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def panels(n_panels: int, columns: int = 4) -> tuple[plt.Figure, list[Axes]]:
    """Return a figure with `n_panels` axes that share their scales."""
    columns = min(columns, n_panels)
    rows = -(-n_panels // columns)
    size = (PANEL[0] * columns, PANEL[1] * rows)
    figure, axes = plt.subplots(
        rows, columns, figsize=size, sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    for spare in axes.flat[n_panels:]:
        spare.set_visible(False)
    return figure, list(axes.flat[:n_panels])


def sentence(text: str) -> str:
    """Return a figure that holds a sentence where there is nothing to draw."""
    figure = plt.figure(figsize=(6, 1))
    figure.text(0.5, 0.5, text, ha="center", va="center", wrap=True)
    return as_svg(figure)


def title(method: str, failed: int = 0) -> str:
    """Return the name over a panel; failed folds are named there too."""
    return label(method) + (f" ({failed} folds failed)" if failed else "")


def _curve(axis: Axes, curve: pd.DataFrame, line: str, text: str, style: str) -> None:
    axis.step(curve["time"], curve["survival"], style, where="post", color=line, label=text, linewidth=1.4)
    low, high = curve["low"].fillna(0), curve["high"].fillna(1)
    axis.fill_between(curve["time"], low, high, step="post", color=line, alpha=0.15, linewidth=0)


def survival_panel(axis: Axes, curves: pd.DataFrame, line: str, said: str) -> None:
    """Draw the two groups' Kaplan-Meier curves with their bands."""
    for group, shade, style in (("low", LOW_RISK, "--"), ("high", line, "-")):
        _curve(axis, curves[curves["group"] == group], shade, f"{group} risk", style)
    axis.set_ylim(0, 1.02)
    axis.text(0.03, 0.05, said, transform=axis.transAxes, fontsize=8)


def _legend(figure: plt.Figure, axis: Axes) -> None:
    """Say over the panels which line is which; colours differ between them, line styles do not."""
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, loc="outside upper right", ncols=2)


def survival_figure(km: pd.DataFrame, survival: pd.DataFrame, unit: str) -> str:
    """Return a panel per method: survival of high and low out-of-fold risk."""
    figure, axes = panels(len(survival))
    for axis, row in zip(axes, survival.to_dict("records"), strict=True):
        said = f"HR {row['hazard_ratio']:.1f} ({row['low']:.1f}–{row['high']:.1f})\nnominal p {row['logrank_p']:.1g}"
        survival_panel(axis, km[km["method"] == row["method"]], colour(row["method"]), said)
        axis.set_title(title(row["method"], row["failed_folds"]))
    _legend(figure, axes[0])
    figure.supxlabel(unit)
    figure.supylabel("share without the event")
    return as_svg(figure)


def roc_figure(roc: pd.DataFrame, outcomes: pd.DataFrame) -> str:
    """Return a panel per method: its ROC curve with the band."""
    first = outcomes[outcomes["outcome"] == outcomes["outcome"].iloc[0]]
    figure, axes = panels(len(first))
    for axis, row in zip(axes, first.to_dict("records"), strict=True):
        curve, shade = roc[roc["method"] == row["method"]], colour(row["method"])
        rate = curve["false_positive_rate"]
        axis.plot([0, 1], [0, 1], color="#BBBBBB", linewidth=0.8)
        axis.plot(rate, curve["sensitivity"], color=shade, linewidth=1.4)
        axis.fill_between(rate, curve["low"], curve["high"], color=shade, alpha=0.15, linewidth=0)
        text = f"AUC {row['auc']:.2f} ({row['low']:.2f}–{row['high']:.2f})"
        axis.text(0.97, 0.05, text, ha="right", fontsize=8)
        axis.set_title(title(row["method"], row["failed_folds"]))
    figure.supxlabel("false-positive rate")
    figure.supylabel("sensitivity")
    return as_svg(figure)


def calibration_figure(calibration: pd.DataFrame, failed: dict[str, int]) -> str:
    """Return a panel per method: observed share of events against the predicted probability."""
    figure, axes = panels(len(failed))
    for axis, method in zip(axes, failed, strict=True):
        table, shade = calibration[calibration["method"] == method], colour(method)
        reach = np.abs(table[["low", "high"]].to_numpy().T - table["observed"].to_numpy())
        axis.plot([0, 1], [0, 1], color="#BBBBBB", linewidth=0.8)
        axis.errorbar(
            table["predicted_prior"], table["observed"], yerr=reach, fmt="o-", color=shade, markersize=4
        )
        axis.plot(table["predicted"], table["observed"], "x", color="#888888", markersize=5)
        axis.set_title(title(method, failed[method]))
    figure.supxlabel(
        "predicted probability (dots: at the cohort's share of events; crosses: as fitted, classes balanced)"
    )
    figure.supylabel("observed share")
    return as_svg(figure)


def external_figure(external: pd.DataFrame) -> str:
    """Return a panel per cohort: the AUC of every model with its interval."""
    cohorts = external["cohort"].unique()
    n_models = external["model"].nunique()
    figure, axes = plt.subplots(
        1,
        len(cohorts),
        figsize=(PANEL[0] * len(cohorts), 0.28 * n_models + 0.9),
        sharex=True,
        sharey=True,
        layout="constrained",
    )
    for axis, cohort in zip(np.atleast_1d(axes), cohorts, strict=True):
        table = external[external["cohort"] == cohort]
        for height, row in enumerate(table.to_dict("records")):
            reach = [[row["auc"] - row["low"]], [row["high"] - row["auc"]]]
            axis.errorbar(row["auc"], -height, xerr=reach, fmt="o", color=colour(row["model"]), markersize=4)
        axis.axvline(0.5, color="#BBBBBB", linewidth=0.8)
        axis.set_title(f"{cohort}: {table['events'].iloc[0]} events in {table['patients'].iloc[0]}")
        axis.set_yticks(-np.arange(len(table)), [label(model) for model in table["model"]])
    figure.supxlabel("AUC, 95 % interval")
    return as_svg(figure)


def external_survival_figure(km: pd.DataFrame, external: pd.DataFrame, shown: int = 3) -> str:
    """Return a row per model, a panel per cohort: survival above and below the median score.

    Shown are the paper's graph methods and the ridge peer, or the first models if those are not there.
    """
    wanted = ["graph-svrg-iht", "graph-scsg-iht", "ridge"]
    models = [model for model in wanted if model in set(external["model"])]
    models = models or list(external["model"].unique()[:shown])
    cohorts = external["cohort"].unique()
    size = (PANEL[0] * len(cohorts), PANEL[1] * len(models))
    figure, axes = plt.subplots(
        len(models),
        len(cohorts),
        figsize=size,
        sharey=True,
        sharex="col",
        squeeze=False,
        layout="constrained",
    )
    for line, model in zip(axes, models, strict=True):
        for axis, cohort in zip(line, cohorts, strict=True):
            row = external[(external["model"] == model) & (external["cohort"] == cohort)].iloc[0]
            said = f"HR {row['hazard_ratio']:.1f} ({row['hr_low']:.1f}–{row['hr_high']:.1f})\np {row['logrank_p']:.1g}"
            curves = km[(km["model"] == model) & (km["cohort"] == cohort)]
            survival_panel(axis, curves, colour(model), said)
            axis.set_title(f"{label(model)}, {cohort}")
    _legend(figure, axes[0, 0])
    figure.supxlabel("months")
    figure.supylabel("share without the event")
    return as_svg(figure)
