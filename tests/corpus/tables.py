"""Files of an own cohort that are not as they should be: what is done to them, and what a check must say.

A case spoils one of the three files (`expression.csv`, `outcome.csv`, `edges.tsv`; 60 patients P0 ..., 30 genes G0 ...
in a ring).
"""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

from corpus import ACCEPTED, Case

NAMES = {"expression": "expression.csv", "outcome": "outcome.csv", "edges": "edges.tsv"}


def _separator(path: Path) -> str:
    return "\t" if path.suffix == ".tsv" else ","


def rows_of(path: Path) -> list[list[str]]:
    """Return the cells of one of the files."""
    return [line.split(_separator(path)) for line in path.read_text().splitlines()]


def write_rows(path: Path, rows: list[list[str]], separator: str = "") -> None:
    """Write cells to one of the files."""
    path.write_text("\n".join((separator or _separator(path)).join(row) for row in rows) + "\n")


def _put(row: int, column: int, value: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        rows = rows_of(path)
        rows[row][column] = value
        write_rows(path, rows)

    return spoil


def _column(column: int, value: Callable[[int], str], header: str | None = None) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        rows = rows_of(path)
        for i, row in enumerate(rows):
            row[column] = value(i) if i else header or row[column]
        write_rows(path, rows)

    return spoil


def _bytes(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _rows(change: Callable[[list[list[str]]], list[list[str]]], separator: str = "") -> Callable[[Path], None]:
    return lambda path: write_rows(path, change(rows_of(path)), separator)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def _renamed(old: str, new: str) -> Callable[[Path], None]:
    """A gene has another name in the matrix and in the edges."""

    def spoil(path: Path) -> None:
        for file in (path, path.with_name("edges.tsv")):
            write_rows(file, [[new if cell.strip() == old else cell for cell in row] for row in rows_of(file)])

    return spoil


# Names of genes that are odd and yet names.
_WORDS = r"NA null nan None true 007 1e5 - 0 $\frac{$ $x$ _^{} {{7*7}} %s%n ../../etc =1+1 patient event con __proto__"
ODD_NAMES = (*_WORDS.split(), "9" * 30, "<script>alert(1)</script>", "a b", "'; DROP", "gène", "基因", "😀", "G" * 200)
# In every file.
_BYTES = {
    "empty": (_bytes(b""), "is empty"),
    "a line feed": (_bytes(b"\n"), "is empty"),
    "blanks": (_bytes(b"  \n \t\n"), "is empty"),
    "a header alone": (lambda path: write_rows(path, rows_of(path)[:1]), "has no rows below the header"),
    "NULs alone": (_bytes(b"\0" * 5000), "has a NUL byte"),
    "a NUL at the end": (lambda path: path.write_bytes(path.read_bytes() + b"\0"), "has a NUL byte"),
    "random bytes": (_bytes(bytes((i * 7919 + i // 3) % 256 for i in range(4000))), "is not text in UTF-8"),
    "latin-1": (
        lambda path: path.write_bytes(path.read_bytes() + "é\n".encode("latin-1")),
        "is not text in UTF-8",
    ),
    "UTF-16 without its mark": (lambda path: path.write_bytes(path.read_text().encode("utf-16-le")), "a NUL byte"),
    "half of UTF-16": (lambda path: path.write_bytes(path.read_text().encode("utf-16")[:-1]), "is not text in UTF-8"),
    "half a gzip file": (
        lambda path: path.write_bytes(gzip.compress(path.read_bytes())[:60]),
        "the gzip file is damaged",
    ),
    "gzip of nothing": (_bytes(gzip.compress(b"")), "is empty"),
    "a gzip header": (_bytes(b"\x1f\x8b"), "the gzip file is damaged"),
    "a spreadsheet": (_bytes(b"PK\x03\x04" + b"\0" * 100), "ending .xlsx"),
    "a web page": (_bytes(b"<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n"), "<!DOCTYPE"),
    "JSON": (_bytes(b'{"a": [1, 2],\n "b": 3}\n'), "error: "),
    "a long line": (_bytes(b"x" * 10_000_000), "has no rows below the header"),
    "quotes without end": (lambda path: path.write_text('"' + path.read_text()), "Separate columns by"),
    "a folder": (_folder, "is a folder"),
    "no such file": (lambda path: path.unlink(), "no such file"),
    "a pipe": (_fifo, "is a pipe or a device"),
    "a link to itself": (_loop, "cannot be read"),
    "rows cut short": (lambda path: path.write_text(path.read_text() + "P1\n"), "columns, the header has"),
    "a row too long": (_rows(lambda rows: [*rows[:5], [*rows[5], "1"], *rows[6:]]), "columns, the header has"),
}

EXPRESSION = {
    "a word": (_put(3, 2, "high"), "column 'G1', row 'P2' holds 'high', which is no number"),
    "hexadecimal": (_put(3, 2, "0x1F"), "which is no number"),
    "underscores": (_put(3, 2, "1_000"), "which is no number"),
    "Arabic digits": (_put(3, 2, "٣"), "which is no number"),
    "true": (_put(3, 2, "True"), "which is no number"),
    "an empty cell": (_put(3, 2, ""), "gene G1 is missing in patient P2"),
    "a dot": (_put(3, 2, "."), "gene G1 is missing in patient P2"),
    "infinite": (_put(3, 2, "inf"), "Values must be finite"),
    "one cell of 1.7e308": (_put(3, 2, "1.7e308"), "at most 1e+100"),
    "one cell of 1e101": (_put(3, 2, "1e101"), "at most 1e+100"),
    "one cell of 1e99": (_put(3, 2, "1e99"), "", ACCEPTED),
    "a gene of 1e200": (_column(2, lambda i: f"{i % 7}e200"), "at most 1e+100"),
    "a gene of 1e-200": (_column(2, lambda i: f"{i % 7}e-200"), "Use another unit"),
    "a gene of 1e12": (_column(2, lambda i: f"{i}e12"), "", ACCEPTED),
    "a gene of 1e-12": (_column(2, lambda i: f"{i}e-12"), "", ACCEPTED),
    "a gene far from zero": (_column(2, lambda i: f"{10**15 + i % 2}"), "", ACCEPTED),
    "a gene of differences below rounding": (_column(2, lambda i: f"1.{'0' * 15}{i % 10}"), "", None),
    "integers beyond 64 bits": (_column(2, lambda i: f"{10**30 + i}"), "", None),
    "an integer of 120 digits": (_put(3, 2, "9" * 120), "at most 1e+100"),
    "a megabyte in a cell": (_put(3, 2, "x" * 1_000_000), "holds 'xxxx"),
    "a megabyte of digits": (_put(3, 2, "1." + "3" * 1_000_000), "", None),
    "a constant gene": (_column(2, lambda i: "1"), "left out 1 of 30 genes (G1) with the same value", ACCEPTED),
    "constant genes": (
        _rows(lambda rows: [rows[0], *([row[0], *["1"] * 30] for row in rows[1:])]),
        "the same value in all",
    ),
    "text alone": (_rows(lambda rows: [rows[0], *([row[0], *["a"] * 30] for row in rows[1:])]), "has no numbers below"),
    "one column": (_rows(lambda rows: [row[:1] for row in rows]), "has one column"),
    "one gene": (_rows(lambda rows: [row[:2] for row in rows]), "no edge joins"),
    "no header": (_rows(lambda rows: rows[1:]), "no edge joins two"),
    "a patient twice": (_put(2, 0, "P0"), "patient P0 appears twice"),
    "a patient without a name": (_put(2, 0, ""), "left out, because without an outcome, 1 patient", ACCEPTED),
    "patients of another study": (
        _rows(lambda rows: [rows[0], *(["X" + row[0], *row[1:]] for row in rows[1:])]),
        "Use the same names in both files",
    ),
    "patients in rows and columns": (_put(0, 2, "P5"), "rows and columns both have names of patients"),
    "one patient": (_rows(lambda rows: rows[:2]), "the same value in all"),
    "a gene twice": (_put(0, 2, "G0"), "gene G0 appears 2 times"),
    "a gene twice, with a blank": (_put(0, 2, " G0 "), "gene G0 appears 2 times"),
    "a gene without a name": (_put(0, 2, ""), "has no name. Name every gene."),
    "a gene of 201 letters": (_put(0, 2, "G" * 201), "Use at most 200 characters"),
    "a gene of a megabyte": (_put(0, 2, "G" * 1_000_000), "larger than field limit"),
    "a gene with a bell": (_put(0, 2, "G\a"), "cannot be printed"),
    "a gene with an escape": (_put(0, 2, "\x1b[2J"), "cannot be printed"),
    "a gene with a right-to-left mark": (_put(0, 2, "G\u202e1"), "cannot be printed"),
    "genes NA": (_rows(lambda rows: [["patient", "NA", "NA", *rows[0][3:]], *rows[1:]]), "R writes NA"),
    **{f"a gene called {name[:20]}": (_renamed("G1", name), "", ACCEPTED) for name in ODD_NAMES},
    "007 beside 7": (lambda path: (_renamed("G1", "007")(path), _renamed("G2", "7")(path)), "", ACCEPTED),
}
OUTCOME = {
    "semicolons": (_rows(lambda rows: rows, ";"), "separated by semicolons", ACCEPTED),
    "no event column": (_put(0, 1, "sad"), "no event column among"),
    "an event of 2": (_put(1, 1, "2"), "column event has '2' for patient"),
    "an event of 0.5": (_put(1, 1, "0.5"), "Use 0 and 1."),
    "no event": (_put(1, 1, ""), "Use 0 and 1."),
    "an event of a megabyte": (_put(1, 1, "x" * 1_000_000), "larger than field limit"),
    "one class": (_column(1, lambda i: "1"), "all patients have event 1. Both classes are needed."),
    "one event": (_column(1, lambda i: "1" if i == 1 else "0"), "are too few"),
    "two events": (_column(1, lambda i: "1" if i < 3 else "0"), "are too few"),
    "time infinite": (_put(1, 2, "inf"), "is not positive and finite"),
    "time below zero": (_put(1, 2, "-1"), "is not positive and finite"),
    "time zero": (_put(1, 2, "0"), "is not positive and finite"),
    "time not known": (_put(1, 2, "NA"), "is not positive and finite"),
    "time a date": (_put(1, 2, "2001-01-01"), "is not positive and finite"),
    "time of 1e300": (_put(1, 2, "1e300"), "is not positive and finite"),
    "times all equal": (_column(2, lambda i: "1"), "", ACCEPTED),
    "no times": (_rows(lambda rows: [row[:2] for row in rows]), "", ACCEPTED),
    "a patient twice": (_put(2, 0, "P0"), "patient P0 appears twice"),
    "a patient without a name": (_put(2, 0, ""), "has no name. Name every patient."),
    "a patient of 201 letters": (_put(2, 0, "P" * 201), "Use at most 200 characters"),
    "a patient with an escape": (_put(2, 0, "\x1b[2J"), "cannot be printed"),
    "other patients": (_column(0, lambda i: f"Q{i}"), "Use the same names in both files"),
    "three patients": (_rows(lambda rows: rows[:4]), "Both classes are needed"),
    "two columns event": (_rows(lambda rows: [[*row[:2], row[1]] for row in rows]), "no event column among"),
}
EDGES = {
    "a web page": (_BYTES["a web page"][0], "no edge joins two"),
    "commas": (_rows(lambda rows: rows, ","), "", ACCEPTED),
    "one column": (_rows(lambda rows: [row[:1] for row in rows]), "An edge needs two columns"),
    "confidence of 0": (_put(2, 2, "0"), "Use values in (0, 1]"),
    "confidence of 1.5": (_put(2, 2, "1.5"), "Use values in (0, 1]"),
    "confidence infinite": (_put(2, 2, "inf"), "Use values in (0, 1]"),
    "confidence not known": (_put(2, 2, "NA"), "Use values in (0, 1]"),
    "confidence of 1e-300": (_put(2, 2, "1e-300"), "1 of confidence below", ACCEPTED),
    "scores of 2000": (_column(2, lambda i: "2000"), "Use values in (0, 1]"),
    "no confidence": (_rows(lambda rows: [row[:2] for row in rows]), "counts as 1", ACCEPTED),
    "other genes": (
        _rows(lambda rows: [rows[0], *(["X" + r[0], "X" + r[1], r[2]] for r in rows[1:])]),
        "no edge joins",
    ),
    "loops alone": (_rows(lambda rows: [rows[0], *([r[0], r[0], r[2]] for r in rows[1:])]), "joins a gene to itself"),
    "one edge": (_rows(lambda rows: rows[:2]), "more than the 2 genes"),
    "an end without a name": (_put(2, 0, ""), "has no name. Name every gene."),
    "an end of a megabyte": (_put(2, 0, "G" * 1_000_000), "Use at most 200 characters"),
    "an end with an escape": (_put(2, 0, "\x1b[2J"), "cannot be printed"),
    "the same edge again and again": (_rows(lambda rows: rows + rows[1:] * 100), "repeated", ACCEPTED),
    "everything below the limit": (_column(2, lambda i: "0.1"), "no edge joins"),
}
CASES = {
    f"{file}: {name}": Case(NAMES[file], *case)
    for file, cases in {"expression": _BYTES | EXPRESSION, "outcome": _BYTES | OUTCOME, "edges": _BYTES | EDGES}.items()
    for name, case in cases.items()
}
