"""The report is written from tables that are those of the fold files, or not at all."""

import json

import pytest

from report_cases import configuration, make_run
from study import tables
from study.report.inputs import TABLES, read_inputs
from study.errors import StudyError
from study.io import read_json, write_json, write_text


@pytest.fixture
def finished(tmp_path, repository):
    """A run with the tables of its fold files, and a function that reads it for the report."""
    run = make_run(tmp_path)
    config, published = configuration(), repository / "data/published_metrics.csv"
    whole = read_inputs(run, config, published, run / "none", partial=True)
    for name in TABLES:
        tables.write(run, name, getattr(whole, name))
    return run, lambda: read_inputs(run, config, published, run / "none", partial=False)


def test_tables_of_these_folds_are_taken(finished):
    run, read = finished
    assert len(read().metrics) == len(list(run.glob("fits/*/*/*.json")))


def test_tables_of_other_folds_are_refused(finished):
    """A fold that was made anew, with a checksum of its own, after the tables were."""
    run, read = finished
    file = run / "fits/iht/trial-02/fold-1.json"
    fold = read_json(file)
    was = fold["auc"]
    fold["auc"] = was / 2
    write_json(file, fold)
    with pytest.raises(
        StudyError, match=rf"metrics\.csv: expected the table of the fold files.*{was} instead of {was / 2}"
    ):
        read()


def test_a_table_that_lost_rows_is_refused(finished):
    """Also when it was written so: halved before its checksum was taken."""
    run, read = finished
    lines = tables.path(run, "genes").read_text().splitlines(keepends=True)
    write_text(tables.path(run, "genes"), "".join(lines[: len(lines) // 2]))
    rows = f"{len(lines) // 2 - 1:,} rows instead of {len(lines) - 1:,}"
    with pytest.raises(StudyError, match=rf"genes\.csv: expected the table of the fold files.*{rows}"):
        read()


def test_tables_without_their_folds_are_refused(finished):
    run, read = finished
    (run / "fits/ridge/trial-01/fold-2.json").unlink()
    with pytest.raises(
        StudyError, match=r"fits/ridge/trial-01/fold-2\.json: expected the fold file.*found none \(1 such"
    ):
        read()


def test_a_damaged_evidence_table_is_refused_and_not_left_out(finished):
    """Emptied behind our back it would look like one without rows."""
    run, read = finished
    write_text(run / "evidence/stability.csv", ",".join(tables.columns("evidence/stability")) + "\n")
    read()
    (run / "evidence/stability.csv").write_bytes(b"")
    with pytest.raises(StudyError, match=r"evidence/stability\.csv: expected the file as it was written"):
        read()


def test_a_fold_file_that_is_no_json_is_refused(finished):
    run, read = finished
    file = run / "fits/ridge/trial-01/fold-2.json"
    write_text(file, json.dumps(read_json(file))[:-5])
    with pytest.raises(StudyError, match=r"fits/ridge/trial-01/fold-2\.json"):
        read()
