"""The paper's synthetic figures: ours, and a verdict on each claim."""

import re

import pandas as pd

from study.figures.style import inline
from study.report.blocks import Column, Missing, Section
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import listed
from study.simulation.judging import VERDICTS

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
# Experiments beyond the paper's, which take longer.
BEYOND = ("recovery", "families", "scaling")
BY_POINTS = "_data_points"


def section(inputs: Inputs) -> Section:
    """Return the verdicts, the figures and the tables of the experiments that were run."""
    tables, figures = inputs.simulations, inputs.simulation_figures
    verdicts = tables.get("verdicts")
    if verdicts is None and not figures:
        return Section(missing=[Missing("the paper's synthetic experiments", "snakemake simulations")])
    shown, numbers = Section(), {"verdicts": None, "theory": None}
    if verdicts is not None:
        claims = verdicts.groupby("verdict")["claim"].agg(list)
        numbers["verdicts"] = {kind: claims[kind] for kind in VERDICTS if kind in claims}
        figure = Column("figure", "Figure", lambda name: TITLES.get(name, name), numeric=False)
        keys = "claim verdict found detail seeds"
        shown.tabulate("verdicts", verdicts, [figure, *columns(keys, verdict="Our verdict")])
    order = {name: place for place, name in enumerate(TITLES)}
    names = sorted(figures, key=lambda name: (order.get(name.removesuffix(BY_POINTS), len(order)), name))
    numbers["drawn"] = [_add_figure(shown, name, figures[name]) for name in names]
    absent = [TITLES[name].lower() for name in BEYOND if name not in figures]
    if absent:
        shown.missing.append(Missing(listed(absent), "snakemake simulations_full"))
    shown.tabulate("recovery-needed", tables.get("recovery_needed"), columns("method sparsity n_rows", sparsity="s"))
    if "theory" in tables:
        theory = tables["theory"]
        allowed = int((theory["eta_allowed"].astype(str) == "1").sum())
        numbers["theory"] = {"allowed": allowed, "settings": len(theory)}
        shown.tabulate("theory", theory, [_as_it_is(theory, name) for name in theory.columns])
    shown.numbers = numbers
    return shown


def _add_figure(shown: Section, name: str, svg: str) -> dict:
    """Add a figure; return its id and title."""
    figure = name.removesuffix(BY_POINTS)
    id_ = "synthetic-" + re.sub(r"[^a-z0-9]+", "-", name.lower())
    shown.figures[id_] = inline(svg, id_)
    title = TITLES.get(figure, figure.replace("_", " ").capitalize())
    return {"id": id_, "figure": figure, "title": title, "by_points": name != figure}


def _as_it_is(frame: pd.DataFrame, name: str) -> Column:
    """Return a column as it is, numbers with four digits."""
    show = (lambda value: f"{value:.4g}") if pd.api.types.is_float_dtype(frame[name]) else str
    head = str(name).replace("_", " ").capitalize()
    return Column(str(name), head, show, numeric=pd.api.types.is_numeric_dtype(frame[name]))
