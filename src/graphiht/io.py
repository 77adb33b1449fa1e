"""Expression, outcome and network files: one reader for the command and for the workflow.

The reader detects and logs separators, the orientation of a matrix, and the columns of an outcome or edge table. If it
cannot, it raises a `TableError`: what is wrong, in which file, and what to do. All checks run before any fit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphiht.columns import EVENT_COLUMNS, TIME_COLUMNS, FollowUp, copies
from graphiht.edges import read_edges
from graphiht.expression import LARGEST, Remedies, Say, read_expression
from graphiht.tables import (
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

__all__ = [
    "FollowUp",
    "Remedies",
    "TableError",
    "read_covariate",
    "read_expression",
    "read_follow_up",
    "read_network",
    "split_covariates",
]

EVENTS = {"0": 0, "0.0": 0, "false": 0, "no": 0, "1": 1, "1.0": 1, "true": 1, "yes": 1}
CODED = re.compile(r"^([01]):.*")
# What begins a word for an event.
EVENT_WORDS = re.compile("1|dead|death|deceased|died|event|relaps|recur|progress|metast|pos", re.IGNORECASE)


def read_follow_up(
    path: str | Path,
    event: str | None = None,
    time: str | None = None,
    say: Say = lambda text: None,
    values: dict[str, int] | None = None,
) -> FollowUp:
    """Read the outcome of each patient.

    The column of patients is called patient, or is the first one. Other columns are not used.

    Parameters
    ----------
    path : path
        A table; see `graphiht.tables.read_table`.
    event, time : str, optional
        Columns of the event and of the time, if their names do not tell.
    say : callable
        Called with a line on which columns were chosen.
    values : dict of str to int, optional
        Values of the event that mean 0 and 1.

    Returns
    -------
    FollowUp

    Examples
    --------
    >>> from graphiht.io import read_follow_up
    >>> outcome = read_follow_up("patients.csv", values={"DECEASED": 1, "LIVING": 0})  # doctest: +SKIP
    """
    path = str(path)
    table, ids, patients = _patients(path, say)
    where = _column(path, table.header, event, EVENT_COLUMNS, "event", ids)
    if where is None:
        two = [name for i, name in enumerate(table.header) if i != ids and len(set(table.text(i))) == 2]
        raise TableError(
            f"{path}: no event column among {some(table.header)}. Pass --event COLUMN, or set `event` under `own` in a "
            f"configuration (columns with two values: {some(two) or 'none'})."
        )
    # Codes with their meaning, such as 1:DECEASED, say what they mean.
    cells = [CODED.sub(r"\1", cell) if values is None else cell for cell in table.text(where)]
    events = [EVENTS.get(cell.lower(), -1) if values is None else values.get(cell, -1) for cell in cells]
    if -1 in events:
        row = events.index(-1)
        _refuse_words(path, table.header[where], cells)
        raise TableError(
            f"{path}: column {some([table.header[where]])} has {shown(cells[row])} for patient {patients[row]} "
            f"({counted(events.count(-1), 'such value')}). Use 0 and 1."
        )
    if len(set(events)) < 2:
        raise TableError(f"{path}: all patients have event {events[0]}. Both classes are needed.")
    when = _column(path, table.header, time, TIME_COLUMNS, "time", ids, where)
    others = [name for i, name in enumerate(table.header) if i not in (ids, where, when)]
    if when is None:
        return FollowUp(patients, np.array(events), None, table.header[where], others=others)
    if table.header[when].lower() != "time" or table.header[where].lower() != "event":
        say(f"{path}: events from column {some([table.header[where]])}, times from column {some([table.header[when]])}")
    times = np.array([number(cell) for cell in table.text(when)])
    wrong = np.flatnonzero(~(np.isfinite(times) & (times > 0) & (times < LARGEST)))
    if len(wrong):
        raise TableError(
            f"{path}: time {shown(table.text(when)[wrong[0]])} of patient {patients[wrong[0]]} in column "
            f"{some([table.header[when]])} is not positive and finite ({counted(len(wrong), 'such value')}). Correct "
            "it, or leave the patient out."
        )
    return FollowUp(patients, np.array(events), times, table.header[where], table.header[when], others)


def _patients(path: str, say: Say) -> tuple[Table, int, list[str]]:
    """Return a table with a row per patient, the position of the column that names them, and the names."""
    table = read_table(path)
    for note in table.notes:
        say(note)
    header = [name.lower() for name in table.header]
    ids = header.index("patient") if "patient" in header else 0
    patients = table.text(ids)
    check_names(path, "patient", patients)
    check_unique(path, "patient", patients)
    return table, ids, patients


def _refuse_words(path: str, column: str, cells: list[str]) -> None:
    """Raise TableError that names the flag if the events are two words."""
    words = sorted({cell for cell in cells if cell})
    if len(words) != 2 or any(np.isfinite(number(word)) for word in words):
        return
    is_event = [EVENT_WORDS.match(word) is not None for word in words]
    codes = is_event if sum(is_event) == 1 else [False, True]
    flag = ",".join(f"{word}={int(code)}" for word, code in zip(words, codes, strict=True))
    raise TableError(
        f"{path}: column {shown(column)} contains {shown(words[0])} and {shown(words[1])}. Use 0 and 1, or pass "
        f"--event-values {shown(flag, 100)} to `graphiht fit` or `graphiht study` (`event_values` under `own`)."
    )


def read_covariate(path: str | Path, name: str, patients: Sequence[str]) -> np.ndarray:
    """Read a column of a clinical table.

    Parameters
    ----------
    path : path
        A table; see `graphiht.tables.read_table`.
    name : str
        The column.
    patients : sequence of str
        Patients in the order of the result.

    Returns
    -------
    ndarray of shape (n_patients,)
        NaN where a value is not known.
    """
    path = str(path)
    table, _, rows = _patients(path, lambda text: None)
    if name not in table.header:
        raise TableError(f"{path}: no column {shown(name)} for a covariate; its columns are {some(table.header, 10)}.")
    cells = dict(zip(rows, table.text(table.header.index(name)), strict=True))
    absent = [patient for patient in patients if patient not in cells]
    if absent:
        raise TableError(f"{path}: lacks {counted(len(absent), 'patient')} ({some(absent)}). Add a row for each.")
    values = np.array([number(cells[patient]) for patient in patients])
    for patient, value in zip(patients, values, strict=True):
        if np.isnan(value) and not is_missing(cells[patient]):
            raise TableError(
                f"{path}: covariate {shown(name)} of patient {patient} is {shown(cells[patient])}. Use numbers, "
                "such as 0 and 1."
            )
    return values


def split_covariates(
    path: str | Path,
    names: list[str],
    X: np.ndarray,
    patients: list[str],
    genes: list[str],
    outcome: FollowUp,
    advice: str = "",
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return the covariates, NaN where missing, and the matrix and its genes without them.

    A covariate is a column of the outcome file `path`, which are never genes, or else of the matrix. TableError for the
    outcome, copies of it, and columns that tell patients apart in no way. `advice` says how missing values are filled
    in; without it they may be.
    """
    if len(set(names)) < len(names):
        raise TableError(f"covariates {', '.join(names)}: a name appears twice. Name each once.")
    columns = [X[:, genes.index(name)] if name in genes else read_covariate(path, name, patients) for name in names]
    C = np.array(columns).reshape(-1, len(patients)).T
    C = np.where(np.isfinite(C), C, np.nan)
    place = {patient: i for i, patient in enumerate(outcome.patients)}
    rows = [place[patient] for patient in patients]
    copied = copies(C, outcome.event[rows], None if outcome.time is None else outcome.time[rows])
    for name, values, is_copy in zip(names, C.T, copied, strict=True):
        unknown = np.isnan(values)
        if is_copy or name in (outcome.event_column, outcome.time_column):
            raise TableError(f"covariate {name} is the outcome, or a copy of it. Leave it out.")
        if unknown.any() and advice:
            raise TableError(
                f"covariate {name} of patient {patients[np.argmax(unknown)]} is missing ("
                f"{counted(unknown.sum(), 'such value')}). Leave these patients out, or {advice}."
            )
        if unknown.mean() > 0.5 or not np.nanmax(values) > np.nanmin(values):
            raise TableError(f"covariate {name} is missing in most patients or the same in all. Leave it out.")
    kept = [i for i, gene in enumerate(genes) if gene not in names]
    return C, np.ascontiguousarray(X[:, kept]), [genes[i] for i in kept]


