"""The paper's numbers with ours beside them."""

from __future__ import annotations

from study.data.registry import COHORTS
from study.evidence.paper import DIFFERENT_DATA
from study.figures.methods import paper_and_ours
from study.metrics import METRICS
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import fixed, signed


def section(inputs: Inputs) -> Section:
    """Return the comparison over all folds; nothing where no method of the paper was run."""
    shown, comparison = Section(), inputs.comparison
    if comparison.empty:
        return shown
    shown.draw("paper-and-ours", paper_and_ours(comparison))
    shown.tabulate("comparison", comparison, _comparison_columns())
    shown.numbers = {
        "is_papers": COHORTS[inputs.config["cohort"]].is_papers,
        "verdicts": comparison["verdict"].value_counts(sort=False).to_dict(),
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
