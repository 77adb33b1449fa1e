"""Reading and writing the tables of the simulations."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from study.run.errors import StudyError
from study.run.files import write_text


def write_table(path: str | Path, table: pd.DataFrame) -> None:
    """Write a table as CSV, numbers to six digits."""
    write_text(path, table.to_csv(index=False, float_format="%.6g"))


def read_table(path: str | Path) -> pd.DataFrame:
    """Return a table that `write_table` wrote."""
    try:
        return pd.read_csv(path)
    except (FileNotFoundError, pd.errors.EmptyDataError):
        raise StudyError(f"{path}: expected a table written by this workflow, found none.") from None
