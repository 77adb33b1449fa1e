"""The paper's synthetic figures, ours beside what the paper claims, with a verdict each."""

from __future__ import annotations

import re

import pandas as pd
from markupsafe import Markup, escape

from study.figures.design import verdict_chart
from study.figures.style import inline
from study.report.blocks import Column, Figure, Missing, Section, Table, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import count, listed

TITLES = {
    "fig1": "Different learning rates",
    "fig1_published": "Different learning rates, as printed and as in the published code",
    "fig2": "Different sparsities",
    "fig3": "Different batch sizes",
    "batches": "Choices of B and b",
    "components": "Numbers of connected components",
    "recovery": "Recovery of the true genes",
    "families": "Families of graphs",
    "scaling": "Cost by size",
}
BEYOND = {
    "recovery": "The upper row is the share of problems solved to a relative error of 1 %, the lower row the median F1 "
    "of the support, over the number of observations n; a method is better the further left its curve rises.",
    "families": "Recovery on four kinds of graph, at several levels of noise.",
    "scaling": "Seconds of one step, and of one prize-collecting Steiner solve inside it, over the number of nodes, "
    "both axes logarithmic; the slopes are printed below.",
}
VERDICTS = ("holds", "holds in part", "refuted", "undecided")
BY_POINTS = "_data_points"
HOW = (
    "The paper does not say how many inner steps K its GraphSVRG takes, "
    "so it was run with both: K = B/b, as many as GraphSCSG, and K = n/b, a pass over the rows (dashed in figures). "
    "Algorithm 1 prints mini-batches of one row; unless b = 1 is said under a figure, they are larger. Curves are "
    "compared seed by seed, in epochs and in data points, by intervals of the sign test that hold together with a "
    "probability of 95 %. A claim holds if it is shown in every case under both K, holds in part if in some, and is "
    "refuted only if it is shown in none and contradicted under both."
)


def section(inputs: Inputs) -> Section:
    """Return the verdicts, the figures and the tables of the experiments that were run."""
    tables, figures = inputs.simulations, inputs.simulation_figures
    verdicts = tables.get("verdicts")
    title = ("synthetic", "The paper's synthetic experiments", "Synthetic")
    if verdicts is None and not figures:
        return Section(*title, blocks=[Missing("the paper's synthetic experiments", "snakemake simulations")])
    blocks, lead, first = [], Markup(""), []
    if verdicts is not None:
        kinds = verdicts["verdict"].value_counts()
        counted = "; ".join(f"{kind}: {kinds[kind]}" for kind in VERDICTS if kind in kinds)
        lead = paragraph(
            "Of the {n} claims of the paper that were tested, {counted}.", n=len(verdicts), counted=counted
        )
        caption = "Each claim of the paper about its synthetic figures, and our verdict."
        first = [draw("verdict-chart", "The paper's claims", caption, verdict_chart(verdicts))]
        blocks += [Text("How claims were judged", paragraph(HOW)), _verdicts(verdicts)]
    order = {name: place for place, name in enumerate(TITLES)}
    for name in sorted(figures, key=lambda name: (order.get(name.removesuffix(BY_POINTS), len(order)), name)):
        blocks.append(_figure(name, figures[name], verdicts))
    absent = [TITLES[name].lower() for name in BEYOND if name not in figures]
    if absent:
        blocks.append(Missing(listed(absent), "snakemake simulations_full"))
    if "recovery_needed" in tables:
        blocks.append(
            make_table(
                "recovery-needed",
                "Observations needed",
                "The least number of observations n from which on at least half of the problems with s genes are "
                "recovered; empty where none is enough.",
                tables["recovery_needed"],
                [*columns("method sparsity", sparsity="s"), Column("n_rows", "n needed", count)],
            )
        )
    if "theory" in tables:
        allowed = int((tables["theory"]["eta_allowed"].astype(str) == "1").sum())
        blocks.append(
            generic_table(
                "theory",
                "The paper's theorem",
                "What the paper's Theorem 2 asks of a learning rate (eta low to eta high, or empty) and what it then "
                f"promises, beside what is observed. In {allowed} of {len(tables['theory'])} settings the learning "
                "rate is allowed. Alpha and beta are over sampled supports, which can refute the condition but not "
                "certify it.",
                tables["theory"],
            )
        )
    return Section(*title, lead, first, blocks)


def _figure(name: str, svg: str, verdicts: pd.DataFrame | None) -> Figure:
    """Return a figure; its caption says what the paper claims of it, and our verdict."""
    figure = name.removesuffix(BY_POINTS)
    id_ = "synthetic-" + re.sub(r"[^a-z0-9]+", "-", name.lower())
    title = TITLES.get(figure, figure.replace("_", " ").capitalize())
    caption = BEYOND.get(figure, "Drawn from our own runs of the experiment.")
    own = [] if verdicts is None else verdicts[verdicts["figure"] == figure].to_dict("records")
    if own:
        claims = "; ".join(f"{row['claim'].rstrip('.')} ({row['verdict']})" for row in own)
        caption += f" What is claimed, and our verdicts: {claims}."
    if name != figure:
        title += ", by data points"
        caption = "The same runs, by the data points used instead of epochs."
    return Figure(id_, Markup(escape(caption)), title, Markup(inline(svg, id_)))


def _verdicts(verdicts: pd.DataFrame) -> Table:
    figure = Column("figure", "Figure", lambda name: TITLES.get(name, name), numeric=False)
    found = Column("found", "Found under each reading", str, numeric=False)
    return make_table(
        "verdicts",
        "Verdicts in detail",
        "Each claim about the synthetic figures, and what our experiments say under each reading of what the paper "
        "leaves open. The detail has the least favourable comparisons: ratios of residuals with their intervals, or "
        "numbers of runs.",
        verdicts,
        [figure, *columns("claim verdict", verdict="Our verdict"), found, *columns("detail seeds")],
    )


def generic_table(id_: str, title: str, caption: str, frame: pd.DataFrame) -> Table:
    """Return a table that shows every column as it is, numbers with four digits."""
    shown = [
        Column(
            str(name),
            str(name).replace("_", " ").capitalize(),
            (lambda value: f"{value:.4g}") if pd.api.types.is_float_dtype(frame[name]) else str,
            numeric=pd.api.types.is_numeric_dtype(frame[name]),
        )
        for name in frame.columns
    ]
    return make_table(id_, title, caption, frame, shown)
