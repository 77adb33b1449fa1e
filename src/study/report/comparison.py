"""The page that compares runs: how well each predicts, which genes recur, and the same patient by several models."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from study.figures.forest import forest
from study.figures.methods import GUESSING
from study.figures.runs import patients_by_model, recurrent_counts, recurrent_genes, run_matrix
from study.methods import colour, headline, label
from study.report.blocks import Column, Figure, Section, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.show import count, gene_link, listed, probability, share

QUESTION = "Which genes predict the outcome in several cohorts or networks, and how sure are we?"
SHOWN_GENES = 30
SAME_PATIENTS = (
    "Runs of one cohort on several networks are runs of the same patients: that they choose the same genes is no "
    "independent evidence, and only pairs of different cohorts say whether a gene holds elsewhere."
)
CHANCE = (
    "By chance means that each run had drawn as many genes at random, among those of its genes that as many runs have "
    "(in a pair: among the genes of both). This is chance in the choice of genes only; genes that go up and down "
    "together are not independent, so the p values, those of the signs above all, are too small."
)


def sections(by_name: dict[str, pd.DataFrame], unfinished: list[str]) -> list[Section]:
    """Return the sections of the page; `unfinished` are the runs that are not in the tables."""
    parts = [_runs(by_name, unfinished), _genes(by_name), _patients(by_name)]
    return [part for part in parts if not part.is_empty]


def _page_of(row: dict) -> Markup:
    return Markup('<a href="{}/report.html">{}</a>').format(row["run"].replace("/", "-"), row["run"])


RUN = Column("run", "Run", numeric=False, of_row=_page_of)


def _runs(by_name: dict[str, pd.DataFrame], unfinished: list[str]) -> Section:
    runs = by_name["compare/runs"]
    method = headline(list(dict.fromkeys(runs["method"])))
    own = runs[runs["method"] == method]
    matrix = own.pivot(index="cohort", columns="network", values="auc")
    matrix = matrix.loc[list(dict.fromkeys(own["cohort"])), list(dict.fromkeys(own["network"]))]
    matrix.index.name = matrix.columns.name = None
    figures = [
        *_recurrent(by_name["compare/recurrence"]),
        draw(
            "run-matrix",
            "The runs",
            f"Mean AUC of {label(method)} over the test folds, a cohort a row, a network a column.",
            run_matrix(matrix, "AUC"),
        ),
    ]
    rows = runs.assign(
        name=runs["method"].map(label),
        colour=runs["method"].map(colour),
        value=runs["auc"],
        low=runs["auc_low"],
        high=runs["auc_high"],
        panel=[f"{row.run}: {row.events} events in {row.patients}" for row in runs.itertuples()],
    )
    blocks = [
        make_table(
            "data-by-run",
            "The runs and their reports",
            "The runs, each with a report of its own: its patients, and the largest connected part of its network.",
            runs.drop_duplicates("run")[["run", "cohort", "network", "patients", "events", "n_genes", "n_edges"]],
            [RUN, *columns("cohort network patients events n_genes n_edges")],
        ),
        draw(
            "auc-by-run",
            "AUC of every method in every run",
            "Mean AUC over the test folds with its 95 % interval, corrected for overlapping folds; the line at 0.5 is "
            "guessing. Panels of one cohort show how much the choice of the network matters.",
            forest(rows, "AUC, 95 % interval", GUESSING, width=8.5),
        ),
        make_table(
            "accuracy-by-run",
            "Every method in numbers",
            "Mean over the test folds, with intervals corrected for overlapping folds, and genes selected on average.",
            runs,
            [
                RUN,
                *columns("method auc auc_low auc_high balanced_error balanced_error_low balanced_error_high n_nonzero"),
            ],
        ),
    ]
    lead = Markup('<div class="answer">{}</div>').format(_answer(by_name, method, unfinished))
    return Section("runs", "How well does each run predict?", "Runs", lead, figures, blocks)


def _recurrent(table: pd.DataFrame) -> list[Figure]:
    """Return the genes that most runs select; nothing where no method selects, or none twice."""
    shown = table[table["frequent_in"] > 1].head(SHOWN_GENES)
    if not len(shown):
        return []
    names = [column.removeprefix("frequency ") for column in table.columns if column.startswith("frequency ")]
    by_run = {
        kind: shown.set_index("symbol")[[f"{kind} {name}" for name in names]].set_axis(names, axis=1)
        for kind in ("frequency", "weight")
    }
    by_run["frequency"].index.name = None
    return [
        draw(
            "recurrent-genes",
            "Genes that recur",
            f"How often {label(table['method'].iloc[0])} selects each gene in each run, and the sign of its mean "
            "weight (+: higher expression goes with more events), for the genes that most runs select in at least half "
            "of their folds. Blank: the run does not have the gene.",
            recurrent_genes(by_run["frequency"], by_run["weight"]),
        )
    ]


def _answer(by_name: dict[str, pd.DataFrame], method: str, unfinished: list[str]) -> Markup:
    runs, recurrent = by_name["compare/runs"], by_name["compare/recurrent"]
    table, transfer = by_name["compare/recurrence"], by_name["compare/transfer"]
    auc = runs.loc[runs["method"] == method, "auc"]
    text = Markup("")
    if unfinished:
        said = f"Not finished, and not on this page: {listed(unfinished)}; run"
        text = paragraph('<strong class="gap">{said} <code>make study</code>.</strong>', said=said)
    text += paragraph(
        "Cohort {cohorts} on network {networks}: {n} runs. The AUC of {method} in patients it never saw is {low} to "
        "{high}.",
        cohorts=listed([*dict.fromkeys(runs["cohort"])]),
        networks=listed([*dict.fromkeys(runs["network"])]),
        n=runs["run"].nunique(),
        method=label(method),
        low=f"{auc.min():.3f}",
        high=f"{auc.max():.3f}",
    )
    if len(recurrent):
        two = recurrent.iloc[0]
        most = table[table["frequent_in"] == table["frequent_in"].max()]["symbol"].head(12).tolist()
        text += paragraph(
            "<b>Genes.</b> {observed} are selected in at least half of the folds of at least two runs, where "
            "{expected} are expected by chance (p = {p}); in the most runs, {most_runs}: {most}.",
            observed=count(two["observed"]),
            expected=f"{two['expected']:.1f}",
            p=probability(two["p"]),
            most_runs=count(table["frequent_in"].max()),
            most=listed(most),
        )
    elsewhere = transfer[transfer["own"] == 0]
    if len(elsewhere):
        text += paragraph(
            "<b>In other cohorts.</b> A model of one cohort has an AUC of {low} to {high} in the patients of another; "
            "beyond chance in {holds} of {n} tests.",
            low=f"{elsewhere['auc'].min():.2f}",
            high=f"{elsewhere['auc'].max():.2f}",
            holds=int((elsewhere["low"] > GUESSING).sum()),
            n=len(elsewhere),
        )
    if runs["cohort"].nunique() < runs["run"].nunique():
        text += paragraph("{same}", same=SAME_PATIENTS)
    return text


def _genes(by_name: dict[str, pd.DataFrame]) -> Section:
    title = ("recurrence", "Which genes recur?", "Genes")
    table, overlaps, recurrent = (by_name[f"compare/{name}"] for name in ("recurrence", "overlaps", "recurrent"))
    if table.empty:
        return Section(*title)
    names = [column.removeprefix("frequency ") for column in table.columns if column.startswith("frequency ")]
    method = label(table["method"].iloc[0])
    gene = Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"]))
    frequencies = [Column(f"frequency {name}", name, share) for name in names]
    figures = []
    if len(recurrent):
        figures.append(
            draw(
                "recurrent-counts",
                "How many genes recur",
                f"Genes that {method} selects in at least half of the folds of at least so many runs (red), and how "
                "many would by chance (hollow).",
                recurrent_counts(recurrent),
            )
        )
    blocks = [
        make_table(
            "recurrent",
            "How many genes recur, in numbers",
            f"Genes that {method} selects in at least half of the folds of at least so many runs.",
            recurrent,
            columns("runs observed expected p", runs="At least so many runs", expected="expected by chance"),
        ),
        make_table(
            "recurrence-of-genes",
            "Every gene in numbers",
            f"Every gene that {method} ever selected: the number of runs that have it, in how many runs and cohorts it "
            "is frequent (in at least half of the folds), the probability of as many runs by chance, whether the signs "
            "of its weights agree there, and its share of folds in each run. The file to save has the mean weights.",
            table.astype({"same_sign": object}),
            [
                gene,
                *columns("measured_in frequent_in frequent_cohorts chance"),
                Column("same_sign", "Signs agree", lambda value: "yes" if value else "no", numeric=False),
                *frequencies,
            ],
        ),
        make_table(
            "overlaps",
            "Pairs of runs",
            "Pairs of runs, among the genes that both have: frequent genes of each and of both, expected by chance, "
            "Jaccard indices, and how many of the common ones have weights of the same sign (p: binomial).",
            overlaps,
            columns(
                "run_a run_b same_patients shared_genes frequent_a frequent_b overlap expected p jaccard "
                "jaccard_expected same_sign p_sign genes",
                overlap="Of both",
            ),
        ),
        Text("What chance means here", paragraph("{chance}", chance=CHANCE)),
    ]
    lead = paragraph("{n} genes are selected by {method} in any run.", n=count(len(table)), method=method)
    return Section(*title, lead, figures, blocks)


def _patients(by_name: dict[str, pd.DataFrame]) -> Section:
    title = ("patients", "The same patient by models that never saw her", "Patients")
    table, patients = by_name["compare/transfer"], by_name["compare/patients"]
    if table.empty:
        return Section(*title)
    method = label(table["method"].iloc[0])
    correlations = []
    for _, part in patients.groupby("cohort", sort=False):
        between = part.pivot(index="patient", columns="run", values="percentile").corr().to_numpy()
        correlations += between[np.triu_indices(len(between), 1)].tolist()
    span = dict.fromkeys(f"{value:.2f}" for value in (min(correlations), max(correlations)))
    lead = paragraph("Two runs rank the patients of a cohort with a correlation of {span}.", span=" to ".join(span))
    matrix = table.pivot(index="run", columns="cohort", values="auc")
    matrix = matrix.loc[list(dict.fromkeys(table["run"])), list(dict.fromkeys(table["cohort"]))]
    matrix.index.name = matrix.columns.name = None
    figure = draw(
        "patients-by-model",
        "Every patient by every run",
        f"Each column is a patient, each row a run of {method}; red is high risk in her cohort, blue low; a mark above "
        "has the event. In her own cohort a risk is of folds that had left her out, in others of the model of all "
        "their patients.",
        patients_by_model(patients),
    )
    blocks = [
        make_table(
            "transfer",
            "Models in other cohorts, in numbers",
            "The AUC of each run's models in the patients of each cohort, with 95 % intervals over patients. Genes are "
            "standardised within the cohort; genes it lacks count as average.",
            table.drop(columns="method"),
            [
                RUN,
                *columns("cohort"),
                Column("own", "Out of fold", lambda value: "yes" if value else "", numeric=False),
                *columns("patients events genes_used genes_missing auc low high"),
            ],
        ),
        draw(
            "transfer-matrix",
            "Models in other cohorts",
            "AUC of the models of each run (row) in the patients of each cohort (column).",
            run_matrix(matrix, "AUC"),
        ),
    ]
    return Section(*title, lead, [figure], blocks)
