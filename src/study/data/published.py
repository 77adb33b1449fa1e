"""Read the published data set: the matrices and the network behind the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat

from study.data.networks import bioplex_table
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort, check_cohort
from study.errors import StudyError
from study.io import say

OTHER = "Use the file of the published data set."


def read_mat(path: str | Path, keys: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the variables `keys` of a MATLAB file (version 5 to 7)."""
    try:
        found = loadmat(path, appendmat=False, variable_names=list(keys))
    except Exception as error:  # a damaged file can raise any
        raise StudyError(f"{path}: not a MATLAB file of version 5 to 7 ({error}). {OTHER}") from None
    missing = [key for key in keys if key not in found]
    if missing:
        raise StudyError(f"{path}: no variable {missing[0]}. {OTHER}")
    return {key: found[key] for key in keys}


def numbers(value: object, path: str | Path, what: str) -> np.ndarray:
    """Return `value` as an array of numbers."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise StudyError(f"{path}: {what} holds {array.dtype.name}, not numbers. {OTHER}")
    return array


def _read_pairs(path: str | Path, what: str) -> np.ndarray:
    """Return the two columns of a text file of positive whole numbers; `what` describes a line of it."""
    try:
        table = np.loadtxt(path, dtype=np.int64, ndmin=2)
    except (OSError, ValueError) as error:
        raise StudyError(f"{path}: every line must be {what} ({error}). {OTHER}") from None
    if table.shape[1:] != (2,) or table.min(initial=1) < 1:
        raise StudyError(f"{path}: every line must be {what}, counted from 1. {OTHER}")
    return table


def read_entrez(path: str | Path) -> np.ndarray:
    """Return the Entrez ids of the columns of the published matrix."""
    return check_entrez(read_mat(path, ["entrez"])["entrez"], path)


def check_entrez(value: object, path: str | Path) -> np.ndarray:
    """Return the ids as a flat array; raise StudyError unless they are different whole numbers."""
    entrez = numbers(value, path, "entrez").ravel()
    if not ((entrez >= 1) & (entrez == np.floor(entrez))).all() or len(np.unique(entrez)) != len(entrez):
        raise StudyError(f"{path}: entrez holds other values than Entrez ids, or one of them twice. {OTHER}")
    return entrez.astype(np.int64)


def read_network(edges: str | Path, pathways: str | Path, entrez: np.ndarray) -> np.ndarray:
    """Return the edges (m, 2), as positions in `entrez`, between genes that are in at least one pathway.

    The lines of `edges` are 1-based positions in `entrez`, not Entrez ids. Self-loops and repeated edges, in either
    direction, are dropped. `networks.join` takes the largest component.
    """
    pairs = _read_pairs(edges, "two positions of genes")
    if pairs.max(initial=1) > len(entrez):
        raise StudyError(f"{edges}: an edge has gene {pairs.max()}, but there are {len(entrez):,} genes. {OTHER}")
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
    sides = [frame[[f"Gene{side}", f"Symbol{side}"]].set_axis(["entrez", "symbol"], axis=1) for side in "AB"]
    return pd.concat(sides).drop_duplicates(ignore_index=True)


def symbols(entrez: np.ndarray, tables: Sequence[pd.DataFrame]) -> np.ndarray:
    """Return the symbol of each gene in the first of `tables` (entrez, symbol) that has it, else entrez:<id>."""
    known = pd.concat(tables).drop_duplicates("entrez").set_index("entrez")["symbol"].to_dict()
    return np.array([known.get(gene, f"entrez:{gene}") for gene in entrez.tolist()])


def read_cohort(path: str | Path, entrez: np.ndarray, symbol: np.ndarray) -> Cohort:
    """Return the patients of vant.mat; the event is metastasis, and survival times are unknown.

    The ids in the matrix must be those of entrez.mat (`entrez`), because the network counts in their positions.
    """
    stored = read_mat(path, ["X", "Y", "entrez"])
    X = numbers(stored["X"], path, "X").astype(np.float64)
    Y = numbers(stored["Y"], path, "Y")
    if Y.ndim != 2 or Y.shape[1] < 2:
        raise StudyError(f"{path}: Y has shape {Y.shape}, not at least 2 columns. {OTHER}")
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
