"""Read a user's own tables of expression, outcome and edges, and find their genes among the human genes."""

from pathlib import Path

import numpy as np

from graphiht.edges import read_edges
from graphiht.io import Remedies, TableError, read_expression, read_follow_up, split_covariates
from graphiht.tables import counted, some
from study.data.gene_names import identify, read_all_names
from study.data.networks import NO_NAMES
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort
from study.errors import StudyError


def read_own(
    spec: CohortSpec, settings: dict, expression: str | Path, outcome: str | Path, names: Wheel, ensembl: Wheel
) -> Cohort:
    """Return a user's cohort; `settings` is the part `own` of the configuration."""
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
        values = {str(value): code for value, code in settings.get("event_values", {}).items()} or None
        followed = read_follow_up(outcome, settings.get("event"), settings.get("time"), notes.append, values)
        beside = settings.get("covariates", [])
        X, patients, genes = read_expression(
            expression, None, followed.patients, remedies, notes.append, followed, beside
        )
        advice = "" if keeps else "set own: missing: mean (--missing mean)"
        covariates, X, genes = split_covariates(outcome, beside, X, patients, genes, followed, advice)
    except TableError as error:
        raise StudyError(str(error)) from None
    row = {patient: i for i, patient in enumerate(followed.patients)}
    rows = [row[patient] for patient in patients]
    if beside:
        notes.append(f"beside the genes, in every model and without penalty: {', '.join(beside)}")
    event = followed.event[rows]
    if len(set(event.tolist())) < 2:
        raise StudyError(f"{outcome}: all patients of {expression} have event {event[0]}. Both classes are needed.")
    entrez, symbol, gene_notes = identify(genes, read_all_names(names, ensembl))
    n_missing = int(np.isnan(X).sum() + np.isnan(covariates).sum())
    if n_missing:
        number = counted(n_missing, "missing value")
        notes.append(f"{number} filled in by {settings['missing']} inside each training set")
    return Cohort(
        X=X,
        y=event.astype(np.int8),
        time=np.full(len(rows), np.nan) if followed.time is None else followed.time[rows],
        patients=np.array(patients),
        entrez=entrez,
        symbol=symbol,
        counts=np.array([X.shape[1], X.shape[1], (entrez > 0).sum()]),
        missing=np.array(settings["missing"] if n_missing else ""),
        notes=np.array([*_by_name(notes, expression, outcome), *gene_notes], dtype=str),
        covariates=covariates,
        covariate_names=np.array(beside, dtype=str),
    )


def read_own_edges(
    cohort: Cohort, settings: dict, edges: str | Path, names: Wheel, ensembl: Wheel
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return (edges, confidence, notes) of a user's table of edges.

    An end is the column of the same name, else of the same gene, else -1.
    """
    notes: list[str] = []
    table = read_all_names(names, ensembl)
    by_symbol = {name: i for i, name in enumerate(cohort.symbol.tolist())}
    by_id = {entrez: i for i, entrez in enumerate(cohort.entrez.tolist()) if entrez}

    def position(name: str) -> int:
        return by_symbol[name] if name in by_symbol else by_id.get(table.find(name)[0], -1)

    try:
        genes, pairs, confidence = read_edges(edges, lambda name: position(name) >= 0, notes.append)
    except TableError as error:
        raise StudyError(str(error)) from None
    positions = np.array([position(name) for name in genes])
    ends = positions[pairs]
    unknown = (ends < 0).any(axis=1)
    if unknown.all():
        proteins = "ENSP are proteins: STRING's table protein.info has their genes."
        raise StudyError(
            f"{edges}: no edge joins two of the {len(by_symbol):,} genes of the expression table "
            f"({some(sorted(by_symbol))}); its names are {some(genes)}. Make the names the same. "
            f"{proteins if genes[0].startswith('ENSP') else NO_NAMES}"
        )
    renamed = sum(name not in by_symbol for name, i in zip(genes, positions, strict=True) if i >= 0)
    if renamed:
        notes.append(f"{edges}: {counted(renamed, 'gene')} found under another name than in the expression table")
    return ends, confidence, _by_name(notes, edges)


def _by_name(notes: list[str], *paths: str | Path) -> list[str]:
    """Return notes with file names in place of paths."""
    for path in paths:
        notes = [note.replace(str(path), Path(path).name) for note in notes]
    return notes
