"""Read the published data set: the matrices and the network behind the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat
from scipy.io.matlab import MatReadError

from study.data.networks import bioplex_table
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort, check_cohort
from study.errors import StudyError
from study.io import say

MISSING = "the file is missing. Run the same command again to download it."
OTHER = "Use the file of the published data set."


def read_mat(path: str | Path, keys: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the variables `keys` of a MATLAB file (version 5 to 7)."""
    if not Path(path).is_file():
        raise StudyError(f"{path}: {MISSING}")
    try:
        found = loadmat(path, appendmat=False, variable_names=list(keys))
    except NotImplementedError:
        raise StudyError(f"{path}: MATLAB 7.3 files (HDF5) are not read. Save it as version 7.") from None
    except (MatReadError, ValueError, TypeError, KeyError, OSError, EOFError) as error:
        raise StudyError(f"{path}: the MATLAB file is damaged ({error}). Fetch it again.") from None
    missing = [key for key in keys if key not in found]
    if missing:
        raise StudyError(f"{path}: no variable {missing[0]}. {OTHER}")
    return {key: found[key] for key in keys}


def numbers(value: object, path: str | Path, what: str, columns: int | None = None) -> np.ndarray:
    """Return `value` as an array of numbers; with `columns`, a table of at least so many columns."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise StudyError(f"{path}: {what} holds {array.dtype.name}, not numbers. {OTHER}")
    if columns is not None and (array.ndim != 2 or array.shape[1] < columns):
        raise StudyError(f"{path}: {what} has shape {array.shape}, not at least {columns} columns. {OTHER}")
    return array


def _whole(value: object, path: str | Path, what: str) -> np.ndarray:
    """Return a flat array of whole numbers >= 1."""
    array = numbers(value, path, what).ravel()
    bad = np.flatnonzero(~((array >= 1) & (array == np.floor(array))))
    if len(bad):
        raise StudyError(f"{path}: entry {bad[0] + 1} of {what} is {array[bad[0]]}, no whole number from 1 on. {OTHER}")
    return array.astype(np.int64)


def _read_pairs(path: str | Path, what: str) -> np.ndarray:
    """Return the two columns of a text file of positive whole numbers; `what` describes a line of it."""
    try:
        table = np.loadtxt(path, dtype=np.int64, ndmin=2)
    except FileNotFoundError:
        raise StudyError(f"{path}: {MISSING}") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: every line must be {what} ({error}).") from None
    if table.shape[1:] != (2,) or not len(table):
        raise StudyError(f"{path}: every line must be {what}; the table has shape {table.shape}.")
    if table.min() < 1:
        line = int(np.flatnonzero((table < 1).any(axis=1))[0])
        raise StudyError(f"{path}: line {line + 1} has {table[line].min()}, but every line must be {what}, from 1 on.")
    return table


def read_entrez(path: str | Path) -> np.ndarray:
    """Return the Entrez ids of the columns of the published matrix."""
    return check_entrez(read_mat(path, ["entrez"])["entrez"], path)


def check_entrez(value: object, path: str | Path) -> np.ndarray:
    """Return the ids as a flat array; raise StudyError if one appears twice."""
    entrez = _whole(value, path, "entrez")
    ids, counts = np.unique(entrez, return_counts=True)
    if (counts > 1).any():
        raise StudyError(f"{path}: Entrez id {ids[counts > 1][0]} appears {counts.max()} times. {OTHER}")
    return entrez


def read_network(edges: str | Path, pathways: str | Path, entrez: np.ndarray) -> np.ndarray:
    """Return the edges (m, 2), as positions in `entrez`, between genes that are in at least one pathway.

    The lines of `edges` are 1-based positions in `entrez`, not Entrez ids. Self-loops and repeated edges, in either
    direction, are dropped. `networks.join` takes the largest component.
    """
    pairs = _read_pairs(edges, "two positions of genes")
    if pairs.max() > len(entrez):
        line = int(np.flatnonzero((pairs > len(entrez)).any(axis=1))[0])
        raise StudyError(
            f"{edges}: line {line + 1} has gene {pairs[line].max()}, but there are {len(entrez):,} genes. {OTHER}"
        )
    members = _read_pairs(pathways, "a pathway and an Entrez id")[:, 1]
    in_pathway = np.isin(entrez, members)
    kept = np.sort(pairs - 1, axis=1)
    kept = kept[in_pathway[kept].all(axis=1) & (kept[:, 0] != kept[:, 1])]
    if not len(kept):
        raise StudyError(f"{edges}: no edge joins genes of {pathways}. {OTHER}")
    return np.unique(kept, axis=0)


def bioplex_symbols(wheel: Wheel) -> pd.DataFrame:
    """Return the table entrez, symbol of the genes in the BioPlex network."""
    frame = bioplex_table(wheel)
    sides = [frame[[f"Gene{side}", f"Symbol{side}"]].to_numpy() for side in "AB"]
    return pd.DataFrame(np.vstack(sides), columns=["entrez", "symbol"]).drop_duplicates(ignore_index=True)


def symbols(entrez: np.ndarray, tables: Sequence[pd.DataFrame]) -> np.ndarray:
    """Return the symbol of each gene in the first of `tables` (entrez, symbol) that has it, else entrez:<id>."""
    known: dict[int, str] = {}
    for table in tables:
        for gene, symbol in zip(table["entrez"], table["symbol"], strict=True):
            known.setdefault(int(gene), symbol)
    return np.array([known.get(int(gene), f"entrez:{gene}") for gene in entrez])


def read_cohort(path: str | Path, entrez: np.ndarray, symbol: np.ndarray) -> Cohort:
    """Return the patients of vant.mat; the event is metastasis, and survival times are unknown.

    The ids in the matrix must be those of entrez.mat (`entrez`), because the network counts in their positions.
    """
    stored = read_mat(path, ["X", "Y", "entrez"])
    X = numbers(stored["X"], path, "X", columns=1).astype(np.float64)
    Y = numbers(stored["Y"], path, "Y", columns=2)
    own = check_entrez(stored["entrez"], path)
    if X.shape != (len(Y), len(own)):
        raise StudyError(f"{path}: X has shape {X.shape}, but Y has {len(Y)} rows and entrez {len(own)} ids. {OTHER}")
    if not np.array_equal(own, entrez):
        raise StudyError(f"{path}: the genes are not the {len(entrez):,} of entrez.mat in the same order. {OTHER}")
    cohort = Cohort(
        X=X,
        y=(check_labels(Y[:, 1], path, "column 2 of Y") > 0).astype(np.int8),
        time=np.full(len(X), np.nan),
        patients=np.array([f"published-{row:03d}" for row in range(1, len(X) + 1)]),
        entrez=entrez,
        symbol=symbol,
        counts=np.full(3, X.shape[1]),
    )
    return check_cohort(cohort, str(path))


def check_labels(values: np.ndarray, path: str | Path, what: str) -> np.ndarray:
    """Return `values` if each is -1 or +1; else raise StudyError."""
    odd = values[~np.isin(values, (-1, 1))]
    if len(odd):
        raise StudyError(f"{path}: {what} has {odd[0]:g}, not -1 or +1. {OTHER}")
    return values


def read_published(
    spec: CohortSpec,
    matrix: str | Path,
    entrez: str | Path,
    annotation: str | Path,
    known_genes: str | Path,
    bioplex: Wheel,
) -> Cohort:
    """Return the published patients; symbols come from the annotation, the known genes and BioPlex, in this order."""
    ids = read_entrez(entrez)
    tables = [pd.read_csv(path, sep=None, engine="python", keep_default_na=False) for path in (annotation, known_genes)]
    symbol = symbols(ids, [*tables, bioplex_symbols(bioplex)])
    unnamed = int(np.char.startswith(symbol, "entrez:").sum())
    say(f"{len(ids):,} genes; {unnamed:,} have no known symbol and are called entrez:<id>")
    return read_cohort(matrix, ids, symbol)


def read_published_network(
    cohort: Cohort, settings: dict, edges: str | Path, pathways: str | Path, entrez: str | Path
) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of the paper's network, and confidence 1 for each."""
    pairs = read_network(edges, pathways, read_entrez(entrez))
    return pairs, np.ones(len(pairs))
