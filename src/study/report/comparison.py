"""The page that compares runs: how well each predicts, and which genes recur."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures.runs import auc_by_run, recurrent_genes
from study.methods import headline, label
from study.report.blocks import Column, Missing, Section, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.show import count, gene_link, listed, probability, share

SHOWN_GENES = 40
ACCURACY = "method auc auc_low auc_high balanced_error balanced_error_low balanced_error_high n_nonzero"
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
    runs = by_name["compare/runs"]
    return [_runs(runs, unfinished, by_name["compare/recurrent"]), _genes(by_name)]


def _page_of(row: dict) -> Markup:
    return Markup('<a href="{}/report.html">{}</a>').format(row["run"].replace("/", "-"), row["run"])


def _runs(runs: pd.DataFrame, unfinished: list[str], recurrent: pd.DataFrame) -> Section:
    blocks = [Text(_answer(runs, recurrent))]
    if unfinished:
        blocks.append(Missing(f"Not finished, and not on this page: {listed(unfinished)}; run `make study`."))
    data = runs.drop_duplicates("run")
    run = Column("run", "Run", numeric=False, of_row=_page_of)
    blocks += [
        make_table(
            "data-by-run",
            "The runs, each with a report of its own: its patients, and the largest connected part of its network.",
            data[["run", "cohort", "network", "patients", "events", "n_genes", "n_edges"]],
            [run, *columns("cohort network patients events n_genes n_edges")],
        ),
        draw(
            "auc-by-run",
            "AUC of every method in every run",
            "Mean AUC over the test folds with its 95 % interval, corrected for overlapping folds; the line at 0.5 is "
            "guessing. Panels of one cohort show how much the choice of the network matters.",
            auc_by_run(runs),
        ),
        make_table(
            "accuracy-by-run",
            "Mean over the test folds, with intervals corrected for overlapping folds, and genes selected on average.",
            runs,
            [
                run,
                *columns("method auc auc_low auc_high balanced_error balanced_error_low balanced_error_high n_nonzero"),
            ],
        ),
    ]
    return Section("runs", "How well does each run predict?", "Runs", blocks)


def _answer(runs: pd.DataFrame, recurrent: pd.DataFrame) -> Markup:
    method = headline(list(dict.fromkeys(runs["method"])))
    auc = runs.loc[runs["method"] == method, "auc"]
    text = paragraph(
        "{cohorts} on {networks}: {n} runs. The AUC of {method} on patients it never saw is {low} to {high}.",
        cohorts=listed([*dict.fromkeys(runs["cohort"])]),
        networks=listed([*dict.fromkeys(runs["network"])]),
        n=runs["run"].nunique(),
        method=label(method),
        low=f"{auc.min():.3f}",
        high=f"{auc.max():.3f}",
    )
    if len(recurrent):
        two = recurrent.iloc[0]
        text += paragraph(
            "{observed} genes are selected in at least half of the folds of at least two runs, where {expected} are "
            "expected by chance (p = {p}).",
            observed=count(two["observed"]),
            expected=f"{two['expected']:.1f}",
            p=probability(two["p"]),
        )
    if runs["cohort"].nunique() < runs["run"].nunique():
        text += paragraph("{same}", same=SAME_PATIENTS)
    return text


def _genes(by_name: dict[str, pd.DataFrame]) -> Section:
    title = ("recurrence", "Which genes recur?", "Genes")
    table, overlaps = by_name["compare/recurrence"], by_name["compare/overlaps"]
    if table.empty:
        text = "No method of these runs selects genes, or only one run is finished; run `make study` with a list."
        return Section(*title, [Missing(text)])
    names = [column.removeprefix("frequency ") for column in table.columns if column.startswith("frequency ")]
    method = label(table["method"].iloc[0])
    shown = table[table["frequent_in"] > 1].head(SHOWN_GENES)
    blocks: list = [Text(paragraph("{chance}", chance=CHANCE))]
    if len(shown):
        by_run = {
            kind: shown.set_index("symbol")[[f"{kind} {name}" for name in names]].set_axis(names, axis=1)
            for kind in ("frequency", "weight")
        }
        blocks.append(
            draw(
                "recurrent-genes",
                "Genes that recur",
                f"How often {method} selects each gene in each run, and the sign of its mean weight (+: higher "
                "expression goes with more events), for the genes that most runs select in at least half of their "
                "folds. Blank: the run does not have the gene.",
                recurrent_genes(by_run["frequency"], by_run["weight"]),
            )
        )
    gene = Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"]))
    frequencies = [Column(f"frequency {name}", name, share) for name in names]
    blocks += [
        make_table(
            "recurrent",
            f"Genes that {method} selects in at least half of the folds of at least so many runs.",
            by_name["compare/recurrent"],
            columns("runs observed expected p", runs="At least so many runs", expected="expected by chance"),
        ),
        make_table(
            "recurrence-of-genes",
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
            "Pairs of runs, among the genes that both have: frequent genes of each and of both, expected by chance, "
            "Jaccard indices, and how many of the common ones have weights of the same sign (p: binomial).",
            overlaps,
            columns(
                "run_a run_b same_patients shared_genes frequent_a frequent_b overlap expected p jaccard "
                "jaccard_expected same_sign p_sign genes",
                overlap="Of both",
            ),
        ),
    ]
    return Section(*title, blocks)
