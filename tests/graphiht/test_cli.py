"""The graphiht command on files: from a fit to a prediction, to the bit."""

import csv
import gzip
import hashlib
import json
import math
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from sksurv.util import Surv

import graphiht as package
from graphiht.cli import main
from graphiht.fitting import fit
from graphiht.methods import METHODS
from graphiht.network import Network
from graphiht.scores import balanced_error, best_threshold
from graphiht.signature import Signature, SignatureError
from graphiht.survival import CoxLoss
from synthetic import expression_rows, grid_edges, write_cohort, write_table

GENES = [f"G{i}" for i in range(36)]
# In the order that names have, which is the one the command fits in.
PATIENTS = [f"P{i:03d}" for i in range(150)]
NETWORK = Network(grid_edges(6), 36, names=GENES)
PLANTED = {"G8", "G13", "G14", "G15", "G20"}
FILES = ("--expression", "X.csv", "--outcome", "y.csv")
FIT = ("fit", *FILES, "--network", "edges.tsv", "--sparsity", "5")
PREDICT = ("predict", "--signature", "signature.json", "--expression")


@pytest.fixture
def data():
    """Expression of other means and scales, and events of a planted connected signal."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((150, 36)) * rng.uniform(0.5, 4, 36) + rng.uniform(-3, 9, 36)
    y = ((X - X.mean(axis=0)) / X.std(axis=0))[:, [8, 13, 14, 15, 20]].sum(axis=1) > 1
    return X, y.astype(int)


@pytest.fixture
def folder(tmp_path, monkeypatch, data):
    """The working directory, with the files of a cohort."""
    edges = [[GENES[a], GENES[b], 0.9] for a, b in grid_edges(6)]
    write_cohort(tmp_path, GENES, PATIENTS, *data, [*edges, ["G0", "UNSEEN", 0.5]])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def graphiht(capsys):
    """Run the command in this process (starting one takes longer than all it does)."""

    def run(*arguments, status=0):
        try:
            code = main(arguments)
        except SystemExit as exit_:
            code = exit_.code
        written = capsys.readouterr()
        assert code == status, written.err
        return SimpleNamespace(stdout=written.out, stderr=written.err)

    return run


@pytest.fixture
def fitted(folder, graphiht):
    """The working directory after a fit."""
    graphiht(*FIT)
    return folder


def read_rows(path, key):
    with open(path) as file:
        lines = [line for line in file if not line.startswith("#")]
    return {row[key]: row for row in csv.DictReader(lines, delimiter="\t")}


def read_genes():
    return read_rows("signature.tsv", "gene")


def scores():
    return {patient: float(row["score"]) for patient, row in read_rows("predictions.tsv", "patient").items()}


def write_expression(name, X, genes=GENES, patients=PATIENTS):
    write_table(name, expression_rows(genes, patients, X))


@pytest.mark.parametrize("method", ["graph-svrg-iht", "graph-htp"])
def test_fit_prints_and_writes_the_planted_genes(folder, graphiht, method):
    run = graphiht(*FIT, "--method", method, "--n-blocks", "2", "--slack", "0")
    assert Signature.read("signature.json").method == method
    table = read_genes()
    assert set(table) == PLANTED
    for gene, row in table.items():
        assert f"{gene:<4}  {float(row['weight']):>9.4f}" in run.stdout
        # The plus: its centre touches the other four.
        assert row["neighbours"] == ("4" if gene == "G14" else "1")
    assert "left out 1 edge to genes that are not measured" in run.stdout
    assert "150 patients" in run.stdout


def test_genes_in_rows_and_no_network(folder, graphiht):
    with open("X.csv") as file:
        write_table(folder / "XT.tsv", list(zip(*csv.reader(file), strict=True)))
    files = ("--expression", "XT.tsv", "--genes-in-rows", "--outcome", "y.csv")
    graphiht("fit", *files, "--method", "iht", "--sparsity", "5")
    assert set(read_genes()) == PLANTED


def test_the_files_of_the_workflow_are_those_of_the_command(folder, graphiht):
    with open("X.csv") as file:
        turned = zip(*csv.reader(file), strict=True)
    (folder / "X.csv").write_bytes(gzip.compress("\n".join(";".join(row) for row in turned).encode()))
    with open("y.csv") as file:
        outcome = [[patient, "50", event, "1.5"] for patient, event in list(csv.reader(file))[1:]]
    write_table(folder / "y.csv", [["patient", "age", "event", "time"], *outcome])
    lines = (folder / "edges.tsv").read_text().splitlines()
    (folder / "edges.tsv").write_text("\n".join(lines[1:]))
    run = graphiht(*FIT, "--slack", "0")
    assert set(read_genes()) == PLANTED
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


def test_version_is_that_of_the_package(graphiht):
    assert graphiht("--version").stdout.split() == ["graphiht", package.__version__]


def test_a_reader_that_stops_reading_is_no_traceback(folder):
    command = [sys.executable, "-m", "graphiht.cli", *FIT]
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 1
    assert read_genes()


def test_confidence_as_cost_gives_as_many_genes_as_asked_for(folder, graphiht):
    rng = np.random.default_rng(1)
    edges = [[GENES[a], GENES[b], round(rng.uniform(0.01, 1), 3)] for a, b in grid_edges(6)]
    write_table(folder / "edges.tsv", [["gene_a", "gene_b", "confidence"], *edges])
    run = graphiht(*FIT, "--edge-costs", "confidence", "--sparsity", "10")
    assert len(read_genes()) >= 10
    assert "note" not in run.stderr


def test_the_epoch_limit_is_said_to_be_on_purpose(folder, graphiht):
    assert "epoch limit after 1 epoch, which stops early on purpose" in graphiht(*FIT, "--max-epochs", "1").stdout
    assert "graph-iht: converged after" in graphiht(*FIT, "--max-epochs", "500").stdout


def test_predict_gives_the_training_patients_the_scores_of_the_fit_to_the_bit(folder, graphiht, data):
    graphiht(*FIT, "--lambda", "0.3")
    graphiht(*PREDICT, "X.csv")
    X, y = data
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    result = fit("graph-iht", Z, y, sparsity=5, lam=0.3, network=NETWORK)
    # Every sum is rounded once.
    terms = (Z[:, result.support] * result.weights[result.support]).tolist()
    assert list(scores().values()) == [math.fsum([result.intercept, *row]) for row in terms]
    np.testing.assert_allclose(list(scores().values()), Z @ result.weights + result.intercept, rtol=1e-12, atol=1e-12)


def test_order_of_rows_and_columns_and_further_columns_change_nothing(fitted, graphiht, data):
    graphiht(*PREDICT, "X.csv")
    before = scores()
    rng = np.random.default_rng(0)
    # One patient alone, too: her genes cannot vary.
    for n_patients in (70, 1):
        rows, columns = rng.permutation(150)[:n_patients], rng.permutation(36)
        noise = rng.standard_normal((2, n_patients))
        X = np.column_stack([noise[0], data[0][rows][:, columns], noise[1]])
        patients = [PATIENTS[i] for i in rows]
        write_expression(fitted / "new.csv", X, ["OTHER", *(GENES[i] for i in columns), "SPARE"], patients)
        graphiht(*PREDICT, "new.csv")
        assert scores() == {patient: before[patient] for patient in patients}


def test_a_fit_does_not_depend_on_the_order_of_patients(fitted, graphiht):
    def essence():
        stored = json.loads((fitted / "signature.json").read_text())
        stored["provenance"].pop("sha256")
        return stored

    before = essence()
    head, *rows = (fitted / "X.csv").read_text().splitlines()
    (fitted / "X.csv").write_text("\n".join([head, *rows[::-1]]) + "\n")
    graphiht(*FIT)
    assert essence() == before


def test_a_missing_gene_is_said_and_counts_as_average_unless_it_shall_stop(fitted, graphiht, data):
    signature = Signature.read("signature.json")
    gone = GENES.index(signature.symbol[0])
    write_expression(fitted / "new.csv", np.delete(data[0], gone, axis=1), np.delete(GENES, gone))
    run = graphiht(*PREDICT, "new.csv", "--missing", "stop", status=2)
    assert f"lacks {GENES[gone]} of the signature. Without --missing stop" in run.stderr
    assert not (fitted / "predictions.tsv").exists()
    said = graphiht(*PREDICT, "new.csv").stderr
    share = abs(signature.weights[0]) / np.abs(signature.weights).sum()
    assert f"new.csv: 1 of {len(signature.symbol)} genes are missing ({GENES[gone]}): they count as average" in said
    assert f"they carry {share:.0%} of the weight" in said
    # The same as if every patient had the mean of the training patients.
    without = scores()
    average = data[0].copy()
    average[:, gone] = signature.mean[0]
    write_expression(fitted / "average.csv", average)
    graphiht(*PREDICT, "average.csv")
    assert scores() == without
    # So do cells without a value.
    average[:, gone] = np.nan
    write_expression(fitted / "empty.csv", average)
    assert "150 missing values counted as average" in graphiht(*PREDICT, "empty.csv").stderr
    assert scores() == without


def test_another_unit_is_noticed_and_scaling_within_undoes_it(fitted, graphiht, data):
    assert graphiht(*PREDICT, "X.csv").stderr == ""
    before = list(scores().values())
    write_expression(fitted / "new.csv", 1000 + 50 * data[0])
    assert "another unit" in graphiht(*PREDICT, "new.csv").stderr
    assert graphiht(*PREDICT, "new.csv", "--scale", "within").stderr == ""
    np.testing.assert_allclose(list(scores().values()), before, atol=1e-9)


def test_cut_off_is_the_best_one_for_patients_held_out(fitted, graphiht, data):
    X, y = data
    held_out = np.empty(len(y))
    for fitting, rest in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        mean, scale = X[fitting].mean(axis=0), X[fitting].std(axis=0)
        result = fit("graph-iht", (X[fitting] - mean) / scale, y[fitting], sparsity=5, network=NETWORK)
        held_out[rest] = (X[rest] - mean) / scale @ result.weights + result.intercept
    signature = Signature.read("signature.json")
    assert signature.cut_off == pytest.approx(best_threshold(y, held_out), abs=1e-12)
    error = balanced_error(y, held_out, signature.cut_off)
    assert signature.training["cross_validated_error"] == pytest.approx(error)
    graphiht(*PREDICT, "X.csv")
    for row in read_rows("predictions.tsv", "patient").values():
        assert row["risk"] == ("high" if float(row["score"]) > signature.cut_off else "low")


@pytest.mark.parametrize("option", ["--batch-size", "--n-blocks", "--mini-batch"])
def test_as_many_rows_as_patients_are_not_too_many_for_a_fold(folder, graphiht, option):
    graphiht(*FIT, "--method", "graph-scsg-iht", option, "150")


def test_without_folds_the_cut_is_at_probability_one_half(folder, graphiht):
    graphiht(*FIT, "--folds", "0")
    signature = Signature.read("signature.json")
    assert signature.cut_off == 0.0
    assert signature.training["cross_validated_error"] is None


def test_counts_are_transformed_like_those_of_the_training_patients(folder, graphiht, data):
    counts = np.round(2 ** (6 + data[0]))
    write_expression(folder / "X.csv", counts)
    graphiht(*FIT, "--transform", "log2", "--output", "counts.json")
    graphiht("predict", "--signature", "counts.json", "--expression", "X.csv")
    expected = Signature.read("counts.json").score(np.log2(1 + counts), GENES).scores
    assert list(scores().values()) == pytest.approx(expected.tolist(), rel=1e-12)


def test_file_holds_settings_versions_and_hashes(fitted):
    stored = json.loads((fitted / "signature.json").read_text())
    assert stored["settings"]["sparsity"] == 5
    assert stored["settings"]["lambda"] == 0.1
    assert stored["provenance"]["packages"]["numpy"] == np.__version__
    assert stored["provenance"]["packages"]["graphiht"] == package.__version__
    for name in ("X.csv", "y.csv", "edges.tsv"):
        assert stored["provenance"]["sha256"][name] == hashlib.sha256((fitted / name).read_bytes()).hexdigest()
    assert stored["training"]["patients"] == 150


def test_table_and_json_say_the_same(fitted):
    signature = Signature.read("signature.json")
    lines = (fitted / "signature.tsv").read_text().splitlines()
    said = dict(line[2:].split("\t") for line in lines if line.startswith("# ") and "\t" in line)
    assert said == {"method": "graph-iht", "intercept": repr(signature.intercept), "cut_off": repr(signature.cut_off)}
    table = read_genes()
    assert list(table) == signature.symbol
    for key, values in (("weight", signature.weights), ("mean", signature.mean), ("scale", signature.scale)):
        assert [float(row[key]) for row in table.values()] == values
    degree = {gene: sum(gene in edge for edge in signature.edges) for gene in signature.symbol}
    assert {gene: int(row["neighbours"]) for gene, row in table.items()} == degree
    assert max(degree.values()) > 1


def text(name, content):
    return lambda folder: (folder / name).write_text(content)


def gene_twice(folder):
    (folder / "X.csv").write_text((folder / "X.csv").read_text().replace("G1,", "G0,", 1))


def nothing(folder):
    pass


def no_number(folder):
    rows = list(csv.reader((folder / "X.csv").open()))
    rows[3][2] = "NaN"
    write_table(folder / "X.csv", rows)


def three_vary(folder):
    head, *rows = csv.reader((folder / "X.csv").open())
    flat = [[row[0], *(cell if 13 <= i <= 15 else "1" for i, cell in enumerate(row[1:]))] for row in rows]
    write_table(folder / "X.csv", [head, *flat])


def other_names(folder):
    write_expression(folder / "X.csv", np.ones((2, 2)), ["ENSG01", "ENSG02"], PATIENTS[:2])


UNKNOWN = "gene G1 is missing in patient P002 (1 missing value in 1 gene). To fill them in"
CONSTANT = "sparsity must be an integer of at least 1 and at most n_features = 3; got 5"
OTHERS = "patient,event\nQ0,1\nQ1,0\n"
NO_SYMBOL = '{"format": "graphiht signature 1", "method": "iht"}'
REFUSED_FITS = [
    ([], lambda folder: (folder / "y.csv").unlink(), ["y.csv", "no such file"]),
    ([], gene_twice, ["gene G0 appears 2 times", "use --duplicates mean"]),
    ([], no_number, [UNKNOWN]),
    ([], three_vary, [CONSTANT]),
    (
        [],
        text("y.csv", "patient,event\nP000,1\nP001,1\n"),
        ["y.csv", "all patients have event 1", "Both classes are needed"],
    ),
    ([], text("y.csv", OTHERS), ["X.csv", "no patient of the outcome (Q0, Q1)", "P000, P001, P002", "G0, G1, G2"]),
    (
        [],
        text("edges.tsv", "a\tb\nU\tV\n"),
        ["edges.tsv", "no edge joins", "edges: U, V", "expression: G0, G1, G2, ...", "same identifiers"],
    ),
    (["--sparsity", "99"], nothing, ["sparsity", "n_features = 36", "99"]),
    (["--mini-batch", "500", "--method", "graph-scsg-iht"], nothing, ["mini_batch", "500"]),
    (["--lambda", "-1"], nothing, ["lambda must be a finite number of at least 0; got"]),
    (["--lambda", "nan"], nothing, ["lambda must be a finite number of at least 0; got"]),
    (["--folds", "1"], nothing, ["--folds must be 0 or at least 2; got 1"]),
]
REFUSED_PREDICTIONS = [
    ([], text("signature.json", "gene\tweight\n"), ["signature.json: is no JSON", "graphiht fit"]),
    ([], text("signature.json", "{}"), ["signature.json: has the format 'none'"]),
    ([], text("signature.json", NO_SYMBOL), ["signature.json: lacks symbol"]),
    ([], other_names, ["X.csv: has none of the signature's", "like SYMBOLS", "ENSG01, ENSG02"]),
    (["--output", "no/such/folder.tsv"], nothing, ["no/such/folder.tsv: cannot be written"]),
]


def assert_one_sentence(said, words):
    assert said.startswith("graphiht: error: ")
    assert len(said.strip().splitlines()) == 1
    for word in words:
        assert word in said


@pytest.mark.parametrize(("options", "damage", "words"), REFUSED_FITS)
def test_fits_that_cannot_be_stop_with_one_sentence_and_write_nothing(folder, graphiht, options, damage, words):
    damage(folder)
    run = graphiht(*FIT, *options, status=2)
    assert_one_sentence(run.stderr, words)
    assert not (folder / "signature.tsv").exists()
    if damage is three_vary:
        assert "left out 33 of 36 genes (G0, G1, G2, G3, G4, G5, G6, G7, G8, G9, ...) with the same value" in run.stdout
    if damage is no_number:
        for remedy in ("mean", "knn"):
            graphiht(*FIT, "--missing", remedy)


@pytest.mark.parametrize(("options", "damage", "words"), REFUSED_PREDICTIONS)
def test_predictions_that_cannot_be_stop_with_one_sentence(fitted, graphiht, options, damage, words):
    symbols = ", ".join(Signature.read("signature.json").symbol[:3])
    damage(fitted)
    run = graphiht(*PREDICT, "X.csv", *options, status=2)
    assert_one_sentence(run.stderr, [word.replace("SYMBOLS", symbols) for word in words])
    assert not (fitted / "predictions.tsv").exists()


def test_a_method_that_does_not_exist_or_lacks_its_network_is_refused(folder, graphiht):
    said = graphiht(*FIT, "--method", "lasso", status=2).stderr
    assert "lasso" in said
    assert "graph-svrg-iht" in said
    assert "--network" in graphiht("fit", *FILES, "--method", "graph-iht", status=2).stderr


@pytest.fixture
def clinical(folder, data):
    """The working directory, with an outcome table of event, time, age and size."""
    rng = np.random.default_rng(5)
    X, _ = data
    age = rng.normal(60, 10, 150)
    score = ((X - X.mean(axis=0)) / X.std(axis=0))[:, [8, 13, 14, 15, 20]].sum(axis=1) + 0.1 * (age - 60)
    seen = rng.exponential(50 * np.exp(-score))
    censoring = rng.exponential(np.quantile(seen, 0.7), 150)
    rows = zip(PATIENTS, 1 * (seen <= censoring), np.minimum(seen, censoring), age, rng.random(150), strict=True)
    write_table(folder / "y.csv", [["patient", "event", "time", "age", "size"], *rows])
    return folder, age


def test_survival_with_covariates_from_fit_to_prediction(clinical, graphiht, data):
    folder, age = clinical
    run = graphiht(*FIT, "--survival", "--covariates", "age,size", "--slack", "0")
    assert "graph-htp" in run.stdout
    assert "concordance" in run.stdout
    signature = Signature.read("signature.json")
    assert signature.covariates == ["age", "size"]
    assert set(signature.symbol[:-2]) == PLANTED
    assert signature.training["cross_validated_concordance"] > 0.75
    assert signature.weights[-2] > 0
    assert signature.mean[-2] == pytest.approx(age.mean())
    # Scores are those of the library on the standardised columns.
    outcome = np.genfromtxt("y.csv", delimiter=",", skip_header=1)[:, 1:]
    C, followed = outcome[:, 2:], outcome[:, :2]
    Z, C = ((each - each.mean(axis=0)) / each.std(axis=0) for each in (data[0], C))
    loss = CoxLoss(Z, *followed.T)
    result = fit("graph-htp", loss, sparsity=5, slack=0, network=NETWORK, covariates=C)
    graphiht(*PREDICT, "X.csv", "--clinical", "y.csv")
    expected = Z @ result.weights + C @ result.covariate_weights
    np.testing.assert_allclose(list(scores().values()), expected, atol=1e-9)
    # Scaling within new patients leaves covariates in their unit.
    with open("y.csv") as file:
        older = [[row[0], *row[1:3], float(row[3]) + 10, row[4]] for row in list(csv.reader(file))[1:]]
    write_table(folder / "older.csv", [["patient", "event", "time", "age", "size"], *older])
    graphiht(*PREDICT, "X.csv", "--clinical", "older.csv", "--scale", "within")
    step = 10 * signature.weights[-2] / signature.scale[-2]
    np.testing.assert_allclose(list(scores().values()), expected + step, atol=1e-9)
    said = graphiht(*PREDICT, "X.csv").stderr
    assert "2 of 7 genes and covariates are missing (age, size)" in said


def test_covariates_are_filled_in_by_training_patients_and_judged_alone(clinical, graphiht, data):
    """Missing ages are those of the patients of a fold's training set, on average."""
    folder, age = clinical
    y, age = data[1], np.where(np.arange(150) % 4 == 1, np.nan, age)
    cells = ["NA" if np.isnan(value) else value for value in age]
    write_table(folder / "y.csv", [["patient", "event", "age"], *zip(PATIENTS, y, cells, strict=True)])
    run = graphiht(*FIT, "--covariates", "age", "--missing", "mean", "--sparsity", "3")
    training = Signature.read("signature.json").training
    scores, alone = np.empty(150), np.empty(150)
    for fitting, rest in StratifiedKFold(5, shuffle=True, random_state=0).split(data[0], y):
        Z = (data[0] - data[0][fitting].mean(axis=0)) / data[0][fitting].std(axis=0)
        C = np.where(np.isnan(age), np.nanmean(age[fitting]), age)[:, None]
        result = fit("graph-htp", Z[fitting], y[fitting], sparsity=3, network=NETWORK, covariates=C[fitting])
        scores[rest] = (Z @ result.weights + C @ result.covariate_weights + result.intercept)[rest]
        model = LogisticRegression(C=np.inf, class_weight="balanced", tol=1e-10).fit(C[fitting], y[fitting])
        alone[rest] = model.decision_function(C[rest])
    for key, found in (("cross_validated_error", scores), ("cross_validated_error_of_covariates", alone)):
        assert training[key] == pytest.approx(balanced_error(y, found, best_threshold(y, found)))
    assert f"the same of age without any gene: {training['cross_validated_error_of_covariates']:.3f}" in run.stdout
    assert "without any gene" not in graphiht(*FIT).stdout


