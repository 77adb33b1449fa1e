"""The page in a real browser: nothing is fetched, nothing fails, and every part that can be used is used."""

import csv
import io
import json
import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import networkx as nx
import pandas as pd
import pytest
from scipy.stats import t
from sklearn.metrics import roc_auc_score

from browser_fixtures import NEEDS_BROWSER, download, ready_viewer, search, unfold
from report_cases import FOLDS, HOSTILE, METHODS, make_study
from study.report.glossary import GLOSSARY
from study.report.page import SECTIONS
from study.report.templates import term_id

pytestmark = NEEDS_BROWSER
# A browser refuses the eleventh download of a page in a short time.
DOWNLOADS_PER_PAGE = 8
# The columns of evidence tables as shown, by id; a table's file is of the same name, but for two.
SHOWN = {
    "pairs": "method_a method_b metric difference low high effect_size p p_holm verdict",
    "stability": "method nogueira low high mean_jaccard mean_genes supports",
    "known": "method known_in_network union_found average_precision chance_precision overlap p p_matched union_genes",
    "pathways": "method collection name genes_in_network overlap expected p q q_matched genes",
    "controls": "control method repetitions balanced_error balanced_error_std auc auc_std p seconds",
    "survival": "method n_high n_low hazard_ratio low high logrank_p ratio_before ratio_after p_change concordance "
    "concordance_low concordance_high",
    "outcomes": "outcome method patients events auc low high balanced_error",
    "other-event": "outcome method patients events auc low high",
    "external-models": "cohort model patients events event_means genes_used genes_missing auc low high concordance "
    "hazard_ratio hr_low hr_high logrank_p",
    "external-differences": "cohort model difference low high",
    "random-sets": "cohort model auc random_median random_low random_high share_as_good sets",
    "added-value": "cohort model covariates patients events hazard_ratio low high p p_likelihood_ratio",
}
FILES = {"pairs": "differences", "external-models": "external"}


def evidence_file(run, table):
    return run / f"evidence/{FILES.get(table, table.replace('-', '_'))}.csv"


def cells(page, table):
    """The values and the shown texts of a table's rows, hidden ones included, in their order."""
    return page.eval_on_selector_all(
        f"#{table} tbody tr",
        """rows => rows.map(row => ({hidden: row.hidden,
            cells: Array.from(row.cells, cell => [cell.dataset.v ?? cell.textContent, cell.textContent])}))""",
    )


def number(text):
    """A shown number as a float: signs, thousands, per cent."""
    text = text.replace("−", "-").replace(",", "").split(" ± ")[0]
    return float(text.removesuffix(" %")) / 100 if text.endswith(" %") else float(text)


def test_every_section_is_there_and_only_what_was_not_run_is_missing(open_page):
    page = open_page()
    assert page.eval_on_selector_all("main > section", "all => all.map(one => one.id)") == list(SECTIONS)
    assert page.eval_on_selector_all("nav a", "all => all.map(a => a.hash.slice(1))") == list(SECTIONS)
    not_run = page.locator(".answer p", has_text="Not run:").inner_text()
    assert "snakemake permuted" in not_run
    assert "recovery of the true genes, families of graphs and cost by size" in not_run
    assert "snakemake simulations_full" in not_run
    assert page.locator(".gap").count() == 0
    assert page.title().startswith("Which genes? Breast cancer · cohort nki · outcome: death in follow-up (years)")
    question = page.locator("h1").inner_text()
    assert question.startswith("Which small, connected set of genes predicts death in breast cancer")


