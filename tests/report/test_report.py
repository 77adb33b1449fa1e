"""The report from tables: what it says is what they hold, also when some are missing, damaged or failed."""

import json
import re
import shutil
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from report_cases import (
    FOLDS,
    METHODS,
    TRIALS,
    configuration,
    make_evidence,
    make_run,
    make_simulations,
    make_study,
    write_page,
)
from study import tables
from study.cv.results import traces_table
from study.evidence.controls_tables import network_sentence
from study.evidence.paper import picked, picked_difference
from study.figures import methods as figures
from study.figures.style import inline, to_svg
from study.methods import SHARED, headline
from study.report.blocks import as_json
from study.report.files import LATEX_TABLES
from study.report.frequencies import count_frequencies, frequencies
from study.report.inputs import TABLES, read_inputs
from study.report.latex import latex_tables
from study.report.network_view import first_threshold, network_data
from study.report.page import sections
from study.report.sections import cost, genes, signature
from study.report.sections.answer import overview, per_fit
from study.report.sentences import answer, control_sentences, picked_sentence
from study.report.show import probability
from study.config import cohort_name
from study.errors import StudyError
from study.io import write_json, write_text


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def run(whole, tmp_path):
    target = tmp_path / "results/made-up/own"
    shutil.copytree(whole, target)
    return target


def read(run, repository, partial=True, config=None):
    published = repository / "data/published_metrics.csv"
    return read_inputs(run, config or configuration(), published, run / "none", partial)


def fold_file(run, method="iht", trial=1, fold=1):
    return run / f"fits/{method}/trial-{trial:02d}/fold-{fold}.json"


def text_of(run, folder):
    write_page(folder, run)
    page = (folder / "reports/report.html").read_text()
    return re.search(r'<p id="answer-text">(.*?)</p>', page, flags=re.S)[1], page


def test_complete_study_says_nothing_is_missing(run, tmp_path):
    first, page = text_of(run, tmp_path)
    assert "gap" not in first
    assert "incomplete" not in page.partition("<main")[0].rpartition("<header>")[2]
    not_run = re.search(r"<b>Not run:</b>(.*?)</p>", page, flags=re.S)[1]
    targets = [f".venv/bin/snakemake {target}" for target in ("controls", "permuted", "planted", "simulations")]
    for command in (*targets, "make study"):
        assert f"<code>{command}</code>" in not_run


def test_missing_and_damaged_folds_are_named_first(run, tmp_path):
    fold_file(run).unlink()
    fold_file(run, "graph-iht", 2, 3).unlink()
    fold_file(run, "graph-iht", 2, 2).write_text('{"method": "graph-i')
    first, page = text_of(run, tmp_path)
    total = len(METHODS) * TRIALS * FOLDS
    assert first.startswith(
        f'<strong class="gap">This study is incomplete: 3 of {total} folds have no result (1 of IHT and 2 of GraphIHT)'
    )
    assert "fits/graph-iht/trial-02/fold-2.json" in first
    assert page.count(">no result<") == 3
    kept = [json.loads(path.read_text())["balanced_error"] for path in run.glob("fits/iht/*/*.json")]
    assert len(kept) == TRIALS * FOLDS - 1
    assert f"{np.mean(kept):.3f} ± {np.std(kept):.3f}" in page
    assert "This study is incomplete: 3 of" in (tmp_path / "reports/summary.md").read_text()


def test_method_without_any_fold_is_named(run, repository):
    shutil.rmtree(run / "fits/graph-svrg-iht")
    assert f"{TRIALS * FOLDS} of GraphSVRG-IHT" in answer(read(run, repository))


def test_failed_fit_is_named_first_and_counted(run, repository):
    result = json.loads(fold_file(run).read_text()) | {
        "status": "diverged",
        "balanced_error": 0.5,
        "auc": 0.5,
    }
    write_json(fold_file(run), result)
    inputs = read(run, repository)
    assert '<p id="answer-text"><strong class="gap">1 of 24 final fits failed (1 of IHT)' in answer(inputs)
    errors = [json.loads(path.read_text())["balanced_error"] for path in run.glob("fits/iht/*/*.json")]
    assert 0.5 in errors
    assert overview(inputs)["balanced_error_mean"][0] == pytest.approx(np.mean(errors))
    assert cost.work_table(inputs)["failed"][0] == 1


