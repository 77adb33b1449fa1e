"""What the report writes beside the page. Imports nothing, because the Snakefile reads it."""

# By the name of a file, which is also the figure's id on the page: its label in Snakemake's own report.
FIGURES = {
    "accuracy": "balanced error and AUC by method",
    "differences-balanced-error": "differences in balanced error between methods",
    "differences-auc": "differences in AUC between methods",
    "ranks-balanced-error": "ranks by balanced error, and methods not told apart",
    "ranks-auc": "ranks by AUC, and methods not told apart",
    "gene-frequencies": "how often genes are selected",
    "genes-in-common": "genes that methods have in common",
    "control-repetitions": "controls: shuffled labels and random networks",
    "external-auc": "AUC in other cohorts",
    "time-per-fit": "time per fit",
}
LATEX_TABLES = {
    "balanced_error": "balanced error by trial",
    "auc": "AUC by trial",
    "n_nonzero": "genes selected by trial",
    "genes": "known genes found",
}