def test_survival_by_covariates_alone_is_that_of_scikit_survival(clinical, graphiht, data):
    run = graphiht(*FIT, "--survival", "--covariates", "age,size")
    event, time, *C = np.genfromtxt("y.csv", delimiter=",", skip_header=1)[:, 1:].T
    outcome, C, risk = Surv.from_arrays(event == 1, time), np.column_stack(C), np.empty(150)
    for fitting, rest in StratifiedKFold(5, shuffle=True, random_state=0).split(C, event):
        scaler = StandardScaler().fit(C[fitting])
        model = CoxPHSurvivalAnalysis(ties="breslow", tol=1e-12).fit(scaler.transform(C[fitting]), outcome[fitting])
        risk[rest] = model.predict(scaler.transform(C[rest]))
    expected = concordance_index_censored(event == 1, time, risk)[0]
    training = Signature.read("signature.json").training
    assert training["cross_validated_concordance_of_covariates"] == pytest.approx(expected, abs=1e-12)
    assert f"the same of age, size without any gene: {expected:.3f}" in run.stdout


def test_patients_without_covariates_are_named(clinical, graphiht):
    folder, _ = clinical
    graphiht(*FIT, "--covariates", "age")
    lines = (folder / "y.csv").read_text().splitlines()
    (folder / "new.csv").write_text("\n".join(lines[:-2]))
    said = graphiht(*PREDICT, "X.csv", "--clinical", "new.csv", status=2).stderr
    assert_one_sentence(said, ["new.csv: lacks 2 patients (P148, P149)"])
    row = lines[4].split(",")
    (folder / "new.csv").write_text("\n".join([*lines[:4], ",".join([*row[:3], "NA", row[4]]), *lines[5:]]))
    said = graphiht(*PREDICT, "X.csv", "--clinical", "new.csv").stderr
    assert said == "graphiht: note: age of P003 is missing and counts as average.\n"


