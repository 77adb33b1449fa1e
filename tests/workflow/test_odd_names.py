"""What the check lets pass reaches the report: a study whose genes, patients and values are as odd as they may be."""

import html
import json

import pytest

from corpus.tables import ODD_NAMES, rows_of, write_rows
from sandbox import CONFIG, REPORT, RUN, make_sandbox, snakemake
from study import tables

PATIENTS = ["NA", "null", "007", "7", "<b>P</b>", "$p$", "{p}", "a b", "患者", "True", "-", "1e5"]


def make_odd(folder):
    """Rename genes and patients, and let values and times reach as far as they may."""
    expression, outcome, edges = (folder / name for name in ("expression.csv", "outcome.csv", "edges.tsv"))
    genes = {f"G{i}": name for i, name in enumerate(ODD_NAMES)}
    people = {f"P{i}": name for i, name in enumerate(PATIENTS)}
    rows = rows_of(expression)
    for i, row in enumerate(rows[1:]):
        row[0] = people.get(row[0], row[0])
        # The first five genes carry the outcome; these are others.
        row[20], row[21], row[22] = f"{float(row[20]) * 1e12}", f"{float(row[21]) * 1e-12}", f"{10**15 + i % 3}"
    rows[5][23] = "1e99"
    write_rows(expression, [[genes.get(cell, cell) for cell in rows[0]], *rows[1:]])
    followed = rows_of(outcome)
    followed[1][2], followed[2][2] = "1e-300", "1e90"
    write_rows(outcome, [followed[0], *([people.get(row[0], row[0]), *row[1:]] for row in followed[1:])])
    write_rows(edges, [[genes.get(cell, cell) for cell in row] for row in rows_of(edges)])


@pytest.mark.workflow
def test_odd_names_and_values_reach_the_report(tmp_path):
    config = CONFIG | {"methods": ["graph-iht"], "trials": 1}
    config["own"] = CONFIG["own"] | {"genes_in": "columns"}
    folder = make_sandbox(tmp_path / "odd", config)
    make_odd(folder / "own")
    snakemake(folder, "--cores", "2")
    run = folder / RUN
    chosen = set(tables.read(run / "genes.csv")["symbol"])
    assert chosen <= {*ODD_NAMES, *(f"G{i}" for i in range(30))}
    assert len(chosen & set(ODD_NAMES)) > 3
    assert set(PATIENTS) <= set(tables.read(run / "evidence/patients.csv")["patient"].astype(str))
    page = (folder / REPORT).read_text()
    assert "<script>alert(1)" not in page
    # In the page's text, and in its data as JSON that may stand in a script.
    for sign in "<>&'":
        page = page.replace(f"\\u{ord(sign):04x}", sign)
    for name in chosen:
        assert html.escape(name) in page or json.dumps(name, ensure_ascii=False)[1:-1] in page
