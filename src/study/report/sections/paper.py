"""The paper's three tables with ours beside them."""

from __future__ import annotations

from study.data.registry import COHORTS
from study.evidence.paper import DIFFERENT_DATA
from study.figures.methods import paper_and_ours
from study.metrics import METRICS
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import fixed, signed, spread


def section(inputs: Inputs) -> Section:
    """Return the comparison over all folds, and each metric by trial."""
    shown, comparison = Section(), inputs.comparison
    if len(comparison):
        shown.draw("paper-and-ours", paper_and_ours(comparison))
        shown.tabulate("comparison", comparison, _comparison_columns())
    is_papers = COHORTS[inputs.config["cohort"]].is_papers
    same_folds = is_papers and inputs.config["published"]["splits"] == "stored"
    for metric in METRICS:
        _tabulate_trials(shown, inputs, metric, same_folds)
    shown.numbers = {
        "is_papers": is_papers,
        "same_folds": same_folds,
        "verdicts": comparison["verdict"].value_counts(sort=False).to_dict(),
        "metrics": METRICS,
        "different_data": DIFFERENT_DATA,
    }
    return shown


def _comparison_columns() -> list[Column]:
    """Return the columns of the comparison; how many decimals a row has depends on its metric."""
    heads = {
        "paper_mean": "Paper, mean",
        "paper_std": "Paper, std",
        "our_mean": "Ours, mean",
        "our_std": "Ours, std",
        "difference": "Ours − paper",
        "standard_error": "Standard error",
    }

    def number(key: str) -> Column:
        show = signed if key == "difference" else fixed
        return Column(key, heads[key], of_row=lambda row: show(METRICS[row["metric"]].digits)(row[key]))

    return [*columns("method metric"), *map(number, heads), *columns("verdict")]


def _tabulate_trials(shown: Section, inputs: Inputs, metric: str, same_folds: bool) -> None:
    """Add a metric by trial and method: mean and std of ours and, where the paper has them, of the paper's."""
    digits, keys = METRICS[metric].digits, ["trial", "method"]
    ours = inputs.summary.rename(columns={f"{metric}_mean": "mean", f"{metric}_std": "std"})
    theirs = inputs.published[inputs.published["metric"] == metric].set_index(keys)[["mean", "std"]]
    frame = ours[[*keys, "mean", "std"]].join(theirs.add_prefix("paper_"), on=keys)
    frame = frame.sort_values("trial", key=lambda trials: trials == "all", ascending=False, kind="stable")
    heads = [
        Column("trial", "Trial"),
        *columns("method"),
        Column("mean", "Ours", of_row=lambda row: spread(row["mean"], row["std"], digits)),
        Column("paper_mean", "Paper", of_row=lambda row: spread(row["paper_mean"], row["paper_std"], digits)),
    ]
    if same_folds:
        frame = frame.assign(difference=frame["mean"] - frame["paper_mean"])
        heads.append(Column("difference", "Ours − paper", signed(digits)))
    shown.tabulate(f"trials-{metric.replace('_', '-')}", frame, heads)
