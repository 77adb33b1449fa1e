"""The section on differences: is one method better than another, or is it chance?"""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures.methods import critical_difference, difference_matrix
from study.metrics import METRICS
from study.report.blocks import Figure, Missing, Section, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs

SHOWN = ("balanced_error", "auc")


def section(inputs: Inputs) -> Section:
    """Return the paired, corrected tests of every pair of methods."""
    table = inputs.evidence.get("differences")
    title = ("differences", "Are the differences real?", "Differences")
    if table is None:
        return Section(*title, [Missing("The tests of every pair of methods have not been run; run `make study`.")])
    blocks = [Text(_how_many_differ(table))]
    for metric in [name for name in SHOWN if name in set(table["metric"])]:
        part = table[table["metric"] == metric]
        blocks.append(
            draw(
                f"differences-{metric.replace('_', '-')}",
                f"Differences between methods: {METRICS[metric].label}",
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
            "Every pair of methods: mean difference over the same folds, its 95 % interval and p, both "
            "corrected for overlapping training sets; the last column also for the number of pairs.",
            table,
            columns(
                "method_a method_b metric difference low high effect_size p p_holm",
                sign=True,
                difference="A − B",
            ),
            limit=15,
        )
    )
    return Section(*title, blocks + _ranks(inputs))


def _how_many_differ(table: pd.DataFrame) -> Markup:
    part = table[table["metric"] == "balanced_error"]
    clear = int((part["p_holm"] < 0.05).sum())
    return paragraph(
        "Of {n} pairs of methods, {clear} differ in balanced error after correction for overlapping folds "
        "and for the number of pairs.",
        n=len(part),
        clear=clear or "none",
    )


def _ranks(inputs: Inputs) -> list[Figure]:
    ranks, cliques = inputs.evidence.get("ranks"), inputs.evidence.get("cliques")
    if ranks is None or cliques is None:
        return []
    return [
        draw(
            f"ranks-{metric.replace('_', '-')}",
            f"Ranks of the methods: {METRICS[metric].label}",
            "Mean rank over the test folds, 1 the best. On the right every group of methods of which no two are told "
            "apart is a column of dots.",
            critical_difference(ranks, cliques, metric),
        )
        for metric in SHOWN
        if metric in set(ranks["metric"])
    ]
