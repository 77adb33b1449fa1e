"""What the fits cost, how they converge, and which did not."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures.methods import convergence, time_per_fit
from study.methods import STOPPED_EARLY, uses_network
from study.report.blocks import Figure, Section, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import FAILED, Inputs
from study.report.sections.answer import per_fit
from study.report.show import count, percent


def section(inputs: Inputs) -> Section:
    """Return fits and seconds by method, the course of the loss, and every fit that did not converge."""
    heads = {"seconds": "Seconds in all", "milliseconds_per_fit": "ms per fit"}
    shown = columns(
        "method fits seconds milliseconds_per_fit pcst_solves epochs unconverged failed failed_line_searches",
        **heads,
    )
    blocks = [
        make_table(
            "cost-table",
            "Cost in numbers",
            "Fits of the nested cross-validation, on one core each. Fits with one block are the same for "
            "several methods and are made once, in the rows “shared”. Milliseconds per fit count the "
            "shared ones. A fit stops when its genes are settled and its loss changes by less than "
            f"{inputs.config['tolerance']:g} of itself, or after {max(inputs.config['epochs'])} epochs.",
            work_table(inputs),
            shown,
        ),
        *([_convergence(inputs.traces)] if len(inputs.traces) else []),
        _not_converged(inputs),
    ]
    milliseconds, figures = per_fit(inputs.timings, inputs.config["n_blocks"]), []
    if milliseconds:
        figures = [
            draw(
                "time-per-fit",
                "Time per fit by method",
                "Milliseconds per fit on a logarithmic axis, the mean over all fits of the nested "
                "cross-validation. A graph method solves one or two prize-collecting Steiner trees per "
                "step, which is what it costs more.",
                time_per_fit(milliseconds, inputs.methods),
            )
        ]
    fits = paragraph(
        "The study made {n} fits in {seconds} s, added up over the cores.",
        n=count(inputs.timings["fits"].sum()),
        seconds=count(inputs.timings["seconds"].sum()),
    )
    lead = _where_the_time_went(inputs.cost["run"]) if inputs.cost else fits if len(inputs.timings) else Markup("")
    return Section("cost", "What it cost", "Cost", lead, figures, blocks)


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
                "fits": int(timed["fits"].sum()) if len(timed) else None,
                "seconds": timed["seconds"].sum() if len(timed) else None,
                "milliseconds_per_fit": cost.get(name),
                "pcst_solves": solves.mean() if uses_network(name) and len(solves) else None,
                "epochs": own["epochs"].dropna().mean() if own["epochs"].notna().any() else None,
                "unconverged": int((~status.isin(["converged", STOPPED_EARLY, FAILED])).sum()) if len(own) else None,
                "failed": int((status == FAILED).sum()) if len(own) else None,
                "failed_line_searches": int(lines.sum()) if len(lines) else None,
            }
        )
    return pd.DataFrame(rows)


def _where_the_time_went(run: dict) -> Markup:
    """Return the seconds in fits, around them and between jobs; the last two need a run that did all the work."""
    fits, around = count(run["seconds_in_fits"]), count(run["seconds_starting_and_ending_jobs"])
    text = f"The fits took {fits} s, added up over the cores, their jobs {around} s more to start and to end."
    if run["wall_seconds"] is not None:
        text += (
            f" Until their tables were written the run took {count(run['wall_seconds'])} s on {run['cores']} cores; "
            f"{count(run['seconds_between_jobs'])} s of the cores' time lay between these jobs, and "
            f"{percent(run['overhead'])} of it was not spent in fits."
        )
    return paragraph("{text}", text=text)


def _convergence(traces: pd.DataFrame) -> Figure:
    return draw(
        "convergence",
        "Convergence of the final fits",
        "The training loss by epoch as a share of the loss at the start: the median over the folds' "
        "final fits. The number of genes and the penalty differ between folds, so levels are not to be compared "
        "between methods.",
        convergence(traces),
    )


def _not_converged(inputs: Inputs):
    keys = "method trial fold status sparsity lambda C auc"
    unconverged = inputs.metrics[~inputs.metrics["status"].isin(["converged", STOPPED_EARLY])]
    absent = pd.DataFrame(inputs.missing, columns=["method", "trial", "fold"]).assign(status="no result")
    frame = pd.concat([part for part in (absent, unconverged) if len(part)] or [absent])
    if not len(frame):
        text = "Every final fit converged, or stopped after the number of epochs chosen for it."
        return Text("Fits that did not converge", paragraph(text))
    order = {"no result": 0, FAILED: 1}
    frame = frame.reindex(columns=keys.split())
    # Baselines hardly ever fail, and they alone have a C.
    shown = columns(keys if frame["C"].notna().any() else keys.replace(" C ", " "))
    return make_table(
        "unconverged",
        "Fits that did not converge",
        "Every final fit that is missing, failed, or was still moving at the largest number of epochs. None of "
        "them is left out of any number above, except those without a result.",
        frame.sort_values("status", key=lambda status: status.map(order).fillna(2), kind="stable"),
        shown,
        limit=10,
    )
