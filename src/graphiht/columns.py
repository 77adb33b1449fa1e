"""Columns of an expression table that must not become genes: the outcome, copies of it, clinical variables."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphiht.tables import TableError, some

EVENT_COLUMNS = ("event", "status", "outcome", "os_event", "os_status", "vital_status", "death", "dead", "label", "y")
TIME_COLUMNS = ("time", "os_time", "survival_time", "follow_up", "followup", "futime", "os_months", "days", "months")
# Besides words in lower case. PGR and HER2 are genes.
CLINICAL = frozenset(
    "age sex gender race bmi size grade stage node nodes er pr id batch os dfs rfs pfs dmfs efs dss".split()  # noqa: SIM905
)
PROBE = re.compile(r"X?\d+(_[a-z])?_at|ILMN_\d+|A_\d+_P\d+|AFFX.*")
# Symbols, Ensembl and Entrez ids, probes: upper case. A gene is never a lower-case word.
GENE = re.compile(rf"[A-Z0-9][A-Z0-9.@/-]*|C\d+orf\d+.*|{PROBE.pattern}")
WORDS = re.compile(r"[a-z]+([._ ][a-z]+)*")
# Fewer patients have genes that follow the outcome by chance.
FEWEST = 8
BLOCK = 1000  # columns at a time, to save memory
COPY = 0.9999  # correlation from which on a column is a copy, maybe in another unit


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
    others = {name.lower() for name in outcome.others if name.lower() in CLINICAL or not GENE.fullmatch(name)}
    lower = [name.lower() for name in genes]
    # One table may hold genes and outcome, and be given twice.
    if sum(name in others for name in lower) <= len(genes) / 2:
        own |= others
    named = np.array([name in own for name in lower])
    X, genes = drop_columns(path, X, genes, named, "have names of the outcome table and are left out", say)
    copied = _copies(X, event) if time is None else _copies(X, event) | _copies(X, time)
    X, genes = drop_columns(path, X, genes, copied, "are copies of the outcome and are left out", say)
    for gene in _separating(X, event, genes)[:3]:
        say(f"{path}: warning: {gene} alone separates patients with and without the event; is it part of the outcome?")
    return X, genes


def without_clinical(
    path: str, X: np.ndarray, genes: list[str], covariates: Collection[str], say: Callable[[str], None]
) -> tuple[np.ndarray, list[str]]:
    """Return a matrix without what has the name of a clinical variable, if most other names are those of genes."""
    if 2 * sum(GENE.fullmatch(name) is not None for name in genes) <= len(genes):
        return X, genes
    clinical = [name not in covariates and (name.lower() in CLINICAL or bool(WORDS.fullmatch(name))) for name in genes]
    text = "have names of clinical variables and are left out; `graphiht fit --covariates` keeps them in the model"
    return drop_columns(path, X, genes, np.array(clinical), text, say)


def are_probes(names: Sequence[str]) -> bool:
    """Return whether most names are those of probes of a microarray."""
    return 2 * sum(PROBE.fullmatch(name) is not None for name in names) > len(names)


def drop_columns(
    path: str, X: np.ndarray, genes: list[str], unwanted: np.ndarray, text: str, say: Callable[[str], None]
) -> tuple[np.ndarray, list[str]]:
    """Return the matrix and its genes without the unwanted columns, and log them."""
    if not unwanted.any():
        return X, genes
    names = [genes[i] for i in np.flatnonzero(unwanted)]
    if len(names) == len(genes):
        raise TableError(f"{path}: no genes are left: all columns ({some(names)}) {text}. Rename the genes.")
    say(f"{path}: {len(names)} columns ({some(names, 10)}) {text}")
    return X[:, ~unwanted], [genes[i] for i in np.flatnonzero(~unwanted)]


def _copies(X: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return which columns are linear functions of some values where both are known."""
    if X.shape[1] > BLOCK:
        return np.concatenate([_copies(X[:, i : i + BLOCK], values) for i in range(0, X.shape[1], BLOCK)])
    known = np.isfinite(X)
    n = known.sum(axis=0)
    with np.errstate(all="ignore"):
        X, Y = np.where(known, X, 0.0), np.where(known, values[:, None], 0.0)
        X, Y = np.where(known, X - X.sum(axis=0) / n, 0.0), np.where(known, Y - Y.sum(axis=0) / n, 0.0)
        correlation = (X * Y).sum(axis=0) / np.sqrt((X * X).sum(axis=0) * (Y * Y).sum(axis=0))
    # Constant columns give NaN or infinity.
    return (np.abs(correlation) > COPY) & np.isfinite(correlation) & (n >= FEWEST)


def _separating(X: np.ndarray, event: np.ndarray, genes: list[str]) -> list[str]:
    """Return the genes with one range of values for each class, unless as many are expected by chance."""
    positive = event == 1
    if 200 * len(genes) >= math.comb(len(event), int(positive.sum())):
        return []
    high, low = X[positive], X[~positive]
    apart = (high.min(axis=0) > low.max(axis=0)) | (high.max(axis=0) < low.min(axis=0))
    return [genes[i] for i in np.flatnonzero(apart)]