def test_monotone_functions_of_time_and_near_copies_of_the_event_are_noticed(clinical, graphiht, data):
    folder, _ = clinical
    followed = np.genfromtxt("y.csv", delimiter=",", skip_header=1)
    event, time = followed[:, 1], followed[:, 2]
    nearly = np.where(np.isin(np.arange(150), [np.argmax(event), np.argmin(event)]), 1 - event, event)
    hostile = {"LOGT": np.log(time), "RANKT": np.argsort(np.argsort(time)), "T2": time**2, "INVT": -1 / time}
    hostile |= {"WEEKS": np.round(30 * time), "NEARLY": nearly}
    write_expression(folder / "hostile.csv", np.column_stack([data[0], *hostile.values()]), [*GENES, *hostile])
    files = ("--expression", "hostile.csv", "--outcome", "y.csv", "--network", "edges.tsv")
    run = graphiht("fit", *files, "--sparsity", "5")
    assert "left out 5 of 42 genes (LOGT, RANKT, T2, INVT, WEEKS) with the values of the outcome" in run.stdout
    assert "warning: NEARLY alone separates patients with and without the event (AUC 0.98" in run.stdout
    assert set(read_genes()) <= {*GENES, "NEARLY"}


def test_covariates_in_the_expression_file_are_neither_genes_nor_transformed(clinical, graphiht, data):
    folder, age = clinical
    counts = np.round(2 ** (6 + data[0]))
    write_expression(folder / "X.csv", np.column_stack([age - 100, counts]), ["age", *GENES])
    (folder / "y.csv").write_text((folder / "y.csv").read_text().replace("age", "weight"))
    run = graphiht(*FIT, "--covariates", "age", "--transform", "log2")
    signature = Signature.read("signature.json")
    assert signature.method == "graph-htp"
    assert signature.mean[-1] == pytest.approx(age.mean() - 100)
    graphiht(*PREDICT, "X.csv")
    with_age = np.column_stack([np.log2(1 + counts), age - 100])
    expected = signature.score(with_age, [*GENES, "age"]).scores
    np.testing.assert_allclose(list(scores().values()), expected, rtol=1e-12)
    said = graphiht(*FIT, "--transform", "log2", "--method", "htp").stdout
    assert "left out 1 of 37 genes (age) named like clinical variables" in said
    assert "age" not in Signature.read("signature.json").symbol
    assert "(age)" not in run.stdout


