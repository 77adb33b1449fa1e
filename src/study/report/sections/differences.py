"""Tests of every pair of methods: is one better than another, or is it chance?"""

from __future__ import annotations

import pandas as pd

from study.figures.forest import forest
from study.figures.methods import critical_difference, difference_matrix
from study.methods import colour, headline, label
from study.metrics import MARGIN
from study.report.blocks import Missing, Section
from study.report.columns import columns
from study.report.first_screen import difference_row
from study.report.inputs import Inputs

SHOWN = ("auc", "balanced_error_tuned")


def section(inputs: Inputs) -> Section:
    """Return the paired, corrected tests of every pair of methods; first those of the headline method."""
    table = inputs.evidence.get("differences")
    if table is None:
        return Section(missing=[Missing("tests of every pair of methods", "make study")])
    shown, chosen = Section(), headline(inputs.methods)
    rows = _against_each(inputs, chosen)
    if len(rows):
        shown.draw("differences-forest", forest(rows, f"AUC of {label(chosen)} minus that of", 0.0, MARGIN))
    ranks, cliques = (inputs.evidence.get(name) for name in ("ranks", "cliques"))
    metrics = [name for name in SHOWN if name in set(table["metric"])]
    for metric in metrics:
        name, part = metric.replace("_", "-"), table[table["metric"] == metric]
        shown.draw(f"differences-{name}", difference_matrix(part, inputs.methods, metric))
        if ranks is not None and cliques is not None and metric in set(ranks["metric"]):
            shown.draw(f"ranks-{name}", critical_difference(ranks, cliques, metric))
    keys = "method_a method_b metric difference low high effect_size p p_holm verdict"
    shown.tabulate("pairs", table, columns(keys, sign=True, difference="A − B"), limit=15)
    by_metric = table.groupby("metric")
    shown.numbers = {
        "chosen": chosen,
        "metrics": metrics,
        "n_pairs": int((table["metric"] == SHOWN[0]).sum()),
        "verdicts": {name: table.loc[table["metric"] == name, "verdict"].value_counts().to_dict() for name in SHOWN},
        "folds": by_metric["folds"].max().to_dict(),
    }
    return shown


def _against_each(inputs: Inputs, chosen: str) -> pd.DataFrame:
    """Return the AUC of one method minus that of each other method."""
    rows = [(name, difference_row(inputs, chosen, name)) for name in inputs.methods]
    return pd.DataFrame(
        [
            {"name": label(name), "colour": colour(name), "value": row["difference"]}
            | {"low": row["low"], "high": row["high"]}
            for name, row in rows
            if row is not None
        ]
    )
