"""What chance would give: known genes and pathways, permuted outcomes, random networks, planted gene sets."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.data.registry import GENE_SETS
from study.figures.evidence import control_repetitions, planted_recall
from study.figures.genes import pathway_dots
from study.methods import headline
from study.report.blocks import Column, Missing, Section
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import count, digits3, fixed, signed

LEVEL = 0.05
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


def section(inputs: Inputs) -> Section:
    """Return known genes and pathways against chance, and the controls."""
    evidence, shown = inputs.evidence, Section()
    if "known" in evidence:
        keys = "method known_in_network union_found average_precision chance_precision overlap p p_matched union_genes"
        shown.tabulate("known", evidence["known"], columns(keys))
    elif not inputs.cohort.is_own:
        shown.missing.append(Missing("known genes against chance", "make study"))
    sets = permuted = planted = None
    if "pathways" in evidence:
        sets = _add_pathways(shown, evidence["pathways"])
    elif np.any(inputs.study.entrez > 0):
        shown.missing.append(Missing("pathways", "make study"))
    if "permuted_summary" in evidence:
        permuted = _add_permuted(shown, evidence)
    else:
        shown.missing.append(
            Missing("permuted outcomes", "snakemake permuted", "the whole study where nothing can be found")
        )
    if "controls" in evidence:
        _add_controls(shown, evidence)
    else:
        shown.missing.append(Missing("shuffled labels and random networks", "snakemake controls"))
    if "planted_summary" in evidence:
        planted = _add_planted(shown, evidence["planted_summary"])
    else:
        shown.missing.append(Missing("planted truth", "snakemake planted", "how much of a known gene set is found"))
    if not shown.is_empty:
        shown.numbers = {"sets": sets, "permuted": permuted, "planted": planted}
        shown.numbers |= {"collections": [row.label for row in GENE_SETS.values()]}
        shown.numbers |= {"level": LEVEL, "statistics": STATISTICS}
    return shown


def _add_pathways(shown: Section, table: pd.DataFrame) -> dict:
    """Add gene sets that share more stable genes than chance gives; return how many the headline method has."""
    order = ["q_matched", "q", "p"]
    name = headline(list(dict.fromkeys(table["method"])))
    own = table[table["method"] == name].sort_values(order, kind="stable")
    dots = own.head(N_DOTS)
    labels = [f"{row.name} ({GENE_SETS[row.collection].label})" for row in dots.itertuples(index=False)]
    shown.draw("pathway-dots", pathway_dots(dots.assign(shown=labels)))
    frame = table[table["q_matched"] < LEVEL].sort_values(order, kind="stable")
    keys = "method collection name genes_in_network overlap expected p q q_matched genes"
    shown.tabulate("pathways", frame, columns(keys, overlap="Stable genes in it"), limit=15)
    return {"method": name, "n": len(own), "sure": int((own["q_matched"] < LEVEL).sum()), "drawn": len(dots)}


def _add_permuted(shown: Section, evidence: dict[str, pd.DataFrame]) -> dict:
    """Add the study on permuted outcomes; return how many of its numbers are beyond chance."""
    summary = evidence["permuted_summary"]
    shown.tabulate(
        "permuted",
        summary.assign(shown=summary["statistic"].map(STATISTICS)),
        [
            *columns("method"),
            Column("shown", "Statistic", numeric=False),
            Column("real", "Study", fixed(3)),
            Column("matched", "Genes of the same degrees", fixed(1)),
            Column("permuted", "Permuted", fixed(3)),
            *columns("low high p repetitions", low="95 % of them from"),
        ],
    )
    if "permuted_pathways" in evidence:
        heads = [
            *columns("method collection name genes_in_network"),
            Column("overlap", "Stable genes in it", fixed(1)),
            *columns("matched permuted p repetitions"),
        ]
        table = evidence["permuted_pathways"]
        shown.tabulate("permuted-pathways", table[table["p"] <= LEVEL], heads, limit=15)
    tested, repetitions = summary.dropna(subset="p"), int(summary["repetitions"].max())
    others = tested[tested["p"] > LEVEL]
    return {
        "repetitions": repetitions,
        "least_p": 1 / (repetitions + 1),
        "tested": len(tested),
        "beyond": len(tested) - len(others),
        "others": others[["method", "statistic"]].to_dict("records"),
    }


def _add_controls(shown: Section, evidence: dict[str, pd.DataFrame]) -> None:
    keys = "control method repetitions balanced_error balanced_error_std auc auc_std p seconds"
    shown.tabulate("controls", evidence["controls"], columns(keys))
    if "controls_repetitions" in evidence:
        shown.draw("control-repetitions", control_repetitions(evidence["controls_repetitions"]))
    if "rewired_pathways" in evidence:
        table = evidence["rewired_pathways"]
        table = table[table["p"] <= LEVEL].sort_values("p", kind="stable")
        keys = "method collection name genes_in_network overlap rewired p repetitions"
        shown.tabulate("rewired-pathways", table, columns(keys, overlap="Stable genes in it"), limit=15)


def _add_planted(shown: Section, summary: pd.DataFrame) -> dict | None:
    """Add how much of planted sets is found; return the numbers of the caption."""
    shown.draw("planted-recall", planted_recall(summary))
    shown.tabulate(
        "planted",
        summary[summary["measure"].isin(["recall", "auc"])],
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
    )
    return planted_numbers(summary)


def planted_numbers(summary: pd.DataFrame) -> dict | None:
    """Return in how many settings the headline method does better with the network; None if it never ran without."""
    compared = summary[(summary["without"] != "") & (summary["strength"] > 0)]
    if not len(compared):
        return None
    own = compared[compared["method"] == headline(list(dict.fromkeys(compared["method"])))]
    numbers = {"method": own["method"].iloc[0], "without": own["without"].iloc[0], "draws": int(own["draws"].iloc[0])}
    for measure in ("recall", "auc"):
        part = own[own["measure"] == measure]
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