def test_nothing_to_report_is_said_in_one_sentence(run, repository, tmp_path):
    shutil.rmtree(run / "fits")
    message = write_page(tmp_path, run, ok=False).stderr
    assert message.strip() == f"error: {run}/fits: expected at least one finished fold, found none; run `make study`."
    (run / "study.npz").unlink()
    with pytest.raises(StudyError, match="expected a study that was at least prepared"):
        read(run, repository)


def test_evidence_table_without_a_column_is_refused_by_name(run, repository):
    make_evidence(run)
    table = pd.read_csv(run / "evidence/stability.csv").drop(columns="nogueira")
    write_text(run / "evidence/stability.csv", table.to_csv(index=False))
    with pytest.raises(
        StudyError, match=r"evidence/stability\.csv: expected the columns method, nogueira.*found no nogueira"
    ):
        read(run, repository)


def test_empty_evidence_tables_are_as_absent(run, repository):
    for name, table in make_evidence(run).items():
        write_text(run / f"evidence/{name}.csv", table.iloc[:0].to_csv(index=False))
    write_text(run / "evidence/km.csv", "")
    inputs = read(run, repository)
    assert inputs.evidence == {}
    # Sections of which nothing is there are not on the page; what would be in them is named in the answer.
    shown = [part.id for part in sections(inputs)]
    assert shown == ["answer", "paper", "settings", "genes", "network", "cost", "methods"]
    said = sections(inputs)[0].lead
    for what in ("tests of every pair of methods", "risk groups", "tests in other cohorts", "models of all patients"):
        assert f"{what}" in said


def test_the_picked_difference_is_said(run, repository):
    first = picked_sentence(read(run, repository))
    metrics = pd.DataFrame(
        [json.loads(path.read_text()) for method in METHODS for path in sorted(run.glob(f"fits/{method}/*/*.json"))]
    )
    row = picked_difference(picked(metrics), FOLDS)["auc"]
    signed, low, high = (f"{row[key]:+.3f}".replace("-", "−") for key in ("difference", "low", "high"))
    assert f"difference {signed} (95 % interval, corrected for overlapping folds: {low} to {high}" in first


def test_controls_are_said_in_the_answer(run, repository):
    make_evidence(run)
    inputs = read(run, repository)
    controls = inputs.evidence["controls"]
    in_detail = " ".join(control_sentences(controls))
    assert network_sentence(controls) in in_detail
    assert "On 30 shuffles of the labels their balanced error is 0.497" in in_detail
    assert "on 30 networks with random edges (p = 0.29)" in answer(inputs)
    assert "controls" not in answer(inputs, sections(inputs)[0].missing)


def test_bound_of_graph_stability_is_printed_with_its_assumptions(run, repository, tmp_path):
    other = make_run(tmp_path / "other", ["graph-stability"])
    shutil.copytree(other / "fits/graph-stability", run / "fits/graph-stability")
    blocks = genes.section(read(run, repository)).blocks
    text = " ".join(block.html for block in blocks if block.kind == "text")
    assert "at most 2.2 (median over 6 of 6 folds" in text  # 36 / (40 x 0.4) = 2.25
    assert "q = 6.0" in text
    assert "shares π above one half" in text


def test_frequencies_are_shares_of_folds(run, repository):
    table = frequencies(read(run, repository)).set_index(["method", "symbol"])
    folds = [json.loads(path.read_text()) for path in run.glob("fits/graph-iht/*/*.json")]
    for gene in (0, 7, 20):
        weights = [fold["weights"][fold["genes"].index(gene)] for fold in folds if gene in fold["genes"]]
        row = table.loc[("graph-iht", f"G{gene:02d}")]
        assert row["frequency"] == len(weights) / len(folds)
        assert row["mean_weight"] == pytest.approx(np.mean(weights))
        positive = np.mean(np.array(weights) > 0)
        assert row["same_sign"] == pytest.approx(max(positive, 1 - positive))
        assert row["degree"] == (make_study().edges == gene).sum()
    assert "ridge" not in table.index.get_level_values("method")


