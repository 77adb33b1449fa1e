"""Sections on the work itself: synthetic experiments and cost."""

from __future__ import annotations

import re

import pandas as pd
from markupsafe import Markup

from study.figures import report as figures
from study.palette import colour, label
from study.report.blocks import Chart, Column, Figure, Missing, Section, Text, as_json, make_table, paragraph
from study.report.inputs import Inputs
from study.report.sections.accuracy import per_fit
from study.report.sections.patients import curves
from study.report.show import count, fixed, method, seconds

FIGURE_TITLES = {
    "fig1": "Different learning rates",
    "fig1_published": "Different learning rates, as in the published code",
    "fig2": "Different sparsities",
    "fig3": "Different batch sizes",
    "batches": "Choices of B and b",
    "components": "Numbers of connected components",
    "recovery": "Recovery of the true genes",
    "families": "Families of graphs",
    "scaling": "Cost by size",
}
BEYOND = {
    "recovery": "The upper row is the share of problems whose support is found exactly, the lower row the median F1 of "
    "the support, over the number of observations n; a method is better the further left its curve rises.",
    "families": "Recovery on four kinds of graph, at several levels of noise.",
    "scaling": "Seconds of one step, and of one prize-collecting Steiner solve inside it, over the number of nodes, "
    "both axes logarithmic; the slopes are printed below.",
}
VERDICT_KINDS = ("holds", "holds in part", "does not hold")


def synthetic_section(inputs: Inputs) -> Section:
    """Return the paper's synthetic figures, ours beside what the paper claims, with a verdict each."""
    section = Section("synthetic", "The paper's synthetic experiments", "Synthetic")
    verdicts = inputs.simulations.get("verdicts")
    if verdicts is None and not inputs.simulation_figures:
        section.blocks.append(
            Missing("The synthetic experiments have not been run; run `snakemake simulations`.")
        )
        return section
    if verdicts is not None:
        kinds = verdicts["verdict"].map(verdict_kind).value_counts()
        section.blocks.append(
            Text(
                paragraph(
                    "Of the {n} claims of the paper that were tested, {counted}.",
                    n=len(verdicts),
                    counted="; ".join(f"{kind}: {kinds[kind]}" for kind in VERDICT_KINDS if kind in kinds),
                )
            )
        )
        section.blocks.append(_verdicts(verdicts))
    order = {name: place for place, name in enumerate(FIGURE_TITLES)}
    for name in sorted(
        inputs.simulation_figures,
        key=lambda name: (order.get(name.removesuffix("_data_points"), len(order)), name),
    ):
        svg = inputs.simulation_figures[name]
        figure = name.removesuffix("_data_points")
        id_ = "synthetic-" + re.sub(r"[^a-z0-9]+", "-", name.lower())
        title = FIGURE_TITLES.get(figure, figure.replace("_", " ").capitalize())
        caption = _claims(figure, verdicts)
        if name != figure:
            title += ", by data points"
            caption = Markup("The same runs, by the data points used instead of epochs.")
        section.blocks.append(Figure(id_, caption, title, figures.inline(svg, id_)))
    absent = [FIGURE_TITLES[name].lower() for name in BEYOND if name not in inputs.simulation_figures]
    if absent:
        section.blocks.append(Missing(f"Not run: {', '.join(absent)}; run `snakemake simulations_full`."))
    if "theory" in inputs.simulations:
        theory = inputs.simulations["theory"]
        allowed = int((theory["eta_allowed"].astype(str) == "1").sum())
        section.blocks.append(
            generic_table(
                "theory",
                "What the paper's Theorem 2 asks of a learning rate (eta low to eta high, or empty) and what it then "
                f"promises, beside what is observed. In {allowed} of {len(theory)} settings the learning rate is "
                "allowed. Alpha and beta are over sampled supports, which can refute the condition but not certify it.",
                theory,
            )
        )
    return section


def verdict_kind(verdict: str) -> str:
    """Return the kind of a verdict, without its conditions."""
    return "holds in part" if verdict.startswith("holds only") else verdict


def _claims(figure: str, verdicts: pd.DataFrame | None) -> Markup:
    """Return the caption of a synthetic figure: what the paper claims of it, and our verdict."""
    own = [] if verdicts is None else verdicts[verdicts["figure"] == figure].to_dict("records")
    said = "; ".join(f"{row['claim'].rstrip('.')} ({row['verdict']})" for row in own)
    drawn = BEYOND.get(figure, "Drawn from our own runs of the experiment.")
    return Markup("{}").format(f"{drawn} The paper's claims and our verdicts: {said}." if said else drawn)


def _verdicts(verdicts: pd.DataFrame):
    columns = [
        Column("figure", "Figure", lambda name: FIGURE_TITLES.get(name, name), numeric=False),
        Column("claim", "The paper's claim", numeric=False),
        Column("verdict", "Our verdict", numeric=False),
        Column("detail", "Detail", numeric=False, wide=True),
        Column("seeds", "Seeds", count),
    ]
    return make_table(
        "verdicts",
        "Each claim of the paper's synthetic figures, and what our experiments say. A verdict is computed "
        "from the curves: it holds, does not hold, or holds only under the conditions named.",
        verdicts,
        columns,
    )


def generic_table(id_: str, caption: str, frame: pd.DataFrame):
    """Return a table that shows every column as it is, numbers with four digits."""
    columns = [
        Column(
            str(name),
            str(name).replace("_", " ").capitalize(),
            (lambda value: f"{value:.4g}") if pd.api.types.is_float_dtype(frame[name]) else str,
            numeric=pd.api.types.is_numeric_dtype(frame[name]),
        )
        for name in frame.columns
    ]
    return make_table(id_, caption, frame, columns)


