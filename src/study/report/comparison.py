"""The page that compares runs: how well each predicts, which genes recur, and the same patient by several models."""

import numpy as np
import pandas as pd
from markupsafe import Markup
from matplotlib.figure import Figure

from study.figures.methods import GUESSING
from study.figures.runs import patients_by_model, recurrent_counts, recurrent_genes, run_matrix
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.inputs import first_method
from study.report.page import as_page, figure_files
from study.report.show import fixed

QUESTION = "Which genes predict the outcome in several cohorts or networks, and how sure are we?"
TITLES = {
    "runs": ("How well does each run predict?", "Runs"),
    "recurrence": ("Which genes recur?", "Genes"),
    "same-patients": ("The same patient by models that never saw her", "Patients"),
}
SHOWN_GENES = 30
FREQUENCY = "frequency "
RUN = Column(
    "run",
    "Run",
    numeric=False,
    of_row=lambda row: Markup('<a href="{}/report.html">{}</a>').format(row["run"].replace("/", "-"), row["run"]),
)


def comparison_files(by_name: dict[str, pd.DataFrame], about: str) -> dict[str, str | Figure]:
    """Return the page and its figures by path, from the tables `compare/...`; `about` is its subtitle."""
    tables = {name.removeprefix("compare/"): table for name, table in by_name.items()}
    parts = {"runs": _runs(tables)}
    if len(tables["recurrence"]):
        parts["recurrence"] = _genes(tables)
    if len(tables["transfer"]):
        parts["same-patients"] = _patients(tables)
    return {"report.html": as_page(QUESTION, about, parts, TITLES)} | figure_files(parts)


def _runs(tables: dict[str, pd.DataFrame]) -> Section:
    runs, recurrence, recurrent = tables["runs"], tables["recurrence"], tables["recurrent"]
    method, shown = first_method(runs), Section()
    own = runs[runs["method"] == method]
    genes = recurrence[recurrence["frequent_in"] > 1].head(SHOWN_GENES).set_index("symbol")
    # No gene recurs where no method selects, or none selects a gene twice.
    if len(genes):
        frequency, weight = (
            genes.filter(regex=f"^{kind} ").rename(columns=lambda name: name.partition(" ")[2]).rename_axis(None)
            for kind in ("frequency", "weight")
        )
        shown.draw("recurrent-genes", recurrent_genes(frequency, weight))
    matrix = own.pivot(index="cohort", columns="network", values="auc")
    shown.draw("run-matrix", run_matrix(matrix.loc[own["cohort"].unique(), own["network"].unique()]))
    keys = "cohort network patients events n_genes n_edges"
    about = runs.drop_duplicates("run")[["run", *keys.split()]]
    shown.tabulate("data-by-run", about, [RUN, *columns(keys)])
    keys = "method auc auc_low auc_high balanced_error balanced_error_low balanced_error_high n_nonzero"
    shown.tabulate("accuracy-by-run", runs, [RUN, *columns(keys)])
    most = recurrence[recurrence["frequent_in"] == recurrence["frequent_in"].max()]
    elsewhere = tables["transfer"].query("own == 0")
    shown.numbers = {
        "method": method,
        "selecting": first_method(recurrence) or method,
        "cohorts": runs["cohort"].unique(),
        "networks": runs["network"].unique(),
        "n_runs": runs["run"].nunique(),
        "auc": own["auc"].tolist(),
        "two": recurrent.iloc[0].to_dict() if len(recurrent) else None,
        "most": {"runs": most["frequent_in"].max(), "genes": most["symbol"].head(12)},
        "elsewhere": elsewhere["auc"].tolist(),
        "holds": int((elsewhere["low"] > GUESSING).sum()),
    }
    return shown


def _genes(tables: dict[str, pd.DataFrame]) -> Section:
    table, recurrent, shown = tables["recurrence"], tables["recurrent"], Section()
    if len(recurrent):
        shown.draw("recurrent-counts", recurrent_counts(recurrent))
    shown.tabulate(
        "recurrence-of-genes",
        table.astype({"same_sign": object}),
        [
            *columns("gene measured_in frequent_in frequent_cohorts chance"),
            Column("same_sign", "Signs agree", lambda value: "yes" if value else "no", numeric=False),
            *(Column(key, key.removeprefix(FREQUENCY), fixed(2)) for key in table if key.startswith(FREQUENCY)),
        ],
    )
    keys = (
        "run_a run_b same_patients shared_genes frequent_a frequent_b overlap expected p jaccard jaccard_expected "
        "same_sign p_sign genes"
    )
    shown.tabulate("overlaps", tables["overlaps"], columns(keys, overlap="Of both"))
    shown.numbers = {"method": first_method(table), "n_genes": len(table)}
    return shown


def _patients(tables: dict[str, pd.DataFrame]) -> Section:
    table, patients, shown = tables["transfer"], tables["patients"], Section()
    correlations = []
    for _, part in patients.groupby("cohort", sort=False):
        between = part.pivot(index="patient", columns="run", values="percentile").corr().to_numpy()
        correlations += between[np.triu_indices(len(between), 1)].tolist()
    shown.draw("patients-by-model", patients_by_model(patients))
    own = Column("own", "Out of fold", lambda value: "yes" if value else "", numeric=False)
    keys = "patients events genes_used genes_missing auc low high"
    shown.tabulate("transfer", table.drop(columns="method"), [RUN, *columns("cohort"), own, *columns(keys)])
    shown.numbers = {"method": first_method(table), "correlations": correlations}
    return shown
