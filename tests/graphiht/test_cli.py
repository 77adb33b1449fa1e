"""The graphiht command, on files."""

import csv
import gzip
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import graphiht as package
from graphiht.cli import main
from graphiht.fitting import fit
from graphiht.methods import METHODS
from graphiht.network import Network
from synthetic import grid_edges, write_cohort, write_table

GENES = [f"G{i}" for i in range(36)]
FILES = ("--expression", "X.csv", "--outcome", "y.csv")
PLANTED = {"G8", "G13", "G14", "G15", "G20"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Expression, outcome and network files with a planted connected signal, in the working directory."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 36)) * 3 + 1
    y = (X[:, [8, 13, 14, 15, 20]] - 1).sum(axis=1) > 2
    edges = [[GENES[a], GENES[b], 0.9] for a, b in grid_edges(6)]
    write_cohort(tmp_path, GENES, [f"P{i}" for i in range(300)], X, y, [*edges, ["G0", "UNSEEN", 0.5]])
    np.savez(tmp_path / "arrays.npz", X=X, y=y)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def graphiht(capsys):
    """Run the command in this process (starting one takes longer than all it does)."""

    def run(*arguments, files=(*FILES, "--network", "edges.tsv")):
        try:
            code = main([*arguments, *files])
        except SystemExit as exit_:
            code = exit_.code
        written = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=written.out, stderr=written.err)

    return run


def read_genes(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return {row["gene"]: row for row in csv.DictReader(lines, delimiter="\t")}


def test_fit_prints_and_writes_the_planted_genes(folder, graphiht):
    options = ("--method", "graph-svrg-iht", "--sparsity", "5", "--n-blocks", "2", "--slack", "0")
    run = graphiht("fit", *options)
    assert run.returncode == 0, run.stderr
    table = read_genes(folder / "signature.tsv")
    assert set(table) == PLANTED
    for gene, row in table.items():
        assert f"{gene:<4}  {float(row['weight']):>9.4f}" in run.stdout
    # The plus: its centre touches the other four.
    assert {gene: row["neighbours"] for gene, row in table.items()} == {
        gene: "4" if gene == "G14" else "1" for gene in PLANTED
    }
    assert "1 edges to genes that are not measured left out" in run.stdout
    assert "300 patients" in run.stdout


def test_fit_is_the_library_fit_on_standardised_columns(folder, graphiht):
    run = graphiht("fit", "--sparsity", "5", "--lambda", "0.3", "--output", "out.tsv")
    assert run.returncode == 0, run.stderr
    with np.load(folder / "arrays.npz") as arrays:
        X, y = arrays["X"], arrays["y"]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    network = Network(grid_edges(6), 36)
    expected = fit("graph-iht", Z, y, sparsity=5, lam=0.3, network=network)
    found = read_genes(folder / "out.tsv")
    assert set(found) == {GENES[i] for i in expected.support}
    for gene, row in found.items():
        assert float(row["weight"]) == pytest.approx(expected.weights[GENES.index(gene)], rel=1e-9)


def test_genes_in_rows_and_no_network(folder, graphiht):
    with (folder / "X.csv").open() as file:
        rows = list(csv.reader(file))
    write_table(folder / "XT.tsv", list(zip(*rows, strict=True)))
    files = ("--expression", "XT.tsv", "--genes-in-rows", "--outcome", "y.csv")
    run = graphiht("fit", "--method", "iht", "--sparsity", "5", files=files)
    assert run.returncode == 0, run.stderr
    assert set(read_genes(folder / "signature.tsv")) == PLANTED


def test_the_files_of_the_workflow_are_those_of_the_command(folder, graphiht):
    with (folder / "X.csv").open() as file:
        turned = list(zip(*csv.reader(file), strict=True))
    (folder / "X.csv").write_bytes(gzip.compress("\n".join(";".join(row) for row in turned).encode()))
    with (folder / "y.csv").open() as file:
        outcome = [[patient, "50", event, "1.5"] for patient, event in list(csv.reader(file))[1:]]
    write_table(folder / "y.csv", [["patient", "age", "event", "time"], *outcome])
    lines = (folder / "edges.tsv").read_text().splitlines()
    (folder / "edges.tsv").write_text("\n".join(lines[1:]))
    run = graphiht("fit", "--sparsity", "5", "--slack", "0")
    assert run.returncode == 0, run.stderr
    assert set(read_genes(folder / "signature.tsv")) == PLANTED
    assert "X.csv has genes in rows" in run.stdout
    # No edge of a table without a header is taken for one.
    assert "edges.tsv: 61 edges, genes in columns 1 and 2, no header" in run.stdout


def test_command_runs_as_a_process_and_its_help_shows_examples():
    run = subprocess.run(
        [sys.executable, "-m", "graphiht.cli", "fit", "--help"], capture_output=True, text=True, check=True
    )
    assert "graphiht fit --expression X.csv --outcome y.csv --network edges.tsv" in run.stdout
    for method in METHODS:
        assert method in run.stdout


def change(name, line, old, new):
    """Return what replaces a piece of a line of a file."""

    def spoil(folder):
        lines = (folder / name).read_text().splitlines()
        assert old in lines[line]
        lines[line] = lines[line].replace(old, new, 1)
        (folder / name).write_text("\n".join(lines) + "\n")

    return spoil


def text(name, content):
    return lambda folder: (folder / name).write_text(content)


def no_number(folder):
    rows = list(csv.reader((folder / "X.csv").open()))
    rows[3][2] = "NaN"
    write_table(folder / "X.csv", rows)


def three_vary(folder):
    head, *rows = csv.reader((folder / "X.csv").open())
    flat = [[row[0], *(cell if 13 <= i <= 15 else "1" for i, cell in enumerate(row[1:]))] for row in rows]
    write_table(folder / "X.csv", [head, *flat])


UNKNOWN = "found none for gene G1 in patient P2 (1 missing values in 1 genes); use --missing mean"
CONSTANT = "sparsity must be an integer of at least 1 and at most n_features = 3; got 5"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "y.csv").unlink(), ["y.csv", "readable file"]),
        (text("X.csv", ""), ["X.csv", "empty"]),
        (change("X.csv", 3, "P2,", "P2,nan,"), ["X.csv", "expected 37 columns", "found 38 in line 4"]),
        (change("X.csv", 0, "G1,", "G0,"), ["every gene once", "gene G0 2 times", "use --duplicates mean"]),
        (change("X.csv", 2, "P1,", "P0,"), ["X.csv", "every patient once", "P0"]),
        (no_number, [UNKNOWN]),
        (three_vary, [CONSTANT]),
        (change("y.csv", 1, "P0,", "P0,yes"), ["y.csv", "0 or 1", "'yes", "P0"]),
        (text("y.csv", "patient,event\nP0,1\nP1,1\n"), ["y.csv", "with and without the event", "only 1"]),
        (
            text("y.csv", "patient,event\nQ0,1\nQ1,0\n"),
            ["X.csv", "patients of the outcome (Q0, Q1)", "P0, P1, P2", "G0, G1, G2"],
        ),
        (change("edges.tsv", 2, "0.9", "1.5"), ["edges.tsv", "(0, 1]", "found 1.5 for the edge G1 - G2"]),
        (
            text("edges.tsv", "a\tb\nU\tV\n"),
            ["edges.tsv", "genes of the expression file (G0, G1, G2, ...)", "names are U, V"],
        ),
    ],
)
def test_bad_files_stop_with_one_sentence_and_write_nothing(folder, graphiht, damage, words):
    damage(folder)
    run = graphiht("fit", "--sparsity", "5")
    assert_one_sentence(run, words)
    assert not (folder / "signature.tsv").exists()
    if damage is three_vary:
        assert "33 genes with the same value in all patients are left out" in run.stdout
    if damage is no_number:
        for remedy in ("mean", "knn"):
            assert graphiht("fit", "--sparsity", "5", "--missing", remedy).returncode == 0