def work_table(inputs: Inputs) -> pd.DataFrame:
    """Return a row per method, shared parts included: fits, seconds, projections, epochs, and what went wrong."""
    timings, fits = inputs.timings, inputs.fits
    cost = per_fit(timings, inputs.config["n_blocks"])
    rows = []
    for name in dict.fromkeys([*inputs.methods, *timings["method"]]):
        timed, own = timings[timings["method"] == name], fits[fits["method"] == name]
        solves, lines = own["n_solves"].dropna(), own["n_line_searches_failed"].dropna()
        status = own["status"]
        rows.append(
            {
                "method": name,
                "fits": int(timed["fits_per_fold"].sum()) if len(timed) else None,
                "seconds": timed["seconds"].sum() if len(timed) else None,
                "milliseconds_per_fit": cost.get(name),
                "pcst_solves": solves.mean() if name.startswith("graph") and len(solves) else None,
                "epochs": own["epochs"].dropna().mean() if own["epochs"].notna().any() else None,
                "unconverged": int((~status.isin(["converged", "diverged"])).sum()) if len(own) else None,
                "failed": int((status == "diverged").sum()) if len(own) else None,
                "failed_line_searches": int(lines.sum()) if len(lines) else None,
            }
        )
    return pd.DataFrame(rows)


def _name(name: str):
    return f"shared: {name.removeprefix('shared-')}" if name.startswith("shared-") else method(name)


def cost_section(inputs: Inputs) -> Section:
    """Return what the fits cost, how they converge, and which did not."""
    section = Section("cost", "What it cost", "Cost")
    frame = work_table(inputs)
    columns = [
        Column("method", "Method", _name, numeric=False),
        Column("fits", "Fits", count),
        Column("seconds", "Seconds in all", seconds),
        Column("milliseconds_per_fit", "ms per fit", seconds),
        Column("pcst_solves", "Projections solved per final fit", fixed(1)),
        Column("epochs", "Epochs per final fit", fixed(1)),
        Column("unconverged", "Final fits at the epoch limit", count),
        Column("failed", "Final fits failed", count),
        Column("failed_line_searches", "Line searches without a step", count),
    ]
    section.blocks.append(
        make_table(
            "cost-table",
            "Fits of the nested cross-validation, on one core each. Fits with one block are the same for "
            "several methods and are made once, in the rows “shared”. Milliseconds per fit count the "
            "shared ones. A fit stops when its genes are settled and its loss changes by less than "
            f"{inputs.config['tolerance']:g} of itself, or after {inputs.config['max_epochs']} epochs.",
            frame,
            columns,
        )
    )
    section.blocks.append(
        Figure(
            "cost-figure",
            Markup(
                "Milliseconds per fit on a logarithmic axis, the mean over all fits of the nested "
                "cross-validation. A graph method solves one or two prize-collecting Steiner trees per "
                "step, which is what it costs more."
            ),
            "Time per fit by method",
            figures.cost(per_fit(inputs.timings, inputs.config["n_blocks"]), inputs.methods),
        )
    )
    if len(inputs.traces):
        section.blocks.append(_convergence(inputs))
    else:
        section.blocks.append(
            Text(paragraph("No method of this run iterates, so there are no convergence curves."))
        )
    section.blocks.append(_not_converged(inputs))
    return section


def _convergence(inputs: Inputs) -> Chart:
    series = [
        curves(rows, "epoch", "loss", label(name), colour(name), extra="running")
        for name, rows in inputs.traces.groupby("method", sort=False)
    ]
    spec = {
        "type": "line",
        "x": "epoch",
        "y": "loss, share of the first",
        "ymax": 1,
        "extra": "folds still running",
        "views": [{"name": "", "series": series}],
    }
    return Chart(
        "convergence",
        Markup(
            "The training loss by epoch as a share of the loss at the start: the median over the folds' "
            "final fits. Choose a single method in the legend to see the quartiles. The number of genes "
            "and the penalty differ between folds, so levels are not to be compared between methods."
        ),
        "Convergence of the final fits",
        as_json(spec),
    )


def _not_converged(inputs: Inputs):
    metrics = inputs.metrics
    frame = metrics.loc[
        metrics["status"] != "converged",
        ["method", "trial", "fold", "status", "sparsity", "lam", "balanced_error"],
    ]
    if not len(frame) and not inputs.missing:
        return Text(paragraph("Every final fit converged."))
    absent = pd.DataFrame(inputs.missing, columns=["method", "trial", "fold"])
    frame = pd.concat([absent.assign(status="no result"), frame], ignore_index=True) if len(absent) else frame
    frame = frame.reindex(columns=["method", "trial", "fold", "status", "sparsity", "lam", "balanced_error"])
    order = {"no result": 0, "diverged": 1}
    frame = frame.sort_values("status", key=lambda status: status.map(order).fillna(2), kind="stable")
    columns = [
        Column("method", "Method", method, numeric=False),
        Column("trial", "Trial", count),
        Column("fold", "Fold", count),
        Column("status", "Status", numeric=False),
        Column("sparsity", "Genes asked for", count),
        Column("lam", "Penalty λ", seconds),
        Column("balanced_error", "Balanced error", fixed(3)),
    ]
    return make_table(
        "unconverged",
        "Every final fit that is missing, failed, or stopped at the epoch limit. None of them is left out "
        "of any number above, except those without a result.",
        frame,
        columns,
        limit=10,
    )
