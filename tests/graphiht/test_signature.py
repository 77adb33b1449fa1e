"""From a fit to a prediction: the signature's file holds all it takes, to the bit."""

import csv
import hashlib
import json
import math

import numpy as np
import pytest

import graphiht as package
from graphiht.cli import main
from graphiht.fitting import fit
from graphiht.network import Network
from graphiht.scores import balanced_error, best_threshold
from graphiht.signature import Signature, SignatureError
from synthetic import expression_rows, grid_edges, write_cohort, write_table

N_GENES = 36
GENES = [f"G{i}" for i in range(N_GENES)]
# In the order that names have, which is the one the command fits in.
PATIENTS = [f"P{i:03d}" for i in range(150)]
FIT = ("fit", "--expression", "X.csv", "--outcome", "y.csv", "--network", "edges.tsv", "--sparsity", "5")
PREDICT = ("predict", "--signature", "signature.json", "--expression")


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((150, N_GENES)) * rng.uniform(0.5, 4, N_GENES) + rng.uniform(-3, 9, N_GENES)
    y = ((X - X.mean(axis=0)) / X.std(axis=0))[:, [8, 13, 14, 15, 20]].sum(axis=1) > 1
    return X, y.astype(int)


@pytest.fixture
def folder(tmp_path, monkeypatch, data):
    write_cohort(tmp_path, GENES, PATIENTS, *data, [[GENES[a], GENES[b]] for a, b in grid_edges(6)])
    monkeypatch.chdir(tmp_path)
    assert main(FIT) == 0
    return tmp_path


def predictions(path="predictions.tsv"):
    with open(path) as file:
        return {row["patient"]: row for row in csv.DictReader(file, delimiter="\t")}


def scores(path="predictions.tsv"):
    return {patient: float(row["score"]) for patient, row in predictions(path).items()}


def exact_scores(X, y):
    """The scores of the library's own fit, every sum rounded once."""
    mean, scale = X.mean(axis=0), X.std(axis=0)
    Z = (X - mean) / scale
    result = fit("graph-iht", Z, y, sparsity=5, network=Network(grid_edges(6), N_GENES, names=GENES))
    terms = Z[:, result.support] * result.weights[result.support]
    return dict(zip(PATIENTS, [math.fsum([result.intercept, *row]) for row in terms.tolist()], strict=True)), result


def test_predict_gives_the_training_patients_the_scores_of_the_fit_to_the_bit(folder, data):
    assert main([*PREDICT, "X.csv"]) == 0
    expected, result = exact_scores(*data)
    assert scores() == expected
    plain = (data[0] - data[0].mean(axis=0)) / data[0].std(axis=0) @ result.weights + result.intercept
    np.testing.assert_allclose(list(expected.values()), plain, rtol=1e-12, atol=1e-12)


def test_order_of_rows_and_columns_and_further_columns_change_nothing(folder, data):
    main([*PREDICT, "X.csv"])
    before = scores()
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(PATIENTS))[:70], rng.permutation(N_GENES)
    more = np.column_stack([rng.standard_normal(70), data[0][rows][:, columns], rng.standard_normal(70)])
    names = ["OTHER", *(GENES[i] for i in columns), "SPARE"]
    write_table(folder / "new.csv", expression_rows(names, [PATIENTS[i] for i in rows], more))
    assert main([*PREDICT, "new.csv"]) == 0
    after = scores()
    assert len(after) == 70
    assert after == {patient: before[patient] for patient in after}


def test_a_fit_does_not_depend_on_the_order_of_patients(folder):
    def essence():
        stored = json.loads((folder / "signature.json").read_text())
        stored["provenance"].pop("sha256")
        return stored

    before = essence()
    head, *rows = (folder / "X.csv").read_text().splitlines()
    (folder / "X.csv").write_text("\n".join([head, *rows[::-1]]) + "\n")
    assert main(FIT) == 0
    assert essence() == before


def test_a_missing_gene_is_said_and_counts_as_average_unless_it_shall_stop(folder, data, capsys):
    signature = Signature.read("signature.json")
    gone = signature.symbol[0]
    kept = [i for i, gene in enumerate(GENES) if gene != gone]
    write_table(folder / "new.csv", expression_rows([GENES[i] for i in kept], PATIENTS, data[0][:, kept]))
    assert main([*PREDICT, "new.csv", "--missing", "stop"]) == 2
    assert f"found no {gone}; without --missing stop" in capsys.readouterr().err
    assert not (folder / "predictions.tsv").exists()
    assert main([*PREDICT, "new.csv"]) == 0
    share = abs(signature.weights[0]) / np.abs(signature.weights).sum()
    said = capsys.readouterr().err
    assert f"new.csv: 1 of {len(signature.symbol)} genes are missing ({gone}): they count as average" in said
    assert f"they carry {share:.0%} of the weight" in said
    # The same as if every patient had the mean of the training patients.
    average = data[0].copy()
    average[:, GENES.index(gone)] = signature.mean[0]
    without = scores()
    write_table(folder / "average.csv", expression_rows(GENES, PATIENTS, average))
    main([*PREDICT, "average.csv"])
    assert scores() == without


