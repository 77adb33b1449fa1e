"""Tables as people have them: text with any separator, gzip, Excel, Parquet, AnnData.

`graphiht.io` gives rows and columns their meaning. A `TableError` says in one line which file is wrong, what is wrong,
and what to do. pandas is imported where a table is read, because the estimators do not need it.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import stat
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", " ": "spaces"}
# Cells that mean a missing value.
MISSING = frozenset({"", "NA", "na", "N/A", "n/a", "#N/A", "NaN", "nan", "NAN", "NULL", "null", "None", "none", "."})
LONGEST_NAME = 200
# Ten times what 10,000 patients with 20,000 genes need.
MOST_BYTES = 4_000_000_000
BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# The package that reads files of each ending, see graphiht.packages.
READERS = {".xlsx": "openpyxl", ".xlsm": "openpyxl", ".parquet": "pyarrow", ".pq": "pyarrow", ".h5ad": "anndata"}
# The first bytes of such files.
BINARY = (b"PK\x03\x04", b"PAR1", b"\x89HDF", b"\xd0\xcf\x11\xe0")


class TableError(ValueError):
    """A file that cannot be used."""


@dataclass
class Table:
    """A table: header, cells in columns numbered from 0, and notes on how the file was read."""

    path: str
    header: list[str]
    cells: pd.DataFrame
    notes: list[str] = field(default_factory=list)

    def text(self, column: int) -> list[str]:
        """Return a column as stripped text, empty where a cell is missing."""
        return ["" if cell is None or cell != cell else as_text(cell) for cell in self.cells[column].tolist()]


def as_text(cell: Any) -> str:
    """Return a cell as text, whole numbers of a spreadsheet without decimals."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


def shown(cell: object, longest: int = 40) -> str:
    """Return a cell in quotes, cut to at most `longest` characters, for a message."""
    text = str(cell)
    return repr(text if len(text) <= longest else f"{text[:longest]}...")


def some(names: list[str], most: int = 3) -> str:
    """Return the first names, separated by commas, for a message."""
    return ", ".join(shown(name)[1:-1] for name in names[:most]) + (", ..." if len(names) > most else "")


def counted(n: int, noun: str) -> str:
    """Return a number and a noun: 1 gene, 2 genes."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def check_lengths(path: str, what: str, texts: list[str]) -> None:
    """Raise TableError at the first text that is too long for a name or a number."""
    for text in texts:
        if len(text) > LONGEST_NAME:
            raise TableError(
                f"{path}: a {what} has {len(text):,} characters ({shown(text)}). Use at most {LONGEST_NAME} characters."
            )


def check_names(path: str, what: str, names: list[str]) -> None:
    """Raise TableError at the first name that is empty, too long, or cannot be printed."""
    check_lengths(path, what, names)
    for number, name in enumerate(names, start=1):
        if not name:
            raise TableError(f"{path}: {what} {number} has no name. Name every {what}.")
        if not name.isprintable():
            raise TableError(f"{path}: {what} {shown(name)} has characters that cannot be printed. Rename it.")


def check_unique(path: str, what: str, names: list[str]) -> None:
    """Raise TableError at the first name that appears twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TableError(f"{path}: {what} {name} appears twice. Keep one or rename one.")
        seen.add(name)


def number(cell: object) -> float:
    """Return a cell as a number, NaN if it is not one."""
    text = str(cell).strip()
    # Python reads 1_000 and digits of other scripts as numbers too.
    if isinstance(cell, bool) or is_missing(cell) or "_" in text or not text.isascii():
        return float("nan")
    try:
        return float(text)
    except ValueError:
        return float("nan")


