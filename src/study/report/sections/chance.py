"""The section on chance: known genes and pathways, the study on permuted outcomes, one fixed setting on shuffled labels
and random networks, and planted gene sets.
"""

from __future__ import annotations

import pandas as pd

from study.data.registry import COHORTS, GENE_SETS
from study.evidence.permuted_tables import STATISTICS, permuted_sentence
from study.evidence.planted_tables import planted_sentence
from study.figures.evidence import control_repetitions, planted_recall
from study.report.blocks import Column, Missing, Section, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import count, digits3, fixed, listed, signed

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
    elif COHORTS[inputs.config["cohort"]].is_own:
        known = None
    else:
        known = Missing("Known genes against chance have not been computed; run `make study`.")
    blocks = [
        *([known] if known else []),
        _pathways(evidence.get("pathways")),
        *_permuted(evidence),
        *_controls(evidence),
        *_planted(inputs),
    ]
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


def _permuted(evidence: dict[str, pd.DataFrame]) -> list:
    if "permuted_summary" not in evidence:
        return [
            Missing(
                "The study has not been repeated on permuted outcomes; run `snakemake permuted` (it takes its own "
                "time)."
            )
        ]
    summary = evidence["permuted_summary"]
    blocks = [
        Text(paragraph("{sentence}", sentence=permuted_sentence(summary))),
        make_table(
            "permuted",
            "The whole study where there is nothing to find: outcomes and times permuted against expression, and "
            "everything repeated, tuning included, one trial a repetition. Beside the study's mean over trials, the "
            "mean of the repetitions and the range of 95 % of them; p is the share that did as well as the study's "
            "mean, which varies less than one trial. Stable genes here are those in at least half of the folds of a "
            "trial.",
            summary.assign(shown=summary["statistic"].map(lambda key: STATISTICS[key][0])),
            [
                *columns("method"),
                Column("shown", "Statistic", numeric=False),
                Column("real", "Study", fixed(3)),
                Column("matched", "Genes of the same degrees", fixed(1)),
                Column("permuted", "Permuted", fixed(3)),
                *columns("low high p repetitions", low="95 % of them from"),
            ],
        ),
    ]
    if "permuted_pathways" in evidence:
        table = evidence["permuted_pathways"]
        blocks.append(
            make_table(
                "permuted-pathways",
                "Gene sets that stable genes of a trial share: how many on average in the study, what genes of the "
                "same degrees would share, and what fits to permuted outcomes do. p is the share of those that share "
                "as many; it is not corrected for the number of sets.",
                table,
                [
                    *columns("method collection name genes_in_network"),
                    Column("overlap", "Stable genes in it", fixed(1)),
                    *columns("matched permuted p repetitions"),
                ],
                limit=15,
            )
        )
    return blocks


def _planted(inputs: Inputs) -> list:
    summary = inputs.evidence.get("planted_summary")
    if summary is None:
        return [
            Missing(
                "How much of a planted gene set is found has not been measured; run `snakemake planted` (it takes its "
                "own time)."
            )
        ]
    shown = summary[summary["measure"].isin(["recall", "auc"])]
    return [
        Text(paragraph("{sentence}", sentence=planted_sentence(summary))),
        draw(
            "planted-recall",
            "How much of a planted gene set is found",
            "Outcomes simulated from random connected sets on the real expression and network: the share of the set "
            "that each method finds when told its size, by the log odds of the event per standard deviation of the "
            "set's mean. Full with the network, dotted without. Graph methods may select a tenth more genes than "
            "asked for.",
            planted_recall(summary),
        ),
        make_table(
            "planted",
            "Recall of the planted genes and AUC on held-out patients, means over draws with 95 % intervals; "
            "differences are from a method of the same kind without the network, which the file to save names, paired "
            "by draw. The intervals are for other gene sets on these patients. The file also has precision, and the "
            "share of planted genes that are selected or next to a selected one.",
            shown,
            [
                Column("size", "Planted genes", count),
                Column("strength", "Strength", digits3),
                *columns("method"),
                Column("measure", "Measure", numeric=False),
                Column("value", "Mean", fixed(3)),
                *columns("low high"),
                Column("difference", "With - without network", signed(3)),
                Column("difference_low", "95 % from", signed(3)),
                Column("difference_high", "to", signed(3)),
            ],
            limit=16,
            whole=summary,
        ),
    ]


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