def test_first_screen_has_the_answer(open_page, report_run):
    """Genes by name and direction, accuracy beside the strongest baseline, the questions: all above the fold."""
    study, n_opposite = make_study(), 0
    page = open_page()
    folds = [json.loads(path.read_text()) for path in sorted(report_run.glob("fits/*/*/fold-*.json"))]
    metrics = pd.DataFrame([{key: fold[key] for key in ("method", "auc")} for fold in folds])
    own = [fold["genes"] for fold in folds if fold["method"] == "graph-iht"]
    counts = pd.Series([gene for genes in own for gene in genes]).value_counts() / len(own)
    stable = {f"G{gene:02d}" for gene, share in counts.items() if share >= 0.5}
    drawn = page.eval_on_selector_all(
        "#subnetwork svg text", "all => all.map(one => [one.textContent, one.getBoundingClientRect().bottom])"
    )
    assert {name for name, _ in drawn} == stable
    assert all(0 < bottom < 900 for _, bottom in drawn)
    tips = dict(
        page.eval_on_selector_all(
            "#subnetwork svg title", "all => all.map(one => one.textContent.split(': ')).filter(one => one.length > 1)"
        )
    )
    for name in stable:
        share = counts[int(name[1:])]
        # Weights are positive for odd genes; a gene is coloured by its own association.
        alone = roc_auc_score(study.y, study.X[:, int(name[1:])])
        own, other = ("more", "fewer") if alone > 0.5 else ("fewer", "more")
        is_opposite = (int(name[1:]) % 2 == 1) != (alone > 0.5)
        n_opposite += is_opposite
        ending = f", in the model with {other}" if is_opposite else ""
        assert tips[name] == f"in {share:.0%} of the folds; higher goes with {own} events{ending}"
    assert 0 < n_opposite == page.locator("#subnetwork svg path[style*=stroke-dasharray]").count()
    text = page.locator("#answer-text").inner_text()
    for method in ("graph-iht", "ridge"):
        values = metrics.loc[metrics["method"] == method, "auc"]
        half = t.ppf(0.975, len(values) - 1) * values.std() * math.sqrt(1 / len(values) + 1 / (FOLDS - 1))
        mean = values.mean()
        assert f"{mean:.3f} (95 % interval {max(mean - half, 0):.3f} to {min(mean + half, 1):.3f})" in text
    for question in ("Does the network help?", "Does it hold in other cohorts?", "How sure?", "Not run:"):
        where = page.locator(".answer b", has_text=question).bounding_box()
        assert where["y"] + where["height"] < 900, question


def test_page_is_small_and_short_until_it_is_unfolded(open_page, report_folder):
    assert (report_folder / "reports/report.html").stat().st_size < 5e6
    page = open_page()
    height = "document.documentElement.scrollHeight / 900"
    folded = page.evaluate(height)
    assert folded < 14
    for section in page.locator("main > section").all():
        opening = section.locator(".opening")
        assert opening.locator("figure, .viewer").count() >= 1, section.get_attribute("id")
    # By keyboard: a fold is a button.
    fold = page.locator("#patients details").first
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert fold.get_attribute("open") is not None
    page.keyboard.press("Enter")
    assert fold.get_attribute("open") is None
    unfold(page)
    assert page.locator(".folds details:not([open])").count() == 0
    assert page.locator("#unfold").inner_text() == "Fold all"
    assert page.evaluate(height) > 1.5 * folded
    unfold(page)
    assert page.locator(".folds details[open]").count() == 0
    assert page.evaluate(height) == pytest.approx(folded)


def test_a_link_opens_the_fold_it_leads_into(open_page):
    page = open_page()
    entry = page.locator("#term-auc")
    assert not entry.is_visible()
    page.locator("#answer a.term", has_text="AUC").first.click()
    page.wait_for_function(
        "() => { const box = document.getElementById('term-auc').getBoundingClientRect();"
        " return box.height > 0 && box.top >= 0 && box.top < 900; }"
    )
    assert entry.is_visible()


def test_hostile_gene_names_are_text_everywhere(open_page, hostile_page):
    page = open_page(file=hostile_page)
    asked = []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    unfold(page)
    ready_viewer(page)
    for figure in ("subnetwork", "gene-chart", "signature-weights"):
        texts = " ".join(page.locator(f"#{figure} svg text").all_text_contents())
        assert all(name in texts for name in HOSTILE.values()), figure
    for table in ("genes-table", "final-models"):
        assert set(HOSTILE.values()) <= {value for row in cells(page, table) for value, _ in row["cells"]}, table
    assert "</script><script>alert(2)</script>" in page.locator("#pathways").inner_text()
    for name in HOSTILE.values():
        search(page, name)
        assert page.locator("#viewer-gene h3").inner_text() == name
    content, _ = download(page, page.locator("#subnetwork [data-save=svg]").click)
    assert set(HOSTILE.values()) <= set(ET.fromstring(content).itertext())
    content, _ = download(page, page.locator("[data-network=graphml]").click)
    assert set(HOSTILE.values()) <= set(nx.parse_graphml(content.decode()).nodes)
    assert page.locator("main img, main b > b").count() == 0
    assert asked == []


