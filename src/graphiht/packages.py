"""Tables in formats that need another package: Excel, Parquet, AnnData."""

from __future__ import annotations

import importlib.util
import sys

import pandas as pd

from graphiht.tables import MISSING, READERS, Table, TableError, as_text, check_file, shown


def read_with_package(path: str, suffix: str, numeric: bool) -> Table:
    """Return the table in a file that needs another package; raise TableError if that is missing."""
    package = READERS[suffix]
    if importlib.util.find_spec(package) is None:
        raise TableError(
            f"{path}: {suffix} files need the package {package}, which is not installed. Install it with "
            f"`{sys.executable} -m pip install {package}`, or save the table as text."
        )
    check_file(path)

    try:
        if suffix == ".h5ad":
            import anndata

            annotated = anndata.read_h5ad(path)
            frame = annotated.to_df() if numeric else annotated.obs
        elif package == "pyarrow":
            frame = pd.read_parquet(path)
        else:
            frame = pd.read_excel(path, header=None, dtype=object, keep_default_na=False)
            frame = frame[1:].set_axis(frame.iloc[0], axis=1)
            frame = frame.reset_index(drop=True)
    except Exception as error:  # whatever a library makes of a damaged file
        raise TableError(f"{path}: {package} cannot read this {suffix} file ({shown(error, 150)}).") from None
    # Names of rows become the first column.
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    if not len(frame) or not frame.shape[1]:
        raise TableError(f"{path}: is empty. A table has a header and rows.")
    header = [as_text(name) for name in frame.columns]
    columns = {0: pd.Series([as_text(cell) for cell in frame.iloc[:, 0]], dtype=object)}
    for number in range(1, len(header)):
        column = frame.iloc[:, number]
        columns[number] = _inferred(column) if numeric else column.astype(object)
    return Table(path, header, pd.DataFrame(columns))


def _inferred(column: pd.Series) -> pd.Series:
    """Return a column as numbers if every cell is a number or missing, else unchanged."""
    known = column.map(lambda cell: None if isinstance(cell, str) and cell.strip() in MISSING else cell)
    numbers = pd.to_numeric(known, errors="coerce")
    return numbers.astype(float) if numbers.isna().sum() == known.isna().sum() else column.astype(object)
