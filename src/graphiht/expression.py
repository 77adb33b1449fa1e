"""Read an expression matrix, check it, and apply the remedies that the user asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphiht.columns import FollowUp, drop_columns, without_clinical, without_outcome
from graphiht.tables import (
    MISSING,
    Table,
    TableError,
    check_names,
    check_unique,
    counted,
    is_missing,
    number,
    read_table,
    shown,
    some,
)

Say = Callable[[str], None]
# Larger values overflow in a sum of squares.
LARGEST = 1e100
# Spreadsheets turn SEPT2 and MARCH1 into dates.
DATE = re.compile(r"(\d{1,2}-(mar|sep|dec|oct|apr|nov)|(mar|sep|dec|oct|apr|nov)-\d{1,2})", re.IGNORECASE)


@dataclass(frozen=True)
class Remedies:
    """How to read an expression matrix.

    Attributes
    ----------
    genes_in : {"auto", "rows", "columns"}
        Where the genes are; "auto": where the patients of the outcome are not.
    transform : {"none", "log2"}
        "log2" takes log2(1 + value).
    missing : {"stop", "keep"}
        "keep" leaves missing values as NaN, for an imputation inside each training set.
    duplicates : {"stop", "mean", "variance"}
        What several columns of one gene become; "variance" keeps the column that varies most between patients.
    advice : str
        How the user sets one of these, for messages: a template of key and value.
    constant : {"drop", "keep"}
        Whether to drop genes that do not vary or are missing in most patients; "keep" is for new patients.
    """

    genes_in: str = "auto"
    transform: str = "none"
    missing: str = "stop"
    duplicates: str = "stop"
    advice: str = "use --{} {}"
    constant: str = "drop"

    def how(self, key: str, value: str) -> str:
        """Return how the user sets `key` to `value`."""
        return self.advice.format(key, value)


def read_expression(
    path: str | Path,
    genes_in_rows: bool | None = None,
    patients: Sequence[str] = (),
    remedies: Remedies | None = None,
    say: Say = lambda text: None,
    outcome: FollowUp | None = None,
    covariates: Sequence[str] = (),
) -> tuple[np.ndarray, list[str], list[str]]:
    """Read a matrix whose first column and header are names.

    Parameters
    ----------
    path : path
        Text, Excel, Parquet or AnnData; see `graphiht.tables`.
    genes_in_rows : bool, optional
        Whether genes are in rows. By default `patients` tell; without them genes are in columns.
    patients : sequence of str
        Patients with an outcome. Others are left out, and so are columns that are neither patients nor numbers.
    remedies : Remedies, optional
        What to do about missing values, repeated genes and counts.
    say : callable
        Called with a line for everything that is left out or assumed.
    outcome : FollowUp, optional
        Outcome of the `patients`: its columns, and copies of them, never become genes.
    covariates : sequence of str
        Columns to keep although they have names of clinical variables; they are not transformed.

    Returns
    -------
    X : ndarray of shape (n_patients, n_genes)
    patients, genes : list of str

    See Also
    --------
    graphiht.io.read_follow_up : Read the outcome.
    graphiht.edges.read_edges : Read the network.
    """
    path, remedies = str(path), remedies or Remedies()
    table = read_table(path, numeric=True)
    for note in table.notes:
        say(note)
    rows, columns = table.text(0), [name.strip() for name in table.header[1:]]
    if not columns:
        raise TableError(f"{path}: has one column. The first column holds names, the others values.")
    if genes_in_rows is None and remedies.genes_in != "auto":
        genes_in_rows = remedies.genes_in == "rows"
    transposed = _genes_in_rows(path, rows, columns, patients, remedies) if genes_in_rows is None else genes_in_rows
    if transposed and genes_in_rows is None:
        say(f"{path} has genes in rows: the names of its columns are patients of the outcome")
    known = set(patients)
    kept = [i for i, name in enumerate(columns) if not transposed or not known or name in known]
    X, kept = _numbers(table, rows, columns, kept, say)
    names = [columns[i] for i in kept]
    X, people, genes = (X.T, names, rows) if transposed else (X, rows, names)
    X, people = _with_outcome(path, X, people, len(columns) - len(kept) if transposed else 0, known, say)
    check_names(path, "patient", people)
    check_names(path, "gene", genes)
    check_unique(path, "patient", people)
    if outcome is not None:
        X, genes = without_outcome(path, X, people, genes, outcome, say)
    if remedies.constant == "drop":
        X, genes = without_clinical(path, X, genes, covariates, say)
    return _checked(path, np.ascontiguousarray(X), people, genes, remedies, say, covariates)


def _genes_in_rows(path: str, rows: list[str], columns: list[str], patients: Sequence[str], remedies: Remedies) -> bool:
    """Return whether genes are in rows; raise TableError if the names do not tell."""
    known = set(patients)
    in_rows, in_columns = (sum(name in known for name in names) for names in (rows, columns))
    if in_rows and in_columns:
        raise TableError(
            f"{path}: rows and columns both have names of patients. To say where the genes are, "
            f"{remedies.how('genes_in', 'rows')} or columns."
        )
    if known and not in_rows and not in_columns:
        raise TableError(
            f"{path}: has no patient of the outcome ({some(list(patients))}) in its rows ({some(rows)}) or columns "
            f"({some(columns)}). Use the same names in both files."
        )
    return in_columns > 0


def _numbers(
    table: Table, rows: list[str], columns: list[str], kept: list[int], say: Say
) -> tuple[np.ndarray, list[int]]:
    """Return the values of the columns `kept`, and the columns that are not text."""
    values, numeric, text = [], [], []
    for i in kept:
        column = table.cells[i + 1]
        if column.dtype.kind in "iuf":
            found = column.to_numpy(float)
        else:
            found = np.array([number(cell) for cell in column.tolist()])
            wrong = np.flatnonzero(np.isnan(found) & ~np.array([is_missing(cell) for cell in column.tolist()]))
            if len(wrong) == len(rows):
                text.append(columns[i])
                continue
            if len(wrong):
                raise TableError(
                    f"{table.path}: column {shown(columns[i])}, row {shown(rows[wrong[0]])} holds "
                    f"{shown(column.iloc[wrong[0]])}, which is no number ({counted(len(wrong), 'such cell')}). "
                    "Correct it."
                )
        values.append(found)
        numeric.append(i)
    if not values:
        raise TableError(f"{table.path}: has no numbers below {some([columns[i] for i in kept])}.")
    if text:
        say(f"{table.path}: left out {counted(len(text), 'column')} of text ({some(text)})")
    return np.column_stack(values), numeric


def _with_outcome(
    path: str, X: np.ndarray, people: list[str], n_left_out: int, known: set[str], say: Say
) -> tuple[np.ndarray, list[str]]:
    if not known:
        return X, people
    there = [i for i, name in enumerate(people) if name in known]
    if not there:
        raise TableError(f"{path}: has patients {some(people)}, none of the outcome ({some(sorted(known))}).")
    n_left_out += len(people) - len(there)
    if n_left_out:
        say(f"{path}: left out, because without an outcome, {counted(n_left_out, 'patient')} or other columns")
    absent = len(known) - len({people[i] for i in there})
    if absent:
        say(f"{path}: lacks {counted(absent, 'patient')} of the outcome, left out")
    return X[there], [people[i] for i in there]


def _checked(
    path: str,
    X: np.ndarray,
    people: list[str],
    genes: list[str],
    remedies: Remedies,
    say: Say,
    covariates: Sequence[str],
) -> tuple[np.ndarray, list[str], list[str]]:
    """Return a matrix that fits can use: finite values, every gene once, genes that vary."""
    infinite = np.argwhere(np.isinf(X) | (np.abs(X) > LARGEST))
    if len(infinite):
        row, column = infinite[0]
        raise TableError(
            f"{path}: gene {genes[column]} is {X[row, column]:g} in patient {people[row]} ("
            f"{counted(len(infinite), 'such value')}). Values must be finite and at most {LARGEST:g}."
        )
    unknown = np.isnan(X)
    if unknown.any() and remedies.missing == "stop":
        row, column = np.argwhere(unknown)[0]
        raise TableError(
            f"{path}: gene {genes[column]} is missing in patient {people[row]} ("
            f"{counted(unknown.sum(), 'missing value')} in {counted(unknown.any(axis=0).sum(), 'gene')}). To fill "
            f"them in from training patients, {remedies.how('missing', 'mean')} or knn."
        )
    measured = np.array([name not in covariates for name in genes])
    if measured.any():
        X[:, measured] = _transformed(path, X[:, measured], people, genes, remedies, say)
    dates = [name for name in genes if DATE.fullmatch(name)]
    if dates:
        number = counted(len(dates), "date")
        say(f"{path}: {number} among the genes ({some(dates)}): spreadsheets make dates of SEPT2 or MARCH1")
    X, genes = _each_gene_once(path, X, genes, remedies, say)
    if remedies.constant == "keep":
        return X, people, genes
    rare = np.isnan(X).mean(axis=0) > 0.5
    X, genes = drop_columns(path, X, genes, rare, "missing in more than half of the patients", say)
    with np.errstate(all="ignore"):
        spread = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
        variance = np.nanvar(X, axis=0)
    tiny = np.flatnonzero((spread > 0) & ~(variance > 1e-200))
    if len(tiny):
        raise TableError(
            f"{path}: gene {genes[tiny[0]]} varies by {spread[tiny[0]]:.0e}, too little to be squared ("
            f"{counted(len(tiny), 'such gene')}). Use another unit."
        )
    X, genes = drop_columns(path, X, genes, spread == 0, "with the same value in all patients", say)
    return X, people, genes


def _transformed(
    path: str, X: np.ndarray, people: list[str], genes: list[str], remedies: Remedies, say: Say
) -> np.ndarray:
    lowest, highest = np.nanmin(X), np.nanmax(X)
    if remedies.transform == "log2":
        if lowest < 0:
            row, column = np.argwhere(lowest == X)[0]
            raise TableError(
                f"{path}: gene {genes[column]} is {lowest:g} in patient {people[row]}, and log2(1 + value) needs "
                f"counts or intensities. For values on a log scale, {remedies.how('transform', 'none')}."
            )
        say(f"{path}: values are taken as log2(1 + value)")
        return np.log2(1 + X)
    if lowest >= 0 and highest > 100:
        kind = "raw counts" if not np.nanmax(np.abs(X - np.round(X))) else "values that are not on a log scale"
        say(
            f"{path}: warning: these look like {kind} (up to {highest:,.0f}), in which a few large values decide; "
            f"{remedies.how('transform', 'log2')}"
        )
    return X


def _each_gene_once(
    path: str, X: np.ndarray, genes: list[str], remedies: Remedies, say: Say
) -> tuple[np.ndarray, list[str]]:
    """Return a column per name. The mean is each patient's own; the variance looks at no outcome."""
    columns: dict[str, list[int]] = {}
    for place, name in enumerate(genes):
        columns.setdefault(name, []).append(place)
    repeated = [name for name, places in columns.items() if len(places) > 1]
    if not repeated:
        return X, genes
    number = counted(len(repeated), "such gene")
    if remedies.duplicates == "stop":
        hint = " (R writes NA for a probe without a name: leave such columns out)" if repeated[0] in MISSING else ""
        raise TableError(
            f"{path}: gene {repeated[0]} appears {len(columns[repeated[0]])} times ({number}){hint}. "
            f"To average its columns, {remedies.how('duplicates', 'mean')}; variance keeps the one that varies most."
        )
    merged = np.empty((len(X), len(columns)))
    for target, places in enumerate(columns.values()):
        part = X[:, places]
        with np.errstate(all="ignore"):
            if len(places) == 1:
                merged[:, target] = part[:, 0]
            elif remedies.duplicates == "mean":
                n_known = np.maximum((~np.isnan(part)).sum(axis=1), 1)
                merged[:, target] = np.where(np.isnan(part).all(axis=1), np.nan, np.nansum(part, axis=1) / n_known)
            else:
                merged[:, target] = part[:, np.nanargmax(np.nanvar(part, axis=0))]
    say(f"{path}: gene {repeated[0]} has several columns ({number}), taken by {remedies.duplicates}")
    return merged, list(columns)
