"""Risk groups, survival, discrimination and calibration of patients."""

from study.figures.forest import forest
from study.figures.survival import calibration, kaplan_meier, risks, roc
from study.methods import headline
from study.report.blocks import Section
from study.report.columns import columns
from study.report.inputs import Inputs, first_method


def section(inputs: Inputs) -> Section:
    """Return Kaplan-Meier curves of out-of-fold risk groups, ROC, calibration and the patients themselves."""
    evidence = inputs.evidence
    if "km" not in evidence and "roc" not in evidence:
        return Section()
    shown, chosen = Section(), headline(inputs.methods)
    unit = inputs.cohort.unit
    time = f"follow-up time ({unit})" if unit else "follow-up time"
    if "km" in evidence:
        km = evidence["km"]
        chosen = first_method(km)
        shown.draw("km", kaplan_meier(km[km["method"] == chosen], time))
    survival = evidence.get("survival")
    if survival is not None:
        ratios = survival.assign(value=survival["hazard_ratio"])
        shown.draw("hazard-ratios", forest(ratios, "hazard ratio, high against low risk", 1.0, log=True))
        keys = (
            "method n_high n_low hazard_ratio low:2 high:2 logrank_p ratio_before ratio_after p_change "
            "concordance concordance_low concordance_high"
        )
        shown.tabulate("survival", survival, columns(keys))
    if "roc" in evidence:
        shown.draw("roc", roc(evidence["roc"]))
    if "calibration" in evidence:
        shown.draw("calibration", calibration(evidence["calibration"]))
    patients = inputs.table("patients")
    first = first_method(patients)
    if len(patients) and patients["time"].notna().all():
        shown.draw("risk", risks(patients[patients["method"] == first], time))
    keys = "outcome method patients events auc low high balanced_error"
    shown.tabulate("outcomes", evidence.get("outcomes"), columns(keys))
    other = evidence.get("other_event")
    shown.tabulate("other-event", other, columns("outcome method patients events auc low high"))
    permuted = inputs.table("permuted_summary").query("statistic == 'hazard_ratio' and method == @chosen")
    rows = {} if survival is None else survival.set_index("method", drop=False).to_dict("index")
    shown.numbers = {
        "chosen": chosen,
        "first": first,
        "other": [] if other is None else other[other["method"] == chosen].to_dict("records"),
        "survival": rows.get(chosen),
        "permuted": permuted.to_dict("records"),
        "split_at": survival["split_at"].iloc[0] if rows else None,
    }
    return shown
