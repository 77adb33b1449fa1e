"""The page in a real browser: nothing is fetched, nothing fails, and every part that can be used is used."""

import csv
import io
import json
import math
import re
from pathlib import Path

import pandas as pd
import pytest

from browser_fixtures import NEEDS_BROWSER, download, ready_viewer
from report_cases import METHODS

pytestmark = NEEDS_BROWSER
# A browser refuses the eleventh download of a page in a short time.
DOWNLOADS_PER_PAGE = 8
SECTIONS = [
    "answer",
    "paper",
    "differences",
    "settings",
    "genes",
    "network",
    "chance",
    "patients",
    "external",
    "signature",
    "synthetic",
    "cost",
    "methods",
]
# id of a table on the page: evidence table, its columns as shown
SHOWN = {
    "pairs": ("differences", "method_a method_b metric difference low high effect_size p p_holm verdict"),
    "stability": ("stability", "method nogueira low high mean_jaccard mean_genes supports"),
    "known": (
        "known",
        "method known_in_network union_found average_precision chance_precision overlap p p_matched union_genes",
    ),
    "union": ("union", "symbol in_network iht graph-iht paper_iht"),
    "pathways": ("pathways", "method collection name genes_in_network overlap expected p q q_matched genes"),
    "controls": (
        "controls",
        "control method repetitions balanced_error balanced_error_std auc auc_std p seconds",
    ),
    "survival": (
        "survival",
        "method n_high n_low hazard_ratio low high logrank_p permutation_p ratio_before ratio_after p_change "
        "concordance concordance_low concordance_high",
    ),
    "outcomes": ("outcomes", "outcome method patients events auc low high balanced_error"),
    "external-models": (
        "external",
        "cohort model patients events event_means genes_used genes_missing auc low high concordance "
        "hazard_ratio hr_low hr_high logrank_p",
    ),
    "external-differences": ("external_differences", "cohort model difference low high"),
    "rewired-pathways": (
        "rewired_pathways",
        "method collection name genes_in_network overlap rewired p repetitions",
    ),
    "random-sets": (
        "random_sets",
        "cohort model auc random_median random_low random_high share_as_good sets",
    ),
    "added-value": (
        "added_value",
        "cohort model covariates patients events hazard_ratio low high p p_likelihood_ratio",
    ),
}


def cells(page, table):
    """The values and the shown texts of a table's rows, hidden ones included, in their order."""
    return page.eval_on_selector_all(
        f"#{table} tbody tr",
        """rows => rows.map(row => ({hidden: row.hidden,
            cells: Array.from(row.cells, cell => [cell.dataset.v, cell.textContent])}))""",
    )


def number(text):
    """A shown number as a float: signs, thousands, per cent."""
    text = text.replace("−", "-").replace(",", "").split(" ± ")[0]
    return float(text.removesuffix(" %")) / 100 if text.endswith(" %") else float(text)


def test_every_section_is_there_and_only_what_was_not_run_is_missing(open_page):
    page = open_page()
    assert page.eval_on_selector_all("main > section", "all => all.map(one => one.id)") == SECTIONS
    assert page.eval_on_selector_all("nav a", "all => all.map(a => a.hash.slice(1))") == SECTIONS
    permuted, missing = page.locator(".missing").all_text_contents()
    assert "snakemake permuted" in permuted
    assert "Not run: recovery of the true genes, families of graphs, cost by size" in missing
    assert "snakemake simulations_full" in missing
    assert page.locator(".gap").count() == 0
    assert page.title() == "Which genes predict the outcome? Cohort nki, network scnet"