def is_missing(cell: object) -> bool:
    """Return whether a cell means a missing value."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in MISSING)


def read_table(path: str | Path, numeric: bool = False) -> Table:
    """Return the table in a file of any kind.

    Parameters
    ----------
    path : path
        Text (commas, tabs, semicolons or spaces; also gzip), Excel, Parquet or AnnData.
    numeric : bool
        Read all columns but the first as numbers where possible, and the matrix of an AnnData file. Otherwise read
        cells as text, and the annotation of the observations of an AnnData file.

    Returns
    -------
    Table
    """
    path, suffix = str(path), Path(path).suffix.lower()
    if suffix in READERS:
        from graphiht.packages import read_with_package

        return read_with_package(path, suffix, numeric)
    return _read_text(path, read_text(path), numeric)


def check_file(path: str) -> None:
    """Raise TableError unless `path` is a regular file; pipes and devices may have no end."""
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        raise TableError(f"{path}: no such file. Check its name and folder.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise TableError(f"{shown(path, 200)[1:-1]}: cannot be read ({why}).") from None
    if not stat.S_ISREG(mode):
        kind = "a folder. Name a file in it" if stat.S_ISDIR(mode) else "a pipe or a device. Save its content as a file"
        raise TableError(f"{path}: is {kind}.")


def read_text(path: str) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with its mark; gzip files are unpacked."""
    check_file(path)
    try:
        with open(path, "rb") as stream:
            is_packed = stream.peek(2)[:2] == b"\x1f\x8b"
            with gzip.open(stream) if is_packed else stream as unpacked:
                data = unpacked.read(MOST_BYTES + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise TableError(f"{path}: the gzip file is damaged. Copy or compress it again.") from None
    except OSError as error:
        raise TableError(f"{path}: cannot be read ({error.strerror}).") from None
    except MemoryError:
        raise TableError(f"{path}: does not fit into the memory of this machine.") from None
    if len(data) > MOST_BYTES:
        raise TableError(f"{path}: holds more than {MOST_BYTES / 1e9:g} GB of text, unpacked. Use a smaller table.")
    if data.startswith(BINARY):
        raise TableError(
            f"{path}: is an Excel, Parquet or HDF5 file, not text. Give its name the ending .xlsx, .parquet or .h5ad."
        )
    encoding = next((name for mark, name in BYTE_ORDER_MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(f"{path}: line {line} is not text in UTF-8. Save the file as UTF-8.") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise TableError(f"{path}: line {line} has a NUL byte. Save the file as text in UTF-8.")
    if not text.strip():
        raise TableError(f"{path}: is empty. A table has a header and rows.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_text(path: str, text: str, numeric: bool) -> Table:
    """Return a separated table; its header may lack the name of the first column, as R writes it."""
    lines, start = _first_lines(text)
    if not lines[1:]:
        raise TableError(f"{path}: has no rows below the header.")
    separator = _separator(lines)
    header = [name.strip() for name in _split(path, lines[0], separator)]
    if len(_split(path, lines[1], separator)) == len(header) + 1:
        header = ["", *header]
    header[0] = header[0].removeprefix("#").strip()
    body = text[start:]
    _check_widths(path, text, body, separator, len(header))
    notes = [] if separator in ",\t" else [f"{path} is separated by {SEPARATORS[separator]}"]
    decimal = _decimal(lines[1:], separator) if numeric and separator != "," else "."
    if decimal == ",":
        notes.append(f"{path} has decimal commas")
    return Table(path, header, _cells(path, body, separator, len(header), numeric, decimal), notes)


def _first_lines(text: str) -> tuple[list[str], int]:
    """Return the header and up to twenty rows, without comments before them, and where the rows begin.

    A line that begins with # is a comment unless it has the separators of the line below it.
    """
    lines: list[str] = []
    place = rows_begin = 0
    while place < len(text) and len(lines) < 21:
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line, place = text[place:end], end + 1
        if not line.strip():
            continue
        if len(lines) == 1 and lines[0].startswith("#") and not _same_separators(lines[0], line):
            lines = []
        lines.append(line)
        if len(lines) == 1:
            rows_begin = place
    return lines, rows_begin


def _same_separators(line: str, other: str) -> bool:
    return any(line.count(separator) == other.count(separator) > 0 for separator in SEPARATORS)


def _separator(lines: list[str]) -> str:
    """Return the separator of columns: the first of tab, semicolon, comma and space that every row has."""
    for separator in SEPARATORS:
        if all(separator in line for line in lines[1:]):
            return separator
    return ","


def _split(path: str, line: str, separator: str) -> list[str]:
    try:
        if separator == " ":
            # Runs of spaces count as one; quotes, as R writes them, hold spaces.
            return [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', line)]
        return next(csv.reader([line], delimiter=separator))
    except csv.Error as error:
        raise TableError(f"{path}: the cells of a row cannot be told apart ({error}).") from None


def _check_widths(path: str, text: str, body: str, separator: str, expected: int) -> None:
    """Raise TableError at the first row with another number of columns than the header."""
    rows = body.count("\n") + (not body.endswith("\n"))
    if separator != " " and '"' not in body and body.count(separator) == rows * (expected - 1):
        return
    line = text.count("\n", 0, len(text) - len(body))
    for row in body.split("\n"):
        line += 1
        found = len(_split(path, row, separator)) if row.strip() else expected
        if found != expected:
            raise TableError(
                f"{path}: line {line} has {found} columns, the header has {expected}. Separate columns by tabs, "
                "commas, semicolons or spaces."
            )


def _decimal(rows: list[str], separator: str) -> str:
    """Return the decimal mark: a comma where cells have one and none has a point."""
    cells = [cell.strip() for row in rows for cell in row.split(separator)[1:]]
    has_comma = any("," in cell and cell.replace(",", "", 1).lstrip("-").isdigit() for cell in cells)
    return "," if has_comma and not any("." in cell for cell in cells) else "."


def _cells(path: str, body: str, separator: str, width: int, numeric: bool, decimal: str) -> pd.DataFrame:
    import pandas as pd

    # Categories hold a name once, however many edges it has.
    options: dict[str, Any] = {"dtype": "category", "na_filter": False}
    if numeric:
        options = {"dtype": {0: str}, "na_values": dict.fromkeys(range(1, width), MISSING), "keep_default_na": False}
        options |= {"low_memory": False, "decimal": decimal}
    options |= {"sep": r"\s+"} if separator == " " else {"sep": separator, "skipinitialspace": True}
    try:
        return pd.read_csv(io.StringIO(body), header=None, names=range(width), index_col=False, **options)
    except (ValueError, OverflowError) as error:
        raise TableError(
            f"{path}: is no table separated by {SEPARATORS[separator]} ({shown(error, 150)[1:-1]})."
        ) from None
