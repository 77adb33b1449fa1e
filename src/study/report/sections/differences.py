"""Tests of every pair of methods: is one better than another, or is it chance?"""

from study.figures.forest import forest
from study.figures.methods import difference_matrix
from study.methods import headline, label
from study.metrics import MARGIN
from study.report.blocks import Section
from study.report.columns import columns
from study.report.first_screen import differences_of
from study.report.inputs import Inputs


def section(inputs: Inputs) -> Section:
    """Return the paired, corrected tests of every pair of methods; first those of the headline method."""
    table = inputs.table("differences")
    if table.empty:
        return Section()
    shown, chosen, both = Section(), headline(inputs.methods), (inputs.leading, "balanced_error_tuned")
    rows = differences_of(inputs, chosen).rename(columns={"difference": "value"}).rename_axis("method").reset_index()
    if len(rows):
        shown.draw(
            "differences-forest", forest(rows, f"{inputs.leading_name} of {label(chosen)} minus that of", 0.0, MARGIN)
        )
    metrics = [name for name in both if name in set(table["metric"])]
    for metric in metrics:
        part = table[table["metric"] == metric]
        shown.draw(f"differences-{metric.replace('_', '-')}", difference_matrix(part, inputs.methods, metric))
    keys = "method_a method_b metric difference low:+3 high:+3 effect_size p p_holm verdict"
    shown.tabulate("pairs", table, columns(keys, difference="A − B"), limit=15)
    shown.numbers = {
        "chosen": chosen,
        "metrics": metrics,
        "n_pairs": int((table["metric"] == inputs.leading).sum()),
        "verdicts": {name: table.loc[table["metric"] == name, "verdict"].value_counts().to_dict() for name in both},
        "folds": table.groupby("metric")["folds"].max().to_dict(),
    }
    return shown
