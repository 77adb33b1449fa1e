"""The canonical study file: after it, nothing knows where the data came from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import numpy as np

from study.errors import StudyError
from study.io import read_arrays, write_arrays


@dataclass(frozen=True)
class Cohort:
    """Patients and their genes, before any network.

    Attributes
    ----------
    X : float array (patients, genes)
        Expression; raw, never standardised here.
    y : int8 array (patients,)
        1 where the event happened, else 0.
    time : float array (patients,)
        Follow-up; all NaN when unknown.
    patients, symbol : text arrays
    entrez : int array (genes,)
        Entrez Gene ids; 0 where unknown.
    counts : int array (3,)
        Genes measured, named and mapped on the way here, for the data summary.
    source : text array (patients,)
        Of pooled patients the cohort each comes from; empty otherwise.
    missing : text
        How NaN in X are filled in, inside each training set: mean or knn; empty when there are none.
    notes : text array
        What was made of a user's files, for the data summary.
    """

    X: np.ndarray
    y: np.ndarray
    time: np.ndarray
    patients: np.ndarray
    entrez: np.ndarray
    symbol: np.ndarray
    counts: np.ndarray
    source: np.ndarray = field(default=None, kw_only=True)  # type: ignore[assignment]
    missing: np.ndarray = field(default_factory=lambda: np.array(""), kw_only=True)
    notes: np.ndarray = field(default_factory=lambda: np.array([], dtype=str), kw_only=True)

    def __post_init__(self) -> None:
        if self.source is None:
            object.__setattr__(self, "source", np.full(len(self.y), ""))

    def save(self, path: str | Path) -> None:
        """Write the file in one piece; equal content gives equal bytes."""
        write_arrays(path, asdict(self))

    @classmethod
    def load(cls, path: str | Path):
        """Return what `save` wrote."""
        return cls(**read_arrays(path, tuple(each.name for each in fields(cls))))

    @property
    def has_times(self) -> bool:
        """Whether survival times are known."""
        return not np.isnan(self.time).any()

    @property
    def is_pooled(self) -> bool:
        """Whether the patients come from several cohorts."""
        return bool((self.source != "").any())


@dataclass(frozen=True)
class Study(Cohort):
    """A cohort on a network: `edges` (m, 2) are gene positions, `confidence` (m,) lies in (0, 1]."""

    edges: np.ndarray
    confidence: np.ndarray

    def costs(self, kind: str) -> np.ndarray:
        """Return the edge costs: 1 for `unit`, 1.01 - confidence for `confidence`."""
        return np.ones(len(self.edges)) if kind == "unit" else 1.01 - self.confidence


def check_counts(found: tuple[int, int, int], expected: tuple[int | None, ...], origin: str) -> None:
    """Raise StudyError unless a source has the patients, events and measured genes that its cohort is known to have."""
    if found != expected:
        texts = ("{} patients with {} events and {} genes".format(*counts) for counts in (expected, found))
        raise StudyError("{}: expected {}, found {}.".format(origin, *texts))


def check_cohort(cohort: Cohort, origin: str) -> Cohort:
    """Return `cohort` if every analysis can use it; else raise StudyError naming `origin` and the trouble."""
    n_patients, n_genes = cohort.X.shape if cohort.X.ndim == 2 else (0, 0)
    if not n_patients or not n_genes:
        raise StudyError(f"{origin}: expected a matrix patients x genes, found shape {cohort.X.shape}.")
    for name, expected in {"y": n_patients, "patients": n_patients, "time": n_patients}.items():
        if len(getattr(cohort, name)) != expected:
            raise StudyError(f"{origin}: expected {expected} entries in {name}, found {len(getattr(cohort, name))}.")
    for name in ("symbol", "entrez"):
        if len(getattr(cohort, name)) != n_genes:
            raise StudyError(f"{origin}: expected {n_genes} entries in {name}, found {len(getattr(cohort, name))}.")

    bad = np.isinf(cohort.X) if cohort.missing else ~np.isfinite(cohort.X)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise StudyError(
            f"{origin}: expected numbers everywhere, found {cohort.X[row, column]} for gene {cohort.symbol[column]} "
            f"in patient {cohort.patients[row]} ({bad.sum()} such values in all)."
        )
    constant = np.flatnonzero(np.nanmax(cohort.X, axis=0) == np.nanmin(cohort.X, axis=0))
    if len(constant):
        raise StudyError(
            f"{origin}: expected genes that vary between patients, found the same value in all patients for gene "
            f"{cohort.symbol[constant[0]]} ({len(constant)} such genes); leave them out."
        )
    for kind, names in {"gene": cohort.symbol, "patient": cohort.patients}.items():
        unique, counts = np.unique(names, return_counts=True)
        if (counts > 1).any():
            raise StudyError(
                f"{origin}: expected every {kind} once, found {kind} {unique[counts > 1][0]} "
                f"{counts[counts > 1][0]} times."
            )
    classes = np.unique(cohort.y)
    if not np.isin(classes, (0, 1)).all():
        raise StudyError(f"{origin}: expected outcomes 0 and 1, found {', '.join(map(str, classes[:5]))}.")
    if len(classes) < 2:
        raise StudyError(f"{origin}: expected patients with and without the event, found only {classes[0]}.")
    known = ~np.isnan(cohort.time)
    if known.any() and (not known.all() or (cohort.time <= 0).any()):
        raise StudyError(f"{origin}: expected a positive survival time for every patient, or for none.")
    return cohort


def check_study(study: Study, origin: str) -> Study:
    """Return `study` if its network is sound too; else raise StudyError."""
    check_cohort(study, origin)
    if not len(study.edges):
        raise StudyError(f"{origin}: expected a network with at least one edge between measured genes, found none.")
    if study.edges.min() < 0 or study.edges.max() >= study.X.shape[1]:
        raise StudyError(f"{origin}: expected edges between the {study.X.shape[1]} genes, found {study.edges.max()}.")
    if not (study.confidence > 0).all() or not (study.confidence <= 1).all():
        bad = study.confidence[~((study.confidence > 0) & (study.confidence <= 1))][0]
        raise StudyError(f"{origin}: expected confidences in (0, 1], so that costs are positive; found {bad}.")
    return study
