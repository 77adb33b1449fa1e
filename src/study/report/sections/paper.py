"""The paper's three tables with ours beside them."""

from __future__ import annotations

import pandas as pd

from study.data.registry import COHORTS
from study.evidence.paper import DIFFERENT_DATA
from study.methods import label
from study.metrics import METRICS
from study.report.blocks import Column, Section, Table, Text, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import fixed, signed, spread


def section(inputs: Inputs) -> Section:
    """Return the comparison over all folds, and each metric by trial."""
    blocks = []
    ours_is_theirs = COHORTS[inputs.config["cohort"]].is_papers
    if not ours_is_theirs:
        blocks.append(Text(paragraph("{text}", text=DIFFERENT_DATA)))
    suffix = "" if ours_is_theirs else " (ours: other data than the paper's)"
    if len(inputs.comparison):
        blocks.append(
            make_table(
                "comparison",
                f"Over all folds, the paper and ours{suffix}. Better or worse means more than two standard "
                "errors of the difference, corrected for overlapping folds; all else is called no clear "
                "difference.",
                inputs.comparison,
                _comparison_columns(),
            )
        )
    blocks += [trial_table(inputs, metric, suffix) for metric in METRICS]
    return Section("paper", "Against the paper", "Paper", blocks)


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
    """Return trials x methods: mean and std of each method of ours, then of each of the paper's."""
    ours = inputs.summary.rename(columns={f"{metric}_mean": "mean", f"{metric}_std": "std"})
    theirs = inputs.published_metrics[inputs.published_metrics["metric"] == metric]
    rows = {trial: {"trial": trial} for trial in ours["trial"].drop_duplicates() if trial != "all"}
    rows["all"] = {"trial": "all"}
    for prefix, table in (("", ours), ("paper ", theirs)):
        for name in table["method"].drop_duplicates():
            for row in table[table["method"] == name].itertuples():
                if row.trial in rows:
                    rows[row.trial] |= {f"{prefix}{name}": row.mean, f"{prefix}{name} std": row.std}
    return pd.DataFrame(list(rows.values()))


def trial_table(inputs: Inputs, metric: str, suffix: str) -> Table:
    """Return the table trials x methods of one metric."""
    name, digits, lower_is_better, is_quality = METRICS[metric]
    frame = trials_frame(inputs, metric)
    keys = [key for key in frame.columns[1:] if not key.endswith(" std")]
    # Beside each of ours the paper's own; then what the paper does not have.
    both = [key for key in keys if f"paper {key}" in keys]
    beside = ["", "paper "]
    same_folds = COHORTS[inputs.config["cohort"]].is_papers and inputs.config["published"]["splits"] == "stored"
    if same_folds:
        beside.append("difference ")
        frame = frame.assign(**{f"difference {key}": frame[key] - frame[f"paper {key}"] for key in both})
    keys = [f"{prefix}{key}" for key in both for prefix in beside] + [
        key for key in keys if key not in both and key.removeprefix("paper ") not in both
    ]

    def column(key: str) -> Column:
        kind, _, method = key.rpartition(" ")
        if kind == "difference":
            return Column(key, f"Ours − paper: {label(method)}", signed(digits))
        head = f"Paper: {label(method)}" if kind == "paper" else label(method)
        return Column(key, head, of_row=lambda row: spread(row[key], row[f"{key} std"], digits))

    better = f"{'lower' if lower_is_better else 'higher'} is better" if is_quality else "lower means fewer genes"
    caption = (
        f"{name} by trial{suffix}: mean ± standard deviation over the {inputs.config['folds']} folds of each trial, "
        f"and over all; {better}. "
    ) + (
        "The test folds of each trial are the paper's own, so a row compares the same patients."
        if same_folds
        else "Our trials and the paper's are different splits, so rows are not to be compared one by one."
    )
    shown = [Column("trial", "Trial"), *map(column, keys)]
    return make_table(f"trials-{metric.replace('_', '-')}", caption, frame, shown)
