"""The report from tables: it shows what they hold, also when some are absent or fits failed."""

import json
import re
import shutil
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from report_cases import (
    FOLDS,
    METHODS,
    TRIALS,
    crossed,
    make_evidence,
    make_run,
    make_simulations,
    plain,
    read_run,
    section_of,
    text_of,
    write_tables,
)
from study.evidence.paper import picked, picked_difference
from study.figures.forest import forest
from study.figures.style import inline, to_pdf, to_svg
from study.io import write_text
from study.methods import COMPANION, HEADLINE, SHARED, label
from study.report.blocks import as_json
from study.report.first_screen import accuracies
from study.report.page import report_files, sections
from study.report.sections import cost, network, signature
from study.report.sections.answer import overview, per_fit
from study.report.show import probability
from study.tables import columns


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def run(whole, tmp_path):
    target = tmp_path / "results/made-up/own"
    shutil.copytree(whole, target)
    return target


def folds_of(run, method):
    return [json.loads(path.read_text()) for path in sorted(run.glob(f"fits/{method}/*/*.json"))]


def test_study_says_what_was_not_run(run):
    make_evidence(run)
    for name in ("controls", "planted_summary"):
        (run / f"evidence/{name}.csv").unlink()
    page = report_files(read_run(run), "")["report.html"]
    assert "gap" not in page.partition("<main")[2]
    not_run = re.search(r"<b>Not run:</b>(.*?)</p>", page, flags=re.S)[1]
    for target in ("controls", "permuted", "planted", "simulations"):
        assert f"<code>.venv/bin/snakemake {target}</code>" in not_run


def test_failed_fit_is_named_first_and_counted(tmp_path):
    def diverge(fold):
        is_first = (fold["method"], fold["trial"], fold["fold"]) == ("iht", 1, 1)
        return fold | {"status": "diverged", "balanced_error": 0.5, "auc": 0.5} if is_first else fold

    run = make_run(tmp_path, change=diverge)
    inputs = read_run(run)
    assert '<p id="answer-text"><strong class="gap">1 of 24 final fits failed (1 of IHT)' in section_of(run, "answer")
    errors = [fold["balanced_error"] for fold in folds_of(run, "iht")]
    assert 0.5 in errors
    assert overview(inputs)["balanced_error_mean"][0] == pytest.approx(np.mean(errors))
    assert cost.work_table(inputs)["failed"][0] == 1


@pytest.mark.parametrize(("values", "is_chance"), [((0.3, 0.7), True), ((0.42, 0.44), True), ((0.7, 0.75), False)])
def test_first_sentence_says_when_the_model_is_no_better_than_chance_and_genes_are_grey(tmp_path, values, is_chance):
    def change(fold):
        return fold | {"auc": values[fold["fold"] % 2]} if fold["method"] == HEADLINE else fold

    run = make_run(tmp_path, change=change)
    weights = crossed("final_models", method=HEADLINE, symbol=["G1", "G2"]).assign(weight=[0.4, -0.3])
    signatures = crossed("signatures", method=METHODS)
    write_tables(run, {"evidence/final_models": weights, "evidence/signatures": signatures})
    files = report_files(read_run(run), "")

    def said(section):
        return plain(re.search(f'<section id="{section}".*?</section>', files["report.html"], flags=re.S)[0])

    assert said("answer").partition("The folds")[0].count("No better than chance: GraphIHT, with") == is_chance
    assert files["summary.md"].splitlines()[4].startswith("No better than chance: " if is_chance else "GraphIHT, with")
    for figure in ("subnetwork", "gene-chart", "signature-weights"):
        fills = set(re.findall(r"fill: (#\w+)", files[f"figures/{figure}.svg"]))
        hues = {fill for fill in fills if len(fill) == 7 and int(fill[1:3], 16) > int(fill[5:7], 16) + 40}
        assert bool(hues) != is_chance, f"red genes in {figure}"
    for section in ("genes", "signature"):
        assert ("no better than chance" in said(section)) == is_chance


