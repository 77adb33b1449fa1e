"""Tables for the command line: expression, outcome and network files in, a gene table out.

Files are comma- or tab-separated, whichever the header shows. Every complaint is a `TableError` of one
sentence that names the file, what was expected and what was found.
"""

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np


class TableError(ValueError):
    """A file that cannot be used."""


def read_table(path: str) -> tuple[list[str], list[list[str]]]:
    """Return (header, rows) of a comma- or tab-separated file, all cells as text."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TableError(f"{path}: expected a readable file; {error.strerror}") from None
    except UnicodeDecodeError:
        raise TableError(f"{path}: expected a text file in UTF-8; found other bytes") from None
    lines = text.splitlines()
    if not lines:
        raise TableError(f"{path}: expected a header and rows; found an empty file")
    header, *rows = csv.reader(lines, delimiter="\t" if "\t" in lines[0] else ",")
    rows = [row for row in rows if row]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise TableError(f"{path}: expected {len(header)} columns as in the header; row {number} has {len(row)}")
    if not rows:
        raise TableError(f"{path}: expected rows below the header; found none")
    return header, rows


def read_expression(path: str, genes_in_rows: bool = False) -> tuple[np.ndarray, list[str], list[str]]:
    """Return (X, patients, genes) of a matrix file whose first column and header are names."""
    header, rows = read_table(path)
    row_names, column_names = [row[0] for row in rows], header[1:]
    if not column_names:
        raise TableError(f"{path}: expected names in the first column and values after it; found one column")
    X = _numbers(path, [row[1:] for row in rows], row_names, column_names)
    patients, genes = row_names, column_names
    if genes_in_rows:
        X, patients, genes = np.ascontiguousarray(X.T), genes, patients
    _check_unique(path, "patient", patients)
    _check_unique(path, "gene", genes)
    return X, patients, genes


def read_outcome(path: str) -> dict[str, int]:
    """Return {patient: 0 or 1} from a file of two columns, patient and outcome."""
    header, rows = read_table(path)
    if len(header) != 2:
        raise TableError(f"{path}: expected two columns, patient and outcome; found {len(header)}")
    _check_unique(path, "patient", [row[0] for row in rows])
    outcome = {}
    for patient, label in rows:
        if label.strip() not in ("0", "1"):
            raise TableError(f"{path}: expected an outcome of 0 or 1; found {label!r} for patient {patient}")
        outcome[patient] = int(label)
    if len(set(outcome.values())) < 2:
        raise TableError(f"{path}: expected both outcomes, 0 and 1; found only {set(outcome.values()).pop()}")
    return outcome


def read_network(path: str, genes: Sequence[str]) -> tuple[np.ndarray, np.ndarray, int]:
    """Return (edges, confidence, n_unknown) between positions in `genes`.

    The file has the columns gene_a, gene_b and, optionally, a confidence in (0, 1]. Edges to genes that are
    not measured are left out and counted; self-loops and repeated edges are dropped.
    """
    header, rows = read_table(path)
    if len(header) not in (2, 3):
        raise TableError(f"{path}: expected the columns gene_a, gene_b and maybe confidence; found {len(header)}")
    position = {gene: i for i, gene in enumerate(genes)}
    edges: dict[tuple[int, int], float] = {}
    n_unknown = 0
    for number, row in enumerate(rows, start=2):
        a, b = position.get(row[0]), position.get(row[1])
        confidence = 1.0
        if len(row) == 3:
            confidence = _confidence(path, number, row[2])
        if a is None or b is None:
            n_unknown += 1
        elif a != b:
            edges[min(a, b), max(a, b)] = confidence
    if not edges:
        raise TableError(f"{path}: expected edges between the genes of the expression file; found none")
    return np.array(list(edges)), np.array(list(edges.values())), n_unknown


def write_genes(path: str, rows: Iterable[tuple[str, float, int]]) -> None:
    """Write the gene table, under a temporary name first so that no half-written file is left behind."""
    partial = Path(f"{path}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(["gene", "weight", "neighbours"])
            writer.writerows((gene, repr(float(weight)), neighbours) for gene, weight, neighbours in rows)
        os.replace(partial, path)
    except OSError as error:
        raise TableError(f"{path}: expected a file that can be written; {error.strerror}") from None


def _numbers(path: str, cells: list[list[str]], row_names: list[str], column_names: list[str]) -> np.ndarray:
    try:
        X = np.array(cells, dtype=np.float64)
    except ValueError:
        X = np.full(1, np.nan)
    if not np.isfinite(X).all():
        for name, row in zip(row_names, cells, strict=True):
            for column, cell in zip(column_names, row, strict=True):
                if not _is_finite(cell):
                    raise TableError(f"{path}: expected a finite number; found {cell!r} in row {name}, column {column}")
    return X


def _is_finite(cell: str) -> bool:
    try:
        return bool(np.isfinite(float(cell)))
    except ValueError:
        return False


def _confidence(path: str, number: int, cell: str) -> float:
    if not _is_finite(cell) or not 0 < float(cell) <= 1:
        raise TableError(f"{path}: expected a confidence in (0, 1]; found {cell!r} in row {number}")
    return float(cell)


def _check_unique(path: str, what: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TableError(f"{path}: expected each {what} once; found {name!r} twice")
        seen.add(name)
