"""The paper's tables with our numbers, and how they compare."""

from collections.abc import Callable

from markupsafe import Markup

from study.data.registry import COHORTS
from study.evidence.paper import DIFFERENT_DATA, paper_tables
from study.figures.methods import paper_and_ours
from study.methods import label
from study.metrics import METRICS
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import fixed, signed


def section(inputs: Inputs) -> Section:
    """Return the paper's four tables, the line searches, and trials beside the paper's where the folds are the same."""
    shown, comparison = Section(), inputs.comparison
    if comparison.empty:
        return shown
    is_papers = COHORTS[inputs.config["cohort"]].is_papers
    shown.numbers = {
        "is_papers": is_papers,
        "verdicts": comparison["verdict"].value_counts(sort=False).to_dict(),
        "different_data": DIFFERENT_DATA,
    }
    shown.draw("paper-and-ours", paper_and_ours(comparison))
    papers = paper_tables(inputs.summary, comparison, inputs.table("union"), inputs.fits)
    for metric in [name for name in papers if name in METRICS]:
        names = papers[metric].columns.drop(["trial", "best"])
        heads = [Column(name, label(name), of_row=_bold(name)) for name in names]
        heads = [Column("trial", "Trial", numeric=False), *heads]
        shown.tabulate(f"paper-{metric.replace('_', '-')}", papers[metric], heads)
    heads = columns("method number genes paper_number paper_genes")
    shown.tabulate("paper-genes", papers.get("identified_genes"), heads)
    shown.tabulate("line-searches", papers["line_searches"], columns("method n_line_searches n_line_searches_failed"))
    if is_papers and inputs.config["published"]["splits"] == "stored":
        # How many decimals a row has depends on its metric.
        trials = [
            Column(key, head, of_row=lambda row, key=key, show=show: show(METRICS[row["metric"]].digits)(row[key]))
            for key, head, show in (
                ("paper_mean", "Paper", fixed),
                ("our_mean", "Ours", fixed),
                ("difference", "Ours − paper", signed),
            )
        ]
        shown.tabulate("comparison-trials", inputs.comparison_trials, [*columns("trial method metric"), *trials])
    return shown


def _bold(name: str) -> Callable[[dict], str]:
    """Return how a cell of a method is shown: the best of a row in bold."""
    return lambda row: Markup("<b>{}</b>").format(row[name]) if name in row["best"].split(";") else row[name]