def test_first_screen_has_ridge_on_all_measured_genes(tmp_path):
    run = make_run(tmp_path)
    assert "genes of the cohort, in the network or not" not in text_of(run, "answer")
    table = crossed("all_genes", trial=[1, 2], fold=[1, 2, 3]).assign(n_genes=1580, value=[0.5, 0.6, 0.7] * 2)
    write_tables(run, {"evidence/all_genes": table})
    # Six folds of two thirds of the patients: a variance of .008 times (1 / 6 + 1 / 2), and t of 5 degrees of freedom.
    half = t.ppf(0.975, 5) * np.sqrt(0.008 * (1 / 6 + 1 / 2))
    interval = f"{0.6 - half:.3f} to {0.6 + half:.3f}".replace("0.", ".")
    said = text_of(run, "answer").replace("0.", ".")
    assert f"Ridge on all 1,580 genes of the cohort, in the network or not: .600 (95 % interval {interval})." in said


def test_first_screen_has_both_graph_methods_side_by_side(tmp_path):
    run = make_run(tmp_path, [*METHODS, COMPANION])
    stability = {HEADLINE: 0.5, COMPANION: 0.25}
    table = crossed("stability", method=list(stability))
    write_tables(run, {"evidence/stability": table.assign(nogueira=table["method"].map(stability))})
    often = read_run(run).frequencies.query("frequency >= 0.5").groupby("method")["symbol"].agg(set)
    assert often[HEADLINE] != often[COMPANION]
    text = text_of(run, "answer")
    for method, value in stability.items():
        selects = rf"{label(method)}, good for [^.]*, selects {len(often[method])} genes"
        assert re.search(rf"{selects} [^.]*, with a stability of {value}", text)
    listed = re.findall(r"G\d\d", re.search(rf"The list of {label(COMPANION)}: ([^.]*)", text)[1])
    assert set(listed) <= often[COMPANION]
    assert len(listed) == min(12, len(often[COMPANION]))
    assert f"{len(often[HEADLINE] & often[COMPANION])} genes are on both lists." in text
    assert "on both lists" not in text_of(make_run(tmp_path / "alone"), "answer")


def test_share_of_folds_that_chose_an_end_is_that_of_the_setting_with_most(run):
    rows = [("graph-iht", setting, 1.0, 6, share, 1) for setting, share in (("lambda", 0.6), ("C", 0.3), ("C", 0.4))]
    write_tables(run, {"chosen": pd.DataFrame(rows, columns=columns("chosen"))})
    assert "chose an end of the grid of penalties: GraphIHT 70 %." in text_of(run, "settings")


def test_references_are_those_that_are_cited(run):
    text = section_of(run, "methods")
    cited = list(dict.fromkeys(re.findall(r'<a href="#ref-(\w+)">(\d+)</a>', text)))
    listed = re.findall(r'<li id="ref-(\w+)">', text)
    assert cited == [(key, str(number)) for number, key in enumerate(listed, 1)]
    assert "vijver" in listed
    assert "venet" not in listed


def test_empty_evidence_tables_are_as_absent(run):
    frequencies = (run / "evidence/frequencies.csv").read_text()
    for name, table in make_evidence(run).items():
        write_text(run / f"evidence/{name}.csv", table.iloc[:0].to_csv(index=False))
    write_text(run / "evidence/frequencies.csv", frequencies)
    inputs = read_run(run)
    assert list(inputs.evidence) == ["frequencies"]
    assert list(sections(inputs)) == ["answer", "paper", "settings", "genes", "network", "cost", "methods"]
    assert "No method of this run selects genes" not in section_of(run, "answer")


def test_page_without_selecting_methods_says_so(run):
    (run / "evidence/frequencies.csv").unlink()
    for name in ("answer", "genes"):
        assert "No method of this run selects genes" in section_of(run, name)


def test_page_has_the_picked_difference(run):
    metrics = pd.DataFrame([fold for method in METHODS for fold in folds_of(run, method)])
    row = picked_difference(picked(metrics), FOLDS)["auc"]
    signed, low, high = (f"{row[key]:+.3f}".replace("-", "−") for key in ("difference", "low", "high"))
    expected = f"difference {signed} (95 % interval, corrected for overlapping folds: {low} to {high}"
    assert expected in text_of(run, "answer")


def test_bound_of_graph_stability_is_printed_with_its_assumptions(tmp_path):
    text = text_of(make_run(tmp_path, [*METHODS, "graph-stability"]), "genes")
    assert "at most 2.2 (median over 6 of 6 folds" in text  # 36 / (40 x 0.4) = 2.25
    assert "q = 6.0" in text


