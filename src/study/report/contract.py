"""Which columns each evidence table must have to be shown."""

from __future__ import annotations

import pandas as pd

from study.run.errors import StudyError

EVIDENCE = {
    "differences": "method_a method_b metric difference error low high effect_size p p_holm folds",
    "ranks": "metric method mean_rank",
    "cliques": "metric clique method",
    "frequencies": "method symbol entrez frequency mean_weight same_sign known degree",
    "stability": "method nogueira low high mean_jaccard mean_genes supports",
    "jaccard": "method_a method_b jaccard",
    "stable_genes": "method symbol entrez frequency mean_weight known",
    "stable_edges": "method symbol_a symbol_b confidence",
    "known": "method known_in_network union_found union_genes average_precision chance_precision overlap "
    "p p_matched",
    "union": "symbol",
    "pathways": "method pathway name genes_in_network overlap expected p q p_matched q_matched genes",
    "patients": "method patient risk score time event group",
    "survival": "method n_high n_low hazard_ratio low high logrank_p permutation_p concordance concordance_low "
    "concordance_high",
    "km": "method group time survival low high at_risk",
    "roc": "method false_positive_rate sensitivity low high",
    "calibration": "method bin predicted observed low high patients",
    "outcomes": "outcome method patients events auc low high balanced_error",
    "external": "cohort model patients events event_means genes_used genes_missing missing auc low high "
    "concordance concordance_low concordance_high hazard_ratio hr_low hr_high logrank_p",
    "external_km": "cohort model group time survival low high at_risk",
    "clinical": "cohort column meaning known note",
    "added_value": "cohort model covariates patients events hazard_ratio low high p p_likelihood_ratio",
    "random_sets": "cohort model auc random_median random_low random_high share_as_good sets",
    "controls": "control method repetitions balanced_error balanced_error_std auc auc_std p p_auc seconds "
    "difference low high",
    "notes": "part note",
    "external_notes": "part note",
    "external_differences": "cohort model difference low high",
    "final_models": "method symbol entrez weight",
}
TEXT = dict.fromkeys(
    ("symbol", "symbol_a", "symbol_b", "patient", "cohort", "genes", "missing", "union_genes"), str
)


def check_columns(frame: pd.DataFrame, name: str, path: object) -> pd.DataFrame:
    """Return `frame` if it has the columns of the evidence table `name`; else raise StudyError."""
    wanted = EVIDENCE[name].split()
    lacking = [column for column in wanted if column not in frame.columns]
    if lacking:
        raise StudyError(
            f"{path}: expected the columns {', '.join(wanted)}; found no {', '.join(lacking)}. Delete the "
            "file and run snakemake again, or take it away to leave its part out of the report."
        )
    return frame
