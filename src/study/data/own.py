"""A user's own tables: expression, outcome and edges, read by the library and joined to human genes by their names."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphiht.edges import read_edges
from graphiht.io import Remedies, TableError, read_expression, read_follow_up
from graphiht.tables import some
from study.data.gene_names import identify, read_all_names
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort, check_cohort
from study.errors import StudyError


def read_own(
    spec: CohortSpec, settings: dict, expression: str | Path, outcome: str | Path, names: Wheel, ensembl: Wheel
) -> Cohort:
    """Return a user's cohort; `settings` is what stands under `own` in the configuration."""
    notes: list[str] = []
    keeps = settings["missing"] != "stop"
    remedies = Remedies(
        settings["genes_in"],
        settings["transform"],
        "keep" if keeps else "stop",
        settings["duplicates"],
        "set `{}: {}` under `own` in the configuration",
    )
    try:
        followed = read_follow_up(outcome, settings.get("event"), settings.get("time"), notes.append)
        X, patients, genes = read_expression(expression, None, followed.patients, remedies, notes.append)
    except TableError as error:
        raise StudyError(str(error)) from None
    place = {patient: i for i, patient in enumerate(followed.patients)}
    rows = [place[patient] for patient in patients]
    event = followed.event[rows]
    if len(set(event.tolist())) < 2:
        raise StudyError(
            f"{outcome}: expected patients with and without the event among those of {expression}, found only "
            f"{event[0]}."
        )
    entrez, symbol, said = identify(genes, read_all_names(names, ensembl))
    is_missing = bool(np.isnan(X).any())
    if is_missing:
        notes.append(
            f"{np.isnan(X).sum():,} missing values are filled in by {settings['missing']} inside each training set"
        )
    cohort = Cohort(
        X=X,
        y=event.astype(np.int8),
        time=np.full(len(rows), np.nan) if followed.time is None else followed.time[rows],
        patients=np.array(patients),
        entrez=entrez,
        symbol=symbol,
        counts=np.array([X.shape[1], X.shape[1], (entrez > 0).sum()]),
        missing=np.array(settings["missing"] if is_missing else ""),
        notes=np.array([*_by_name(notes, expression, outcome), *said], dtype=str),
    )
    return check_cohort(cohort, str(expression))


def read_own_edges(
    cohort: Cohort, settings: dict, edges: str | Path, names: Wheel, ensembl: Wheel
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return (edges, confidence, what there is to say) of a user's table of edges.

    An end is found by the name of the column, else by the gene it stands for; one that was not measured is -1. The key
    own: unknown_genes of the settings says whether such an edge stops the run or is left out (`drop`).
    """
    notes: list[str] = []
    table = read_all_names(names, ensembl)
    place = {name: i for i, name in enumerate(cohort.symbol.tolist())}
    by_id = {entrez: i for i, entrez in enumerate(cohort.entrez.tolist()) if entrez}

    def position(name: str) -> int:
        return place[name] if name in place else by_id.get(table.find(name)[0], -1)

    try:
        called, pairs, confidence = read_edges(edges, lambda name: position(name) >= 0, notes.append)
    except TableError as error:
        raise StudyError(str(error)) from None
    where = np.array([position(name) for name in called])
    ends = where[pairs]
    unknown = (ends < 0).any(axis=1)
    strange = [name for name, at in zip(called, where, strict=True) if at < 0]
    if unknown.all():
        hint = (
            " (ENSP are proteins: STRING's table protein.info has their genes)" if called[0].startswith("ENSP") else ""
        )
        raise StudyError(
            f"{edges}: expected edges between the {len(place):,} genes of the expression table "
            f"({some(sorted(place))}), found none between them; its names are {some(called)}{hint}."
        )
    if settings["own"]["unknown_genes"] == "stop" and unknown.any():
        raise StudyError(
            f"{edges}: expected edges between genes of the expression table, found gene {strange[0]} "
            f"({unknown.sum():,} such edges); set own: unknown_genes: drop to leave them out."
        )
    by_name = sum(name not in place for name, at in zip(called, where, strict=True) if at >= 0)
    if by_name:
        notes.append(f"{edges}: {by_name:,} genes are found under another name than in the expression table")
    return ends, confidence, _by_name(notes, edges)


def _by_name(notes: list[str], *paths: str | Path) -> list[str]:
    """Return notes with the names of files instead of their paths."""
    for path in paths:
        notes = [note.replace(str(path), Path(path).name) for note in notes]
    return notes