def test_genes_in_half_of_the_folds_and_in_one_piece_are_counted(run, repository):
    make_evidence(run)
    table = count_frequencies(read(run, repository)).assign(failed=0)
    own = table["method"] == "graph-iht"
    half = int((own & (table["frequency"] >= 0.5)).sum())
    table["connected"] = (table["frequency"] >= 0.9).astype(int)
    connected = int(table.loc[own, "connected"].sum())
    tables.write(run, "evidence/frequencies", table[table["method"] != "ridge"])
    text = genes.section(read(run, repository)).lead
    assert 0 < connected < half
    assert (
        f"GraphIHT selects {half} genes in at least half of the folds, {connected} of them in one connected piece"
        in text
    )


def test_network_data_has_the_edges_among_its_genes(run, repository):
    inputs = read(run, repository)
    data = network_data(inputs, frequencies(inputs))
    names = [gene["symbol"] for gene in data["genes"]]
    study = make_study()
    expected = {frozenset(study.symbol[edge]) for edge in study.edges if set(study.symbol[edge]) <= set(names)}
    assert {frozenset((names[a], names[b])) for a, b, _ in data["edges"]} == expected
    assert [gene["symbol"] for gene in data["genes"] if gene["known"]] == ["G01", "G02"]
    assert all(row[1] >= data["least"] for method in data["methods"] for row in method["genes"])
    assert data["methods"][data["first"]]["name"] == "graph-iht"


def test_slider_starts_where_the_network_is_readable():
    assert first_threshold(np.full(10, 0.6)) == 0.5
    assert first_threshold(np.r_[np.full(100, 0.62), np.full(20, 0.9)]) == 0.65
    assert first_threshold(np.ones(500)) == 0.95


def test_traces_hold_the_last_loss_of_folds_that_stopped():
    folds = [
        {"method": "iht", "loss_trace": [2.0, 1.0]},
        {"method": "iht", "loss_trace": [4.0, 3.0, 1.0]},
        {"method": "ridge"},
    ]
    table = traces_table(folds)
    assert table["epoch"].tolist() == [0, 1, 2]
    np.testing.assert_allclose(table["loss"], [1.0, (0.5 + 0.75) / 2, (0.5 + 0.25) / 2])
    assert table["running"].tolist() == [2, 2, 1]


def test_time_per_fit_counts_shared_fits():
    top = f"{SHARED}top"
    rows = [("iht", 2.0, 1), (top, 8.0, 9), ("ridge", 3.0, 3)]
    milliseconds = per_fit(pd.DataFrame(rows, columns=["method", "seconds", "fits"]), [1, 2])
    assert milliseconds == {"iht": 1000.0, top: pytest.approx(8000 / 9), "ridge": 1000.0}


def test_where_the_time_went_is_said_as_far_as_it_is_known(run, repository):
    text = cost.section(read(run, repository)).lead
    assert "to start and to end" not in text
    seconds = {"cores": 2, "seconds_in_fits": 120.0, "seconds_starting_and_ending_jobs": 30.0}
    for wall, known in ((None, False), (100.0, True)):
        more = {"wall_seconds": wall, "seconds_between_jobs": 50.0, "overhead": 0.4} if wall else {"wall_seconds": None}
        write_json(run / "benchmarks/cost.json", {"run": seconds | more, "methods": []})
        text = cost.section(read(run, repository)).lead
        assert "The fits took 120 s, added up over the cores, their jobs 30 s more" in text
        assert ("took 100 s on 2 cores" in text) == known
        assert ("40 % of it was not spent in fits" in text) == known


def test_latex_is_balanced_and_escaped(run, repository):
    config = configuration() | {"cohort": "my_cohort"}
    texts = latex_tables(read(run, repository, config=config))
    assert list(texts) == list(LATEX_TABLES) == ["auc", "balanced_error_tuned", "balanced_error", "n_nonzero", "genes"]
    for name, text in texts.items():
        body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
        opened = re.findall(r"\\begin\{(\w+)\}", body)
        assert sorted(opened) == sorted(re.findall(r"\\end\{(\w+)\}", body)) == ["table", "tabular"]
        bare = re.sub(r"\\[\\&%_{}$#]", "", body)
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"[%#]", bare)
        assert "_" not in re.sub(r"\\label\{[^}]*\}", "", bare)
        assert r"my\_cohort" in body
        rows = re.findall(r"^(.*) \\\\$", body, flags=re.M)
        widths = {len(re.split(r"(?<!\\)&", row)) for row in rows}
        assert widths == ({3} if name == "genes" else {1 + len(METHODS)})
    means = read(run, repository).over_all["balanced_error_mean"]
    last = texts["balanced_error"].splitlines()[-4]
    assert all(f"{mean:.3f}" in last for mean in means)
    assert r"\textbf" not in "".join(texts.values()), "the best mean need not be better"


