"""A user's own tables: expression, outcome and edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from study.data.registry import CohortSpec
from study.data.studyfile import Cohort, check_cohort
from study.run.errors import StudyError


def _read_table(path: str | Path, key: str, separator: str, **options) -> pd.DataFrame:
    """Return a user's table as text, or say which key and file is at fault."""
    try:
        frame = pd.read_csv(path, sep=separator, dtype=str, keep_default_na=False, skipinitialspace=True, **options)
    except FileNotFoundError:
        raise StudyError(f"{path}: expected the table named by own: {key}, found no such file.") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: expected a table separated by {separator!r} ({key}); {error}.") from None
    return frame


def _numbers(column: pd.Series, path: str | Path, what: str) -> np.ndarray:
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(float)
    bad = np.flatnonzero(np.isnan(numbers))
    if len(bad):
        found = column.iloc[bad[0]]
        raise StudyError(
            f"{path}: expected a number in {what}, line {bad[0] + 2}, found {found!r} ({len(bad)} such values)."
        )
    return numbers


def read_own(spec: CohortSpec, expression: str | Path, outcome: str | Path) -> Cohort:
    """Return a user's cohort.

    `expression` (CSV): first column patient, then one column per gene, named by symbol or Entrez id.
    `outcome` (CSV): columns patient, event (0 or 1) and, optionally, time.
    """
    header = _read_table(expression, "expression", ",", header=None, nrows=1)
    names = header.iloc[0, 1:].str.strip()
    if names.duplicated().any():
        name = names[names.duplicated()].iloc[0]
        raise StudyError(f"{expression}: expected every gene once, found gene {name} {(names == name).sum()} times.")
    table = _read_table(expression, "expression", ",")
    outcomes = _read_table(outcome, "outcome", ",")
    for column in ("patient", "event"):
        if column not in outcomes.columns:
            raise StudyError(f"{outcome}: expected a column {column}, found {', '.join(outcomes.columns)}.")
    patients = table.iloc[:, 0].str.strip()
    for path, ids in ((expression, patients), (outcome, outcomes["patient"])):
        if ids.duplicated().any():
            raise StudyError(f"{path}: expected every patient once, found {ids[ids.duplicated()].iloc[0]} twice.")
    outcomes = outcomes.set_index(outcomes["patient"].str.strip())
    unmatched = sorted(set(patients) ^ set(outcomes.index))
    if unmatched:
        where = outcome if unmatched[0] in set(patients) else expression
        raise StudyError(
            f"{where}: expected the patients of {expression} and {outcome} to be the same, found no patient "
            f"{unmatched[0]} here ({len(unmatched)} differ)."
        )
    outcomes = outcomes.loc[patients]
    event = _numbers(outcomes["event"], outcome, "column event")
    if not np.isin(event, (0, 1)).all():
        raise StudyError(f"{outcome}: expected 0 or 1 in column event, found {event[~np.isin(event, (0, 1))][0]:g}.")
    has_time = "time" in outcomes.columns
    time = _numbers(outcomes["time"], outcome, "column time") if has_time else np.full(len(event), np.nan)
    symbol = table.columns[1:].str.strip()
    X = np.column_stack([_numbers(table.iloc[:, i + 1], expression, f"gene {g}") for i, g in enumerate(symbol)])
    numeric = symbol.str.fullmatch(r"\d+")
    cohort = Cohort(
        X=X,
        y=event.astype(np.int8),
        time=time,
        patients=patients.to_numpy(str),
        entrez=np.array([int(name) if is_id else 0 for name, is_id in zip(symbol, numeric, strict=True)], np.int64),
        symbol=symbol.to_numpy(str),
        counts=np.full(3, X.shape[1]),
    )
    return check_cohort(cohort, str(expression))


def read_own_edges(cohort: Cohort, settings: dict, edges: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) of a user's tab-separated gene_a, gene_b[, confidence].

    The key own: unknown_genes of the settings says what an edge to a gene that was not measured does: `stop` or `drop`.
    """
    path, symbol, unknown = edges, cohort.symbol, settings["own"]["unknown_genes"]
    table = _read_table(path, "edges", "\t")
    for column in ("gene_a", "gene_b"):
        if column not in table.columns:
            raise StudyError(f"{path}: expected a column {column}, found {', '.join(table.columns)}.")
    confidence = np.ones(len(table))
    if "confidence" in table.columns:
        confidence = _numbers(table["confidence"], path, "column confidence")
    outside = np.flatnonzero((confidence <= 0) | (confidence > 1))
    if len(outside):
        raise StudyError(
            f"{path}: expected a confidence in (0, 1], so that the edge's cost is positive, in line "
            f"{outside[0] + 2}; found {confidence[outside[0]]:g}."
        )
    position = pd.Series(np.arange(len(symbol)), index=symbol)
    measured = (table["gene_a"].isin(position.index) & table["gene_b"].isin(position.index)).to_numpy()
    if unknown == "stop" and not measured.all():
        line = int(np.flatnonzero(~measured)[0])
        gene = next(g for g in table.loc[line, ["gene_a", "gene_b"]] if g not in position.index)
        raise StudyError(
            f"{path}: expected edges between genes of the expression table, found gene {gene} in line {line + 2} "
            f"({(~measured).sum()} such edges); set own: unknown_genes: drop to leave them out."
        )
    table, confidence = table[measured], confidence[measured]
    pairs = np.column_stack([position[table["gene_a"]].to_numpy(), position[table["gene_b"]].to_numpy()])
    return pairs.reshape(-1, 2).astype(np.int64), confidence
