"""The words of the page about chance, the network and other cohorts are those that the tables allow."""

import re

import numpy as np
import pandas as pd
import pytest

from report_cases import make_evidence, make_run, read_run, text_of, write_tables
from study import tables
from study.report.sections import answer, chance, genes


@pytest.fixture
def run(tmp_path):
    run = make_run(tmp_path)
    make_evidence(run)
    return run


def write_table(run, name, rows):
    write_tables(run, {f"evidence/{name}": pd.DataFrame(rows, columns=tables.columns(f"evidence/{name}"))})


def test_stability_and_gene_sets_stand_beside_permuted_outcomes(run):
    inputs = read_run(run)
    assert "permuted_stability" not in [column.key for column in genes.section(inputs).tables["stability"].columns]
    rows = [
        ("graph-iht", "stability", 20, 0.69, np.nan, 100, 0.31, 0.2, 0.4, 1 / 101),
        ("graph-iht", "cell_cycle", 20, 15.2, 2.5, 100, 3.9, 0.0, 9.0, 1 / 101),
        ("graph-iht", "auc", 20, 0.51, np.nan, 100, 0.5, 0.4, 0.6, 0.4),
    ]
    write_table(run, "permuted_summary", rows)
    write_table(run, "permuted_pathways", [("graph-iht", "wikipathways", "WP1", "Path", 8, 3.4, 1.25, 2.75, 0.2, 100)])
    inputs = read_run(run)
    stability = genes.section(inputs).tables["stability"]
    assert stability.columns[-1].key == "permuted_stability"
    shown = {row[0].value: row[-1].shown for row in stability.rows}
    assert shown.pop("graph-iht") == "0.31"
    assert set(shown.values()) == {"–"}
    keys = [column.key for column in answer.section(inputs).tables["summary"].columns]
    assert keys.count("permuted_stability") == 1
    cells = [[str(cell.shown) for cell in row] for row in chance.section(inputs).tables["permuted"].rows]
    assert cells[1][1:6] == ["stable genes in the set Cell cycle", "15.200", "2.5", "3.900", "0.000"]
    expected = "Of 3 numbers, 2 are beyond what permuted outcomes give; not beyond it (p &gt; 0.05): AUC of GraphIHT."
    text = text_of(run, "chance")
    assert expected in text
    held = "The stable genes of a single trial of GraphIHT hold 15.2 genes of the set Cell cycle on average"
    assert f"{held}, on permuted outcomes 3.9 (p = 0.010)." in text


def test_planted_sets_are_drawn_and_described(run):
    rows = [
        (size, effects, strength, name, measure, 30, 0.1 * strength, 0.0, 0.5, without, 0.02, 0.01, 0.03)
        for size in (10, 30)
        for effects in ("equal", "mixed")
        for strength in (0.0, 1.0, 2.0)
        for name, without in (("iht", ""), ("graph-iht", "iht"))
        for measure in ("recall", "precision", "near", "auc")
    ]
    write_table(run, "planted_summary", rows)
    section = chance.section(read_run(run))
    assert section.figures["planted-recall"].count("effects</text>") == 4
    assert len(section.tables["planted"].rows) == len(rows)
    text = text_of(run, "chance")
    assert "finds more of the planted genes than IHT in 8 of 8 settings, and fewer in 0" in text
    assert "penalty" not in section.figures
    path = [("graph-htp", lam, 50, 25, lam / 20, 3, 0.7, 30, 2, 30, 0.2, 0.1, 0.3) for lam in (0.01, 1.0, 10.0)]
    write_table(run, "lambda_path", path)
    assert chance.section(read_run(run)).figures["penalty"].count("10</text>") >= 2
    pairs = [
        (10, "equal", strength, method, other, 30, 0.1, 0.0, 0.2, 1.637, 1.329, 2.017)
        for strength in (0.0, 2.0)
        for method in ("graph-htp", "graph-svrg-iht")
        for other in ("htp", "abess")
    ]
    write_table(run, "planted_pairs", pairs)
    (row,) = chance.section(read_run(run)).tables["planted-ratios"].rows
    cells = [re.sub("<[^>]*>", "", str(cell.shown)) for cell in row]
    assert cells == ["10", "equal", "2", "GraphHTP", "HTP", "1.64", "1.33", "2.02"]


