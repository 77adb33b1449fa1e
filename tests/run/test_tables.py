"""One reader and one writer for every table."""

import pandas as pd
import pytest

from study import tables
from study.errors import StudyError


def test_a_gene_called_na_and_one_called_1_come_back_as_text(tmp_path):
    rows = [("iht", 1, 1, 10, "NA", 0.5), ("iht", 1, 2, None, "1", -0.25), ("iht", 1, 3, 7, "null", 1.0)]
    tables.write(tmp_path / "genes.csv", pd.DataFrame(rows, columns=tables.columns("genes")))
    read = tables.read(tmp_path / "genes.csv")
    assert read["symbol"].tolist() == ["NA", "1", "null"]
    assert read["entrez"].isna().tolist() == [False, True, False]
    assert read["weight"].tolist() == [0.5, -0.25, 1.0]


def test_columns_are_written_in_their_order_and_a_missing_one_is_named(tmp_path):
    file, frame = (
        tmp_path / "evidence/jaccard.csv",
        pd.DataFrame([[0.1, "a", "b", 0]], columns=["jaccard", "method_a", "method_b", "failed_b"]),
    )
    with pytest.raises(StudyError, match=r"evidence/jaccard\.csv: the table has no column failed_a\."):
        tables.write(file, frame)
    tables.write(file, frame.assign(failed_a=0))
    assert file.read_text() == "method_a,method_b,jaccard,failed_a,failed_b\na,b,0.1,0,0\n"


def test_a_missing_table_or_column_is_named(tmp_path):
    with pytest.raises(StudyError, match=r"metrics\.csv: the table is missing"):
        tables.read(tmp_path / "metrics.csv")
    (tmp_path / "traces.csv").write_text("method,epoch\niht,0\n")
    with pytest.raises(StudyError, match=r"traces\.csv: the table has no column loss, low, high, running"):
        tables.read(tmp_path / "traces.csv")


def test_a_rule_declares_the_tables_that_its_script_computes(tmp_path):
    jaccard = pd.DataFrame([["a", "b", 0.1, 0, 0]], columns=tables.columns("evidence/jaccard"))
    with pytest.raises(ValueError, match="declared"):
        tables.write_all([str(tmp_path / "evidence/km.csv")], {"evidence/jaccard": jaccard})
