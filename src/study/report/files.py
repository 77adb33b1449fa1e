"""What the report writes beside the page. Imports nothing, because the Snakefile reads it."""

LATEX_TABLES = {
    "auc": "AUC by trial",
    "balanced_error_tuned": "balanced error by trial",
    "balanced_error": "balanced error at one half by trial",
    "n_nonzero": "genes selected by trial",
    "genes": "known genes found",
}


def latex_tables_of(is_pooled: bool) -> dict[str, str]:
    """Return the LaTeX tables of a report: those of the paper, which has no pooled cohorts."""
    return {} if is_pooled else LATEX_TABLES
