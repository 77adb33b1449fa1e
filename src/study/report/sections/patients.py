"""The section on patients: risk groups, survival, discrimination and calibration."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.palette import colour, label
from study.report.blocks import Chart, Column, Missing, Section, as_json, make_table, notes, term
from study.report.inputs import Inputs
from study.report.show import count, fixed, method, probability

GROUP_DASH = {"high": "", "low": "5 4"}


def _numbers(values: pd.Series, digits: int = 4) -> list:
    return [None if pd.isna(value) else round(float(value), digits) for value in values]


def curves(
    table: pd.DataFrame, x: str, y: str, name: str, shade: str, dash: str = "", extra: str | None = None
) -> dict:
    """Return one series of a chart: points, band and colour."""
    band = {"low", "high"} <= set(table.columns)
    series = {"name": name, "colour": shade, "dash": dash, "x": _numbers(table[x]), "y": _numbers(table[y])}
    if band:
        series |= {"low": _numbers(table["low"]), "high": _numbers(table["high"])}
    if extra:
        series["extra"] = _numbers(table[extra], 0)
    return series


def first_view(names: list[str]) -> int:
    """Return which view a chart opens with: the paper's method where it is there."""
    return next((i for i, name in enumerate(names) if name.endswith(label("graph-svrg-iht"))), 0)


def patients_section(inputs: Inputs) -> Section:
    """Return Kaplan-Meier curves of out-of-fold risk groups, ROC, calibration and the patients themselves."""
    section = Section("patients", "What it means for patients", "Patients")
    evidence = inputs.evidence
    if "km" not in evidence and "roc" not in evidence:
        section.blocks.append(
            Missing("Risk groups, survival and calibration have not been computed; run `snakemake evidence`.")
        )
        return section
    if "survival" in evidence:
        section.blocks.append(_survival(evidence["survival"]))
    if "km" in evidence:
        section.blocks.append(
            km_chart(
                "km",
                evidence["km"],
                "method",
                "Survival by out-of-fold risk group",
                time_name(inputs),
                "Groups are made from scores of folds in which the patient was not used for fitting.",
            )
        )
    if "roc" in evidence:
        section.blocks.append(_roc(evidence["roc"]))
    if "calibration" in evidence:
        section.blocks.append(_calibration(evidence["calibration"]))
    if "patients" in evidence and evidence["patients"]["time"].notna().all():
        section.blocks.append(_risks(evidence["patients"], time_name(inputs)))
    if "outcomes" in evidence:
        section.blocks.append(_outcomes(evidence["outcomes"]))
    section.blocks.extend(notes(evidence.get("notes")))
    return section


def _survival(table: pd.DataFrame):
    columns = [
        Column("method", "Method", method, numeric=False),
        Column("n_high", "High risk", count),
        Column("n_low", "Low risk", count),
        Column("hazard_ratio", "Hazard ratio", fixed(2)),
        Column("low", "95 % from", fixed(2)),
        Column("high", "to", fixed(2)),
        Column("logrank_p", "Log-rank p", probability),
        Column("permutation_p", "p by permutation", probability),
        Column("concordance", "Concordance", fixed(3)),
        Column("concordance_low", "95 % from", fixed(3)),
        Column("concordance_high", "to", fixed(3)),
    ]
    return make_table(
        "survival",
        "Patients split by their mean out-of-fold probability over all trials: hazard ratio of high "
        "against low risk, log-rank test, and concordance of risk and survival. Out-of-fold scores of "
        "different patients share training patients, so p values are somewhat too small; where it was "
        "run, permutation of the outcome gives an honest one.",
        table,
        columns,
    )


def time_name(inputs: Inputs) -> str:
    """Return the name of the time axis: years of the NKI patients; of an own cohort the unit is the user's."""
    return "follow-up time (years)" if inputs.config["cohort"] == "nki" else "follow-up time"


