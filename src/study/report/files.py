"""What the report writes beside the page. Imports nothing, because the Snakefile reads it."""

# By the name of a file, which is also the figure's id on the page: its label in Snakemake's own report.
FIGURES = {
    "accuracy": "AUC and balanced error by method",
    "differences-auc": "differences in AUC between methods",
    "differences-balanced-error-tuned": "differences in balanced error between methods",
    "ranks-auc": "ranks by AUC, and methods not told apart",
    "ranks-balanced-error-tuned": "ranks by balanced error, and methods not told apart",
    "inner-paths": "early stopping and penalty",
    "gene-frequencies": "how often genes are selected",
    "genes-in-common": "genes that methods have in common",
    "control-repetitions": "controls: shuffled labels and random networks",
    "planted-recall": "how much of a planted gene set is found",
    "external-auc": "AUC in other cohorts",
    "time-per-fit": "time per fit",
}
# Of pooled cohorts, whose folds are cohorts.
POOLED_FIGURES = {
    "left-out-auc": "AUC in the cohort left out",
    "inner-paths": "early stopping and penalty",
    "gene-frequencies": "how often genes are selected",
    "genes-in-common": "genes that methods have in common",
    "time-per-fit": "time per fit",
}
LATEX_TABLES = {
    "auc": "AUC by trial",
    "balanced_error_tuned": "balanced error by trial",
    "balanced_error": "balanced error at one half by trial",
    "n_nonzero": "genes selected by trial",
    "genes": "known genes found",
}


def figures_of(is_pooled: bool) -> dict[str, str]:
    """Return the figures of a report, by name."""
    return POOLED_FIGURES if is_pooled else FIGURES


def latex_tables_of(is_pooled: bool) -> dict[str, str]:
    """Return the LaTeX tables of a report: those of the paper, which has no pooled cohorts."""
    return {} if is_pooled else LATEX_TABLES
