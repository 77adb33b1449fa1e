"""A cohort of plain files: read right, and every mistake named before any fit."""

import numpy as np
import pytest

from corpus.tables import rows_of, write_rows
from study.data.networks import join
from study.data.own import read_own, read_own_edges
from study.data.registry import COHORTS
from study.data.studyfile import Study
from study.errors import StudyError

OWN = {"genes_in": "auto", "transform": "none", "missing": "stop", "duplicates": "stop"}


@pytest.fixture(scope="module")
def names(wheels):
    return {"names": wheels["geneutil"], "ensembl": wheels["imex"]}


@pytest.fixture
def cohort_of(names):
    def read(files, **changes):
        return read_own(COHORTS["own"], OWN | changes, files["expression"], files["outcome"], **names)

    return read


@pytest.fixture
def read(cohort_of, names):
    """The study of three files, at any confidence."""

    def read(files):
        cohort = cohort_of(files)
        edges, confidence, _ = read_own_edges(cohort, {"own": OWN}, files["edges"], **names)
        return join(cohort, edges, confidence, 0.0, "edges")

    return read


def edit(path, change):
    rows = rows_of(path)
    write_rows(path, change(rows) or rows)


def put(row, column, value):
    def change(rows):
        rows[row][column] = value

    return change


def test_plain_files_are_read_as_written(read, own_cohort):
    study = read(own_cohort)
    table = np.loadtxt(own_cohort["expression"], delimiter=",", skiprows=1, usecols=range(1, 31))
    np.testing.assert_array_equal(study.X, table)
    assert study.symbol.tolist() == [f"G{i}" for i in range(30)]
    assert sorted(map(tuple, study.edges)) == sorted([(i, i + 1) for i in range(29)] + [(0, 29)])
    assert study.confidence.tolist() == [0.9] * 30
    assert study.time[0] == 1.0


def test_patients_may_come_in_another_order(read, own_cohort):
    before = read(own_cohort)
    edit(own_cohort["outcome"], lambda lines: [lines[0], *reversed(lines[1:])])
    np.testing.assert_array_equal(read(own_cohort).y, before.y)


def test_numeric_gene_names_are_entrez_ids(cohort_of, own_cohort):
    edit(own_cohort["expression"], put(0, 1, "7157"))
    cohort = cohort_of(own_cohort)
    assert cohort.entrez[:2].tolist() == [7157, 0]
    assert cohort.symbol[:2].tolist() == ["TP53", "G1"]


def test_study_file_round_trip_has_equal_bytes(read, own_cohort, tmp_path):
    study = read(own_cohort)
    study.save(tmp_path / "a.npz")
    Study.load(tmp_path / "a.npz").save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_costs_follow_the_setting(read, own_cohort):
    study = read(own_cohort)
    assert study.costs("unit").tolist() == [1.0] * 30
    np.testing.assert_allclose(study.costs("confidence"), 0.11)


def test_one_gene_that_is_named_twice_is_one(cohort_of, own_cohort):
    """007 and 7 are one Entrez id: the first has it, the other keeps its name."""
    edit(own_cohort["expression"], lambda lines: [["patient", "007", "7", *lines[0][3:]], *lines[1:]])
    cohort = cohort_of(own_cohort)
    assert cohort.entrez[:2].tolist() == [7, 0]
    assert len(set(cohort.symbol)) == 30


def test_genes_are_found_by_any_name(read, own_cohort):
    """The ring's genes as Ensembl ids with versions, its edges by symbol, synonym, id and in small letters."""
    columns = ["ENSG00000141510.18", "ENSG00000148773", "672", "ERBB2", "Esr1"]
    edges = [["TP53", "mki67"], ["ENSG00000148773", "BRCA1"], ["672", "HER2"], ["2064", "ESR1"], ["ESR1", "TP53"]]
    edit(own_cohort["expression"], lambda lines: [["patient", *columns], *(line[:6] for line in lines[1:])])
    own_cohort["edges"].write_text("\n".join("\t".join(edge) for edge in [["gene_a", "gene_b"], *edges]) + "\n")
    study = read(own_cohort)
    assert study.symbol.tolist() == ["TP53", "MKI67", "BRCA1", "ERBB2", "Esr1"]
    assert study.entrez.tolist() == [7157, 4288, 672, 2064, 2099]
    assert len(study.edges) == 5