def test_another_unit_is_noticed_and_scaling_within_undoes_it(folder, data, capsys):
    main([*PREDICT, "X.csv"])
    before = scores()
    assert capsys.readouterr().err == ""
    write_table(folder / "new.csv", expression_rows(GENES, PATIENTS, 1000 + 50 * data[0]))
    assert main([*PREDICT, "new.csv"]) == 0
    assert "another unit" in capsys.readouterr().err
    assert main([*PREDICT, "new.csv", "--scale", "within"]) == 0
    assert capsys.readouterr().err == ""
    after = scores()
    np.testing.assert_allclose([after[p] for p in PATIENTS], [before[p] for p in PATIENTS], atol=1e-9)


def test_genes_are_found_by_entrez_id(data):
    signature = Signature("iht", ["TP53", "ESR1"], [7157, 0], [1.0, 2.0], [0.0, 0.0], [1.0, 1.0], 0.5, 0.0)
    scored = signature.score(np.array([[3.0, 1.5]]), ["ESR1", "7157"])
    assert scored.scores.tolist() == [0.5 + 1.5 + 6]
    assert (scored.missing, scored.notes) == ([], [])


def test_a_score_is_that_of_each_patient_alone(data):
    rng = np.random.default_rng(5)
    names = [f"G{i}" for i in range(500)]
    signature = Signature(
        "ridge", names, [0] * 500, rng.standard_normal(500).tolist(), [0.1] * 500, [3.0] * 500, 0.2, 0
    )
    X = rng.standard_normal((9, 500))
    together = signature.score(X, names).scores
    assert together.tolist() == [signature.score(X[i : i + 1], names).scores[0] for i in range(9)]


def test_a_signature_of_pooled_cohorts_is_scaled_within_the_new_patients():
    signature = Signature("iht", ["A", "B"], [0, 0], [1.0, -1.0], None, None, 0.0, 0.0)
    X = np.array([[1.0, 5.0], [3.0, 5.0], [5.0, 8.0]])
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(signature.score(X, ["A", "B"]).scores, Z[:, 0] - Z[:, 1], rtol=1e-14)
    with pytest.raises(SignatureError, match="expected scaling within"):
        signature.score(X, ["A", "B"], "training")
    with pytest.raises(SignatureError, match="at least 2 patients"):
        signature.score(X[:1], ["A", "B"])


def test_cut_off_is_the_best_one_for_patients_held_out(folder, data):
    from sklearn.model_selection import StratifiedKFold

    X, y = data
    held_out = np.empty(len(y))
    for fitting, rest in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        mean, scale = X[fitting].mean(axis=0), X[fitting].std(axis=0)
        network = Network(grid_edges(6), N_GENES, names=GENES)
        result = fit("graph-iht", (X[fitting] - mean) / scale, y[fitting], sparsity=5, network=network)
        held_out[rest] = (X[rest] - mean) / scale @ result.weights + result.intercept
    signature = Signature.read("signature.json")
    assert signature.cut_off == pytest.approx(best_threshold(y, held_out), abs=1e-12)
    error = balanced_error(y, held_out, signature.cut_off)
    assert signature.training["cross_validated_error"] == pytest.approx(error)
    main([*PREDICT, "X.csv"])
    for row in predictions().values():
        assert row["risk"] == ("high" if float(row["score"]) > signature.cut_off else "low")


@pytest.mark.parametrize("options", [("--batch-size", "150"), ("--n-blocks", "150"), ("--mini-batch", "150")])
def test_as_many_rows_as_patients_are_not_too_many_for_a_fold(folder, options):
    assert main([*FIT, "--method", "graph-scsg-iht", *options]) == 0


def test_without_folds_the_cut_is_at_probability_one_half(folder):
    assert main([*FIT, "--folds", "0"]) == 0
    signature = Signature.read("signature.json")
    assert signature.cut_off == 0.0
    assert signature.training["cross_validated_error"] is None


def with_signature(text):
    return lambda folder: (folder / "signature.json").write_text(text)


def other_names(folder):
    write_table(folder / "X.csv", expression_rows(["ENSG01", "ENSG02"], PATIENTS[:2], np.ones((2, 2))))


