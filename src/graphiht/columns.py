"""Columns of an expression table that must not become genes: the outcome, copies of it, clinical variables."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import numpy as np

from graphiht.tables import TableError, some

EVENT_COLUMNS = ("event", "status", "outcome", "os_event", "os_status", "vital_status", "death", "dead", "label", "y")
TIME_COLUMNS = ("time", "os_time", "survival_time", "follow_up", "followup", "futime", "os_months", "days", "months")
# Parts of names, in any case, besides words in lower case. PGR and HER2 are genes.
CLINICAL = frozenset(
    "age sex gender race bmi size grade stage node nodes er pr id batch os dfs rfs pfs dmfs efs dss".split()  # noqa: SIM905
)
WORDS = re.compile(r"[a-z]+([._ ][a-z]+)*")
# Symbols, Ensembl and Entrez ids; what else has digits are probes, or genes of other species.
GENE = re.compile(r"[A-Z0-9][A-Z0-9.@/-]*|[A-Z0-9].*\d.*")
# Fewer patients have genes that follow the outcome by chance.
FEWEST = 10
BLOCK = 1000  # columns at a time, to save memory
COPY = 0.9999  # correlation from which on a column is a copy, maybe in another unit
NEAR = 0.97  # rank correlation with time, or AUC, from which on a gene may be part of the outcome


@dataclass(frozen=True)
class FollowUp:
    """The outcome table: patients, event 0 or 1, and time, None when there is none.

    `event_column` and `time_column` are names of columns, `others` those of all other columns but the patients'.
    """

    patients: list[str]
    event: np.ndarray
    time: np.ndarray | None
    event_column: str = "event"
    time_column: str = "time"
    others: list[str] = field(default_factory=list)


def without_outcome(
    path: str, X: np.ndarray, people: list[str], genes: list[str], outcome: FollowUp, say: Callable[[str], None]
) -> tuple[np.ndarray, list[str]]:
    """Return a matrix without the columns of the outcome table, by name or by content; warn of genes that separate."""
    place = {patient: i for i, patient in enumerate(outcome.patients)}
    rows = [place[patient] for patient in people]
    event, time = outcome.event[rows], None if outcome.time is None else outcome.time[rows]
    own = {outcome.event_column.lower(), outcome.time_column.lower(), *EVENT_COLUMNS, *TIME_COLUMNS}
    # A clinical table may have the status of a gene under its symbol.
    others = {name.lower() for name in outcome.others if is_clinical(name) or not GENE.fullmatch(name)}
    lower = [name.lower() for name in genes]
    # One table may hold genes and outcome, and be given twice.
    if sum(name in others for name in lower) <= len(genes) / 2:
        own |= others
    named = np.array([name in own for name in lower])
    X, genes = drop_columns(path, X, genes, named, "named like columns of the outcome table", say)
    alike = likeness(X, event, time)
    copied = alike[:2].max(axis=0) > COPY
    X, genes = drop_columns(path, X, genes, copied, "with the values of the outcome, maybe in another unit", say)
    _, by_time, areas = alike[:, ~copied]
    for i in np.flatnonzero(areas >= _least_area(event, len(genes)))[:3]:
        text = f"separates patients with and without the event (AUC {areas[i]:.3f})"
        say(f"{path}: warning: {genes[i]} alone {text}; is it part of the outcome?")
    for i in np.flatnonzero(by_time > NEAR)[:3]:
        text = f"follows {outcome.time_column} (rank correlation {by_time[i]:.3f})"
        say(f"{path}: warning: {genes[i]} {text}; is it part of the outcome?")
    return X, genes


def without_clinical(
    path: str, X: np.ndarray, genes: list[str], covariates: Collection[str], say: Callable[[str], None]
) -> tuple[np.ndarray, list[str]]:
    """Return a matrix without what has the name of a clinical variable, if most other names can be those of genes."""
    # Where most names begin like words, genes may, too.
    if 2 * sum(name[:1].islower() for name in genes) >= len(genes):
        return X, genes
    clinical = [name not in covariates and is_clinical(name) for name in genes]
    text = "named like clinical variables; `graphiht fit --covariates` keeps them in the model"
    return drop_columns(path, X, genes, np.array(clinical), text, say)


def is_clinical(name: str) -> bool:
    """Return whether a column has the name of a clinical variable: age, Age.at.dx, tumour_size."""
    parts = re.split("[._ ]", name.lower())
    return not CLINICAL.isdisjoint(parts) or WORDS.fullmatch(name) is not None


def drop_columns(
    path: str, X: np.ndarray, genes: list[str], unwanted: np.ndarray, text: str, say: Callable[[str], None]
) -> tuple[np.ndarray, list[str]]:
    """Return the matrix and its genes without the unwanted columns, and log them."""
    if not unwanted.any():
        return X, genes
    names = [genes[i] for i in np.flatnonzero(unwanted)]
    if len(names) == len(genes):
        raise TableError(f"{path}: no genes are left: all columns ({some(names)}) are {text}. Rename the genes.")
    say(f"{path}: left out {len(names):,} of {len(genes):,} genes ({some(names, 10)}) {text}")
    return np.ascontiguousarray(X[:, ~unwanted]), [genes[i] for i in np.flatnonzero(~unwanted)]


def copies(X: np.ndarray, event: np.ndarray, time: np.ndarray | None = None) -> np.ndarray:
    """Return which columns are linear functions of `event` or monotone functions of `time`, where both are known."""
    return likeness(X, event, time)[:2].max(axis=0) > COPY


def likeness(X: np.ndarray, event: np.ndarray, time: np.ndarray | None = None) -> np.ndarray:
    """Return what each column has in common with an outcome, where it is known.

    Three rows: the absolute correlation with `event`; that of ranks with `time`, which finds every monotone function
    of it; the AUC, turned above one half. 0 for a column that fewer than ten patients have, or that does not vary.
    """
    if X.shape[1] > BLOCK:
        return np.hstack([likeness(X[:, i : i + BLOCK], event, time) for i in range(0, X.shape[1], BLOCK)])
    # Imported when needed: it takes longer than a fit.
    from scipy.stats import rankdata

    known, found = np.isfinite(X), np.zeros((3, X.shape[1]))
    ranks = rankdata(np.where(known, X, np.nan), axis=0, nan_policy="omit")
    found[0] = _correlation(X, event[:, None], known)
    if time is not None:
        times = time[:, None] if known.all() else np.where(known, time[:, None], np.nan)
        found[1] = _correlation(ranks, rankdata(times, axis=0, nan_policy="omit"), known)
    positive = event == 1
    n_positive, n_negative = known[positive].sum(axis=0), known[~positive].sum(axis=0)
    with np.errstate(all="ignore"):
        area = (np.nansum(ranks[positive], axis=0) / n_positive - (n_positive + 1) / 2) / n_negative
    found[2] = np.where(n_positive * n_negative > 0, np.maximum(area, 1 - area), 0.0)
    return np.where(known.sum(axis=0) >= FEWEST, found, 0.0)


def _correlation(X: np.ndarray, Y: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the absolute correlation of columns where both are known, 0 where one does not vary."""
    n = known.sum(axis=0)
    with np.errstate(all="ignore"):
        X, Y = (np.where(known, Z - np.where(known, Z, 0.0).sum(axis=0) / n, 0.0) for Z in (X, Y))
        found = np.abs((X * Y).sum(axis=0) / np.sqrt((X * X).sum(axis=0) * (Y * Y).sum(axis=0)))
    # Where squares vanish it is infinite.
    return np.where(np.isfinite(found), found, 0.0)


def _least_area(event: np.ndarray, n_genes: int) -> float:
    """Return the AUC from which on a gene is worth a warning: less than .01 such genes are expected by chance."""
    n, positive = len(event), int((event == 1).sum())
    by_chance = n_genes * math.erfc((NEAR - 0.5) * math.sqrt(6 * positive * (n - positive) / (n + 1)))
    separating = 2 * n_genes / math.comb(n, positive)
    return NEAR if by_chance < 0.01 else 1.0 if separating < 0.01 else math.inf
