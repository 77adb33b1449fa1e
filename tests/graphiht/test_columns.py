"""Columns that must not become genes: the outcome, copies of it, clinical variables; and what a reader says of them."""

from pathlib import Path

import numpy as np
import pytest

from graphiht.io import TableError, read_covariate, read_expression, read_follow_up, read_network
from synthetic import expression_rows, write_table

GENES = ["TP53", "MDM2", "C1orf112", "ENSG00000012048", "HLA-A", "7157", "NKX2.1", "PGR", "ESR1"]
PATIENTS = [f"P{i:02d}" for i in range(60)]


@pytest.fixture
def cohort(tmp_path, monkeypatch):
    """Return (X, event, time) of genes, whose outcome is in y.csv."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X, event, time = rng.standard_normal((60, len(GENES))), np.arange(60) % 3 // 2, np.round(rng.exponential(50, 60), 2)
    age = rng.integers(30, 90, 60)
    rows = zip(PATIENTS, event, time + 1, age, age % 2, strict=True)
    write_table(tmp_path / "y.csv", [["patient", "event", "time", "age_at_diagnosis", "ESR1"], *rows])
    return X, event, time + 1


def read(X, genes, said, **options):
    write_table(Path("X.csv"), expression_rows(genes, PATIENTS, X))
    outcome = read_follow_up("y.csv")
    return read_expression("X.csv", None, outcome.patients, None, said.append, outcome, **options)


def test_columns_of_the_outcome_and_copies_of_them_are_no_genes(cohort):
    X, event, time = cohort
    copies = {"event": event, "OS_months": X[:, 0], "AGE_AT_DIAGNOSIS": X[:, 1]}
    copies |= {"DEAD7": 1 - event, "T30": time / 30.4 + 5, "STATUS2": np.where(np.arange(60) < 2, np.nan, event)}
    said = []
    found, _, genes = read(np.column_stack([X, *copies.values()]), [*GENES, *copies], said)
    assert genes == GENES
    np.testing.assert_allclose(found, X)
    assert said == [
        "X.csv: 3 columns (event, OS_months, AGE_AT_DIAGNOSIS) have names of the outcome table and are left out",
        "X.csv: 3 columns (DEAD7, T30, STATUS2) are copies of the outcome and are left out",
    ]


def test_one_table_given_twice_keeps_its_genes(cohort):
    X, event, time = cohort
    rows = np.column_stack([event, time, X])
    write_table(Path("y.csv"), expression_rows(["event", "time", *GENES], PATIENTS, rows))
    assert read(rows, ["event", "time", *GENES], [])[2] == GENES
    with pytest.raises(TableError, match=r"no genes are left: all columns \(event, time\)"):
        read(rows[:, :2], ["event", "time"], [])


def test_copies_are_found_in_genes_in_rows_and_in_large_tables(cohort):
    event = cohort[1]
    rng = np.random.default_rng(1)
    genes = [f"G{i}" for i in range(2500)]
    data = rng.standard_normal((60, 2500))
    data[:, 2222] = event
    write_table(Path("X.csv"), list(zip(*expression_rows(genes, PATIENTS, data), strict=True)))
    outcome = read_follow_up("y.csv")
    _, people, kept = read_expression("X.csv", None, outcome.patients, outcome=outcome)
    assert people == PATIENTS
    assert set(genes) - set(kept) == {"G2222"}


def test_a_gene_that_separates_the_classes_is_kept_with_a_warning(cohort):
    X, event, _ = cohort
    said = []
    X[:, 4] = np.abs(X[:, 4]) * (2 * event - 1)
    assert read(X, GENES, said)[2] == GENES
    assert said == [
        "X.csv: warning: HLA-A alone separates patients with and without the event; is it part of the outcome?"
    ]
    # Of few patients many genes do by chance.
    said.clear()
    outcome = read_follow_up("y.csv")
    write_table(Path("X.csv"), expression_rows(GENES, PATIENTS[:6], X[:6]))
    read_expression("X.csv", None, outcome.patients, None, said.append, outcome)
    assert not [line for line in said if "warning" in line]


def test_clinical_variables_among_genes_are_left_out_unless_they_are_covariates(cohort):
    X, _, _ = cohort
    names = ["age", "Size", "er", "tumour_grade"]
    data = np.column_stack([X, 30 + np.arange(60) % 7, X[:, :3]])
    said = []
    assert read(data, [*GENES, *names], said)[2] == GENES
    (line,) = said
    assert line.startswith("X.csv: 4 columns (age, Size, er, tumour_grade) have names of clinical variables")
    assert "--covariates" in line
    found, _, kept = read(data, [*GENES, *names], [], covariates=["er", "age"])
    assert kept == [*GENES, "age", "er"]
    np.testing.assert_allclose(found[:, -2], data[:, len(GENES)])
    # Where most names are not those of genes, nothing can be told.
    plain = [f"gene{i}" for i in range(len(GENES))]
    assert read(data, [*plain, *names], [])[2] == [*plain, *names]
    probes = [f"X20{i}_s_at" for i in range(len(GENES))]
    assert read(data, [*probes, *names], [])[2] == probes


def test_quoted_names_in_a_table_separated_by_spaces_are_read_as_r_writes_them(cohort):
    X, *_ = cohort
    lines = [" ".join(f'"{name}"' for name in ("", *GENES))]
    lines += [f'"{patient}"  ' + " ".join(map(repr, row)) for patient, row in zip(PATIENTS, X.tolist(), strict=True)]
    for head in (lines[0], lines[0].removeprefix('"" ')):
        with open("X.csv", "w") as file:
            file.write("\n".join([head, *lines[1:]]))
        found, patients, genes = read_expression("X.csv", None, PATIENTS)
        assert (patients, genes) == (PATIENTS, GENES)
        np.testing.assert_array_equal(found, X)
    with open("net.txt", "w") as file:
        file.write('"from" "to"\n"TP53" "MDM2"\n')
    assert read_network("net.txt", GENES)[0].tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (("LIVING", "DECEASED"), "DECEASED=1,LIVING=0"),
        (("Alive", "Dead of disease"), "Alive=0,Dead of disease=1"),
        (("blue", "red"), "blue=0,red=1"),
    ],
)
def test_words_for_events_name_the_flag_that_reads_them(tmp_path, words, flag):
    path = tmp_path / "y.csv"
    write_table(path, [["patient", "status"], *([f"P{i}", words[i % 2]] for i in range(6))])
    with pytest.raises(TableError) as error:
        read_follow_up(path)
    assert f"column 'status' contains '{min(words)}' and '{max(words)}'" in str(error.value)
    assert f"--event-values '{flag}'" in str(error.value)
    values = {word: int(code) for word, _, code in (pair.partition("=") for pair in flag.split(","))}
    np.testing.assert_array_equal(read_follow_up(path, values=values).event, np.arange(6) % 2)
    with pytest.raises(TableError, match="contains"):
        read_follow_up(path, values={"other": 1})


def test_codes_with_their_meaning_are_read(tmp_path):
    """As cBioPortal writes them; flags go before."""
    path = tmp_path / "y.csv"
    write_table(path, [["patient", "OS_STATUS"], *([f"P{i}", ("0:LIVING", "1:DECEASED")[i % 2]] for i in range(6))])
    np.testing.assert_array_equal(read_follow_up(path).event, np.arange(6) % 2)
    turned = read_follow_up(path, values={"0:LIVING": 1, "1:DECEASED": 0}).event
    np.testing.assert_array_equal(turned, 1 - np.arange(6) % 2)


def test_covariates_of_a_clinical_table_are_numbers(cohort):
    ages = read_covariate("y.csv", "age_at_diagnosis", ["P03", "P99", "P01"])
    assert np.isnan(ages).tolist() == [False, True, False]
    with pytest.raises(TableError, match="no column 'bmi' for a covariate; its columns are patient, event"):
        read_covariate("y.csv", "bmi", PATIENTS)
    write_table(Path("z.csv"), [["patient", "er"], ["P00", "positive"], ["P01", "NA"]])
    assert np.isnan(read_covariate("z.csv", "er", ["P01"])).all()
    with pytest.raises(TableError, match=r"covariate 'er' of patient P00 is 'positive'\. Use numbers"):
        read_covariate("z.csv", "er", PATIENTS)


def test_edges_between_genes_do_not_fit_probes(cohort):
    write_table(Path("net.csv"), [["a", "b"], ["TP53", "MDM2"]])
    with pytest.raises(TableError, match=r"are probes of a microarray .*annotation of their platform.*`coexpression`"):
        read_network("net.csv", ["X200726_at", "200965_s_at", "ILMN_1343291"])
    with pytest.raises(TableError, match="no edge joins two measured genes"):
        read_network("net.csv", ["BRCA1", "BRCA2"])
