"""Tables as people have them: text with any separator, gzip, Excel, Parquet, AnnData.

A table is read as it stands; what its rows and columns mean is for `graphiht.io`. What cannot be read is a `TableError`
of one sentence that names the file, what was expected and what was found. pandas is imported where a table is touched,
because the estimators do without.
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
# What stands for a value that is not known.
MISSING = frozenset({"", "NA", "na", "N/A", "n/a", "#N/A", "NaN", "nan", "NAN", "NULL", "null", "None", "none", "."})
LONGEST_NAME = 200
# Of text; ten times what 10,000 patients with 20,000 genes need.
MOST_BYTES = 4_000_000_000
BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# By the ending of a file: the package that reads it, see graphiht.packages.
READERS = {".xlsx": "openpyxl", ".xlsm": "openpyxl", ".parquet": "pyarrow", ".pq": "pyarrow", ".h5ad": "anndata"}
# How such files begin, whatever they are called.
BINARY = (b"PK\x03\x04", b"PAR1", b"\x89HDF", b"\xd0\xcf\x11\xe0")


class TableError(ValueError):
    """A file that cannot be used."""


@dataclass
class Table:
    """A header, and cells below it in columns numbered from 0; `notes` say what was made of the file."""

    path: str
    header: list[str]
    cells: pd.DataFrame
    notes: list[str] = field(default_factory=list)

    def text(self, column: int) -> list[str]:
        """Return a column as stripped text, empty where a library found nothing."""
        return ["" if cell is None or cell != cell else as_text(cell) for cell in self.cells[column].tolist()]


def as_text(cell: Any) -> str:
    """Return a cell as text; a whole number of a spreadsheet has no decimals."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


def shown(cell: object, longest: int = 40) -> str:
    """Return a cell as a message quotes it, cut to what a line holds."""
    text = str(cell)
    return repr(text if len(text) <= longest else f"{text[:longest]}...")


def some(names: list[str], most: int = 3) -> str:
    """Return the first of some names, as a message shows them."""
    return ", ".join(shown(name)[1:-1] for name in names[:most]) + (", ..." if len(names) > most else "")


def check_lengths(path: str, what: str, texts: list[str]) -> None:
    """Raise TableError at the first text that is too long for a name or a number."""
    for text in texts:
        if len(text) > LONGEST_NAME:
            raise TableError(
                f"{path}: expected names of at most {LONGEST_NAME} characters, found a {what} of {len(text):,}: "
                f"{shown(text)}."
            )


def check_names(path: str, what: str, names: list[str]) -> None:
    """Raise TableError at the first name that is empty, too long, or cannot be printed."""
    check_lengths(path, what, names)
    for number, name in enumerate(names, start=1):
        if not name:
            raise TableError(f"{path}: expected a name for every {what}, found none for {what} {number}.")
        if not name.isprintable():
            raise TableError(f"{path}: expected names that can be printed, found the {what} {shown(name)}.")


def check_unique(path: str, what: str, names: list[str]) -> None:
    """Raise TableError at the first name that stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TableError(f"{path}: expected every {what} once, found {what} {name} twice.")
        seen.add(name)


def number(cell: object) -> float:
    """Return a cell as a number, NaN if it is none."""
    text = str(cell).strip()
    # Python reads 1_000 and digits of other scripts as numbers too.
    if isinstance(cell, bool) or is_missing(cell) or "_" in text or not text.isascii():
        return float("nan")
    try:
        return float(text)
    except ValueError:
        return float("nan")


def is_missing(cell: object) -> bool:
    """Return whether a cell stands for a value that is not known."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in MISSING)


def read_table(path: str | Path, numeric: bool = False) -> Table:
    """Return the table in a file of any kind.

    Parameters
    ----------
    path : path
    numeric : bool
        Whether all columns but the first hold numbers: then they are read as such, where they do, and of an AnnData
        file the matrix is meant. Else cells are text, and of an AnnData file the annotation of its observations is.
    """
    path, suffix = str(path), Path(path).suffix.lower()
    if suffix in READERS:
        from graphiht.packages import read_with_package

        return read_with_package(path, suffix, numeric)
    return _read_text(path, read_text(path), numeric)


def check_file(path: str) -> None:
    """Raise TableError unless there is a file, which a pipe or a device is not: they may have no end."""
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        raise TableError(f"{path}: expected a readable file, found no such file.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise TableError(f"{shown(path, 200)[1:-1]}: expected a readable file; {why}.") from None
    if not stat.S_ISREG(mode):
        found = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device; save it as a file"
        raise TableError(f"{path}: expected a readable file, found {found}.")


def read_text(path: str) -> str:
    """Return the text of a file, unpacked if it is a gzip file, in UTF-8, or in UTF-16 if it says so."""
    check_file(path)
    try:
        with open(path, "rb") as stream:
            is_packed = stream.peek(2)[:2] == b"\x1f\x8b"
            with gzip.open(stream) if is_packed else stream as unpacked:
                data = unpacked.read(MOST_BYTES + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise TableError(f"{path}: expected a whole gzip file, found a damaged one.") from None
    except OSError as error:
        raise TableError(f"{path}: expected a readable file; {error.strerror}.") from None
    except MemoryError:
        raise TableError(f"{path}: expected a file that fits into this machine's memory, found a larger one.") from None
    if len(data) > MOST_BYTES:
        raise TableError(f"{path}: expected at most {MOST_BYTES / 1e9:g} GB of text, unpacked, found more.")
    if data.startswith(BINARY):
        raise TableError(
            f"{path}: expected a text table, found an Excel, Parquet or HDF5 file; give its name the ending .xlsx, "
            ".parquet or .h5ad."
        )
    encoding = next((name for mark, name in BYTE_ORDER_MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{path}: expected a text file in UTF-8, found other bytes in line {line}; save it as UTF-8."
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise TableError(f"{path}: expected a text file, found a NUL byte in line {line}.")
    if not text.strip():
        raise TableError(f"{path}: expected a header and rows, found an empty file.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_text(path: str, text: str, numeric: bool) -> Table:
    """Return a separated table; its header may lack the name of the first column, as R writes it."""
    lines, start = _first_lines(text)
    if not lines[1:]:
        raise TableError(f"{path}: expected rows below the header, found none.")
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
    """Return what separates columns: of tab, semicolon, comma and space the first that is in every row."""
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
        raise TableError(f"{path}: expected the cells of a table; {error}.") from None


def _check_widths(path: str, text: str, body: str, separator: str, expected: int) -> None:
    """Raise TableError at the first row of another number of columns than the header has."""
    rows = body.count("\n") + (not body.endswith("\n"))
    if separator != " " and '"' not in body and body.count(separator) == rows * (expected - 1):
        return
    line = text.count("\n", 0, len(text) - len(body))
    for row in body.split("\n"):
        line += 1
        found = len(_split(path, row, separator)) if row.strip() else expected
        if found != expected:
            raise TableError(
                f"{path}: expected {expected} columns as in the header, found {found} in line {line}; a table is "
                "separated by tabs, commas, semicolons or spaces."
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
            f"{path}: expected a table separated by {SEPARATORS[separator]}; {shown(error, 150)[1:-1]}."
        ) from None
