"""The section on patients: risk groups, survival, discrimination and calibration."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures.forest import forest
from study.figures.survival import calibration, kaplan_meier, kaplan_meier_panels, risks, roc
from study.methods import colour, headline, label
from study.report.blocks import Figure, Missing, Section, Table, Text, draw, make_table, paragraph, term
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import probability
from study.report.templates import render

OUT_OF_FOLD = "Groups are made from scores of folds in which the patient was not used for fitting."
CURVES = (
    "Kaplan-Meier curves of the patients above (red) and below (blue) the median risk, with 95 % bands, and how many "
    "are still followed. "
)


def section(inputs: Inputs) -> Section:
    """Return Kaplan-Meier curves of out-of-fold risk groups, ROC, calibration and the patients themselves."""
    evidence = inputs.evidence
    title = ("patients", "What it means for patients", "Patients")
    if "km" not in evidence and "roc" not in evidence:
        return Section(*title, blocks=[Missing("risk groups, survival and calibration", "make study")])
    time = follow_up(inputs.cohort.unit)
    chosen, figures, blocks = headline(inputs.methods), [], []
    lead = Markup("")
    if "km" in evidence:
        km = evidence["km"]
        name = chosen if chosen in set(km["method"]) else km["method"].iloc[0]
        lead = _lead(evidence.get("survival"), name)
        figures.append(
            draw(
                "km",
                f"Survival by risk group: {label(name)}",
                CURVES + OUT_OF_FOLD,
                kaplan_meier(km[km["method"] == name], time),
            )
        )
        if "survival" in evidence:
            blocks += [_ratios(evidence["survival"]), _survival(evidence["survival"])]
        caption = f"The same curves for every method. {OUT_OF_FOLD}"
        blocks.append(
            draw(
                "km-methods", "Survival by risk group, every method", caption, kaplan_meier_panels(km, ["method"], time)
            )
        )
    if "roc" in evidence:
        # Without survival times this is what there is to look at.
        (blocks if figures else figures).append(_roc(evidence["roc"]))
    if "calibration" in evidence:
        blocks += _calibration(evidence["calibration"])
    if "patients" in evidence and evidence["patients"]["time"].notna().all():
        blocks.append(_risks(evidence["patients"], time))
    if "outcomes" in evidence:
        blocks.append(
            make_table(
                "outcomes",
                "Other readings of the outcome",
                "The same out-of-fold scores judged by other outcomes; patients lost before the horizon are left "
                "out. The fits were not made anew.",
                evidence["outcomes"],
                columns("outcome method patients events auc low high balanced_error"),
            )
        )
    return Section(*title, lead, figures, [*blocks, Text("Notes", _notes(inputs))])


def _notes(inputs: Inputs) -> Markup:
    """Return what a reader must know of the tables."""
    survival = inputs.evidence.get("survival")
    permuted = survival[survival["permutation_p"].notna()] if survival is not None else ()
    return render(
        "patients_notes.html.j2",
        horizon=inputs.config["outcome"]["horizon"],
        event=inputs.cohort.event,
        unit=inputs.cohort.unit,
        has_times="km" in inputs.evidence,
        permuted=permuted.iloc[0].to_dict() if len(permuted) else None,
        failed=inputs.failed["method"].value_counts(sort=False).to_dict(),
    )


def follow_up(unit: str) -> str:
    """Return what the axis of times is called."""
    return f"follow-up time ({unit})" if unit else "follow-up time"


def _lead(table: pd.DataFrame | None, name: str) -> Markup:
    """Return the hazard ratio of the two groups."""
    if table is None or name not in set(table["method"]):
        return Markup("")
    row = table.set_index("method").loc[name]
    halves = ""
    if pd.notna(row["p_change"]):
        halves = (
            f" A ratio takes it to be the same at all times: up to {row['split_at']:.1f}, the median time of an event, "
            f"it is {row['ratio_before']:.2f}, after that {row['ratio_after']:.2f} (p that they are equal "
            f"{probability(row['p_change'])})."
        )
    return paragraph(
        "The {high} patients of higher risk by {name} have {ratio} times the hazard of the other {low_n} (95 % "
        "interval {low} to {high_bound}); concordance of risk and survival {concordance}.{halves}",
        halves=halves,
        high=int(row["n_high"]),
        low_n=int(row["n_low"]),
        name=label(name),
        ratio=f"{row['hazard_ratio']:.2f}",
        low=f"{row['low']:.2f}",
        high_bound=f"{row['high']:.2f}",
        concordance=f"{row['concordance']:.2f}",
    )


def _ratios(table: pd.DataFrame) -> Figure:
    rows = table.assign(
        name=table["method"].map(label), colour=table["method"].map(colour), value=table["hazard_ratio"]
    )
    return draw(
        "hazard-ratios",
        "Hazard ratios, every method",
        "Hazard of the patients above the median risk over that of the others, with 95 % intervals, on a logarithmic "
        "axis; 1 is no difference. Intervals take the risks as given.",
        forest(rows, "hazard ratio, high against low risk", 1.0, log=True),
    )


def _survival(table: pd.DataFrame) -> Table:
    return make_table(
        "survival",
        "Survival in numbers",
        "Patients split by their mean out-of-fold probability over all trials: hazard ratio of high "
        "against low risk, log-rank test, and concordance of risk and survival. Out-of-fold scores of "
        "different patients share training patients, so p values are somewhat too small; where it was "
        "run, permutation of the outcome gives an honest one. A hazard ratio takes the ratio to be the same at all "
        "times: the columns before and after are of events up to and after the median time of an event, "
        f"{table['split_at'].iloc[0]:.1f}, with the p that both are the same.",
        table,
        columns(
            "method n_high n_low hazard_ratio low high logrank_p permutation_p ratio_before ratio_after p_change "
            "concordance concordance_low concordance_high",
            digits=2,
        ),
    )


def _roc(table: pd.DataFrame) -> Figure:
    caption = Markup(
        "ROC curves of the out-of-fold scores, averaged over trials; the diagonal is guessing and the "
        "area below a curve is the {auc}."
    ).format(auc=term("AUC"))
    return draw("roc", "ROC curves", caption, roc(table))


def _calibration(table: pd.DataFrame) -> list[Figure]:
    return [
        draw(
            "calibration",
            "Calibration as fitted",
            "Predicted probability against the observed share of events, in bins of patients. Classes are "
            "weighted equally in fitting, so that predictions are higher than the observed shares by "
            "design, and points lie below the diagonal: a probability of one half is the decision, not "
            "the expected share.",
            calibration(table, "predicted"),
        ),
        draw(
            "calibration-prior",
            "Calibration at the cohort's share of events",
            "The same with predictions brought to the cohort's share of events.",
            calibration(table, "predicted_prior"),
        ),
    ]


def _risks(table: pd.DataFrame, time: str) -> Figure:
    name = headline(list(dict.fromkeys(table["method"])))
    return draw(
        "risk",
        f"Risk of every patient: {label(name)}",
        "Every patient: mean out-of-fold probability over the trials, and time to the event or to the end of "
        "follow-up; hover for a patient's name and numbers. A good method has the red points on the right.",
        risks(table[table["method"] == name], time),
    )