def test_summary_numbers_are_those_of_the_fold_files(open_page, report_run):
    folds = [json.loads(path.read_text()) for path in sorted(report_run.glob("fits/*/*/fold-*.json"))]
    rows = cells(open_page(), "summary")
    assert [row["cells"][0][0] for row in rows] == METHODS
    for row in rows:
        own = pd.DataFrame([fold for fold in folds if fold["method"] == row["cells"][0][0]])
        for column, metric, digits in ((1, "auc", 3), (2, "balanced_error_tuned", 3), (3, "n_nonzero", 1)):
            mean, std = own[metric].mean(), own[metric].std(ddof=0)
            value, shown = row["cells"][column]
            assert float(value) == pytest.approx(mean, rel=1e-6)
            assert shown == f"{mean:.{digits}f} ± {std:.{digits}f}"


@pytest.mark.parametrize("table", SHOWN)
def test_evidence_tables_show_the_numbers_of_their_files(page_once, report_run, table):
    with open(evidence_file(report_run, table), newline="") as stream:
        rows = list(csv.DictReader(stream))
    if table == "pathways":
        rows.sort(key=lambda row: tuple(float(row[key]) for key in ("q_matched", "q", "p")))
    found = cells(page_once, table)
    assert len(found) == len(rows)
    for row, shown in zip(rows, found, strict=True):
        for key, (value, text) in zip(SHOWN[table].split(), shown["cells"], strict=True):
            if row[key] == "":
                assert (value, text) == ("", "–")
                continue
            try:
                expected = float(row[key])
            except ValueError:
                assert value == row[key]
                continue
            assert float(value) == pytest.approx(expected, rel=1e-6)
            if text not in ("●", ""):
                assert number(text) == pytest.approx(expected, rel=0.006, abs=0.0051), (key, text)


def test_every_table_saves_what_it_shows_and_evidence_tables_save_their_file(open_page, report_run):
    page = open_page()
    ids = page.eval_on_selector_all(".table", "all => all.map(one => one.id)")
    assert set(SHOWN) < set(ids)
    for i, table in enumerate(ids):
        if i % DOWNLOADS_PER_PAGE == 0:
            page = open_page()
            unfold(page)
        content, filename = download(page, page.locator(f"#{table} [data-csv]").click)
        assert filename == f"{table}.csv"
        saved = pd.read_csv(io.BytesIO(content))
        assert len(saved) == len(cells(page, table))
        if table in SHOWN and table != "pathways":
            assert pd.read_csv(evidence_file(report_run, table)).equals(saved)


def test_tables_sort_filter_and_save_what_matches(open_page, report_run):
    page = open_page()
    unfold(page)
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
    assert "12 of 12 rows that match" in page.locator("#pathways .shown").inner_text()
    content, _ = download(page, page.locator("#pathways [data-csv]").click)
    saved = pd.read_csv(io.BytesIO(content))
    assert set(saved["method"]) == {"graph-svrg-iht"}
    file = pd.read_csv(evidence_file(report_run, "pathways")).query("method == 'graph-svrg-iht'")
    shown = [row["cells"][2][0] for row in cells(page, "pathways") if not row["hidden"]]
    assert saved["name"].tolist() == shown
    assert saved.equals(file.set_index("name").loc[shown].reset_index()[saved.columns.tolist()])
    page.locator("#pathways [data-filter]").fill("")
    page.locator("#pathways [data-all]").click()
    assert not any(row["hidden"] for row in cells(page, "pathways"))
    # Blanks come last whichever way one sorts.
    for _ in range(2):
        page.locator("#survival thead button").nth(7).click()
    assert page.locator("#pathways").inner_text().count("Path <0> & co") == 3


