"""Figures that compare runs: accuracy of each, the genes that recur, and the same patients by several models."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from study.figures.style import FAINT, INK, MORE, WIDTH, chart, heat_map, styled, tell


def run_matrix(values: pd.DataFrame) -> Figure:
    """Return a matrix of AUCs, a number in each cell; blank where there is none."""
    text = values.map(lambda value: "" if pd.isna(value) else f"{value:.2f}").to_numpy()
    most = max(0.8, values.max().max())
    return heat_map(values, "AUC", 0.34 * len(values) + 1.4, text, WIDTH, cmap="cividis", vmin=0.5, vmax=most)


def recurrent_genes(frequency: pd.DataFrame, weight: pd.DataFrame) -> Figure:
    """Return selection frequencies genes x runs with the sign of the weight; a run without the gene is blank."""
    text = np.select([weight > 0, weight < 0], ["+", "−"], "")
    bar = "share of folds that select the gene"
    return heat_map(frequency, bar, 0.2 * len(frequency) + 1.4, text, WIDTH, cmap="cividis_r", vmin=0, vmax=1)


@styled
def recurrent_counts(table: pd.DataFrame) -> Figure:
    """Return how many genes are frequent in at least so many runs, and in random draws."""
    figure, axes = chart([f"at least {row.runs:.0f} runs" for row in table.itertuples()], 0.4, 0.9, 10)
    for place, row in enumerate(table.itertuples()):
        axes.plot([row.expected, row.observed], [place, place], color=FAINT, linewidth=1)
        (drawn,) = axes.plot(row.expected, place, "o", color=INK, markerfacecolor="#ffffff")
        (found,) = axes.plot(row.observed, place, "o", color=MORE)
        tell(drawn, f"{row.expected:.1f} expected by chance")
        tell(found, f"{row.observed:.0f} genes, p = {row.p:.2g}")
    axes.set_xlim(left=0)
    axes.grid(axis="x")
    axes.set_xlabel("genes (red: found, hollow: expected by chance)", fontsize=9)
    return figure


@styled
def patients_by_model(table: pd.DataFrame) -> Figure:
    """Return a panel per cohort: a row per run, a column per patient, coloured by her percentile; events above.

    `table` has cohort, patient, event, run and percentile; patients are in the order of their mean percentile.
    """
    parts = list(table.groupby("cohort", sort=False))
    heights = [part["run"].nunique() + 1 for _, part in parts]
    figure = Figure(figsize=(WIDTH, 0.2 * sum(heights) + 0.35 * len(parts) + 0.5), layout="constrained")
    panels = figure.subplots(len(parts), 1, squeeze=False, height_ratios=heights)[:, 0]
    for panel, (cohort, part) in zip(panels, parts, strict=True):
        wide = part.pivot(index="run", columns="patient", values="percentile")
        wide = wide.loc[[run for run in table["run"].unique() if run in wide.index]]
        wide = wide[wide.mean().sort_values(kind="stable").index]
        events = part.drop_duplicates("patient").set_index("patient")["event"].loc[wide.columns].to_numpy()
        panel.imshow(wide, aspect="auto", interpolation="none", cmap="RdBu_r", vmin=0, vmax=1)
        panel.plot(np.flatnonzero(events), np.full(events.sum(), -0.9), "|", color=INK, markersize=6, clip_on=False)
        panel.set_yticks([-0.9, *range(len(wide))], ["event", *wide.index], fontsize=8)
        panel.set_xticks([])
        panel.set_ylim(len(wide) - 0.5, -1.4)
        panel.tick_params(left=False)
        panel.spines[["left", "bottom"]].set_visible(False)
        panel.set_title(f"{cohort}: {len(events)} patients, from low to high risk", fontsize=9)
    return figure
