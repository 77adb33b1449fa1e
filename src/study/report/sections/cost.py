"""What the fits cost, how they converge, and which did not."""

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
    # Baselines hardly ever fail, and they alone have a C; failed fits come first.
    moving = inputs.metrics[~inputs.metrics["status"].isin(["converged", STOPPED_EARLY])]
    moving = moving.sort_values("status", key=lambda status: status != FAILED, kind="stable")
    if len(moving):
        keys = f"method trial fold status sparsity lambda {'C ' if moving['C'].notna().any() else ''}auc"
        whole = moving[["method", "trial", "fold", "status", "sparsity", "lambda", "C", "auc"]]
        shown.tabulate("unconverged", whole, columns(keys), limit=10)
    return shown


def work_table(inputs: Inputs) -> pd.DataFrame:
    """Return a row per method, shared parts included: fits, seconds, projections, epochs, and what went wrong."""
    timings, fits = inputs.timings, inputs.fits
    stops, by_method = fits["status"], fits.groupby("method")
    names = dict.fromkeys([*inputs.methods, *timings["method"]])
    frame = timings.groupby("method")[["fits", "seconds"]].sum().reindex(names).rename_axis("method").reset_index()
    counted = {
        "milliseconds_per_fit": per_fit(timings, inputs.config["n_blocks"]),
        "pcst_solves": by_method["n_solves"].mean().filter(filter(uses_network, inputs.methods)),
        "epochs": by_method["epochs"].mean(),
        "unconverged": (~stops.isin(["converged", STOPPED_EARLY, FAILED])).groupby(fits["method"]).sum(),
        "failed": (stops == FAILED).groupby(fits["method"]).sum(),
        "failed_line_searches": by_method["n_line_searches_failed"].sum(min_count=1),
    }
    return frame.assign(**{key: frame["method"].map(values) for key, values in counted.items()})
