"""`graphiht study`, for real: from odd files in a folder of their own to a report beside them."""

import gzip
import os
import re
import subprocess

import pytest

from sandbox import make_sandbox

pytestmark = pytest.mark.workflow


def test_three_odd_files_become_a_report(tmp_path):
    """Genes in rows, one called NA, one with dollars; tabs, gzip, semicolons, a missing value, edges of STRING."""
    clone = make_sandbox(tmp_path / "clone")
    rows = [line.split(",") for line in (clone / "own/expression.csv").read_text().splitlines()]
    rows[0][1:3] = ["NA", r"$\frac{$"]
    rows[4][6] = "NA"
    table = "\n".join("\t".join(row) for row in zip(*rows, strict=True))
    files = tmp_path / "my files"
    files.mkdir()
    (files / "counts.txt.gz").write_bytes(gzip.compress(table.encode()))
    (files / "klinik.csv").write_text(
        (clone / "own/outcome.csv").read_text().replace(",", ";").replace("event", "Status")
    )
    edges = (
        (clone / "own/edges.tsv").read_text().replace("gene_a\tgene_b\tconfidence", "protein1 protein2 combined_score")
    )
    edges = edges.replace("\t0.9", " 900").replace("\t", " ").replace("G0 ", "NA ").replace(" G0 ", " NA ")
    (files / "links.txt").write_text(edges.replace("G1 ", "$\\frac{$ ").replace(" G1 ", " $\\frac{$ "))
    call = [str(clone / ".venv/bin/graphiht"), "study", "--expression", "counts.txt.gz", "--outcome", "klinik.csv"]
    call += ["--network", "links.txt", "--missing", "mean", "--out", "the study", "--trials", "1", "--cores", "2"]
    call += ["--methods", "graph-iht", "ridge"]
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
    page = (files / "the study/report/mine-own/report.html").read_text()
    genes = (files / "the study/results/mine/own/genes.csv").read_text()
    assert ",NA," in genes
    for name in ("NA", "$\\frac{$"):
        assert f">{name}<" in page, name
    # The folder is whole: checked from anywhere, and its paths count from its configuration.
    call = [str(clone / ".venv/bin/graphiht"), "check", str(files / "the study/study.yaml")]
    again = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert f"results: {files}/the study/results/mine/own" in again.stdout
