"""The section on other cohorts: does the signature hold where it was not made?"""

from __future__ import annotations

import pandas as pd

from study.palette import colour, label
from study.report.blocks import Column, Missing, Section, make_table, notes
from study.report.inputs import Inputs
from study.report.sections.patients import km_chart
from study.report.show import count, fixed, method, percent, probability, signed


def elsewhere_section(inputs: Inputs) -> Section:
    """Return the signature in cohorts it never saw."""
    section = Section("elsewhere", "In other cohorts", "Elsewhere")
    evidence = inputs.evidence
    table = evidence.get("external")
    if table is None:
        section.blocks.append(
            Missing(
                "The signature has not been tried on other cohorts in this run; run `snakemake evidence` "
                "(cohort nki)."
            )
        )
        return section
    columns = [
        Column("cohort", "Cohort", numeric=False),
        Column("model", "Model", method, numeric=False),
        Column("patients", "Patients", count),
        Column("events", "Events", count),
        Column("event_means", "Event", numeric=False),
        Column("genes_used", "Genes used", count),
        Column("genes_missing", "Genes missing", count),
        Column("auc", "AUC", fixed(3)),
        Column("low", "95 % from", fixed(3)),
        Column("high", "to", fixed(3)),
        Column("concordance", "Concordance", fixed(3)),
        Column("hazard_ratio", "Hazard ratio", fixed(2)),
        Column("hr_low", "95 % from", fixed(2)),
        Column("hr_high", "to", fixed(2)),
        Column("logrank_p", "Log-rank p", probability),
    ]
    section.blocks.append(
        make_table(
            "external",
            "Models fitted on all patients of the study, applied unchanged to patients of other studies. "
            "Genes that a cohort did not measure are left out of the score; the intervals are of the "
            "cohort's patients, not of the choice of genes.",
            table,
            columns,
            limit=13,
        )
    )
    if "external_km" in evidence:
        joined = evidence["external_km"]
        joined = joined.assign(view=joined["cohort"] + ", " + [label(str(name)) for name in joined["model"]])
        shades = {row.view: colour(str(row.model)) for row in joined.itertuples()}
        section.blocks.append(
            km_chart(
                "external-km",
                joined,
                "view",
                "Survival in other cohorts by risk group",
                "follow-up time, in the cohort's unit",
                "Groups are cut at the median score of the cohort, whose outcome nothing was fitted to.",
                shades,
            )
        )
    section.blocks.extend(_external_tables(evidence))
    said = evidence.get("external_notes")
    # What is said of transfer stands in the answer.
    section.blocks.extend(notes(None if said is None else said[~said["part"].str.startswith("transfer")]))
    return section


def _external_tables(evidence: dict[str, pd.DataFrame]) -> list:
    blocks = []
    if "external_differences" in evidence:
        columns = [
            Column("cohort", "Cohort", numeric=False),
            Column("model", "Model", method, numeric=False),
            Column("difference", "AUC, model − ridge", signed(3)),
            Column("low", "95 % from", signed(3)),
            Column("high", "to", signed(3)),
        ]
        blocks.append(
            make_table(
                "external-differences",
                "The AUC of each model minus that of ridge on all genes, in the same patients.",
                evidence["external_differences"],
                columns,
                limit=12,
            )
        )
    if "random_sets" in evidence:
        columns = [
            Column("cohort", "Cohort", numeric=False),
            Column("model", "Model", method, numeric=False),
            Column("auc", "AUC", fixed(3)),
            Column("random_median", "Random sets, median", fixed(3)),
            Column("random_low", "2.5 %", fixed(3)),
            Column("random_high", "97.5 %", fixed(3)),
            Column("share_as_good", "As good", percent),
            Column("sets", "Sets", count),
        ]
        blocks.append(
            make_table(
                "random-sets",
                "The signature against random gene sets of the same size, fitted the same way: many "
                "random sets predict breast-cancer outcome (Venet et al. 2011), so that beating one half "
                "is not enough.",
                evidence["random_sets"],
                columns,
                limit=11,
            )
        )
    if "added_value" in evidence:
        columns = [
            Column("cohort", "Cohort", numeric=False),
            Column("model", "Model", method, numeric=False),
            Column("covariates", "Beside", numeric=False),
            Column("patients", "Patients", count),
            Column("events", "Events", count),
            Column("hazard_ratio", "Hazard ratio", fixed(2)),
            Column("low", "95 % from", fixed(2)),
            Column("high", "to", fixed(2)),
            Column("p", "p", probability),
            Column("p_likelihood_ratio", "p, likelihood ratio", probability),
        ]
        blocks.append(
            make_table(
                "added-value",
                "What the score adds to what a clinician already knows: hazard ratio per standard "
                "deviation of the score beside clinical covariates.",
                evidence["added_value"],
                columns,
                limit=12,
            )
        )
    if "clinical" in evidence:
        columns = [
            Column("cohort", "Cohort", numeric=False),
            Column("column", "Column", numeric=False),
            Column("meaning", "Meaning", numeric=False),
            Column("known", "Known for", count),
            Column("note", "Note", numeric=False),
        ]
        blocks.append(
            make_table(
                "clinical",
                "Clinical columns of the cohorts, and for how many patients they are known.",
                evidence["clinical"],
                columns,
                limit=10,
            )
        )
    return blocks
