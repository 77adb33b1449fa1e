"""The same numbers in page, summary, tables and what README and documentation quote; and the page of an own cohort."""

import re

import pytest

from conftest import REPOSITORY
from report_cases import KNOWN, configuration, make_evidence, make_run, read_run
from study import tables
from study.config import complete, load_schema, runs
from study.report.page import report_files, subject


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run with every table of a finished one."""
    run = make_run(tmp_path_factory.mktemp("whole"))
    make_evidence(run)
    return run


@pytest.fixture(scope="module")
def files(whole):
    return report_files(read_run(whole), "")


def test_page_and_summary_have_the_numbers_of_the_tables(whole, files):
    page, summary = re.sub(r"<[^>]+>", "", files["report.html"]), files["summary.md"]
    read = {name: tables.read(whole / f"evidence/{name}.csv") for name in ("differences", "stability", "frequencies")}
    over_all = tables.read(whole / "summary.csv").query("trial == 'all'").set_index("method")
    pair = read["differences"].query("method_a == 'iht' and method_b == 'graph-iht' and metric == 'auc'").iloc[0]
    signed = [f"{-pair[key]:+.3f}".replace("-", "−") for key in ("difference", "high", "low")]
    genes = read["frequencies"].query("method == 'graph-iht' and frequency >= 0.5")
    stability = read["stability"].set_index("method").loc["graph-iht", "nogueira"]
    for text in (page, summary):
        own = over_all.loc["graph-iht"]
        assert f"{own['auc_mean']:.3f} (95 % interval" in text
        assert f"with {own['n_nonzero_mean']:.0f} genes on average" in text
        assert f"the AUC differs by {signed[0]} ({signed[1]} to {signed[2]})" in text
        often = (genes["frequency"] > 0.9).sum()
        assert f"GraphIHT selects {len(genes)} genes in at least half of the folds ({often} in more than nine" in text
        assert f"with a stability of {stability:.2f}." in text
        assert "40 of 80 measured genes" in text
        always = re.search(r"Selected in more than nine of ten folds: (.*?)\. ", text)[1]
        assert set(re.findall(r"G\d\d", always)) == set(genes.loc[genes["frequency"] > 0.9, "symbol"])
    ratio = tables.read(whole / "evidence/survival.csv").set_index("method").loc["graph-iht", "hazard_ratio"]
    assert f"have {ratio:.2f} times the hazard" in page


def test_the_papers_tables_have_our_averages_and_its_own(whole, files):
    text = re.sub(r"<[^>]+>", " ", files["report.html"])
    assert "This report holds 2 trials of 3 folds, the paper 20 of 5." in text
    over_all = tables.read(whole / "summary.csv").query("trial == 'all'")
    for row in over_all[over_all["method"] != "ridge"].itertuples():
        assert f"{row.auc_mean:.3f} ± {row.auc_std:.3f}" in text
    # The paper's average AUC of IHT and GraphSVRG-IHT.
    assert {"0.709 ± 0.062", "0.714 ± 0.057"} <= set(re.findall(r"0\.\d{3} ± 0\.\d{3}", text))
    assert " of 2 reachable, of 2 known" in text


def own_configuration(**said) -> dict:
    given = configuration() | {"cohort": "own", "network": "own", "outcome": {}}
    files = dict.fromkeys(("expression", "outcome", "edges"), "table.csv")
    given = {
        key: given[key] for key in ("methods", "trials", "folds", "inner_folds", "sparsities", "lambdas", "epochs")
    }
    given |= {"cohort": "own", "network": "own", "own": {"name": "mine", **files, **said}}
    return runs(complete(given, load_schema(REPOSITORY)))[0].config


def body_of(page):
    return page.partition("<body")[2].partition('<ol class="references">')[0]


def test_an_own_cohort_is_called_by_its_disease_event_unit_and_known_genes(whole):
    said = {"disease": "lung cancer", "event_means": "relapse", "time_unit": "months", "known_genes": ["G05", "TP53"]}
    inputs = read_run(whole, own_configuration(**said))
    page = report_files(inputs, "")["report.html"]
    text = body_of(page)
    assert subject(inputs)[0].startswith("Which small, connected set of genes predicts relapse in lung cancer")
    assert "Lung cancer · cohort mine · outcome: relapse · 60 patients" in subject(inputs)[1]
    assert "follow-up time (months)" in text
    assert "known lung-cancer gene" in text
    assert ">G05 *<" in text
    sections = set(re.findall(r'<section id="(\w+)"', page))
    assert "answer" in sections
    assert sections.isdisjoint({"paper", "external", "synthetic"})
    assert "breast" not in text.lower()
    assert inputs.data["known_genes"] == ["G05"], "TP53 is not in the network"


def test_an_own_cohort_of_which_nothing_is_said_has_no_empty_words(whole):
    inputs = read_run(whole, own_configuration())
    page = report_files(inputs, "")["report.html"]
    text = body_of(page)
    assert subject(inputs)[0] == "Which small, connected set of genes predicts the outcome, and how sure are we?"
    assert subject(inputs)[1].startswith("cohort mine · outcome: the event · 60 patients")
    assert "a known gene" not in text
    assert all(f">{name} *<" not in text for name in KNOWN)
    assert 'id="ref-vijver"' not in page


def test_what_is_said_of_an_own_cohort_is_checked():
    with pytest.raises(Exception, match="known_genes"):
        own_configuration(known_genes="TP53")
