"""The words of the page about controls and other cohorts are those that the numbers of the tables allow."""

import pandas as pd
import pytest

from study import tables
from study.report.sections.external import applied_numbers
from study.report.sentences import control_text
from study.report.templates import render


def lead(low, difference, share):
    cohorts = pd.DataFrame({"cohort": ["gse1992", "gse3143"], "model": "graph-iht"})
    against = cohorts.assign(difference=difference)
    evidence = {
        "external": cohorts.assign(auc=0.6, low=low, high=0.7),
        "external_differences": against.assign(low=against["difference"] - 0.02, high=against["difference"] + 0.02),
        "random_sets": cohorts.assign(share_as_good=share),
    }
    numbers = applied_numbers(evidence, "graph-iht")
    return render("external_lead.html.j2", applied=numbers, trained_on="NKI", reference="ridge")


@pytest.mark.parametrize(("low", "holds"), [([0.52, 0.51], 2), ([0.52, 0.48], 1), ([0.4, 0.48], 0)])
def test_page_says_whether_the_model_holds_in_other_cohorts(low, holds):
    text = lead(low, [0.0, 0.01], [0.5, 0.2])
    assert f"trained on all NKI patients and applied unchanged, is better than chance in {holds} of 2 other" in text
    assert "not clearly different in any of these 2 cohorts (difference in AUC 0.00, +0.01; nominal intervals)" in text
    assert "50 %, 20 % do as well" in text
    assert "in 0 of 2 cohorts (the signal exists, but it is not particular to the selected genes)" in text


def test_page_says_when_ridge_is_better_and_genes_beat_random_ones():
    text = lead([0.52, 0.51], [-0.05, 0.01], [0.5, 0.01])
    assert "worse in 1 and better in 0" in text
    assert "in 1 of 2 cohorts (the selected genes are better than chance there)" in text


def controls(p, p_auc, repetitions=30):
    rows = [
        {"control": "real", "method": "graph methods", "balanced_error": 0.3, "auc": 0.75, "repetitions": 1},
        {"control": "network", "method": "graph methods", "balanced_error": 0.34, "auc": 0.70}
        | {"p": p, "p_auc": p_auc, "repetitions": repetitions},
        {"control": "real", "method": "iht", "balanced_error": 0.31, "auc": 0.74, "repetitions": 1},
    ]
    table = pd.DataFrame(rows, columns=tables.columns("evidence/controls"))
    together = (table["control"] == "real") & (table["method"] == "graph methods")
    table.loc[together, ["difference", "low", "high"]] = -0.01, -0.03, 0.01
    return table


@pytest.mark.parametrize(
    ("p", "p_auc", "repetitions", "verdict"),
    [
        (0.5, 0.5, 30, "no evidence that the network makes predictions more accurate"),
        (0.03, 0.5, 30, "real edges gain 0.040 in balanced error over random ones and nothing in ranking patients"),
        (0.5, 0.03, 30, "real edges gain 0.050 in AUC over random ones and nothing in balanced error"),
        (0.03, 0.03, 30, "real edges predict better than random ones, but they do not clearly differ from no network"),
        (0.1, 0.1, 9, "too few repetitions (9) to say whether the network helps"),
    ],
)
def test_page_says_what_random_networks_allow(p, p_auc, repetitions, verdict):
    text = control_text(controls(p, p_auc, repetitions))
    assert verdict in text
    assert "balanced error 0.300 and AUC 0.750 on the real network" in text
    assert "(difference: −0.010, 95 % interval −0.030 to +0.010)" in text
    assert (f"{repetitions} can give no less than" in text) == (min(p, p_auc) * (repetitions + 1) < 1.5)


def test_page_says_that_the_network_was_not_tested():
    table = controls(0.5, 0.5)
    assert "was not measured" in control_text(table[table["method"] == "iht"])