@pytest.mark.parametrize(
    ("command", "damage", "words"),
    [
        ([*PREDICT, "X.csv"], with_signature("gene\tweight\n"), ["signature.json: expected", "found no JSON"]),
        ([*PREDICT, "X.csv"], with_signature("{}"), ["signature.json: expected", "found 'none'"]),
        (
            [*PREDICT, "X.csv"],
            with_signature('{"format": "graphiht signature 1", "method": "iht"}'),
            ["signature.json: expected", "found no symbol"],
        ),
        (
            [*PREDICT, "X.csv"],
            other_names,
            ["X.csv: expected genes of the signature, like SYMBOLS; found none", "ENSG01, ENSG02"],
        ),
        (
            [*PREDICT, "X.csv", "--output", "no/such/folder.tsv"],
            lambda folder: None,
            ["no/such/folder.tsv: expected a file that can be written"],
        ),
        ([*FIT, "--folds", "1"], lambda folder: None, ["--folds must be 0 or at least 2; got 1"]),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(folder, capsys, command, damage, words):
    symbols = ", ".join(Signature.read("signature.json").symbol[:3])
    damage(folder)
    assert main(command) == 2
    said = capsys.readouterr().err
    assert len(said.strip().splitlines()) == 1
    for word in words:
        assert word.replace("SYMBOLS", symbols) in said
    assert not (folder / "predictions.tsv").exists()


def test_file_holds_settings_versions_and_hashes(folder):
    stored = json.loads((folder / "signature.json").read_text())
    assert stored["settings"]["sparsity"] == 5
    assert stored["settings"]["lambda"] == 0.1
    assert stored["provenance"]["packages"]["numpy"] == np.__version__
    assert stored["provenance"]["packages"]["graphiht"] == package.__version__
    for name in ("X.csv", "y.csv", "edges.tsv"):
        assert stored["provenance"]["sha256"][name] == hashlib.sha256((folder / name).read_bytes()).hexdigest()
    assert stored["training"]["patients"] == 150


def test_table_and_json_say_the_same(folder):
    signature = Signature.read("signature.json")
    lines = (folder / "signature.tsv").read_text().splitlines()
    said = dict(line[2:].split("\t") for line in lines if line.startswith("# ") and "\t" in line)
    assert said == {"method": "graph-iht", "intercept": repr(signature.intercept), "cut_off": repr(signature.cut_off)}
    rows = list(csv.DictReader([line for line in lines if not line.startswith("#")], delimiter="\t"))
    assert [row["gene"] for row in rows] == signature.symbol
    for key, values in (("weight", signature.weights), ("mean", signature.mean), ("scale", signature.scale)):
        assert [float(row[key]) for row in rows] == values
    degree = {gene: sum(gene in edge for edge in signature.edges) for gene in signature.symbol}
    assert {row["gene"]: int(row["neighbours"]) for row in rows} == degree
    assert max(degree.values()) > 1


def test_a_written_signature_comes_back(tmp_path):
    signature = Signature("iht", ["NA", "1"], [0, 1], [0.1, -1 / 3], [1e-300, 2.5], [1.0, 7.0], -0.2, 0.3)
    files = signature.write(tmp_path / "one.tsv")
    assert [file.name for file in files] == ["one.json", "one.tsv"]
    assert Signature.read(files[0]) == signature
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.json", "one.tsv"]


def test_one_patient_can_be_scored_and_a_value_that_is_not_known_counts_as_average(folder, data, capsys):
    """Alone she has the score she has among others; genes cannot vary within one patient."""
    main([*PREDICT, "X.csv"])
    together = scores()
    write_table(folder / "new.csv", expression_rows(GENES, PATIENTS[:1], data[0][:1]))
    assert main([*PREDICT, "new.csv"]) == 0
    assert scores() == {PATIENTS[0]: together[PATIENTS[0]]}
    signature = Signature.read("signature.json")
    rows = expression_rows(GENES, PATIENTS[:1], data[0][:1])
    rows[1][rows[0].index(signature.symbol[0])] = ""
    write_table(folder / "new.csv", rows)
    assert main([*PREDICT, "new.csv"]) == 0
    assert "1 values that are not known count as average" in capsys.readouterr().err
    i, gene = 0, GENES.index(signature.symbol[0])
    term = signature.weights[i] * (data[0][0, gene] - signature.mean[i]) / signature.scale[i]
    assert scores()[PATIENTS[0]] == pytest.approx(together[PATIENTS[0]] - term)


def test_counts_are_transformed_like_those_of_the_training_patients(folder, data):
    counts = np.round(2 ** (6 + data[0]))
    write_table(folder / "counts.csv", expression_rows(GENES, PATIENTS, counts))
    fit = ["fit", "--expression", "counts.csv", "--outcome", "y.csv", "--network", "edges.tsv", "--sparsity", "5"]
    assert main([*fit, "--transform", "log2", "--output", "counts.json"]) == 0
    signature = Signature.read("counts.json")
    assert main(["predict", "--signature", "counts.json", "--expression", "counts.csv"]) == 0
    expected = signature.score(np.log2(1 + counts), GENES).scores
    assert list(scores().values()) == pytest.approx(expected.tolist(), rel=1e-12)