def km_chart(
    id_: str, table: pd.DataFrame, key: str, title: str, time: str, groups: str, shades: dict | None = None
) -> Chart:
    """Return Kaplan-Meier curves, one view per method (or model), two curves each; `groups` says how they were made."""
    views = []
    for name, part in table.groupby(key, sort=False):
        shade = (shades or {}).get(name) or colour(str(name))
        series = [
            curves(rows, "time", "survival", f"{group} risk", shade, GROUP_DASH.get(group, "2 3"), "at_risk")
            for group, rows in part.groupby("group", sort=False)
        ]
        views.append({"name": label(str(name)), "series": series})
    spec = {
        "type": "step",
        "x": time,
        "y": "survival",
        "ymin": 0,
        "ymax": 1,
        "extra": "at risk",
        "start": first_view([view["name"] for view in views]),
        "views": views,
    }
    return Chart(
        id_,
        Markup(
            "Kaplan-Meier curves of the high-risk (solid) and low-risk (dashed) patients with 95 % bands; "
            "hover or use the arrow keys for values and the number at risk. {}"
        ).format(groups),
        title,
        as_json(spec),
    )


UNIT_SQUARE = {"xmin": 0, "xmax": 1, "ymin": 0, "ymax": 1, "diagonal": True, "square": True}


def _roc(table: pd.DataFrame) -> Chart:
    series = [
        curves(rows, "false_positive_rate", "sensitivity", label(name), colour(name))
        for name, rows in table.groupby("method", sort=False)
    ]
    spec = {
        "type": "line",
        "x": "false positive rate",
        "y": "sensitivity",
        **UNIT_SQUARE,
        "views": [{"name": "", "series": series}],
    }
    return Chart(
        "roc",
        Markup(
            "ROC curves of the out-of-fold scores, averaged over trials; the diagonal is guessing and the "
            "area below a curve is the {auc}. Choose a method in the legend to hide or show it; bands are "
            "drawn when one is shown."
        ).format(auc=term("AUC")),
        "ROC curves",
        as_json(spec),
    )


def _calibration(table: pd.DataFrame) -> Chart:
    series = [
        curves(rows, "predicted", "observed", label(name), colour(name), extra="patients")
        for name, rows in table.groupby("method", sort=False)
    ]
    spec = {
        "type": "points",
        "x": "predicted probability",
        "y": "observed share of events",
        **UNIT_SQUARE,
        "extra": "patients",
        "views": [{"name": "", "series": series}],
    }
    return Chart(
        "calibration",
        Markup(
            "Predicted probability against the observed share of events, in bins of patients. Classes are "
            "weighted equally in fitting, so that predictions are higher than the observed shares by "
            "design, and points lie below the diagonal: a probability of one half is the decision, not "
            "the expected share."
        ),
        "Calibration",
        as_json(spec),
    )


def _risks(table: pd.DataFrame, time: str) -> Chart:
    views = []
    for name, part in table.groupby("method", sort=False):
        series = []
        for event, shown in ((0, "no event"), (1, "event")):
            rows = part[part["event"] == event].sort_values(["risk", "patient"], kind="stable")
            series.append(
                {
                    "name": shown,
                    "colour": colour(name) if event else "#7b8694",
                    "dash": "",
                    "x": _numbers(rows["risk"]),
                    "y": _numbers(rows["time"], 2),
                    "names": rows["patient"].tolist(),
                }
            )
        views.append({"name": label(name), "series": series})
    spec = {
        "type": "scatter",
        "x": "predicted risk",
        "y": time,
        "xmin": 0,
        "xmax": 1,
        "ymin": 0,
        "start": first_view([view["name"] for view in views]),
        "views": views,
    }
    return Chart(
        "risk",
        Markup(
            "Every patient: mean out-of-fold probability over the trials, and time to the event or to the end of "
            "follow-up. Patients with the event are coloured; hover for a patient's name and numbers. A good method "
            "has the coloured points on the right."
        ),
        "Risk of every patient",
        as_json(spec),
    )


def _outcomes(table: pd.DataFrame):
    columns = [
        Column("outcome", "Outcome", numeric=False),
        Column("method", "Method", method, numeric=False),
        Column("patients", "Patients", count),
        Column("events", "Events", count),
        Column("auc", "AUC", fixed(3)),
        Column("low", "95 % from", fixed(3)),
        Column("high", "to", fixed(3)),
        Column("balanced_error", "Balanced error", fixed(3)),
    ]
    return make_table(
        "outcomes",
        "The same out-of-fold scores judged by other outcomes; patients lost before the horizon are left "
        "out. The fits were not made anew.",
        table,
        columns,
    )
