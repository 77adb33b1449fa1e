"""The paper's three tables with ours beside them."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.data.registry import COHORTS
from study.evidence.paper import DIFFERENT_DATA
from study.figures.methods import paper_and_ours
from study.metrics import METRICS
from study.report.blocks import Column, Section, Table, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import fixed, signed, spread


def section(inputs: Inputs) -> Section:
    """Return the comparison over all folds, and each metric by trial."""
    ours_is_theirs = COHORTS[inputs.config["cohort"]].is_papers
    suffix = "" if ours_is_theirs else " (ours: other data than the paper's)"
    blocks, figures, lead = [], [], Markup("")
    if len(inputs.comparison):
        lead = paragraph("{counted}{other}", counted=_counted(inputs), other="" if ours_is_theirs else DIFFERENT_DATA)
        figures.append(
            draw(
                "paper-and-ours",
                "The paper's numbers and ours",
                f"Means over all folds{suffix}: hollow the paper's, full ours.",
                paper_and_ours(inputs.comparison),
            )
        )
        blocks.append(
            make_table(
                "comparison",
                "Over all folds",
                f"Over all folds, the paper and ours{suffix}. Better or worse means more than two standard "
                "errors of the difference, corrected for overlapping folds; all else is called no clear "
                "difference.",
                inputs.comparison,
                _comparison_columns(),
            )
        )
    blocks += [trial_table(inputs, metric, suffix) for metric in METRICS]
    return Section("paper", "Against the paper", "Paper", lead, figures, blocks)


def _counted(inputs: Inputs) -> str:
    """Return how many of our numbers are as the paper's, better and worse."""
    counts = inputs.comparison["verdict"].value_counts(sort=False)
    return (
        f"Of {len(inputs.comparison)} numbers of the paper, ours are: "
        + ", ".join(f"{name} {count}" for name, count in counts.items())
        + ". "
    )


def _comparison_columns() -> list[Column]:
    """Return the columns of the comparison; how many decimals a row has depends on its metric."""

    def number(key: str, head: str, show=fixed) -> Column:
        return Column(key, head, of_row=lambda row: show(METRICS[row["metric"]].digits)(row[key]))

    return [
        *columns("method metric"),
        number("paper_mean", "Paper, mean"),
        number("paper_std", "Paper, std"),
        number("our_mean", "Ours, mean"),
        number("our_std", "Ours, std"),
        number("difference", "Ours − paper", signed),
        number("standard_error", "Standard error"),
        *columns("verdict"),
    ]


def trials_frame(inputs: Inputs, metric: str) -> pd.DataFrame:
    """Return a row per trial and method: mean and std of ours and, where the paper has them, of the paper's."""
    ours = inputs.summary.rename(columns={f"{metric}_mean": "mean", f"{metric}_std": "std"})
    theirs = inputs.published_metrics[inputs.published_metrics["metric"] == metric]
    theirs = theirs.rename(columns={"mean": "paper_mean", "std": "paper_std"})
    keys = ["trial", "method"]
    joined = ours[[*keys, "mean", "std"]].merge(theirs[[*keys, "paper_mean", "paper_std"]], how="left", on=keys)
    return joined.sort_values("trial", key=lambda trials: trials == "all", ascending=False, kind="stable")


def trial_table(inputs: Inputs, metric: str, suffix: str) -> Table:
    """Return the table of one metric by trial and method."""
    name, digits, lower_is_better, is_quality = METRICS[metric]
    frame = trials_frame(inputs, metric)
    same_folds = COHORTS[inputs.config["cohort"]].is_papers and inputs.config["published"]["splits"] == "stored"
    shown = [
        Column("trial", "Trial"),
        *columns("method"),
        Column("mean", "Ours", of_row=lambda row: spread(row["mean"], row["std"], digits)),
        Column("paper_mean", "Paper", of_row=lambda row: spread(row["paper_mean"], row["paper_std"], digits)),
    ]
    if same_folds:
        frame = frame.assign(difference=frame["mean"] - frame["paper_mean"])
        shown.append(Column("difference", "Ours − paper", signed(digits)))
    better = f"{'lower' if lower_is_better else 'higher'} is better" if is_quality else "lower means fewer genes"
    caption = (
        f"{name} by trial{suffix}: mean ± standard deviation over the {inputs.config['folds']} folds of each trial, "
        f"and over all; {better}. "
    ) + (
        "The test folds of each trial are the paper's own, so a row compares the same patients."
        if same_folds
        else "Our trials and the paper's are different splits, so rows are not to be compared one by one."
    )
    return make_table(f"trials-{metric.replace('_', '-')}", f"{name} by trial", caption, frame, shown)