def _column(
    path: str, header: list[str], named: str | None, usual: tuple[str, ...], what: str, *taken: int
) -> int | None:
    """Return the position of the column that was named, or has a usual name, or, of events, is the only other one."""
    names = [name.lower() for name in header]
    if named is not None:
        if named.lower() not in names:
            raise TableError(f"{path}: no column {some([named])} ({what}) among {some(header, 10)}. Name one of these.")
        return names.index(named.lower())
    for name in usual:
        if names.count(name) == 1 and names.index(name) not in taken:
            return names.index(name)
    return 1 - taken[0] if what == "event" and len(header) == 2 else None


def read_network(
    path: str | Path, genes: Sequence[str], say: Say = lambda text: None
) -> tuple[np.ndarray, np.ndarray, int]:
    """Read the edges between measured genes.

    Self-loops are dropped. Of repeated edges the most confident stays.

    Parameters
    ----------
    path : path
        A file of edges; see `graphiht.edges.read_edges`.
    genes : sequence of str of length n_genes
        Measured genes.
    say : callable
        Called with a line on how the file was read.

    Returns
    -------
    edges : ndarray of shape (n_edges, 2)
        Positions in `genes`.
    confidence : ndarray of shape (n_edges,)
        Confidence of each edge, in (0, 1].
    n_unknown : int
        Number of edges to other genes, which are left out.

    See Also
    --------
    graphiht.Network : The graph of these edges.
    """
    path = str(path)
    position = {gene: i for i, gene in enumerate(genes)}
    names, pairs, confidence = read_edges(path, position.__contains__, say)
    place = np.array([position.get(name, -1) for name in names])
    edges = place[pairs]
    measured = (edges >= 0).all(axis=1)
    if not measured.any():
        raise TableError(
            f"{path}: no edge joins two measured genes (edges: {some(names)}; expression: {some(list(genes))}). Use "
            "the same identifiers. Rename probes of a microarray by the annotation of their platform, or use network "
            "`coexpression` of a study (`graphiht study --network coexpression`), which needs no gene names."
        )
    best: dict[tuple[int, int], float] = {}
    for a, b, sure in zip(*edges[measured].T.tolist(), confidence[measured].tolist(), strict=True):
        if a != b:
            ends = (min(a, b), max(a, b))
            best[ends] = max(sure, best.get(ends, 0.0))
    if not best:
        raise TableError(f"{path}: all edges join a gene to itself. Add edges between different genes.")
    return np.array(list(best)), np.array(list(best.values())), int((~measured).sum())
