"""The registry of tables: file, columns and what a row is, declared once for those who write, read, show and document
them.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from study.errors import StudyError
from study.io import write_text


class Table(NamedTuple):
    """A CSV file of a run: what a row of it is, and its columns in order."""

    row: str
    columns: tuple[str, ...]


# The name of a table, what a row is, and the columns.
_DECLARED = """
metrics: a fold
    method trial fold auc balanced_error_tuned balanced_error n_nonzero sparsity lambda C max_epochs n_blocks smoothing
    n_components status inner_error
genes: a fold and selected gene
    method trial fold entrez symbol weight
summary: a method and trial (`all`: every fold)
    method trial folds auc_mean auc_std balanced_error_tuned_mean balanced_error_tuned_std balanced_error_mean
    balanced_error_std n_nonzero_mean n_nonzero_std failed_folds
fits: a fold: the work of its final fit
    method trial fold status epochs data_points n_solves n_line_searches n_line_searches_failed threshold mean_selected
    bound
chosen: a method, setting and value it chose from: in how many folds it did; `is_end` at an end of the grid
    method setting value folds share is_end
paths: a method, penalty and number of epochs: the least inner error over the other settings, mean over folds
    method lambda epochs inner_error folds
traces: a method and epoch: the course of the loss
    method epoch loss low high running
timings: a fold: what it cost
    method trial fold seconds fits host finished
comparison: a method and metric of the paper's tables, with ours
    method metric paper_mean paper_std our_mean our_std difference standard_error verdict
comparison_trials: a trial, method and metric of the paper's tables, with ours
    trial method metric paper_mean paper_std our_mean our_std difference
picked: a group of methods and fold: the member of least inner error
    group method trial fold auc balanced_error_tuned balanced_error n_nonzero sparsity lambda C max_epochs n_blocks
    smoothing n_components status inner_error
evidence/differences: a pair of methods and metric
    method_a method_b metric difference error low high effect_size p p_holm verdict folds failed_a failed_b
evidence/frequencies: a method and gene it selected; `auc_alone`: of the gene; `connected`: in the largest frequent part
    method symbol entrez frequency mean_weight same_sign auc_alone known degree connected failed