def test_summary_numbers_are_those_of_the_fold_files(open_page, report_run):
    folds = [json.loads(path.read_text()) for path in sorted(report_run.glob("fits/*/*/fold-*.json"))]
    rows = cells(open_page(), "summary")
    assert [row["cells"][0][0] for row in rows] == METHODS
    for row in rows:
        own = pd.DataFrame([fold for fold in folds if fold["method"] == row["cells"][0][0]])
        for column, metric, digits in ((1, "auc", 3), (2, "balanced_error_tuned", 3), (3, "n_nonzero", 1)):
            mean, std = own[metric].mean(), own[metric].std(ddof=0)
            value, shown = row["cells"][column]
            assert float(value) == pytest.approx(mean, rel=1e-12)
            assert shown == f"{mean:.{digits}f} ± {std:.{digits}f}"


def test_the_best_gene_sets_of_each_collection_are_those_of_the_headline_method(page_once, report_run):
    table = pd.read_csv(report_run / "evidence/pathways.csv")
    own = table[table["method"] == "graph-iht"]
    expected = [
        (name, row.name, row.q_matched)
        for name in ("wikipathways", "reactome")
        for row in own[own["collection"] == name].nsmallest(3, ["q_matched", "p"]).itertuples(index=False)
    ]
    shown = [[value for value, _ in row["cells"]] for row in cells(page_once, "best-sets")]
    assert [(row[0], row[1], float(row[5])) for row in shown] == expected


