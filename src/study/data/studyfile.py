"""Cohorts and studies: the common form of all data, and their files."""

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import numpy as np

from graphiht.tables import counted
from study.errors import StudyError
from study.io import read_arrays, write_arrays

# Arrays that files have only where there are any.
OPTIONAL = ("covariates", "covariate_names")


@dataclass(frozen=True)
class Cohort:
    """Patients and their genes, before any network.

    Attributes
    ----------
    X : float array (patients, genes)
        Expression; raw, never standardised here.
    y, time, patients : arrays (patients,)
        1 for patients with the event, else 0; follow-up, all NaN when unknown; names.
    entrez, symbol : arrays (genes,)
        Entrez Gene ids, 0 where unknown; names.
    counts : int array (3,)
        Genes measured, named and mapped, for the data summary.
    source : text array (patients,)
        Cohort of each pooled patient; empty otherwise.
    missing : text
        How training sets fill in NaN in X: mean or knn; empty without NaN.
    notes : text array
        Lines for the data summary: how a user's files were read.
    covariates : float array (patients, covariates)
        What models have beside the genes, without penalty; raw. `covariate_names` are their names.
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
    covariates: np.ndarray = field(default=None, kw_only=True)  # type: ignore[assignment]
    covariate_names: np.ndarray = field(default_factory=lambda: np.array([], dtype=str), kw_only=True)

    def __post_init__(self) -> None:
        if self.source is None:
            object.__setattr__(self, "source", np.full(len(self.y), ""))
        if self.covariates is None:
            object.__setattr__(self, "covariates", np.empty((len(self.y), 0)))

    def save(self, path: str | Path) -> None:
        """Write the file; equal content gives equal bytes."""
        write_arrays(path, {key: value for key, value in asdict(self).items() if key not in OPTIONAL or value.size})

    @classmethod
    def load(cls, path: str | Path):
        """Return what `save` wrote."""
        return cls(**read_arrays(path, tuple(each.name for each in fields(cls)), OPTIONAL))

    @property
    def has_times(self) -> bool:
        """Whether survival times are known."""
        return not np.isnan(self.time).any()

    @property
    def design(self) -> np.ndarray:
        """The genes, and the covariates behind them."""
        return np.hstack([self.X, self.covariates]) if self.covariates.size else self.X

    @property
    def is_pooled(self) -> bool:
        """Whether the patients come from several cohorts."""
        return bool((self.source != "").any())


@dataclass(frozen=True)
class Study(Cohort):
    """A cohort on a network: edges (edges, 2) between positions of genes, and their confidences in (0, 1]."""

    edges: np.ndarray
    confidence: np.ndarray

    def costs(self, kind: str) -> np.ndarray:
        """Return the edge costs: 1 for `unit`, 1.01 - confidence for `confidence`."""
        return np.ones(len(self.edges)) if kind == "unit" else 1.01 - self.confidence


def check_cohort(cohort: Cohort, origin: str) -> Cohort:
    """Return `cohort` if every analysis can use it; else raise StudyError, which names `origin`."""
    bad = np.isinf(cohort.X) if cohort.missing else ~np.isfinite(cohort.X)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise StudyError(
            f"{origin}: the value of gene {cohort.symbol[column]} in patient {cohort.patients[row]} is "
            f"{cohort.X[row, column]} ({counted(bad.sum(), 'such value')}). Only finite numbers can be used."
        )
    constant = np.flatnonzero(np.nanmax(cohort.X, axis=0) == np.nanmin(cohort.X, axis=0))
    if len(constant):
        raise StudyError(
            f"{origin}: gene {cohort.symbol[constant[0]]} has the same value in all patients ({len(constant)} such "
            "genes). Leave them out."
        )
    for kind, names in {"gene": cohort.symbol, "patient": cohort.patients}.items():
        unique, counts = np.unique(names, return_counts=True)
        if (counts > 1).any():
            raise StudyError(
                f"{origin}: {kind} {unique[counts > 1][0]} appears {counts[counts > 1][0]} times. Every {kind} may "
                "appear once."
            )
    classes = np.unique(cohort.y).tolist()
    if classes != [0, 1]:
        found = ", ".join(map(str, classes[:5]))
        raise StudyError(f"{origin}: the outcome has the values {found}. Both 0 and 1 are needed, and nothing else.")
    known = ~np.isnan(cohort.time)
    if known.any() and (not known.all() or (cohort.time <= 0).any()):
        raise StudyError(f"{origin}: give a positive survival time for every patient, or for none.")
    return cohort