evidence/all_genes: a fold: the AUC (concordance of Cox's model) of ridge on all genes, in the network or not
    trial fold n_genes value
evidence/stability: a method: how similar its gene sets are
    method nogueira low high mean_jaccard mean_genes supports failed
evidence/jaccard: an ordered pair of methods
    method_a method_b jaccard failed_a failed_b
evidence/known: a method: known genes against chance
    method known_in_network union_found union_genes average_precision chance_precision overlap p p_matched genes_tested
    failed
evidence/union: a known gene; a column per method
    symbol in_network
evidence/pathways: a method and pathway that shares genes with it; q is over the pathways of a collection
    method collection pathway name genes_in_network overlap expected p q p_matched q_matched genes genes_tested
    pathways_tested failed
evidence/patients: a method and patient: her risk from fits that never saw her
    method patient risk score time event group
evidence/survival: a method: its groups of high and low risk
    method n_high n_low hazard_ratio low high logrank_p split_at ratio_before ratio_after p_change concordance
    concordance_low concordance_high failed_folds
evidence/km: a point of a survival curve
    method group time survival low high at_risk
evidence/roc: a point of a ROC curve
    method false_positive_rate sensitivity low high
evidence/calibration: a method and group of patients by predicted probability
    method bin predicted observed low high patients predicted_prior
evidence/outcomes: a reading of the outcome and method
    outcome method patients events auc low high balanced_error failed_folds
evidence/other_event: a method, and an event that no fit learned or the one learned, in the patients who have both
    outcome method patients events auc low high
evidence/signatures: a method: its signature, the model of all patients; the files are signatures/<method>.json and .tsv
    method genes_used intercept cut_off sparsity lambda C n_blocks inner_error status patients events scaling
evidence/final_models: a method and gene of its signature; mean and scale are those of the training patients
    method symbol entrez weight mean scale
evidence/external: a cohort and model
    cohort model patients events event_means genes_used genes_missing missing auc low high concordance concordance_low
    concordance_high hazard_ratio hr_low hr_high logrank_p
evidence/external_km: a point of a survival curve in another cohort
    cohort model group time survival low high at_risk
evidence/external_differences: a cohort and model: its AUC minus that of ridge
    cohort model baseline difference low high p
evidence/random_sets: a cohort and model against random connected gene sets
    cohort model auc random_median random_low random_high share_as_good sets genes auc_refit share_as_good_refit
evidence/clinical: a cohort and clinical column
    cohort column meaning known note
evidence/added_value: a cohort, model and set of clinical covariates
    cohort model covariates patients events hazard_ratio low high p p_likelihood_ratio
evidence/left_out: a round of training, cohort left out, method and metric
    round cohort method metric value error low high
evidence/left_out_differences: the same minus the figure of ridge, on the same resamples
    round cohort method metric value error low high
evidence/left_out_summary: a round, method and metric over cohorts left out: random effects and heterogeneity
    round method metric of cohorts mean estimate low high tau i2 p
evidence/left_out_models: a round, cohort left out and model
    round cohort method patients events events_by_horizon followed_to_horizon n_nonzero sparsity lambda C inner_error
evidence/left_out_genes: a round, method and gene: the models of cohorts left out that have it
    round method symbol entrez models mean_weight same_sign
evidence/strata: a round, cohort left out, method and stratum: AUC for event status within it
    round cohort method column stratum patients events auc low high
evidence/left_out_value: a round, cohort left out (or all) and method: hazard ratio adjusted for known predictors
    round cohort method beside covariates patients events hazard_ratio low high p p_likelihood_ratio
evidence/controls: a control and method
    control method repetitions balanced_error balanced_error_std auc auc_std p seconds p_auc difference low high
    mean_genes mean_jaccard failed
evidence/permuted: a method and trial of the study (`real`) or of the same on permuted outcomes (`permuted`)
    method labels number auc balanced_error_tuned balanced_error n_nonzero stability stable_genes cell_cycle
    cell_cycle_matched pathways pathways_matched hazard_ratio failed
evidence/permuted_summary: a method and statistic: the study's mean over trials and that of trials on permuted outcomes
    method statistic trials real matched repetitions permuted low high p
evidence/permuted_genes: a method and gene that it selected on permuted outcomes: in which share of their folds
    method symbol frequency repetitions
evidence/permuted_pathways: a method and gene set that stable genes share, in the study and on permuted outcomes
    method collection pathway name genes_in_network overlap matched permuted p repetitions
evidence/planted: a planted gene set, strength of its effect and method: how much of the set it finds
    size effects strength draw method selected recall precision near auc best_auc
evidence/planted_summary: a size, kind of effects, strength, method and measure; differences are to no network
    size effects strength method measure draws value low high without difference difference_low difference_high
evidence/planted_pairs: the same of two methods, the first with the network: shares found, paired by draw
    size effects strength method other draws difference low high ratio ratio_low ratio_high
evidence/lambda_path: a method and penalty: stability on the real outcome, and the share found of planted sets
    method lambda sparsity fits stability often auc size strength draws recall low high
compare/runs: a run and method, over all folds; the intervals are corrected for overlapping folds
    run cohort network method patients events n_genes n_edges auc auc_low auc_high balanced_error balanced_error_low
    balanced_error_high n_nonzero failed
compare/recurrence: a gene that the headline method selected in any run; `chance`: p of as many runs by random draws
    symbol entrez method measured_in frequent_in frequent_cohorts chance same_sign
compare/recurrent: a number of runs: the genes that are frequent in at least as many, and those of random draws
    runs observed expected p draws
compare/transfer: a run and cohort: its models in patients they never saw, out of fold where `own` is 1
    run cohort method own patients events genes_used genes_missing auc low high
compare/patients: a patient and run: the share of her cohort with a lower risk by models that never saw her
    cohort patient event run own percentile
compare/overlaps: a pair of runs: the frequent genes that both have, and those of random draws
    run_a run_b same_patients shared_genes frequent_a frequent_b overlap expected p jaccard jaccard_expected same_sign
    p_sign genes
"""
TABLES = {
    name: Table(row, tuple(columns.split()))
    for name, row, columns in re.findall(r"(\S+): (.*)\n((?: {4}.*\n)+)", _DECLARED)
}
# Tables with further columns: the concordance of Cox's model; one per method; frequency and weight of each run.
OPEN_ENDED = ("metrics", "picked", "summary", "evidence/union", "compare/recurrence")
# Never numbers, whatever they look like: a gene can be called NA, or 1.
_TEXT = """
    method method_a method_b group metric setting symbol patient cohort model baseline collection pathway name genes
    missing union_genes status verdict note column meaning covariates event_means outcome host finished control
    round cohorts of stratum beside run run_a run_b network scaling labels statistic measure without
    effects other
"""
TEXT = frozenset(_TEXT.split())


def columns(name: str) -> list[str]:
    """Return the columns of a table."""
    return list(TABLES[name].columns)


def name_of(path: str | Path) -> str:
    """Return the name of the table in a file: `evidence/km` for results/nki/scnet/evidence/km.csv."""
    path = Path(path)
    nested = f"{path.parent.name}/{path.stem}"
    return nested if nested in TABLES else path.stem


def _check(frame: pd.DataFrame, path: str | Path) -> None:
    lacking = [column for column in columns(name_of(path)) if column not in frame.columns]
    if lacking:
        raise StudyError(f"{path}: the table has no column {', '.join(lacking)}. Delete the file and run again.")


def write(path: str | Path, frame: pd.DataFrame) -> None:
    """Write a table: its declared columns in their order, then the further ones of an open-ended table."""
    _check(frame, path)
    name, order = name_of(path), columns(name_of(path))
    if name in OPEN_ENDED:
        order += [column for column in frame.columns if column not in order]
    write_text(path, frame[order].to_csv(index=False))


def write_all(paths: list[str], frames: dict[str, pd.DataFrame]) -> None:
    """Write tables by name; `paths` are the files that the rule declares, one per table."""
    by_name = {name_of(path): path for path in paths}
    if by_name.keys() != frames.keys():
        raise ValueError(f"declared {sorted(by_name)}, computed {sorted(frames)}")
    for name, frame in frames.items():
        write(by_name[name], frame)


def read(path: str | Path) -> pd.DataFrame:
    """Return a table; text columns hold text, empty where nothing is."""
    # In the summary `all` stands among the numbers of trials.
    text = TEXT | ({"trial"} if name_of(path) == "summary" else set())
    try:
        head = pd.read_csv(path, nrows=0).columns
        frame = pd.read_csv(
            path,
            dtype=dict.fromkeys(text, str),
            keep_default_na=False,
            na_values={column: ["", "NaN", "nan"] for column in head if column not in text},
        )
    except (FileNotFoundError, pd.errors.EmptyDataError):
        raise StudyError(f"{path}: the table is missing. Run the command that writes it again.") from None
    _check(frame, path)
    return frame


def empty(name: str) -> pd.DataFrame:
    """Return a table without rows."""
    return pd.DataFrame(columns=columns(name))


def stack(name: str, parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return a table of several parts, without rows where no part has any."""
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else empty(name)


def markdown(rows: list[dict]) -> str:
    """Return rows as a Markdown table without padding, so that a changed cell changes one line only."""
    unchanged = {"stralign": None, "numalign": None, "disable_numparse": True}
    return pd.DataFrame(rows).to_markdown(index=False, tablefmt="pipe", **unchanged)