def test_log2_is_of_one_more_than_the_value(cohort_of, own_cohort):
    with pytest.raises(StudyError, match=r"needs counts or intensities.* set `transform: none` under `own`"):
        cohort_of(own_cohort, transform="log2")
    edit(
        own_cohort["expression"],
        lambda rows: [rows[0], *([row[0], *(cell.removeprefix("-") for cell in row[1:])] for row in rows[1:])],
    )
    raw, taken = cohort_of(own_cohort).X, cohort_of(own_cohort, transform="log2").X
    np.testing.assert_array_equal(taken, np.log2(1 + raw))


@pytest.mark.parametrize("kind", ["mean", "variance"])
def test_repeated_genes_become_one(cohort_of, own_cohort, kind):
    raw = np.loadtxt(own_cohort["expression"], delimiter=",", skiprows=1, usecols=(1, 2))
    edit(own_cohort["expression"], put(0, 2, "G0"))
    cohort = cohort_of(own_cohort, duplicates=kind)
    expected = raw.mean(axis=1) if kind == "mean" else raw[:, np.argmax(raw.var(axis=0))]
    assert cohort.symbol[:2].tolist() == ["G0", "G2"]
    np.testing.assert_allclose(cohort.X[:, 0], expected, rtol=1e-12)


def test_missing_values_stay_missing_until_a_training_set_is_known(cohort_of, own_cohort):
    edit(own_cohort["expression"], put(3, 2, "NA"))
    cohort = cohort_of(own_cohort, missing="knn")
    assert np.isnan(cohort.X[2, 1])
    assert np.isnan(cohort.X).sum() == 1
    assert str(cohort.missing) == "knn"


def test_one_class_among_those_measured_is_named(cohort_of, own_cohort):
    edit(own_cohort["expression"], lambda rows: rows[:4])
    with pytest.raises(
        StudyError, match=r"outcome\.csv: all patients of .*expression\.csv have event 0\. Both classes are needed"
    ):
        cohort_of(own_cohort)


def beside(files, **columns):
    """Add columns to the outcome: a value for every patient, or a function of her number."""

    def change(rows):
        for name, value in columns.items():
            rows[0].append(name)
            for number, row in enumerate(rows[1:]):
                row.append(str(value(number) if callable(value) else value))

    edit(files["outcome"], change)


def test_covariates_are_columns_of_either_file_and_no_genes(cohort_of, own_cohort):
    beside(own_cohort, age=lambda number: 50 + 7 * number % 31, stage=lambda number: "" if number == 3 else number % 3)
    edit(own_cohort["expression"], put(0, 2, "size"))
    cohort = cohort_of(own_cohort, covariates=["age", "size", "stage"], missing="mean")
    assert cohort.covariate_names.tolist() == ["age", "size", "stage"]
    assert "size" not in cohort.symbol
    assert cohort.X.shape == (60, 29)
    place = [int(name[1:]) for name in cohort.patients.tolist()]
    np.testing.assert_array_equal(cohort.covariates[:, 0], 50 + 7 * np.array(place) % 31)
    without = cohort_of(own_cohort, missing="mean")
    assert "size" not in without.symbol
    sizes = {row[0]: float(row[2]) for row in rows_of(own_cohort["expression"])[1:]}
    np.testing.assert_allclose(cohort.covariates[:, 1], [sizes[name] for name in cohort.patients.tolist()])
    assert np.flatnonzero(np.isnan(cohort.covariates).any(axis=1)).tolist() == [place.index(3)]
    assert str(cohort.missing) == "mean"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gaps", "gaps of patient P3 is missing .1 such value.. Leave these patients out, or set own: missing: mean"),
        ("same", "covariate same is missing in most patients or the same in all. Leave it out"),
        ("time", "covariate time is the outcome, or a copy of it. Leave it out"),
        ("site", "covariate 'site' of patient P0 is 'A'. Use numbers"),
        ("none", "no column 'none' for a covariate; its columns are"),
    ],
)
def test_a_covariate_that_cannot_be_used_is_named(cohort_of, own_cohort, name, why):
    beside(own_cohort, gaps=lambda number: "" if number == 3 else 7 * number % 31, same=1, site="A")
    with pytest.raises(StudyError, match=why):
        cohort_of(own_cohort, covariates=[name])


def test_words_are_events(cohort_of, own_cohort):
    expected = cohort_of(own_cohort).y
    edit(
        own_cohort["outcome"],
        lambda rows: [[row[0], {"0": "alive", "1": "2"}.get(row[1], row[1]), *row[2:]] for row in rows],
    )
    np.testing.assert_array_equal(cohort_of(own_cohort, event_values={2: 1, "alive": 0}).y, expected)
