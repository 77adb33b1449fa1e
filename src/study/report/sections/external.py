"""The section on other cohorts: does the signature hold where it was not made?"""

from __future__ import annotations

import pandas as pd

from study.data.registry import COHORTS
from study.evidence.external import SIGNATURE
from study.figures.forest import forest
from study.figures.methods import GUESSING
from study.figures.survival import kaplan_meier_panels
from study.methods import PAIRS, REFERENCE, colour, headline, label
from study.report.blocks import Column, Missing, Section, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import count
from study.report.templates import render

# Genes are special if fewer random sets than this share reach the AUC of the model.
SPECIAL = 0.05
# By the table's name: its title, its caption, its columns, how many rows are shown at first, and how columns are
# written.
TABLES = {
    "external_differences": (
        "Minus ridge",
        "The AUC of each model minus that of ridge on all genes, in the same patients.",
        "cohort model difference low high",
        12,
        {"sign": True, "difference": "AUC, model − ridge"},
    ),
    "random_sets": (
        "Against random gene sets",
        "The signature against random gene sets of the same size, fitted the same way: many "
        "random sets predict breast-cancer outcome (Venet et al. 2011), so that beating one half "
        "is not enough.",
        "cohort model auc random_median random_low random_high share_as_good sets",
        11,
        {},
    ),
    "added_value": (
        "Beside clinical covariates",
        "What the score adds to what a clinician already knows: hazard ratio per standard "
        "deviation of the score beside clinical covariates.",
        "cohort model covariates patients events hazard_ratio low high p p_likelihood_ratio",
        12,
        {"digits": 2},
    ),
}


def section(inputs: Inputs) -> Section:
    """Return the signature in cohorts it never saw; nothing where the registry names none to test it in."""
    evidence = inputs.evidence
    table = evidence.get("external")
    title = ("external", "In other cohorts", "Other cohorts")
    if table is None:
        named = COHORTS[inputs.config["cohort"]].external
        return Section(*title, blocks=[Missing("tests in other cohorts", "make study")] if named else [])
    chosen = headline(list(dict.fromkeys(table["model"])))
    first = table[table["model"].isin([chosen, PAIRS.get(chosen), REFERENCE])]
    figure = draw(
        "external-auc",
        "AUC in other cohorts",
        "Models fitted on all patients of the study, applied unchanged to patients of other studies: AUC with its 95 % "
        "interval over the cohort's patients; 0.5 is guessing.",
        forest(as_forest(first), "AUC, 95 % interval", GUESSING, across=1),
    )
    blocks = [
        draw(
            "external-auc-models",
            "AUC in other cohorts, every model",
            "The AUC of every model in every cohort with its 95 % interval; the line at 0.5 is guessing.",
            forest(as_forest(table), "AUC, 95 % interval", GUESSING, width=8.5),
        ),
        make_table(
            "external-models",
            "Every model in numbers",
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
    ]
    if "external_km" in evidence:
        km = evidence["external_km"]
        own = km[km["model"] == (chosen if chosen in set(km["model"]) else km["model"].iloc[0])]
        blocks.append(
            draw(
                "external-km",
                "Survival in other cohorts",
                "Kaplan-Meier curves of the patients of high (red) and low (blue) risk by "
                f"{label(own['model'].iloc[0])}. Groups are cut at the median score of the cohort, whose outcome "
                "nothing was fitted to.",
                kaplan_meier_panels(own, ["cohort"], "follow-up time, in the cohort's unit"),
            )
        )
    for name, (head, caption, keys, limit, options) in TABLES.items():
        if name in evidence:
            shown = columns(keys, **options)
            blocks.append(make_table(name.replace("_", "-"), head, caption, evidence[name], shown, limit))
    if "clinical" in evidence:
        known = Column("known", "Known for", count)
        shown = [*columns("cohort column meaning"), known, *columns("note")]
        caption = "Clinical columns of the cohorts, and for how many patients they are known."
        blocks.append(make_table("clinical", "Clinical columns", caption, evidence["clinical"], shown, limit=10))
    spec = COHORTS[inputs.config["cohort"]]
    notes = render(
        "external_notes.html.j2",
        trained_on=spec.label,
        cohort=inputs.config["cohort"],
        event=spec.event,
        signature=SIGNATURE,
    )
    lead = ""
    if chosen in PAIRS:
        numbers = applied_numbers(evidence, chosen)
        lead = render("external_lead.html.j2", applied=numbers, trained_on=spec.label, reference=REFERENCE)
    return Section(*title, paragraph("{lead}", lead=lead), [figure], [*blocks, Text("Notes", notes)])


def applied_numbers(evidence: dict[str, pd.DataFrame], model: str) -> dict:
    """Return what a model reaches in other cohorts.

    It `holds` in a cohort when the whole 95 % interval of its AUC lies above one half; it is better or worse than ridge
    when the interval of the difference excludes 0; its genes are `special` when fewer than 5 % of random connected sets
    of their size reach its AUC.
    """
    own, against, random = (
        table[table["model"] == model] if table is not None else pd.DataFrame(columns=["low", "high", "difference"])
        for table in (evidence.get(name) for name in ("external", "external_differences", "random_sets"))
    )
    shares = random["share_as_good"].tolist() if len(random) else []
    return {
        "method": model,
        "cohorts": own.to_dict("records"),
        "holds": int((own["low"] > GUESSING).sum()),
        "differences": against["difference"].tolist(),
        "worse": int((against["high"] < 0).sum()),
        "better": int((against["low"] > 0).sum()),
        "shares": shares,
        "special": sum(share < SPECIAL for share in shares),
    }


def as_forest(table: pd.DataFrame) -> pd.DataFrame:
    """Return the AUC of models by cohort, as a forest plot takes it."""
    return table.assign(
        name=table["model"].map(label),
        colour=table["model"].map(colour),
        value=table["auc"],
        panel=[f"{row.cohort}: {row.events} events in {row.patients}" for row in table.itertuples()],
    )