def test_page_is_written_from_equal_tables_either_way(run, repository):
    inputs = read(run, repository)
    for name in TABLES:
        tables.write(run, name, getattr(inputs, name))
    from_tables = read(run, repository, partial=False)
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(from_tables, name), getattr(inputs, name), check_exact=True)


def test_figures_have_the_same_bytes_again(run, repository):
    metrics = read(run, repository).metrics
    first, second = (to_svg(figures.accuracy(metrics, METHODS), "one") for _ in range(2))
    assert first == second
    first, second = (to_svg(figures.time_per_fit({"iht": 2.0, "ridge": 30.0}, METHODS), "one") for _ in range(2))
    assert first == second
    assert "0072b2" in first.lower()
    assert ">IHT</text>" in first
    assert "#1c2431" not in first.lower()


def test_figures_of_the_page_are_those_of_the_folder(run, tmp_path):
    make_evidence(run)
    make_simulations(tmp_path)
    stale = tmp_path / "reports/figures/of-another-page.svg"
    stale.parent.mkdir(parents=True)
    stale.write_text("<svg/>")
    _, page = text_of(run, tmp_path)
    files = {path.stem: path.read_text() for path in (tmp_path / "reports/figures").glob("*.svg")}
    on_page = dict(re.findall(r'<figure id="([^"]+)">.*?(<svg.*?</svg>\n)', page, flags=re.S))
    assert files == on_page
    assert {"subnetwork", "headline-accuracy", "differences-forest", "km", "hazard-ratios", "planted-recall"} < set(
        files
    )
    assert all(ET.fromstring(text).tag.endswith("svg") for text in files.values())
    assert "IHT (2 failed)" in files["ranks-auc"]


def test_text_from_outside_cannot_break_the_page(run, tmp_path):
    make_evidence(run)
    table = tables.read(run, "evidence/pathways").assign(name="</script><script>alert(1)</script>")
    tables.write(run, "evidence/pathways", table)
    _, page = text_of(run, tmp_path)
    assert "<script>alert" not in page
    assert page.count("</script>") == page.count("<script")
    assert json.loads(as_json("</script>\u2028")) == "</script>\u2028"


def test_inlined_svgs_share_no_id():
    body = '<g id="a"/><use xlink:href="#a"/><g clip-path="url(#a)"/></svg>'
    svg = f'<?xml version="1.0"?>\n<svg width="5pt" height="4pt" viewBox="0 0 5 4">{body}'
    assert (
        inline(svg, "one").strip()
        == '<svg viewBox="0 0 5 4"><g id="one-0"/><use href="#one-0"/><g clip-path="url(#one-0)"/></svg>'
    )


def test_probabilities_are_readable():
    assert [probability(p) for p in (1.0, 0.0421, 0.00012, 3e-12)] == ["1.000", "0.042", "1.2e-4", "3.0e-12"]


def test_signature_is_shown_with_the_command_that_applies_it(run, repository):
    frames = make_evidence(run)
    inputs = read(run, repository)
    section = signature.section(inputs)
    text, settings, genes = section.blocks
    chosen = headline(METHODS)
    config = inputs.config
    file = f"{config['results']}/{cohort_name(config)}/{config['network']}/signatures/{chosen}.json"
    assert f"<code>.venv/bin/graphiht predict --signature '{file}' --expression new.csv</code>" in section.lead
    assert "above +0.1250 the risk is called high" in text.html
    assert len(settings.rows) == len(METHODS)
    # The headline method's heaviest gene first.
    weights = frames["final_models"].query("method == @chosen")["weight"]
    shown = [abs(float(row[1].value)) for row in genes.rows]
    assert shown == pytest.approx(sorted(weights.abs(), reverse=True), rel=1e-6)
    assert len(genes.csv.splitlines()) == 1 + len(weights)


def test_without_signatures_the_section_says_what_to_run(run, repository):
    (block,) = signature.section(read(run, repository)).blocks
    assert block.html == "Not run: models of all patients; run <code>make study</code>."
