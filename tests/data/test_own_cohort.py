"""A cohort of plain files: read right, and every mistake named before any fit."""

import numpy as np
import pytest

from study.data.networks import join
from study.data.own import read_own, read_own_edges
from study.data.registry import COHORTS
from study.data.studyfile import Cohort, Study, check_cohort, check_study
from study.run.errors import StudyError

OWN = COHORTS["own"]


def read(files, unknown="stop"):
    cohort = read_own(OWN, files["expression"], files["outcome"])
    edges, confidence = read_own_edges(cohort, {"own": {"unknown_genes": unknown}}, files["edges"])
    return check_study(join(cohort, edges, confidence, 0.0, "edges"), "edges")


def edit(path, change):
    lines = [line.split("\t" if path.suffix == ".tsv" else ",") for line in path.read_text().splitlines()]
    lines = change(lines) or lines
    separator = "\t" if path.suffix == ".tsv" else ","
    path.write_text("\n".join(separator.join(line) for line in lines) + "\n")


def put(row, column, value):
    def change(lines):
        lines[row][column] = value

    return change


def test_plain_files_are_read_as_written(own_cohort):
    study = read(own_cohort)
    table = np.loadtxt(own_cohort["expression"], delimiter=",", skiprows=1, usecols=range(1, 31))
    np.testing.assert_array_equal(study.X, table)
    assert study.symbol.tolist() == [f"G{i}" for i in range(30)]
    assert sorted(map(tuple, study.edges)) == sorted([(i, i + 1) for i in range(29)] + [(0, 29)])
    assert study.confidence.tolist() == [0.9] * 30
    assert study.time[0] == 1.0


def test_patients_may_come_in_another_order(own_cohort):
    before = read(own_cohort)
    edit(own_cohort["outcome"], lambda lines: [lines[0], *reversed(lines[1:])])
    np.testing.assert_array_equal(read(own_cohort).y, before.y)


def test_numeric_gene_names_are_entrez_ids(own_cohort):
    edit(own_cohort["expression"], put(0, 1, "7157"))
    assert read_own(OWN, own_cohort["expression"], own_cohort["outcome"]).entrez[:2].tolist() == [7157, 0]


def test_survival_times_are_optional(own_cohort):
    edit(own_cohort["outcome"], lambda lines: [line[:2] for line in lines])
    assert not read(own_cohort).has_times


def test_study_file_round_trip_has_equal_bytes(own_cohort, tmp_path):
    study = read(own_cohort)
    study.save(tmp_path / "a.npz")
    Study.load(tmp_path / "a.npz").save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_smaller_components_are_left_out(own_cohort):
    edit(own_cohort["edges"], lambda lines: lines[:20] + lines[22:26])
    study = read(own_cohort)
    assert study.symbol.tolist() == [f"G{i}" for i in range(20)]
    assert len(study.edges) == 19


def test_parallel_edges_keep_the_most_confident_and_loops_go(own_cohort):
    extra = [["G1", "G0", "0.95"], ["G0", "G1", "0.2"], ["G3", "G3", "1"]]
    edit(own_cohort["edges"], lambda lines: lines + extra)
    study = read(own_cohort)
    assert len(study.edges) == 30
    assert study.confidence[(study.edges == [0, 1]).all(axis=1)].tolist() == [0.95]


def test_costs_follow_the_setting(own_cohort):
    study = read(own_cohort)
    assert study.costs("unit").tolist() == [1.0] * 30
    np.testing.assert_allclose(study.costs("confidence"), 0.11)


def test_unknown_genes_can_be_dropped(own_cohort):
    edit(own_cohort["edges"], lambda lines: [*lines, ["G1", "TP53", "0.5"]])
    assert len(read(own_cohort, unknown="drop").edges) == 30


MISTAKES = {
    "missing value": (
        "expression",
        put(3, 2, ""),
        r"expression\.csv: expected a number in gene G1, line 4, found ''",
    ),
    "word": ("expression", put(3, 2, "high"), r"expected a number in gene G1, line 4, found 'high'"),
    "nan": ("expression", put(3, 2, "nan"), r"expected a number in gene G1, line 4, found 'nan'"),
    "infinite": (
        "expression",
        put(3, 2, "inf"),
        r"expected numbers everywhere, found inf for gene G1 in patient P2",
    ),
    "constant gene": (
        "expression",
        lambda lines: [lines[0]] + [[line[0], "1.0", *line[2:]] for line in lines[1:]],
        r"expression\.csv: .* found the same value in all patients for gene G0",
    ),
    "duplicate gene": ("expression", put(0, 2, "G0"), r"expected every gene once, found gene G0 2 times"),
    "duplicate patient": ("expression", put(2, 0, "P0"), r"expected every patient once, found P0 twice"),
    "unknown patient": (
        "outcome",
        put(1, 0, "X"),
        r"expected the patients of .* to be the same, found no patient P0",
    ),
    "one class": (
        "outcome",
        lambda lines: [lines[0]] + [[line[0], "1", line[2]] for line in lines[1:]],
        r"expected patients with and without the event, found only 1",
    ),
    "odd outcome": ("outcome", put(1, 1, "2"), r"outcome\.csv: expected 0 or 1 in column event, found 2"),
    "no event column": (
        "outcome",
        put(0, 1, "dead"),
        r"outcome\.csv: expected a column event, found patient, dead",
    ),
    "negative time": ("outcome", put(1, 2, "-1"), r"expected a positive survival time for every patient"),
    "unknown gene": (
        "edges",
        put(2, 1, "TP53"),
        r"edges\.tsv: .* found gene TP53 in line 3 .* unknown_genes: drop",
    ),
    "zero confidence": ("edges", put(2, 2, "0"), r"expected a confidence in \(0, 1\].* in line 3; found 0"),
    "negative cost": (
        "edges",
        put(2, 2, "1.5"),
        r"so that the edge's cost is positive, in line 3; found 1\.5",
    ),
    "no edges": ("edges", lambda lines: lines[:1], r"expected edges of confidence >= 0\.0 .*, found none"),
    "no gene_b": ("edges", put(0, 1, "other"), r"edges\.tsv: expected a column gene_b, found gene_a, other"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named(own_cohort, mistake):
    file, change, message = MISTAKES[mistake]
    edit(own_cohort[file], change)
    with pytest.raises(StudyError, match=message):
        read(own_cohort)


@pytest.mark.parametrize("file", ["expression", "outcome", "edges"])
def test_missing_file_is_named(own_cohort, file):
    own_cohort[file].unlink()
    with pytest.raises(StudyError, match=rf"{own_cohort[file].name}: expected the table named by own: {file}"):
        read(own_cohort)


def test_wrong_shape_is_named(own_cohort):
    cohort = read_own(OWN, own_cohort["expression"], own_cohort["outcome"])
    short = Cohort(**(vars(cohort) | {"y": cohort.y[:-1]}))
    with pytest.raises(StudyError, match="expected 60 entries in y, found 59"):
        check_cohort(short, "x")
