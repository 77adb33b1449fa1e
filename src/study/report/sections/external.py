"""The section on other cohorts: does the signature hold where it was not made?"""

from __future__ import annotations

from study.data.registry import COHORTS
from study.evidence.external import OF_METHOD
from study.figures.evidence import external_auc
from study.report.blocks import Column, Missing, Section, draw, make_table, notes
from study.report.charts import km_chart
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import count

# By the table's name: its caption, its columns, how many rows are shown at first, and how columns are written.
TABLES = {
    "external_differences": (
        "The AUC of each model minus that of ridge on all genes, in the same patients.",
        "cohort model difference low high",
        12,
        {"sign": True, "difference": "AUC, model − ridge"},
    ),
    "random_sets": (
        "The signature against random gene sets of the same size, fitted the same way: many "
        "random sets predict breast-cancer outcome (Venet et al. 2011), so that beating one half "
        "is not enough.",
        "cohort model auc random_median random_low random_high share_as_good sets",
        11,
        {},
    ),
    "added_value": (
        "What the score adds to what a clinician already knows: hazard ratio per standard "
        "deviation of the score beside clinical covariates.",
        "cohort model covariates patients events hazard_ratio low high p p_likelihood_ratio",
        12,
        {"digits": 2},
    ),
}


def section(inputs: Inputs) -> Section:
    """Return the signature in cohorts it never saw."""
    evidence = inputs.evidence
    table = evidence.get("external")
    title = ("external", "In other cohorts", "Other cohorts")
    if table is None:
        named = COHORTS[inputs.config["cohort"]].external
        reason = "run `make study`" if named else "the registry names none for models of this one"
        text = f"Models have not been tested in other cohorts in this run; {reason}."
        return Section(*title, [Missing(text)])
    blocks = [
        make_table(
            "external-models",
            "Models fitted on all patients of the study, applied unchanged to patients of other studies. "
            "Genes that a cohort did not measure are left out of the score; the intervals are of the "
            "cohort's patients, not of the choice of genes.",
            table,
            columns(
                "cohort model patients events event_means genes_used genes_missing auc low high concordance "
                "hazard_ratio hr_low hr_high logrank_p"
            ),
            limit=13,
        ),
        draw(
            "external-auc",
            "AUC in other cohorts",
            "The AUC of every model in every cohort with its 95 % interval; the line at 0.5 is guessing.",
            external_auc(table),
        ),
    ]
    if "external_km" in evidence:
        blocks.append(
            km_chart(
                "external-km",
                evidence["external_km"],
                ["cohort", "model"],
                "Survival in other cohorts by risk group",
                "follow-up time, in the cohort's unit",
                "Groups are cut at the median score of the cohort, whose outcome nothing was fitted to.",
            )
        )
    for name, (caption, keys, limit, options) in TABLES.items():
        if name in evidence:
            shown = columns(keys, **options)
            blocks.append(make_table(name.replace("_", "-"), caption, evidence[name], shown, limit))
    if "clinical" in evidence:
        known = Column("known", "Known for", count)
        shown = [*columns("cohort column meaning"), known, *columns("note")]
        caption = "Clinical columns of the cohorts, and for how many patients they are known."
        blocks.append(make_table("clinical", caption, evidence["clinical"], shown, limit=10))
    texts = evidence.get("external_notes")
    # What the models reach stands in the answer.
    return Section(*title, blocks + notes(None if texts is None else texts[~texts["part"].str.startswith(OF_METHOD)]))