def write_controls(run, p, p_auc, repetitions=30):
    rows = [
        {"control": control, "method": method, "balanced_error": error, "auc": auc, "repetitions": repetitions}
        | {"p": p, "p_auc": p_auc}
        for method in ("graph methods", "graph-iht")
        for control, error, auc in (("real", 0.3, 0.75), ("network", 0.34, 0.7), ("labels", 0.497, 0.5))
    ]
    rows.append({"control": "real", "method": "iht", "balanced_error": 0.31, "auc": 0.74, "repetitions": 1})
    table = pd.DataFrame(rows, columns=tables.columns("evidence/controls"))
    table.loc[0, ["difference", "low", "high"]] = -0.01, -0.03, 0.01
    write_table(run, "controls", table)


@pytest.mark.parametrize(
    ("p", "p_auc", "repetitions", "verdict"),
    [
        (0.5, 0.5, 30, "no evidence that the network makes predictions more accurate"),
        (0.03, 0.5, 30, "real edges gain 0.040 in balanced error over random ones, but they do not clearly differ"),
        (0.5, 0.03, 30, "real edges gain 0.050 in AUC over random ones, but they do not clearly differ from no"),
        (0.03, 0.03, 30, "real edges gain 0.040 in balanced error and 0.050 in AUC over random ones, but they do not"),
        (0.1, 0.1, 9, "too few repetitions (9) to say whether the network helps"),
    ],
)
def test_page_says_what_random_networks_allow(run, p, p_auc, repetitions, verdict):
    write_controls(run, p, p_auc, repetitions)
    text = text_of(run, "answer")
    assert verdict in text
    assert "balanced error 0.300 and AUC 0.750 on the real network" in text
    assert "(graph methods minus IHT: −0.010 in balanced error, 95 % interval −0.030 to +0.010)" in text
    assert (f"{repetitions} can give no less than" in text) == (min(p, p_auc) * (repetitions + 1) < 1.5)
    assert f"On {repetitions} permuted outcomes at this setting their balanced error is 0.497" in text
    assert f"0.700 on {repetitions} networks with random edges (p = {p_auc:g})" in text


def test_page_says_that_the_network_was_not_tested(run):
    write_controls(run, 0.5, 0.5)
    table = tables.read(run / "evidence/controls.csv")
    write_tables(run, {"evidence/controls": table[table["method"] == "iht"]})
    assert "What the network contributes was not measured" in text_of(run, "answer")


def write_external(run, low, difference, share):
    cohorts = pd.DataFrame({"cohort": ["gse1992", "gse3143"], "model": "graph-iht", "events": 30, "patients": 90})
    against = cohorts.assign(difference=difference)
    given = {
        "external": cohorts.assign(auc=0.6, low=low, high=0.7),
        "external_differences": against.assign(low=against["difference"] - 0.02, high=against["difference"] + 0.02),
        "random_sets": cohorts.assign(share_as_good=share),
    }
    for name, table in given.items():
        write_table(run, name, table)


@pytest.mark.parametrize(("low", "holds"), [([0.52, 0.51], 2), ([0.52, 0.48], 1), ([0.4, 0.48], 0)])
def test_page_says_whether_the_model_holds_in_other_cohorts(run, low, holds):
    write_external(run, low, [0.0, 0.01], [0.5, 0.2])
    text = text_of(run, "answer") + text_of(run, "external")
    assert f"Its AUC is beyond chance in {holds} of 2 other cohorts (gse1992 0.60, gse3143 0.60)" in text
    assert f"trained on all NKI patients and applied unchanged, is better than chance in {holds} of 2 other" in text
    assert "not clearly different in any of these 2 cohorts (difference in AUC 0.00, +0.01; nominal intervals)" in text
    assert "50 %, 20 % do as well" in text
    assert "in 0 of 2 cohorts (the signal exists, but it is not particular to the selected genes)" in text


def test_page_says_when_ridge_is_better_and_genes_beat_random_ones(run):
    write_external(run, [0.52, 0.51], [-0.05, 0.01], [0.5, 0.01])
    text = text_of(run, "external")
    assert "worse in 1 and better in 0" in text
    assert "in 1 of 2 cohorts (the selected genes are better than chance there)" in text
