"""The section on differences: is one method better than another, or is it chance?"""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures import report as figures
from study.report.blocks import Column, Figure, Missing, Section, Text, make_table, paragraph
from study.report.inputs import Inputs
from study.report.sections.accuracy import METRIC_NAMES
from study.report.show import fixed, method, probability, signed


def differences_section(inputs: Inputs) -> Section:
    """Return the paired, corrected tests of every pair of methods."""
    section = Section("differences", "Are the differences real?", "Differences")
    table = inputs.evidence.get("differences")
    if table is None:
        section.blocks.append(
            Missing("The tests of every pair of methods have not been run; run `snakemake evidence`.")
        )
        return section
    section.blocks.append(Text(_how_many_differ(table)))
    for metric in [name for name in ("balanced_error", "auc") if name in set(table["metric"])]:
        part = table[table["metric"] == metric]
        section.blocks.append(
            Figure(
                f"differences-{metric.replace('_', '-')}",
                Markup(
                    "{name}: row minus column, with the effect size (difference over its standard "
                    "deviation) as colour and a dot where p, corrected by Holm over all pairs, is below "
                    "0.05. The standard error counts that training sets overlap (Nadeau and Bengio 2003), "
                    "with {n} folds a pair."
                ).format(name=METRIC_NAMES[metric], n=int(part["folds"].max())),
                f"Differences between methods: {METRIC_NAMES[metric]}",
                figures.difference_matrix(part, inputs.methods, metric),
            )
        )
    columns = [
        Column("method_a", "A", method, numeric=False),
        Column("method_b", "B", method, numeric=False),
        Column("metric", "Metric", lambda name: METRIC_NAMES.get(name, name), numeric=False),
        Column("difference", "A − B", signed(3)),
        Column("low", "95 % from", signed(3)),
        Column("high", "to", signed(3)),
        Column("effect_size", "Effect size", signed(2)),
        Column("p", "p", probability),
        Column("p_holm", "p, Holm", probability),
    ]
    section.blocks.append(
        make_table(
            "pairs",
            "Every pair of methods: mean difference over the same folds, its 95 % interval and p, both "
            "corrected for overlapping training sets; the last column also for the number of pairs.",
            table,
            columns,
            limit=15,
        )
    )
    section.blocks.extend(_ranks(inputs))
    return section


def _how_many_differ(table: pd.DataFrame) -> Markup:
    part = table[table["metric"] == "balanced_error"]
    clear = int((part["p_holm"] < 0.05).sum())
    return paragraph(
        "Of {n} pairs of methods, {clear} differ in balanced error after correction for overlapping folds "
        "and for the number of pairs.",
        n=len(part),
        clear=clear or "none",
    )


def _ranks(inputs: Inputs) -> list:
    ranks, cliques = inputs.evidence.get("ranks"), inputs.evidence.get("cliques")
    if ranks is None:
        return []
    groups = {}
    if cliques is not None:
        for (metric, name), part in cliques.groupby(["metric", "method"], sort=False):
            groups[metric, name] = ", ".join(f"{value}" for value in sorted(part["clique"]))
    frame = ranks.assign(groups=[groups.get((row.metric, row.method), "") for row in ranks.itertuples()])
    columns = [
        Column("metric", "Metric", lambda name: METRIC_NAMES.get(name, name), numeric=False),
        Column("method", "Method", method, numeric=False),
        Column("mean_rank", "Mean rank", fixed(2)),
        Column("groups", "Not told apart: groups", numeric=False),
    ]
    return [
        make_table(
            "ranks",
            "Mean rank over folds, 1 the best. Methods that share a group number are not told apart.",
            frame,
            columns,
        )
    ]
