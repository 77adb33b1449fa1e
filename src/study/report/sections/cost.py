"""What the fits cost, how they converge, and which did not."""

from __future__ import annotations

import pandas as pd

from study.figures.methods import convergence, time_per_fit
from study.methods import STOPPED_EARLY, uses_network
from study.report.blocks import Section
from study.report.columns import columns
from study.report.inputs import FAILED, Inputs
from study.report.sections.answer import per_fit


def section(inputs: Inputs) -> Section:
    """Return fits and seconds by method, the course of the loss, and every fit that did not converge."""
    shown = Section()
    keys = "method fits seconds milliseconds_per_fit pcst_solves epochs unconverged failed failed_line_searches"
    heads = {"seconds": "Seconds in all", "milliseconds_per_fit": "ms per fit"}
    shown.tabulate("cost-table", work_table(inputs), columns(keys, **heads))
    milliseconds = per_fit(inputs.timings, inputs.config["n_blocks"])
    if milliseconds:
        shown.draw("time-per-fit", time_per_fit(milliseconds, inputs.methods))
    if len(inputs.traces):
        shown.draw("convergence", convergence(inputs.traces))
    _tabulate_unconverged(shown, inputs)
    return shown


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


def _tabulate_unconverged(shown: Section, inputs: Inputs) -> None:
    """Add every final fit that failed or stopped at the largest number of epochs; failed fits come first."""
    keys = "method trial fold status sparsity lambda C auc"
    frame = inputs.metrics[~inputs.metrics["status"].isin(["converged", STOPPED_EARLY])]
    if not len(frame):
        return
    frame = frame[keys.split()].sort_values("status", key=lambda status: status != FAILED, kind="stable")
    # Baselines hardly ever fail, and they alone have a C.
    shown.tabulate(
        "unconverged", frame, columns(keys if frame["C"].notna().any() else keys.replace(" C ", " ")), limit=10
    )
