"""The section on differences: is one method better than another, or is it chance?"""

from __future__ import annotations

import pandas as pd

from study.evidence.differences import DIFFERENT, EQUIVALENT, UNDECIDED
from study.figures.forest import forest
from study.figures.methods import critical_difference, difference_matrix
from study.methods import colour, headline, label
from study.metrics import MARGIN, METRICS
from study.report.blocks import Figure, Missing, Section, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.sentences import difference_row
from study.report.show import listed

SHOWN = ("auc", "balanced_error_tuned")


def section(inputs: Inputs) -> Section:
    """Return the paired, corrected tests of every pair of methods; to look at, those of the headline method."""
    table = inputs.evidence.get("differences")
    title = ("differences", "Are the differences real?", "Differences")
    if table is None:
        return Section(*title, blocks=[Missing("tests of every pair of methods", "make study")])
    blocks = []
    for metric in [name for name in SHOWN if name in set(table["metric"])]:
        part = table[table["metric"] == metric]
        blocks.append(
            draw(
                f"differences-{metric.replace('_', '-')}",
                f"All pairs: {METRICS[metric].label}",
                f"{METRICS[metric].label}: row minus column, with the effect size (difference over its standard "
                "deviation) as colour and a dot where p, corrected by Holm over all pairs, is below "
                "0.05. The standard error counts that training sets overlap (Nadeau and Bengio 2003), "
                f"with {int(part['folds'].max())} folds a pair.",
                difference_matrix(part, inputs.methods, metric),
            )
        )
    blocks.append(
        make_table(
            "pairs",
            "All pairs in numbers",
            "Every pair of methods: mean difference over the same folds, its 95 % interval and p, both "
            "corrected for overlapping training sets; the p of Holm also for the number of pairs.",
            table,
            columns(
                "method_a method_b metric difference low high effect_size p p_holm verdict",
                sign=True,
                difference="A − B",
            ),
            limit=15,
        )
    )
    lead = paragraph("{text}", text=verdicts_sentence(table))
    return Section(*title, lead, _forest(inputs), blocks + _ranks(inputs))


def _forest(inputs: Inputs) -> list[Figure]:
    """Return the AUC of the headline method minus that of each other, with the margin set beforehand."""
    chosen = headline(inputs.methods)
    rows = []
    for name in inputs.methods:
        row = difference_row(inputs, chosen, name)
        if row is not None:
            found = {"name": label(name), "value": row["difference"], "colour": colour(name)}
            rows.append(found | {"low": row["low"], "high": row["high"]})
    if not rows:
        return []
    return [
        draw(
            "differences-forest",
            f"{label(chosen)} minus each other method",
            f"Difference in AUC with its 95 % interval, corrected for overlapping training sets. In the grey band of "
            f"±{MARGIN:g}, set beforehand, a difference does not matter: an interval inside it means equivalent, one "
            "that crosses its edge undecided. Whether two differ is also corrected for the number of pairs.",
            forest(pd.DataFrame(rows), f"AUC of {label(chosen)} minus that of", 0.0, MARGIN),
        )
    ]


def verdicts_sentence(table: pd.DataFrame) -> str:
    """Return how many pairs of methods are different, equivalent and undecided, by AUC and error."""
    parts = []
    for metric in SHOWN:
        counts = table.loc[table["metric"] == metric, "verdict"].value_counts()
        found = [f"{counts.get(name, 0)} {name}" for name in (DIFFERENT, EQUIVALENT, UNDECIDED)]
        name = METRICS[metric].label
        parts.append(f"by {name if name.isupper() else name.lower()} {listed(found)}")
    pairs = int((table["metric"] == SHOWN[0]).sum())
    return (
        f"Of {pairs} pairs of methods there are {'; '.join(parts)}. Different is corrected for overlapping folds and "
        f"for the number of pairs; equivalent means that the corrected 95 % interval is within ±{MARGIN:g}, a "
        "margin set beforehand; undecided that these patients cannot tell."
    )


def _ranks(inputs: Inputs) -> list[Figure]:
    ranks, cliques = inputs.evidence.get("ranks"), inputs.evidence.get("cliques")
    if ranks is None or cliques is None:
        return []
    return [
        draw(
            f"ranks-{metric.replace('_', '-')}",
            f"Ranks: {METRICS[metric].label}",
            "Mean rank over the test folds, 1 the best. On the right every group of methods of which no two are told "
            "apart is a column of dots.",
            critical_difference(ranks, cliques, metric),
        )
        for metric in SHOWN
        if metric in set(ranks["metric"])
    ]
