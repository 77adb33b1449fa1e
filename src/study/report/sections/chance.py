"""The section on chance: known genes and pathways, the study on permuted outcomes, one fixed setting on shuffled labels
and random networks, and planted gene sets.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from study.data.registry import GENE_SETS
from study.figures.evidence import control_repetitions, planted_recall
from study.figures.genes import pathway_dots
from study.methods import headline, label
from study.report.blocks import Column, Figure, Missing, Section, Table, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import count, digits3, fixed, listed, signed
from study.report.templates import render

SHOWN_BELOW = 0.05
N_DOTS = 12
# What the statistics of permuted outcomes are called.
STATISTICS = {
    "auc": "AUC",
    "balanced_error_tuned": "balanced error, cut-off chosen inside",
    "balanced_error": "balanced error at one half",
    "hazard_ratio": "hazard ratio of high against low risk",
    "stability": "stability of the gene sets",
    "cell_cycle": "stable genes in the set Cell cycle",
    "pathways": "gene sets with q < 0.05",
    "pathways_matched": "gene sets with q < 0.05, same degrees",
    "n_nonzero": "genes selected",
}
LABELS = listed([row.label for row in GENE_SETS.values()])


def section(inputs: Inputs) -> Section:
    """Return known genes and pathways against chance, and the controls."""
    evidence = inputs.evidence
    blocks = []
    if "known" in evidence:
        blocks.append(
            make_table(
                "known",
                "Known genes against chance",
                f"{inputs.known_gene.capitalize()}s: how many a method finds, how well frequency ranks them, and "
                "whether the stable genes hold more than chance. The last p draws sets of the same size "
                "and degrees, because networks favour hubs.",
                evidence["known"],
                columns(
                    "method known_in_network union_found average_precision chance_precision overlap p p_matched "
                    "union_genes"
                ),
            )
        )
    elif not inputs.cohort.is_own:
        blocks.append(Missing("known genes against chance", "make study"))
    pathways = evidence.get("pathways")
    if pathways is not None:
        blocks.append(_pathways(pathways))
    elif np.any(inputs.study.entrez > 0):
        blocks.append(Missing("pathways", "make study"))
    lead, figures = _best(pathways)
    if "permuted_summary" in evidence:
        lead += paragraph("{text}", text=permuted_text(evidence["permuted_summary"]))
    blocks += [*_permuted(evidence), *_controls(evidence), *_planted(inputs)]
    return Section("chance", "What chance would give", "Chance", lead, figures, blocks)


def _best(table: pd.DataFrame | None) -> tuple[Markup, list[Figure]]:
    """Return how many gene sets stand out among the genes of the headline method, and those that do most."""
    if table is None:
        return Markup(""), []
    name = headline(list(dict.fromkeys(table["method"])))
    own = table[table["method"] == name].sort_values(["q_matched", "q", "p"], kind="stable")
    sure = int((own["q_matched"] < SHOWN_BELOW).sum())
    lead = paragraph(
        "Of {n} gene sets that share a stable gene of {name}, {sure} share more than genes of the same degrees would "
        "(q < {level:g}).",
        n=len(own),
        name=label(name),
        sure=sure or "none",
        level=SHOWN_BELOW,
    )
    shown = own.head(N_DOTS)
    shown = shown.assign(
        shown=[f"{row.name} ({GENE_SETS[row.collection].label})" for row in shown.itertuples(index=False)]
    )
    return lead, [
        draw(
            "pathway-dots",
            f"Gene sets of the stable genes of {label(name)}",
            f"The {len(shown)} sets least likely to hold so many of them: how many times more than random genes of "
            "the same degrees would share; q compares with such genes, too, and is corrected for the number of sets in "
            "the collection. Sets overlap, so dots are not independent.",
            pathway_dots(shown),
        )
    ]


def _pathways(table: pd.DataFrame) -> Table:
    return make_table(
        "pathways",
        "Pathways in numbers",
        f"Pathways of {LABELS} that share more stable genes with a method than genes of the same degrees would, with q "
        f"below {SHOWN_BELOW}; evidence/pathways.csv of the run has all. q is p corrected for the number of pathways "
        "in the collection (Benjamini and Hochberg); the last one compares with sets of the same size and degrees. "
        "Pathways overlap, so rows are not independent.",
        table[table["q_matched"] < SHOWN_BELOW].sort_values(["q_matched", "q", "p"], kind="stable"),
        columns(
            "method collection name genes_in_network overlap expected p q q_matched genes", overlap="Stable genes in it"
        ),
        limit=15,
    )


def permuted_text(summary: pd.DataFrame) -> Markup:
    """Return how many numbers of the study are beyond what permuted outcomes give."""
    tested, repetitions = summary.dropna(subset="p"), int(summary["repetitions"].max())
    others = tested[tested["p"] > SHOWN_BELOW]
    numbers = {"repetitions": repetitions, "least_p": 1 / (repetitions + 1), "tested": len(tested)}
    numbers |= {"beyond": len(tested) - len(others), "others": others[["method", "statistic"]].to_dict("records")}
    return render("permuted.html.j2", permuted=numbers, statistics=STATISTICS, level=SHOWN_BELOW)


def planted_text(summary: pd.DataFrame) -> Markup:
    """Return what the network is worth where the truth is connected."""
    return render("planted.html.j2", planted=planted_numbers(summary))


def planted_numbers(summary: pd.DataFrame) -> dict | None:
    """Return in how many settings the headline method does better with the network; None if it never ran without."""
    compared = summary[(summary["without"] != "") & (summary["strength"] > 0)]
    if not len(compared):
        return None
    own = compared[compared["method"] == headline(list(dict.fromkeys(compared["method"])))]
    numbers = {"method": own["method"].iloc[0], "without": own["without"].iloc[0], "draws": int(own["draws"].iloc[0])}
    for measure, part in own[own["measure"].isin(["recall", "auc"])].groupby("measure"):
        numbers[measure] = {
            "settings": len(part),
            "more": int((part["difference_low"] > 0).sum()),
            "less": int((part["difference_high"] < 0).sum()),
            "least": part["difference"].min(),
            "most": part["difference"].max(),
        }
    recall = summary[summary["measure"] == "recall"].set_index("method")
    plain = recall.loc[[numbers["without"]]].set_index(["size", "strength"])["value"].rename("plain")
    recall = recall.loc[[numbers["method"]]].join(plain, on=["size", "strength"])
    strongest = recall.sort_values("strength", kind="stable").groupby("size").tail(1)
    return numbers | {"strongest": strongest[["size", "strength", "value", "plain"]].to_dict("records")}


def _permuted(evidence: dict[str, pd.DataFrame]) -> list:
    if "permuted_summary" not in evidence:
        return [Missing("permuted outcomes", "snakemake permuted", "the whole study where nothing is to be found")]
    summary = evidence["permuted_summary"]
    blocks = [
        make_table(
            "permuted",
            "Permuted outcomes: every number",
            "The whole study where there is nothing to find: outcomes and times permuted against expression, and "
            "everything repeated, tuning included, one trial a repetition. Beside the study's mean over trials, the "
            "mean of the repetitions and the range of 95 % of them; p is the share that did as well as the study's "
            "mean, which varies less than one trial. Stable genes here are those in at least half of the folds of a "
            "trial.",
            summary.assign(shown=summary["statistic"].map(STATISTICS)),
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
        table = evidence["permuted_pathways"].query("p <= @SHOWN_BELOW")
        blocks.append(
            make_table(
                "permuted-pathways",
                "Permuted outcomes: gene sets",
                "Gene sets that stable genes of a trial share: how many on average in the study, what genes of the "
                "same degrees would share, and what fits to permuted outcomes do. p is the share of those that share "
                f"as many, here at most {SHOWN_BELOW}; it is not corrected for the number of sets.",
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
        return [Missing("planted truth", "snakemake planted", "how much of a known gene set is found")]
    shown = summary[summary["measure"].isin(["recall", "auc"])]
    return [
        draw(
            "planted-recall",
            "Planted truth: how much of a known set is found",
            Markup(
                "{} Outcomes are simulated from random connected sets on the real expression and network: the share of "
                "the set that each method finds when told its size, by the log odds of the event per standard "
                "deviation of the set's mean. Full with the network, dotted without. Graph methods may select a tenth "
                "more genes than asked for."
            ).format(planted_text(summary)),
            planted_recall(summary),
        ),
        make_table(
            "planted",
            "Planted truth in numbers",
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
        return [Missing("shuffled labels and random networks", "snakemake controls")]
    blocks = [
        make_table(
            "controls",
            "Shuffled labels and random networks",
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
        table = evidence["rewired_pathways"].query("p <= @SHOWN_BELOW")
        blocks.append(
            make_table(
                "rewired-pathways",
                "Pathways on rewired networks",
                "Pathways that share stable genes of the fixed setting: how many on the real network, and on average "
                "on networks with swapped edges. p is the share of those that share as many, here at most "
                f"{SHOWN_BELOW}; it is not corrected for the number of pathways.",
                table.sort_values("p", kind="stable"),
                columns(
                    "method collection name genes_in_network overlap rewired p repetitions",
                    overlap="Stable genes in it",
                ),
                limit=15,
            )
        )
    return blocks
