"""Columns that must not become genes: the outcome, copies of it, clinical variables; and what a reader says of them."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import roc_auc_score

from graphiht.columns import likeness
from graphiht.io import Remedies, TableError, read_covariate, read_expression, read_follow_up, read_network
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
        "X.csv: left out 3 of 15 genes (event, OS_months, AGE_AT_DIAGNOSIS) named like columns of the outcome table",
        "X.csv: left out 3 of 12 genes (DEAD7, T30, STATUS2) with the values of the outcome, maybe in another unit",
    ]


@pytest.mark.parametrize("has_gaps", [False, True])
def test_monotone_functions_of_time_are_no_genes(cohort, has_gaps):
    X, _, time = cohort
    rank = np.argsort(np.argsort(time))
    copies = {"LOGT": np.log(time), "SQRTT": np.sqrt(time), "RANKT": rank, "T2": time**2, "INVT": 1 / time}
    copies |= {"WEEKS": np.round(52 * time), "YEARS": np.round(time / 12), "NOISY": rank + np.arange(60) % 2 * 8.0}
    data = np.column_stack([X, *copies.values()])
    if has_gaps:
        data[7, len(GENES) :] = np.nan
    write_table(Path("X.csv"), expression_rows([*GENES, *copies], PATIENTS, data))
    outcome, said = read_follow_up("y.csv"), []
    kept = read_expression("X.csv", None, PATIENTS, Remedies(missing="keep"), said.append, outcome)[2]
    assert kept == [*GENES, "YEARS", "NOISY"]
    assert "left out 6 of 17 genes (LOGT, SQRTT, RANKT, T2, INVT, WEEKS) with the values of the outcome" in said[0]
    # Coarse or noisy ones get a warning: ranks correlate by more than .97.
    for name, line in zip(("YEARS", "NOISY"), said[1:], strict=True):
        assert f"warning: {name} follows time (rank correlation 0.9" in line


def test_a_nearly_copied_event_gets_a_warning(cohort):
    """Two of 60 flipped: an AUC of 1 - (1/20 + 1/40) / 2 = .9625; one flipped: .975 or .9875."""
    X, event, _ = cohort
    for flipped, area in (([0], "0.988"), ([2], "0.975"), ([0, 2], None)):
        copy = event.copy()
        copy[flipped] = 1 - copy[flipped]
        said = []
        assert read(np.column_stack([X, copy]), [*GENES, "DEAD7"], said)[2] == [*GENES, "DEAD7"]
        assert said == [
            "X.csv: warning: DEAD7 alone separates patients with and without the event "
            f"(AUC {area}); is it part of the outcome?"
        ] * (area is not None)


def test_likeness_equals_scipy_and_scikit_learn(cohort):
    X, event, time = cohort
    X[::7, 2] = np.nan
    by_event, by_time, areas = likeness(X, event, time)
    for j, column in enumerate(X.T):
        known = np.isfinite(column)
        auc = roc_auc_score(event[known], column[known])
        expected = pearsonr(column[known], event[known])[0], spearmanr(column[known], time[known])[0]
        np.testing.assert_allclose((by_event[j], by_time[j]), np.abs(expected), rtol=1e-12)
        assert areas[j] == pytest.approx(max(auc, 1 - auc), rel=1e-12)


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
    (line,) = said
    assert "warning: HLA-A alone separates patients with and without the event (AUC 1.000); is it part of" in line
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
    assert line.startswith("X.csv: left out 4 of 13 genes (age, Size, er, tumour_grade) named like clinical variables")
    assert "--covariates" in line
    found, _, kept = read(data, [*GENES, *names], [], covariates=["er", "age"])
    assert kept == [*GENES, "age", "er"]
    np.testing.assert_allclose(found[:, -2], data[:, len(GENES)])
    # Where most names begin like words, nothing can be told.
    plain = [f"gene{i}" for i in range(len(GENES))]
    assert read(data, [*plain, *names], [])[2] == [*plain, *names]
    for others in ("X20{}_s_at", "TC010000643{}.hg.1", "Cdkn{}a", "1700001A0{}Rik"):
        genes = [others.format(i) for i in range(len(GENES))]
        assert read(data, [*genes, "Age.at.dx", "T.stage", "er_status", "Lymph nodes"], [])[2] == genes
    mouse = ["Trp", "Mdm", "Myc", "Egfr", "Hba-a1", "Pten", "Kras", "Sox", "Gapdh"]
    assert read(data, [*mouse, *names], [])[2] == mouse


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
    assert read_covariate("y.csv", "age_at_diagnosis", ["P03", "P01"]).shape == (2,)
    with pytest.raises(TableError, match=r"y\.csv: lacks 2 patients \(P98, P99\)\. Add a row for each"):
        read_covariate("y.csv", "age_at_diagnosis", ["P03", "P98", "P99"])
    with pytest.raises(TableError, match="no column 'bmi' for a covariate; its columns are patient, event"):
        read_covariate("y.csv", "bmi", PATIENTS)
    write_table(Path("z.csv"), [["patient", "er"], ["P00", "positive"], ["P01", "NA"]])
    assert np.isnan(read_covariate("z.csv", "er", ["P01"])).all()
    with pytest.raises(TableError, match=r"covariate 'er' of patient P00 is 'positive'\. Use numbers"):
        read_covariate("z.csv", "er", ["P00"])


def test_edges_between_genes_do_not_fit_probes(cohort):
    write_table(Path("net.csv"), [["a", "b"], ["TP53", "MDM2"]])
    for genes in (["X200726_at", "200965_s_at"], ["TC0100006432.hg.1", "TC0100006433.hg.1"], ["BRCA1", "BRCA2"]):
        with pytest.raises(TableError, match=rf"expression: {genes[0]}.*--network coexpression`"):
            read_network("net.csv", genes)