def assert_one_sentence(run, words):
    assert run.returncode == 2
    assert run.stderr.startswith("graphiht: error: ")
    assert len(run.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in run.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--sparsity", "99"], ["sparsity", "n_features = 36", "99"]),
        (["--mini-batch", "500", "--method", "graph-scsg-iht"], ["mini_batch", "500"]),
        *(
            (["--lambda", value], ["lambda must be a finite number of at least 0; got"])
            for value in ("-1", "nan", "inf")
        ),
    ],
)
def test_bad_options_stop_with_one_sentence_and_write_nothing(folder, graphiht, options, words):
    assert_one_sentence(graphiht("fit", "--sparsity", "5", *options), words)
    assert not (folder / "signature.tsv").exists()


def test_a_method_that_does_not_exist_or_lacks_its_network_is_refused(folder, graphiht):
    run = graphiht("fit", "--method", "lasso")
    assert run.returncode == 2
    assert "lasso" in run.stderr
    assert "graph-svrg-iht" in run.stderr
    run = graphiht("fit", "--method", "graph-iht", files=FILES)
    assert run.returncode == 2
    assert "--network" in run.stderr


def test_version_is_that_of_the_package(graphiht):
    run = graphiht("--version", files=())
    assert (run.returncode, run.stdout.split()) == (0, ["graphiht", package.__version__])


def test_a_reader_that_stops_reading_is_no_traceback(folder):
    command = [sys.executable, "-m", "graphiht.cli", "fit", *FILES, "--method", "iht", "--sparsity", "5"]
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 1
    assert set(read_genes(folder / "signature.tsv")) == PLANTED


def test_confidence_as_cost_gives_as_many_genes_as_asked_for(folder, graphiht):
    rng = np.random.default_rng(1)
    edges = [[GENES[a], GENES[b], round(rng.uniform(0.01, 1), 3)] for a, b in grid_edges(6)]
    write_table(folder / "edges.tsv", [["gene_a", "gene_b", "confidence"], *edges])
    run = graphiht("fit", "--edge-costs", "confidence", "--sparsity", "10")
    assert run.returncode == 0
    assert len(read_genes(folder / "signature.tsv")) >= 10
    assert "note" not in run.stderr


def test_the_epoch_limit_is_said_to_be_on_purpose(folder, graphiht):
    run = graphiht("fit", "--sparsity", "5", "--max-epochs", "1")
    assert "epoch limit after 1 epochs, which stops early on purpose" in run.stdout
    run = graphiht("fit", "--sparsity", "5", "--max-epochs", "500")
    assert "graph-iht: converged after" in run.stdout
