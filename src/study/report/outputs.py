"""What the report writes beside the page. Imports nothing, because the Snakefile reads it."""

# name of the file: label in Snakemake's own report
FIGURES = {
    "accuracy": "balanced error and AUC by method",
    "gene-frequencies": "how often genes are selected",
    "convergence": "course of the loss",
    "cost": "time per fit",
}
LATEX_TABLES = {
    "balanced_error": "balanced error by trial",
    "auc": "AUC by trial",
    "n_nonzero": "genes selected by trial",
    "genes": "known genes found",
}
