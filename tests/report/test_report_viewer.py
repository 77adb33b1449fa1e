"""The network viewer in a real browser, against the fold files and networkx."""

import json

import networkx as nx
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from browser_fixtures import NEEDS_BROWSER, download, ready_viewer, search
from report_cases import KNOWN, make_study
from study.methods import label

pytestmark = NEEDS_BROWSER


def nodes(page, expression, pane="a", which="node"):
    """An expression of every node `n` of the network shown."""
    return page.evaluate(
        f"document.getElementById('viewer-{pane}')._cyreg.cy.nodes({json.dumps(which)}).map(n => {expression})"
    )


def genes_of(report_folder, method, least):
    genes = [
        json.loads(p.read_text())["genes"]
        for p in (report_folder / "results/made-up/own").glob(f"fits/{method}/*/fold-*.json")
    ]
    counts = pd.Series([gene for fold in genes for gene in fold]).value_counts() / len(genes)
    return {f"G{gene:02d}": share for gene, share in counts.items() if share >= least - 1e-9}


def shown_genes(page, pane="a"):
    return set(nodes(page, "n.data('symbol')", pane))


def set_share(page, percent):
    page.eval_on_selector(
        "#viewer-share",
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('change')); }",
        str(percent),
    )


def test_viewer_shows_the_genes_above_the_slider(open_page, report_folder):
    page = open_page()
    ready_viewer(page)
    assert page.locator("#viewer-method option:checked").inner_text() == "GraphIHT"
    sizes = []
    for percent in (100, 60, 10):
        set_share(page, percent)
        expected = genes_of(report_folder, "graph-iht", percent / 100)
        assert shown_genes(page) == set(expected)
        sizes.append(len(expected))
        assert f"{percent} %" in page.locator("#viewer-share-shown").inner_text()
        assert page.locator("#viewer-name-a").inner_text().startswith(f"GraphIHT: {len(expected)} genes")
    assert sizes[0] < sizes[1] < sizes[2]
    page.locator("#viewer-method").select_option(label="IHT")
    set_share(page, 50)
    assert shown_genes(page) == set(genes_of(report_folder, "iht", 0.5))


def test_viewer_finds_a_gene_and_says_why_it_does_not(open_page, report_folder):
    page = open_page()
    ready_viewer(page)
    set_share(page, 100)
    search(page, "g00")
    assert page.locator("#viewer").get_attribute("data-chosen") == "G00"
    assert page.locator("#viewer-gene h3").inner_text() == "G00"
    search(page, "BRCA9")
    assert "no method selects it" in page.locator("#viewer-said").inner_text()
    rare = next(gene for gene, share in sorted(genes_of(report_folder, "graph-iht", 0.1).items()) if share < 1)
    search(page, rare)
    assert "move the slider to the left" in page.locator("#viewer-said").inner_text()


def test_viewer_shows_a_clicked_gene_with_its_neighbours(open_page, report_folder):
    page = open_page()
    ready_viewer(page)
    set_share(page, 10)
    canvas = page.locator("#viewer-a")
    canvas.scroll_into_view_if_needed()
    frame = canvas.bounding_box()
    at = nodes(page, "n.renderedPosition()", which='[symbol = "G01"]')[0]
    page.mouse.click(frame["x"] + at["x"], frame["y"] + at["y"])
    panel = page.locator("#viewer-gene")
    assert panel.locator("h3").inner_text() == "G01"
    assert "A known breast-cancer gene." in panel.inner_text()
    assert panel.locator("a").get_attribute("href") == "https://www.ncbi.nlm.nih.gov/gene/102"
    edges = make_study().edges
    assert f"{int((edges == 1).any(axis=1).sum())} neighbours in the whole network" in panel.inner_text()
    shown = genes_of(report_folder, "graph-iht", 0.1)
    near = {f"G{b if a == 1 else a:02d}" for a, b in edges if 1 in (a, b)} & set(shown)
    assert set(panel.locator(".neighbours button").all_inner_texts()) == near
    for method in ("iht", "graph-iht", "graph-svrg-iht"):
        row = panel.locator("tbody tr", has=page.locator(f"th:text-is('{label(method)}')"))
        assert row.locator("td").first.inner_text() == f"{genes_of(report_folder, method, 0)['G01']:.2f}"
    expected = {}
    for gene in shown:
        is_more = roc_auc_score(make_study().y, make_study().X[:, int(gene[1:])]) > 0.5
        # Weights are positive for odd genes.
        is_opposite = is_more != (int(gene[1:]) % 2 == 1)
        expected[gene] = ["#b2182b" if is_more else "#2166ac", "dashed" if is_opposite else "solid"]
    drawn = nodes(page, "[n.data('symbol'), [n.data('colour'), n.style('border-style')]]")
    assert dict(drawn) == expected
    known = nodes(page, "[n.data('symbol'), n.style('border-width')]", which="[?known]")
    assert dict(known) == {symbol: "4px" for symbol in KNOWN if symbol in shown} | {"G01": "5px"}
    panel.locator(".neighbours button").first.click()
    assert page.locator("#viewer").get_attribute("data-chosen") == sorted(near)[0]


def test_viewer_compares_two_methods_side_by_side(open_page, report_folder):
    page = open_page()
    ready_viewer(page)
    set_share(page, 70)
    page.locator("#viewer-other").select_option(label="IHT")
    mine, theirs = set(genes_of(report_folder, "graph-iht", 0.7)), set(genes_of(report_folder, "iht", 0.7))
    assert (shown_genes(page), shown_genes(page, "b")) == (mine, theirs)
    text = page.locator("#viewer-said").inner_text()
    both, only_mine, only_theirs = len(mine & theirs), len(mine - theirs), len(theirs - mine)
    assert text == f"{both} genes in both, {only_mine} only in GraphIHT, {only_theirs} only in IHT."
    colours = nodes(page, "[n.data('symbol'), n.data('colour')]", "b")
    assert {symbol for symbol, colour in colours if colour == "#0072B2"} == theirs - mine
    positions = [dict(nodes(page, "[n.data('symbol'), n.position()]", pane)) for pane in "ab"]
    assert all(positions[0][symbol] == positions[1][symbol] for symbol in mine & theirs)


def test_viewer_exports_graphml_and_png(open_page, report_folder):
    page = open_page()
    ready_viewer(page)
    set_share(page, 30)
    content, filename = download(page, page.locator("[data-network=graphml]").click)
    assert filename == "network-graph-iht.graphml"
    graph = nx.parse_graphml(content.decode())
    expected = genes_of(report_folder, "graph-iht", 0.3)
    study = make_study()
    names = [tuple(study.symbol[list(edge)]) for edge in study.edges]
    assert dict(graph.nodes(data="frequency")) == pytest.approx(expected, abs=1e-4)
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(e) for e in names if set(e) <= set(expected)}
    assert {node for node, known in graph.nodes(data="known") if known} == set(KNOWN) & set(expected)
    content, _ = download(page, page.locator("[data-network=png]").click)
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert min(int.from_bytes(content[at : at + 4], "big") for at in (16, 20)) > 300