def test_survival_curves_have_the_patients_at_risk(page_once, report_run):
    km = pd.read_csv(report_run / "evidence/km.csv").query("method == 'graph-iht'")
    texts = page_once.locator("#km svg text").all_text_contents()
    ticks = [0, 2, 4, 6, 8, 10, 12]
    for group, part in km.groupby("group", sort=False):
        at_risk = [int(part.loc[part["time"] >= tick, "at_risk"].iloc[0]) for tick in ticks]
        assert "|".join(map(str, at_risk)) in "|".join(texts), group
    colours = page_once.eval_on_selector_all("#km svg path", "all => all.map(one => one.style.stroke)")
    assert {"rgb(178, 24, 43)", "rgb(33, 102, 172)"} <= set(colours)


def test_figures_are_saved(open_page):
    page = open_page()
    for i, figure in enumerate(page.eval_on_selector_all("figure[id]", "all => all.map(one => one.id)")):
        if i % DOWNLOADS_PER_PAGE == 0:
            page = open_page()
            unfold(page)
        content, filename = download(page, page.locator(f"#{figure} [data-save=svg]").click)
        assert filename == f"{figure}.svg"
        assert ET.fromstring(content).tag.endswith("svg")
    page = open_page()
    content, _ = download(page, page.locator("#subnetwork [data-save=png]").click)
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
    page.locator("#answer a.term", has_text="stability").first.focus()
    assert "corrected for chance" in page.locator("#tip").inner_text()
    linked = set(page.eval_on_selector_all("a.term", "all => all.map(one => one.hash)"))
    # Concordance is a word of survival studies.
    assert linked == {f"#{term_id(word)}" for word in GLOSSARY} - {"#term-concordance"}


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_layout_holds(open_page, width):
    page = open_page(width)
    unfold(page)
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
    # What opens a section is shown whole, in letters that can be read; wider figures are scrolled, and say so.
    cut = page.eval_on_selector_all(
        ".opening figure .scroll",
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.ariaLabel)",
    )
    assert cut == []
    small = page.eval_on_selector_all(
        ".opening svg text", "all => all.map(one => one.getBoundingClientRect().height).filter(h => h && h < 7)"
    )
    assert small == []
    wide = page.locator(".folds .scroll.wide").first
    cue = wide.evaluate("one => getComputedStyle(one, '::before').content")
    assert ("swipe" in cue) == (width == 390)


def test_dark_mode_and_print_follow_the_reader(open_page):
    brightness = "parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
    assert open_page().evaluate(brightness) > 200
    page = open_page(scheme="dark")
    assert page.evaluate(brightness) < 60
    page.emulate_media(media="print")
    assert page.evaluate(brightness) == 255
    assert page.locator("nav").is_hidden()
    assert page.locator("#summary").is_hidden(), "what is folded is not printed"


def test_print_is_a4_at_full_size(open_page):
    """A page that is too wide for its paper is shrunk by the browser: nothing may be."""
    page = open_page()
    unfold(page)
    page.emulate_media(media="print")
    portrait, landscape = 703, 1031  # A4 without margins of 12 mm, at 96 dots an inch
    page.set_viewport_size({"width": portrait, "height": 1000})
    too_wide = page.evaluate(
        """([portrait, landscape]) => Array.from(document.querySelectorAll('main *')).filter(one => {
            const box = one.getBoundingClientRect();
            const most = one.closest('.table.wide') ? landscape : portrait;
            return box.width && !one.closest('svg') && box.right > most + 1;
        }).map(one => one.outerHTML.slice(0, 100))""",
        [portrait, landscape],
    )
    assert too_wide == []
    pdf = page.pdf(prefer_css_page_size=True)
    boxes = {tuple(map(round, map(float, box.split()))) for box in re.findall(rb"/MediaBox \[([^\]]+)\]", pdf)}
    assert boxes == {(0, 0, 595, 842), (0, 0, 842, 595)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(open_page, scheme):
    axe = pytest.importorskip("axe_playwright_python")
    page = open_page(scheme=scheme)
    unfold(page)
    ready_viewer(page)
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)")
    violations = [(one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"]) for one in found]
    assert violations == []
