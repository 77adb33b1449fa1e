"""Read the published data set: the matrices and the network behind the paper's tables."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat

from study.data.networks import bioplex_table, by_entrez
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort
from study.errors import StudyError
from study.io import say

OTHER = "Use the file of the published data set."


def read_mat(path: str | Path, keys: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the variables `keys` of a MATLAB file, whose git blob id has been checked."""
    found = loadmat(path, appendmat=False, variable_names=list(keys))
    return {key: found[key] for key in keys}


def read_entrez(path: str | Path) -> np.ndarray:
    """Return the Entrez ids of the columns of the published matrix."""
    return read_mat(path, ["entrez"])["entrez"].ravel().astype(np.int64)


def read_network(edges: str | Path, pathways: str | Path, entrez: np.ndarray) -> np.ndarray:
    """Return the edges (m, 2), as positions in `entrez`, between genes that are in at least one pathway.

    The lines of `edges` are 1-based positions in `entrez`, not Entrez ids. Self-loops and repeated edges, in either
    direction, are dropped. `networks.join` takes the largest component.
    """
    pairs = np.loadtxt(edges, dtype=np.int64)
    in_pathway = np.isin(entrez, np.loadtxt(pathways, dtype=np.int64)[:, 1])
    kept = np.sort(pairs - 1, axis=1)
    kept = kept[in_pathway[kept].all(axis=1) & (kept[:, 0] != kept[:, 1])]
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
    if not np.array_equal(stored["entrez"].ravel(), entrez):
        raise StudyError(f"{path}: the genes are not the {len(entrez):,} of entrez.mat in the same order. {OTHER}")
    X = stored["X"].astype(np.float64)
    return Cohort(
        X=X,
        y=(stored["Y"][:, 1] > 0).astype(np.int8),
        time=np.full(len(X), np.nan),
        patients=np.array([f"published-{row:03d}" for row in range(1, len(X) + 1)]),
        entrez=entrez,
        symbol=symbol,
        counts=np.full(3, X.shape[1]),
    )


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
    """Return (edges, confidence) of the paper's network between the genes of a cohort; each confidence is 1."""
    ids = read_entrez(entrez)
    a, b = ids[read_network(edges, pathways, ids)].T
    return by_entrez(pd.DataFrame({"a": a, "b": b, "confidence": 1.0}), cohort.entrez)
