"""One reader and one writer for every table."""

import pandas as pd
import pytest

from study import tables
from study.errors import StudyError


def test_a_gene_called_na_and_one_called_1_come_back_as_text(tmp_path):
    rows = [("iht", 1, 1, 10, "NA", 0.5), ("iht", 1, 2, None, "1", -0.25), ("iht", 1, 3, 7, "null", 1.0)]
    frame = pd.DataFrame(rows, columns=tables.columns("genes"))
    tables.write(tmp_path, "genes", frame)
    read = tables.read(tmp_path, "genes")
    assert read["symbol"].tolist() == ["NA", "1", "null"]
    assert read["entrez"].isna().tolist() == [False, True, False]
    assert read["weight"].tolist() == [0.5, -0.25, 1.0]
    pd.testing.assert_frame_equal(tables.as_read("genes", frame), read)


def test_columns_are_written_in_their_order_and_a_missing_one_is_named(tmp_path):
    frame = pd.DataFrame([[0.1, "a", "auc"]], columns=["mean_rank", "method", "metric"])
    with pytest.raises(StudyError, match=r"evidence/ranks: expected the columns .*; found no failed\."):
        tables.write(tmp_path, "evidence/ranks", frame)
    tables.write(tmp_path, "evidence/ranks", frame.assign(failed=0))
    assert (tmp_path / "evidence/ranks.csv").read_text() == "metric,method,mean_rank,failed\nauc,a,0.1,0\n"


def test_a_table_that_is_not_there_or_lacks_a_column_is_named(tmp_path):
    with pytest.raises(StudyError, match=r"metrics\.csv: expected a table written by this workflow, found none"):
        tables.read(tmp_path, "metrics")
    (tmp_path / "traces.csv").write_text("method,epoch\niht,0\n")
    with pytest.raises(StudyError, match=r"traces\.csv: .* found no loss, low, high, running"):
        tables.read(tmp_path, "traces")