def test_a_table_of_expression_and_outcome_given_twice_leaks_nothing(clinical, graphiht):
    """Event, time, a copy of the event under another name, and age, which is clinical."""
    folder, _ = clinical
    with open("X.csv") as X, open("y.csv") as y:
        rows = [[*gene, *row[1:], row[1]] for gene, row in zip(csv.reader(X), csv.reader(y), strict=True)]
    rows[0][-1] = "RELAPSE7"
    write_table(folder / "both.csv", rows)
    both = ("--expression", "both.csv", "--outcome", "both.csv", "--network", "edges.tsv")
    run = graphiht("fit", *both, "--event", "event", "--sparsity", "5", "--slack", "0")
    assert "left out 4 of 41 genes (event, time, age, size) named like columns of the outcome table" in run.stdout
    assert "left out 1 of 37 genes (RELAPSE7) with the values of the outcome" in run.stdout
    assert set(read_genes()) <= set(GENES)


def test_a_network_that_is_not_used_is_said(folder, graphiht):
    said = graphiht(*FIT, "--method", "iht").stderr
    assert said == "graphiht: note: method iht does not use the network edges.tsv; graph-iht does.\n"
    assert Signature.read("signature.json").edges == []


def test_signatures_of_before_have_no_covariates(fitted):
    stored = json.loads((fitted / "signature.json").read_text())
    del stored["covariates"]
    (fitted / "signature.json").write_text(json.dumps(stored))
    assert Signature.read("signature.json").covariates == []
    (fitted / "signature.json").write_text(json.dumps(stored | {"covariates": ["age"]}))
    with pytest.raises(SignatureError, match="covariates that have a weight"):
        Signature.read("signature.json")


