"""The section on patients: risk groups, survival, discrimination and calibration."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.data.registry import COHORTS
from study.methods import colour, label
from study.report.blocks import Chart, Missing, Section, make_table, notes, term
from study.report.charts import by_method, chart, curve, first_view, km_chart, numbers
from study.report.columns import columns
from study.report.inputs import Inputs

UNIT_SQUARE = {"xmin": 0, "xmax": 1, "ymin": 0, "ymax": 1, "diagonal": True, "square": True}


def section(inputs: Inputs) -> Section:
    """Return Kaplan-Meier curves of out-of-fold risk groups, ROC, calibration and the patients themselves."""
    evidence = inputs.evidence
    title = ("patients", "What it means for patients", "Patients")
    if "km" not in evidence and "roc" not in evidence:
        text = "Risk groups, survival and calibration have not been computed; run `make study`."
        return Section(*title, [Missing(text)])
    unit = COHORTS[inputs.config["cohort"]].unit
    time = f"follow-up time ({unit})" if unit else "follow-up time"
    blocks = []
    if "survival" in evidence:
        blocks.append(_survival(evidence["survival"]))
    if "km" in evidence:
        blocks.append(
            km_chart(
                "km",
                evidence["km"],
                ["method"],
                "Survival by out-of-fold risk group",
                time,
                "Groups are made from scores of folds in which the patient was not used for fitting.",
            )
        )
    if "roc" in evidence:
        blocks.append(_roc(evidence["roc"]))
    if "calibration" in evidence:
        blocks.append(_calibration(evidence["calibration"]))
    if "patients" in evidence and evidence["patients"]["time"].notna().all():
        blocks.append(_risks(evidence["patients"], time))
    if "outcomes" in evidence:
        blocks.append(
            make_table(
                "outcomes",
                "The same out-of-fold scores judged by other outcomes; patients lost before the horizon are left "
                "out. The fits were not made anew.",
                evidence["outcomes"],
                columns("outcome method patients events auc low high balanced_error"),
            )
        )
    return Section(*title, blocks + notes(evidence.get("notes")))


def _survival(table: pd.DataFrame):
    return make_table(
        "survival",
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


def _roc(table: pd.DataFrame) -> Chart:
    return chart(
        "roc",
        "ROC curves",
        Markup(
            "ROC curves of the out-of-fold scores, averaged over trials; the diagonal is guessing and the "
            "area below a curve is the {auc}. Choose a method in the legend to hide or show it; bands are "
            "drawn when one is shown."
        ).format(auc=term("AUC")),
        [by_method(table, "false_positive_rate", "sensitivity")],
        type="line",
        x="false positive rate",
        y="sensitivity",
        **UNIT_SQUARE,
    )


def _calibration(table: pd.DataFrame) -> Chart:
    return chart(
        "calibration",
        "Calibration",
        "Predicted probability against the observed share of events, in bins of patients. Classes are "
        "weighted equally in fitting, so that predictions are higher than the observed shares by "
        "design, and points lie below the diagonal: a probability of one half is the decision, not "
        "the expected share. The second view has the predictions at the cohort's share of events.",
        [
            by_method(table, "predicted", "observed", "patients", "as fitted, classes balanced"),
            by_method(table, "predicted_prior", "observed", "patients", "at the cohort's share of events"),
        ],
        type="points",
        x="predicted probability",
        y="observed share of events",
        extra="patients",
        **UNIT_SQUARE,
    )


def _risks(table: pd.DataFrame, time: str) -> Chart:
    views = []
    for name, part in table.groupby("method", sort=False):
        series = []
        for event, shown in ((0, "no event"), (1, "event")):
            rows = part[part["event"] == event].sort_values(["risk", "patient"], kind="stable")
            shade = colour(name) if event else "#7b8694"
            names = {"y": numbers(rows["time"], 2), "names": rows["patient"].tolist()}
            series.append(curve(rows, "risk", "time", shown, shade) | names)
        views.append({"name": label(name), "series": series})
    return chart(
        "risk",
        "Risk of every patient",
        "Every patient: mean out-of-fold probability over the trials, and time to the event or to the end of "
        "follow-up. Patients with the event are coloured; hover for a patient's name and numbers. A good method "
        "has the coloured points on the right.",
        views,
        type="scatter",
        x="predicted risk",
        y=time,
        xmin=0,
        xmax=1,
        ymin=0,
        start=first_view(list(dict.fromkeys(table["method"]))),
    )
