"""The same numbers in page, summary, tables and what README and documentation quote; and the page of an own cohort."""

import re
import shutil

import pandas as pd
import pytest

from conftest import REPOSITORY
from report_cases import KNOWN, configuration, make_evidence, make_run, write_page
from study import tables
from study.report.frequencies import count_frequencies
from study.report.inputs import TABLES, read_inputs
from study.report.page import sections, subject
from study.config import complete, load_schema, runs
from study.run.findings import of_study


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run with every table of a finished one."""
    run = make_run(tmp_path_factory.mktemp("whole"))
    make_evidence(run)
    inputs = read(run)
    for name in TABLES:
        tables.write(run, name, getattr(inputs, name))
    table = count_frequencies(inputs).assign(failed=0, connected=1)
    tables.write(run, "evidence/frequencies", table[table["method"] != "ridge"])
    return run


def read(run, config=None, partial=True):
    published = REPOSITORY / "data/published_metrics.csv"
    return read_inputs(run, config or configuration(), published, run / "none", partial)


def test_page_summary_and_documentation_have_the_same_numbers(whole, tmp_path):
    """What README and docs quote is gathered by `study.run.findings`; the page is read as text."""
    run = tmp_path / "results/made-up/own"
    shutil.copytree(whole, run)
    write_page(tmp_path, run)
    page = re.sub(r"<[^>]+>", "", (tmp_path / "reports/report.html").read_text())
    summary = (tmp_path / "reports/summary.md").read_text()
    quoted = of_study(run)
    own = quoted["methods"]["graph-iht"]
    for text in (page, summary):
        assert f"{own['auc']:.3f} (95 % interval" in text
        assert f"with {own['genes']:.0f} genes on average" in text
        pair = quoted["pairs"]["iht/graph-iht"]
        signed = [f"{-pair[key]:+.3f}".replace("-", "−") for key in ("difference", "high", "low")]
        assert f"the AUC differs by {signed[0]} ({signed[1]} to {signed[2]})" in text
        assert f"the stability of the gene sets is {quoted['stability']['graph-iht']:.2f}" in text
        assert f"Of {quoted['genes']['stable']} genes in at least half of the folds" in text
        always = re.search(r"Selected in more than nine of ten folds: (.*?)\. ", text)[1]
        assert set(re.findall(r"G\d\d", always)) == set(quoted["genes"]["always"])
        for name, row in quoted["methods"].items():
            assert f"{row['auc']:.3f} ± {row['auc_std']:.3f}" in text, name
            assert f"{row['error']:.3f} ± {row['error_std']:.3f}" in text, name
    ratio = quoted["survival"]["graph-iht"]
    assert f"have {ratio['hazard_ratio']:.2f} times the hazard" in page


def own_configuration(**said) -> dict:
    given = configuration() | {"cohort": "own", "network": "own", "outcome": {}}
    files = dict.fromkeys(("expression", "outcome", "edges"), "table.csv")
    given = {
        key: given[key] for key in ("methods", "trials", "folds", "inner_folds", "sparsities", "lambdas", "epochs")
    }
    given |= {"cohort": "own", "network": "own", "own": {"name": "mine", **files, **said}}
    return runs(complete(given, load_schema(REPOSITORY / "workflow/schemas/config.schema.yaml")))[0].config


def text_of(inputs):
    parts = sections(inputs)
    blocks = [block for part in parts for block in (*part.figures, *part.blocks) if block.kind != "missing"]
    blocks = [block for block in blocks if block.title != "References"]
    texts = [str(getattr(block, name, "")) for block in blocks for name in ("title", "caption", "html", "svg")]
    return " ".join([*map(str, (part.lead for part in parts)), *texts, *subject(inputs)]), {part.id for part in parts}


def test_an_own_cohort_is_called_by_its_disease_event_unit_and_known_genes(whole):
    said = {"disease": "lung cancer", "event_means": "relapse", "time_unit": "months", "known_genes": ["G05", "TP53"]}
    inputs = read(whole, own_configuration(**said))
    text, ids = text_of(inputs)
    assert subject(inputs)[0].startswith("Which small, connected set of genes predicts relapse in lung cancer")
    assert "Lung cancer · cohort mine · outcome: relapse · 60 patients" in subject(inputs)[1]
    assert "follow-up time (months)" in text
    assert "known lung-cancer gene" in text
    assert ">G05 *<" in text
    assert ids.isdisjoint({"paper", "external", "synthetic"})
    assert "breast" not in text.lower()
    assert inputs.data["known_genes"] == ["G05"], "TP53 is not in the network"


def test_an_own_cohort_of_which_nothing_is_said_has_no_empty_words(whole):
    inputs = read(whole, own_configuration())
    text, _ = text_of(inputs)
    assert subject(inputs)[0] == "Which small, connected set of genes predicts the outcome, and how sure are we?"
    assert subject(inputs)[1].startswith("cohort mine · outcome: the event · 60 patients")
    assert "a known gene" not in text
    assert all(f">{name} *<" not in text for name in KNOWN)


def test_what_is_said_of_an_own_cohort_is_checked():
    with pytest.raises(Exception, match="known_genes"):
        own_configuration(known_genes="TP53")
    assert pd.isna(own_configuration()["own"].get("disease", float("nan")))