def words_for_events(folder):
    (folder / "y.csv").write_text((folder / "y.csv").read_text().replace(",1\n", ",DEAD\n").replace(",0\n", ",ALIVE\n"))


def age_is_text(folder):
    lines = (folder / "y.csv").read_text().splitlines()
    text = "\n".join([lines[0] + ",age", *(f"{line},old" for line in lines[1:])])
    (folder / "y.csv").write_text(text)


def copies_of_outcome(folder):
    lines = (folder / "y.csv").read_text().splitlines()
    rows = [f"{line},{i + 1},{1 - int(line[-1])},{math.log(i + 1)},1" for i, line in enumerate(lines[1:])]
    (folder / "y.csv").write_text("\n".join([f"{lines[0]},time,relapse,log_time,one", *rows]))


@pytest.mark.parametrize(
    ("options", "damage", "words"),
    [
        (["--network", "scnet"], nothing, ["scnet: no such file", "`graphiht study --network scnet`"]),
        (["--survival"], nothing, ["y.csv: --survival needs a column time"]),
        (["--covariates", "age"], nothing, ["y.csv: no column 'age' for a covariate"]),
        (["--covariates", "event"], nothing, ["covariate event is the outcome, or a copy of it"]),
        (["--covariates", "relapse"], copies_of_outcome, ["covariate relapse is the outcome, or a copy of it"]),
        (["--covariates", "log_time"], copies_of_outcome, ["covariate log_time is the outcome, or a copy of it"]),
        (["--covariates", "age,age"], copies_of_outcome, ["covariates age, age: a name appears twice"]),
        (["--covariates", "one"], copies_of_outcome, ["covariate one is missing in most patients or the same in all"]),
        (["--covariates", "age"], age_is_text, ["y.csv: covariate 'age' of patient P000 is 'old'"]),
        ([], words_for_events, ["column 'event' contains 'ALIVE' and 'DEAD'", "--event-values 'ALIVE=0,DEAD=1'"]),
        (["--event-values", "DEAD"], words_for_events, ["--event-values must be like DECEASED=1,LIVING=0; got 'DEAD'"]),
    ],
)
def test_what_users_met_ends_in_one_sentence(folder, graphiht, options, damage, words):
    damage(folder)
    assert_one_sentence(graphiht(*FIT, *options, status=2).stderr, words)
    assert not (folder / "signature.tsv").exists()


def test_words_for_events_are_read_as_told(folder, graphiht):
    graphiht(*FIT)
    before = read_genes()
    words_for_events(folder)
    graphiht(*FIT, "--event-values", "DEAD=1,ALIVE=0")
    assert read_genes() == before