@pytest.mark.parametrize("table", SHOWN)
def test_evidence_tables_show_the_numbers_of_their_files(page_once, report_run, table):
    name, columns = SHOWN[table]
    with open(report_run / f"evidence/{name}.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    if table == "pathways":
        rows.sort(key=lambda row: tuple(float(row[key]) for key in ("q_matched", "q", "p")))
    found = cells(page_once, table)
    assert len(found) == len(rows)
    for row, shown in zip(rows, found, strict=True):
        for key, (value, text) in zip(columns.split(), shown["cells"], strict=True):
            if row[key] == "":
                assert (value, text) == ("", "–")
                continue
            try:
                expected = float(row[key])
            except ValueError:
                assert value == row[key]
                continue
            assert float(value) == expected
            if text not in ("●", ""):
                assert number(text) == pytest.approx(expected, rel=0.006, abs=0.0051), (key, text)


def test_every_table_saves_what_it_shows_and_evidence_tables_save_their_file(open_page, report_run):
    page = open_page()
    ids = page.eval_on_selector_all(".table", "all => all.map(one => one.id)")
    assert set(SHOWN) < set(ids)
    for i, table in enumerate(ids):
        page = page if i % DOWNLOADS_PER_PAGE else open_page()
        content, filename = download(page, page.locator(f"#{table} [data-csv]").click)
        assert filename == f"{table}.csv"
        saved = pd.read_csv(io.BytesIO(content))
        assert len(saved) >= len(cells(page, table))
        if table in SHOWN and table != "pathways":
            expected = (report_run / f"evidence/{SHOWN[table][0]}.csv").read_bytes()
            assert pd.read_csv(io.BytesIO(expected)).equals(saved)


def test_tables_sort_and_filter(open_page):
    page = open_page()
    head = page.locator("#pathways thead th").nth(6)
    for direction in ("ascending", "descending"):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == direction
        values = [float(row["cells"][6][0]) for row in cells(page, "pathways")]
        assert values == sorted(values, reverse=direction == "descending")
    visible = [row for row in cells(page, "pathways") if not row["hidden"]]
    assert len(visible) == 15
    assert "15 of 36 rows" in page.locator("#pathways .shown").inner_text()
    page.locator("#pathways [data-filter]").fill("graphsvrg-iht")
    visible = [row["cells"][0][0] for row in cells(page, "pathways") if not row["hidden"]]
    assert visible == ["graph-svrg-iht"] * 12
    page.locator("#pathways [data-filter]").fill("")
    page.locator("#pathways [data-all]").click()
    assert not any(row["hidden"] for row in cells(page, "pathways"))
    # Blanks come last whichever way one sorts.
    for _ in range(2):
        page.locator("#survival thead button").nth(7).click()
    assert page.locator("#pathways").inner_text().count("Path <0> & co") == 3


def test_charts_show_values_and_figures_are_saved(open_page, report_run):
    page = open_page()
    km = pd.read_csv(report_run / "evidence/km.csv")
    chart = page.locator("#km .drawing")
    chart.scroll_into_view_if_needed()
    chart.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    own = km[(km["method"] == METHODS[0]) & (km["group"] == "high")].iloc[2]
    readout = page.locator("#km .readout").inner_text()
    assert (
        f"high risk: {own['survival']:.3f} ({own['low']:.2f} to {own['high']:.2f}), {own['at_risk']} at risk" in readout
    )
    page.locator("#km select").select_option(label="ridge")
    assert page.locator("#km path.line").count() == 2
    frame = page.locator("#roc .drawing").bounding_box()
    page.locator("#roc .drawing").scroll_into_view_if_needed()
    frame = page.locator("#roc svg").bounding_box()
    page.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    assert page.locator("#roc .readout").inner_text().count(":") == 1 + len(METHODS)
    page.locator("#roc .controls button").first.click()
    assert page.locator("#roc path.line").count() == len(METHODS) - 1
    for i, figure in enumerate(page.eval_on_selector_all("figure", "all => all.map(one => one.id)")):
        page = page if i % DOWNLOADS_PER_PAGE else open_page()
        content, filename = download(page, page.locator(f"#{figure} [data-save=svg]").click)
        assert filename == f"{figure}.svg"
        assert re.match(rb"<svg[^>]* xmlns=", content)
    page = open_page()
    for figure in ("accuracy", "roc"):
        content, _ = download(page, page.locator(f"#{figure} [data-save=png]").click)
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(content[16:20], "big") > 600


def test_glossary_appears_on_hover_and_on_focus(open_page):
    page = open_page()
    link = page.locator("#answer a.term", has_text="AUC").first
    assert page.locator("#tip").is_hidden()
    link.hover()
    assert "random patient with the event" in page.locator("#tip").inner_text()
    page.mouse.move(2, 2)
    assert page.locator("#tip").is_hidden()
    page.locator("#answer a.term", has_text="balanced error").first.focus()
    assert "false alarms" in page.locator("#tip").inner_text()
    words = set(page.eval_on_selector_all("a.term", "all => all.map(one => one.hash)"))
    assert words == {
        "#term-balanced-error",
        "#term-auc",
        "#term-head-projection",
        "#term-tail-projection",
        "#term-stability",
    }


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_layout_holds(open_page, width):
    page = open_page(width)
    ready_viewer(page)
    page.locator("#viewer-other").select_option(label="IHT")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    outside = page.evaluate(
        """width => Array.from(document.querySelectorAll('main *')).filter(one => {
            const box = one.getBoundingClientRect();
            return box.width && box.right > width + 1 && !one.closest('.scroll, .network, svg');
        }).map(one => one.outerHTML.slice(0, 80))""",
        width,
    )
    assert outside == []
    small = page.eval_on_selector_all(
        ".chart svg text", "all => all.map(one => one.getBoundingClientRect().height).filter(h => h && h < 9)"
    )
    assert small == []


def test_dark_mode_and_print_follow_the_reader(open_page):
    brightness = "parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
    assert open_page().evaluate(brightness) > 200
    page = open_page(scheme="dark")
    assert page.evaluate(brightness) < 60
    page.emulate_media(media="print")
    assert page.evaluate(brightness) == 255
    assert page.locator("nav").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_violation(open_page, scheme):
    axe = pytest.importorskip("axe_playwright_python")
    page = open_page(scheme=scheme)
    ready_viewer(page)
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)")
    serious = [
        (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_page_is_small_and_its_opening_is_measured(open_page, report_folder, record_property):
    size = (report_folder / "reports/report.html").stat().st_size
    page = open_page()
    timing = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    record_property("megabytes", size / 1e6)
    record_property("milliseconds_to_load", timing)
    assert size < 8e6
    assert math.isfinite(timing)
