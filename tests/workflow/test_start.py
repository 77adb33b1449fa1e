"""`graphiht study`, for real: from files as odd as the check lets pass, in a folder of their own, to a report."""

import gzip
import html
import json
import os
import re
import subprocess

import pytest

from corpus.tables import ODD_NAMES, rows_of, write_rows
from sandbox import make_sandbox
from study import tables

pytestmark = pytest.mark.workflow

# The genes that carry the outcome, and those that are taken for clinical variables; these are a piece of the ring.
PLANTED = ("NA", r"$\frac{$", "<script>alert(1)</script>", "'; DROP", "基因")
CLINICAL = ("null", "nan", "true", "patient", "event", "con", "a b")
GENES = sorted(ODD_NAMES, key=lambda name: (name in CLINICAL, name not in PLANTED))
PATIENTS = ["NA", "null", "007", "7", "<b>P</b>", "$p$", "{p}", "a b", "患者", "True", "-", "1e5"]


def make_odd(own, folder):
    """Rename genes and patients, let values and times reach as far as they may, and write the files in other ways.

    Genes are in rows, of a gzip file; there are semicolons, a missing value, and the columns of STRING.
    """
    genes = {f"G{i}": name for i, name in enumerate(GENES)}
    people = {f"P{i}": name for i, name in enumerate(PATIENTS)}
    rows = rows_of(own / "expression.csv")
    for i, row in enumerate(rows[1:]):
        row[0] = people.get(row[0], row[0])
        row[20], row[21], row[22] = f"{float(row[20]) * 1e12}", f"{float(row[21]) * 1e-12}", f"{10**15 + i % 3}"
    rows[5][23], rows[4][6] = "1e99", "NA"
    rows[0] = [genes.get(cell, cell) for cell in rows[0]]
    turned = "\n".join("\t".join(row) for row in zip(*rows, strict=True))
    (folder / "counts.txt.gz").write_bytes(gzip.compress(turned.encode()))
    followed = rows_of(own / "outcome.csv")
    followed[1][2], followed[2][2] = "1e-300", "1e90"
    patients = [[people.get(row[0], row[0]), *row[1:]] for row in followed[1:]]
    write_rows(folder / "klinik.csv", [["patient", "Status", "time"], *patients], ";")
    edges = [[genes.get(a, a), genes.get(b, b), "900"] for a, b, _ in rows_of(own / "edges.tsv")[1:]]
    write_rows(folder / "links.txt", [["protein1", "protein2", "combined_score"], *edges], "\t")


def test_three_odd_files_become_a_report(tmp_path):
    clone, files = make_sandbox(tmp_path / "clone"), tmp_path / "my files"
    files.mkdir()
    make_odd(clone / "own", files)
    call = [str(clone / ".venv/bin/graphiht"), "study", "--expression", "counts.txt.gz", "--outcome", "klinik.csv"]
    call += ["--network", "links.txt", "--missing", "mean", "--out", "the study", "--trials", "1", "--cores", "2"]
    call += ["--genes-in", "rows", "--methods", "graph-iht"]
    environment = {**os.environ, "PYTHONPATH": str(clone / "src")}
    done = subprocess.run(call, cwd=files, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = f"{files}/the study/report/mine-own/report.html"
    *steps, last = done.stderr.strip().splitlines()
    assert last == f"Report: {report}"
    assert done.stdout.count("report:") == 1, "where it will be"
    # One line per step, beside a few of Snakemake and of the jobs.
    done_of = [re.match(r"(\d+) of (\d+) steps", line) for line in steps]
    numbers = [tuple(map(int, found.groups())) for found in done_of if found]
    assert numbers == [(i + 1, numbers[0][1]) for i in range(numbers[0][1])]
    assert len(steps) - len(numbers) < 10, steps
    assert "1 missing value filled in by mean inside each training set" in done.stdout
    run = files / "the study/results/mine/own"
    chosen = set(tables.read(run / "genes.csv")["symbol"])
    assert chosen <= {*GENES, *(f"G{i}" for i in range(30))} - set(CLINICAL)
    often = set(tables.read(run / "evidence/frequencies.csv").query("frequency >= 0.5")["symbol"])
    assert len(often & set(PLANTED)) > 3
    assert set(PATIENTS) <= set(tables.read(run / "evidence/patients.csv")["patient"].astype(str))
    page = (files / "the study/report/mine-own/report.html").read_text()
    assert "<script>alert(1)" not in page
    # In the page's text, and in its data as JSON that may stand in a script.
    for sign in "<>&'":
        page = page.replace(f"\\u{ord(sign):04x}", sign)
    for name in often:
        assert html.escape(name) in page or json.dumps(name, ensure_ascii=False)[1:-1] in page
    # The folder is whole: checked from anywhere, and its paths count from its configuration.
    call = [str(clone / ".venv/bin/graphiht"), "check", str(files / "the study/study.yaml")]
    again = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert f"results: {files}/the study/results/mine/own" in again.stdout
