"""What chance would give: known genes and pathways, permuted outcomes, random networks, planted gene sets."""

import pandas as pd

from study.data.registry import GENE_SETS
from study.figures.evidence import planted_recall, recovery_and_stability
from study.figures.genes import pathway_dots
from study.methods import PAIRS
from study.report.blocks import Missing, Section
from study.report.columns import columns
from study.report.first_screen import LEVEL, with_companion
from study.report.inputs import Inputs, first_method

N_DOTS = 12
# What has not been run, if its table is absent.
EXPERIMENTS = {
    "permuted_summary": Missing("permuted outcomes", "snakemake permuted"),
    "controls": Missing("permuted outcomes at one fixed setting and random networks", "snakemake controls"),
    "planted_summary": Missing("planted truth", "snakemake planted"),
}
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
        shown.tabulate("known", evidence["known"], columns(keys, overlap="Among stable genes"))
    shown.missing += [missing for table, missing in EXPERIMENTS.items() if table not in evidence]
    shown.missing = shown.missing if inputs.has_experiments else []
    numbers = {
        "sets": _add_pathways(shown, evidence["pathways"]) if "pathways" in evidence else None,
        "permuted": _add_permuted(shown, evidence) if "permuted_summary" in evidence else None,
        "planted": _add_planted(shown, evidence) if "planted_summary" in evidence else None,
        "collections": [row.label for row in GENE_SETS.values()],
        "level": LEVEL,
        "statistics": STATISTICS,
    }
    keys = "control method repetitions balanced_error balanced_error_std auc auc_std p seconds"
    shown.tabulate("controls", evidence.get("controls"), columns(keys))
    if not shown.is_empty:
        shown.numbers = numbers
    return shown


def _add_pathways(shown: Section, table: pd.DataFrame) -> dict:
    """Add gene sets that share more stable genes than chance gives; return how many the headline method has."""
    name, table = first_method(table), table.sort_values(["q_matched", "q", "p"], kind="stable")
    is_sure = table["q_matched"] < LEVEL
    own = table[table["method"] == name]
    dots = own.head(N_DOTS)
    labels = dots["name"] + " (" + dots["collection"].map(lambda key: GENE_SETS[key].label) + ")"
    shown.draw("pathway-dots", pathway_dots(dots.assign(shown=labels)))
    keys = "method collection name genes_in_network overlap expected p q q_matched genes"
    shown.tabulate("pathways", table[is_sure], columns(keys), limit=15)
    return {"method": name, "n": len(own), "sure": int(is_sure[own.index].sum()), "drawn": len(dots)}


def _add_permuted(shown: Section, evidence: dict[str, pd.DataFrame]) -> dict:
    """Add the study on permuted outcomes; return how many of its numbers are beyond chance."""
    summary = evidence["permuted_summary"]
    heads = {"matched": "Genes of the same degrees", "permuted": "Permuted", "low": "95 % of them from"}
    keys = "method shown real matched permuted:3 low high p repetitions"
    shown.tabulate("permuted", summary.assign(shown=summary["statistic"].map(STATISTICS)), columns(keys, **heads))
    if "permuted_pathways" in evidence:
        table = evidence["permuted_pathways"]
        keys = "method collection name genes_in_network overlap:1 matched permuted p repetitions"
        shown.tabulate("permuted-pathways", table[table["p"] <= LEVEL], columns(keys), limit=15)
    tested, repetitions = summary.dropna(subset="p"), int(summary["repetitions"].max())
    others = tested[tested["p"] > LEVEL]
    cell_cycle = summary[(summary["statistic"] == "cell_cycle") & (summary["method"] == first_method(summary))]
    return {
        "cell_cycle": cell_cycle.to_dict("records"),
        "repetitions": repetitions,
        "least_p": 1 / (repetitions + 1),
        "tested": len(tested),
        "beyond": len(tested) - len(others),
        "others": others[["method", "statistic"]].to_dict("records"),
    }


def _add_planted(shown: Section, evidence: dict[str, pd.DataFrame]) -> dict | None:
    """Add how much of planted sets is found, and what the penalty does; return the numbers of the caption."""
    summary = evidence["planted_summary"]
    shown.draw("planted-recall", planted_recall(summary))
    if "lambda_path" in evidence and len(evidence["lambda_path"]):
        shown.draw("penalty", recovery_and_stability(evidence["lambda_path"]))
    if "planted_pairs" in evidence:
        pairs, keys = evidence["planted_pairs"], "size effects strength method other ratio ratio_low ratio_high"
        is_shown = pairs["method"].isin(with_companion([*PAIRS])) & pairs["other"].isin(PAIRS.values())
        shown.tabulate("planted-ratios", pairs[is_shown & (pairs["strength"] > 0)], columns(keys), limit=16)
    keys = "size effects strength method measure value:3 low high difference difference_low difference_high"
    heads = columns(keys, value="Mean", difference="With - without network")
    shown.tabulate("planted", summary, heads, limit=16)
    return planted_numbers(summary)


def planted_numbers(summary: pd.DataFrame) -> dict | None:
    """Return in how many settings the headline method does better with the network; None if it never ran without."""
    compared = summary[(summary["without"] != "") & (summary["strength"] > 0)]
    if compared.empty:
        return None
    own = compared[compared["method"] == first_method(compared)]
    numbers = own[["method", "without", "draws"]].iloc[0].to_dict()
    for measure in ("recall", "auc"):
        part = own[own["measure"] == measure]
        numbers[measure] = {
            "settings": len(part),
            "more": int((part["difference_low"] > 0).sum()),
            "less": int((part["difference_high"] < 0).sum()),
            "least": part["difference"].min(),
            "most": part["difference"].max(),
        }
    return numbers
