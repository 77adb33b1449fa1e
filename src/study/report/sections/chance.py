"""The section on chance: known genes, pathways, and the whole procedure on shuffled labels and random networks."""

from __future__ import annotations

import pandas as pd

from study.report.blocks import Column, Missing, Section, make_table
from study.report.inputs import Inputs
from study.report.show import count, fixed, method, probability

SHOWN_BELOW = 0.05


def chance_section(inputs: Inputs) -> Section:
    """Return known genes and pathways against chance, and the controls."""
    section = Section("chance", "What chance would give", "Chance")
    evidence = inputs.evidence
    if "known" in evidence:
        columns = [
            Column("method", "Method", method, numeric=False),
            Column("known_in_network", "Known in network", count),
            Column("union_found", "Found by any fold", count),
            Column("average_precision", "Average precision", fixed(3)),
            Column("chance_precision", "by chance", fixed(3)),
            Column("overlap", "Among stable genes", count),
            Column("p", "p", probability),
            Column("p_matched", "p, same degrees", probability),
            Column(
                "union_genes", "Genes found", lambda text: text.replace(";", " "), numeric=False, wide=True
            ),
        ]
        section.blocks.append(
            make_table(
                "known",
                "Known breast-cancer genes: how many a method finds, how well frequency ranks them, and "
                "whether the stable genes hold more than chance. The last p draws sets of the same size "
                "and degrees, because networks favour hubs.",
                evidence["known"],
                columns,
            )
        )
    else:
        section.blocks.append(
            Missing("Known genes against chance have not been computed; run `snakemake evidence`.")
        )
    section.blocks.extend(_pathways(evidence.get("pathways")))
    section.blocks.extend(_controls(evidence.get("controls")))
    return section


def _pathways(table: pd.DataFrame | None) -> list:
    if table is None:
        return [Missing("Pathways have not been tested; run `snakemake evidence`.")]
    frame = table[table["p"] < SHOWN_BELOW].sort_values(["q_matched", "q", "p"], kind="stable")
    columns = [
        Column("method", "Method", method, numeric=False),
        Column("name", "Pathway", numeric=False),
        Column("genes_in_network", "Genes in network", count),
        Column("overlap", "Stable genes in it", count),
        Column("expected", "expected", fixed(1)),
        Column("p", "p", probability),
        Column("q", "q", probability),
        Column("q_matched", "q, same degrees", probability),
        Column("genes", "Genes", lambda text: text.replace(";", " "), numeric=False, wide=True),
    ]
    return [
        make_table(
            "pathways",
            f"WikiPathways that share stable genes with a method, with p below {SHOWN_BELOW}; the file to "
            "save has all. q is p corrected for the number of pathways (Benjamini and Hochberg); the last "
            "one compares with gene sets of the same size and degrees. Pathways overlap, so rows are not "
            "independent.",
            frame,
            columns,
            limit=15,
            whole=table,
        )
    ]


CONTROL_NAMES = {
    "real": "the real data",
    "labels": "shuffled labels",
    "network": "edges swapped, degrees kept",
    "coexpression": "co-expression network",
}


def _controls(table: pd.DataFrame | None) -> list:
    if table is None:
        return [
            Missing(
                "Shuffled labels and random networks have not been run; run `snakemake controls` (it "
                "takes its own time)."
            )
        ]
    columns = [
        Column("control", "Control", lambda name: CONTROL_NAMES.get(name, name), numeric=False),
        Column("method", "Method", method, numeric=False),
        Column("repetitions", "Repetitions", count),
        Column("balanced_error", "Balanced error", fixed(3)),
        Column("balanced_error_std", "std", fixed(3)),
        Column("auc", "AUC", fixed(3)),
        Column("auc_std", "std", fixed(3)),
        Column("p", "p", probability),
        Column("seconds", "Seconds", count),
    ]
    return [
        make_table(
            "controls",
            "The whole procedure repeated on shuffled labels and on networks whose edges were swapped "
            "with every gene's degree kept. p is the share of repetitions that did as well as the real "
            "one; with few repetitions it cannot be small.",
            table,
            columns,
        )
    ]