def test_genes_in_half_of_the_folds_and_in_one_piece_are_counted(run):
    table = read_run(run).frequencies
    own = table["method"] == "graph-iht"
    half = int((own & (table["frequency"] >= 0.5)).sum())
    table["connected"] = (table["frequency"] >= 0.9).astype(int)
    connected = int(table.loc[own, "connected"].sum())
    write_tables(run, {"evidence/frequencies": table})
    assert 0 < connected < half
    expected = f"selects {half} genes in at least half of the folds, {connected} of them in one connected piece"
    assert f"GraphIHT {expected}" in text_of(run, "genes")


def test_slider_starts_where_the_network_is_readable():
    assert network.first_threshold(np.full(10, 0.6)) == 0.5
    assert network.first_threshold(np.r_[np.full(100, 0.62), np.full(20, 0.9)]) == 0.65
    assert network.first_threshold(np.ones(500)) == 0.95


def test_cost_is_that_of_the_timings_and_counts_shared_fits(run):
    top = f"{SHARED}top"
    rows = [("iht", 2.0, 1), (top, 8.0, 9), ("ridge", 3.0, 3)]
    milliseconds = per_fit(pd.DataFrame(rows, columns=["method", "seconds", "fits"]), [1, 2])
    assert milliseconds == {"iht": 1000.0, top: pytest.approx(8000 / 9), "ridge": 1000.0}
    n_fits = 10 * len(METHODS) * TRIALS * FOLDS
    assert f"The study took {n_fits} fits in {n_fits * 0.05:.0f} s" in text_of(run, "cost")


def test_figures_have_the_same_bytes_again(run):
    table = accuracies(read_run(run), METHODS)
    first, second = (to_svg(forest(table, "AUC", 0.5), "one") for _ in range(2))
    assert first == second
    assert "0072b2" in first.lower()
    assert ">IHT</text>" in first
    assert "#1c2431" not in first.lower()
    first, second = (to_pdf(forest(table, "AUC", 0.5)) for _ in range(2))
    assert first == second
    assert first.startswith(b"%PDF")
    assert b"Date" not in first


def test_figures_of_the_page_are_those_of_the_folder(run):
    make_evidence(run)
    make_simulations(run.parents[2])
    files = report_files(read_run(run), "")
    saved = {name[8:-4]: text for name, text in files.items() if name.endswith(".svg")}
    assert saved == dict(re.findall(r'<figure id="([^"]+)">.*?(<svg.*?</svg>\n)', files["report.html"], flags=re.S))
    expected = {"subnetwork", "headline-accuracy", "differences-forest", "km", "hazard-ratios", "planted-recall"}
    assert expected | {"synthetic-step-size"} < set(saved)
    assert all(ET.fromstring(text).tag.endswith("svg") for text in saved.values())
    of_run = {name[8:-4] for name in files if name.endswith(".pdf")}
    assert of_run == {name for name in saved if not name.startswith("synthetic-")}


def test_text_cannot_end_a_script_element():
    assert json.loads(as_json("</script>\u2028")) == "</script>\u2028"
    assert "</" not in as_json("</script>")


def test_inlined_svgs_share_no_id():
    body = '<g id="a"/><use xlink:href="#a"/><g clip-path="url(#a)"/></svg>'
    svg = f'<?xml version="1.0"?>\n<svg width="5pt" height="4pt" viewBox="0 0 5 4">{body}'
    expected = '<svg viewBox="0 0 5 4"><g id="one-0"/><use href="#one-0"/><g clip-path="url(#one-0)"/></svg>'
    assert inline(svg, "one").strip() == expected


def test_probabilities_are_readable():
    assert [probability(p) for p in (1.0, 0.0421, 0.00012, 3e-12)] == ["1.000", "0.042", "1.2e-4", "3.0e-12"]


def test_signature_is_shown_with_the_command_that_applies_it(run):
    weights = make_evidence(run)["final_models"].query("method == @HEADLINE")["weight"]
    text = text_of(run, "signature")
    assert f"--signature 'results/nki/scnet/signatures/{HEADLINE}.json' --expression new.csv" in text
    assert "above +0.1250 the risk is called high" in text
    shown = signature.section(read_run(run)).tables
    assert len(shown["signatures"].rows) == len(METHODS)
    heaviest = [abs(float(row[1].value)) for row in shown["final-models"].rows]
    assert heaviest == pytest.approx(sorted(weights.abs(), reverse=True), rel=1e-6)
