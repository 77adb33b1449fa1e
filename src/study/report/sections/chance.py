"""The section on chance: known genes and pathways, and one fixed setting on shuffled labels and random networks."""

from __future__ import annotations

import pandas as pd

from study.data.registry import GENE_SETS
from study.figures.evidence import control_repetitions
from study.report.blocks import Missing, Section, draw, make_table
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import listed

SHOWN_BELOW = 0.05
LABELS = listed([row.label for row in GENE_SETS.values()])


def section(inputs: Inputs) -> Section:
    """Return known genes and pathways against chance, and the controls."""
    evidence = inputs.evidence
    if "known" in evidence:
        known = make_table(
            "known",
            "Known breast-cancer genes: how many a method finds, how well frequency ranks them, and "
            "whether the stable genes hold more than chance. The last p draws sets of the same size "
            "and degrees, because networks favour hubs.",
            evidence["known"],
            columns(
                "method known_in_network union_found average_precision chance_precision overlap p p_matched union_genes"
            ),
        )
    else:
        known = Missing("Known genes against chance have not been computed; run `make study`.")
    blocks = [known, _pathways(evidence.get("pathways")), *_controls(evidence)]
    return Section("chance", "What chance would give", "Chance", blocks)


def _pathways(table: pd.DataFrame | None):
    if table is None:
        return Missing("Pathways have not been tested; run `make study`.")
    return make_table(
        "pathways",
        f"Pathways of {LABELS} that share stable genes with a method, with q below {SHOWN_BELOW}; the file to "
        "save has all. q is p corrected for the number of pathways in the collection (Benjamini and Hochberg); the "
        "last one compares with gene sets of the same size and degrees. Pathways overlap, so rows are not "
        "independent.",
        table[table["q"] < SHOWN_BELOW].sort_values(["q_matched", "q", "p"], kind="stable"),
        columns(
            "method collection name genes_in_network overlap expected p q q_matched genes", overlap="Stable genes in it"
        ),
        limit=15,
        whole=table,
    )


def _controls(evidence: dict[str, pd.DataFrame]) -> list:
    if "controls" not in evidence:
        return [
            Missing(
                "Shuffled labels and random networks have not been run; run `snakemake controls` (it "
                "takes its own time)."
            )
        ]
    blocks = [
        make_table(
            "controls",
            "One fixed setting, cross-validated again on shuffled labels and on networks whose edges were swapped "
            "with every gene's degree kept. p is the share of repetitions that did as well as the real "
            "one; with few repetitions it cannot be small.",
            evidence["controls"],
            columns("control method repetitions balanced_error balanced_error_std auc auc_std p seconds"),
        )
    ]
    if "controls_repetitions" in evidence:
        blocks.append(
            draw(
                "control-repetitions",
                "Every repetition of the controls",
                "Balanced error of each method at the fixed setting: the line is the real data, a dot one repetition "
                "of a control. Where the dots lie on the line, the labels or the network made no difference.",
                control_repetitions(evidence["controls_repetitions"]),
            )
        )
    if "rewired_pathways" in evidence:
        table = evidence["rewired_pathways"]
        blocks.append(
            make_table(
                "rewired-pathways",
                "Pathways that share stable genes of the fixed setting: how many on the real network, and on average "
                "on networks with swapped edges. p is the share of those that share as many; it is not corrected for "
                "the number of pathways.",
                table.sort_values("p", kind="stable"),
                columns(
                    "method collection name genes_in_network overlap rewired p repetitions",
                    overlap="Stable genes in it",
                ),
                limit=15,
                whole=table,
            )
        )
    return blocks
