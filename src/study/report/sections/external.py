"""The signature in cohorts it never saw."""

import pandas as pd

from study.evidence.external import SIGNATURE
from study.figures.forest import forest
from study.figures.methods import GUESSING
from study.figures.survival import kaplan_meier_by_cohort
from study.methods import PAIRS, REFERENCE
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.first_screen import held_elsewhere
from study.report.inputs import Inputs, first_method


def section(inputs: Inputs) -> Section:
    """Return the signature in cohorts it never saw; nothing where the registry names none to test it in."""
    evidence, table = inputs.evidence, inputs.table("external")
    if table.empty:
        return Section()
    shown, chosen = Section(), first_method(table, "model")
    first = table[table["model"].isin([chosen, PAIRS.get(chosen), REFERENCE])]
    shown.draw("external-auc", forest(as_forest(first), "AUC, 95 % interval", GUESSING, across=1))
    keys = (
        "cohort model patients events event_means genes_used genes_missing auc low high concordance hazard_ratio "
        "hr_low hr_high logrank_p"
    )
    shown.tabulate("external-models", table, columns(keys), limit=13)
    km = inputs.table("external_km")
    drawn = first_method(km, "model")
    if drawn:
        time = "follow-up time, in the cohort's unit"
        shown.draw("external-km", kaplan_meier_by_cohort(km[km["model"] == drawn], time))
    further = {
        "external_differences": "difference low:+3 high:+3",
        "random_sets": "auc random_median random_low random_high share_as_good sets",
        "added_value": "covariates patients events hazard_ratio low:2 high:2 p p_likelihood_ratio",
    }
    for name, keys in further.items():
        heads = columns(f"cohort model {keys}", difference="AUC, model − ridge")
        shown.tabulate(name.replace("_", "-"), evidence.get(name), heads, limit=12)
    heads = [*columns("cohort column meaning"), Column("known", "Known for"), *columns("note")]
    shown.tabulate("clinical", evidence.get("clinical"), heads, limit=10)
    shown.numbers = {
        "applied": held_elsewhere(inputs) if chosen in PAIRS else None,
        "drawn": drawn,
        "reference": REFERENCE,
        "signature": SIGNATURE,
    }
    return shown


def as_forest(table: pd.DataFrame) -> pd.DataFrame:
    """Return the AUC of models by cohort, as a forest plot takes it."""
    return table.assign(
        method=table["model"],
        value=table["auc"],
        panel=[f"{row.cohort}: {row.events} events in {row.patients}" for row in table.itertuples()],
    )
