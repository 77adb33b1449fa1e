"""The networks a cohort can be joined with: tables of gene pairs with a confidence."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from study.data.sources import Source, open_member
from study.data.studyfile import Cohort, Study
from study.run.errors import StudyError

SCNET_MEMBER = "scNET/Data/H_sapiens.net"
BIOPLEX_MEMBER = "cptac/utils/data/BioPlex_293T_Network_10K_Dec_2019.tsv.gz"


def read_scnet(wheel: str | Path, source: Source) -> pd.DataFrame:
    """Return the scNET human interactions: a, b (Entrez ids), confidence."""
    with open_member(wheel, source, SCNET_MEMBER) as stream:
        return pd.read_csv(stream, sep="\t", header=None, names=["a", "b", "confidence", "unused"])[
            ["a", "b", "confidence"]
        ]


def read_bioplex(wheel: str | Path, source: Source) -> pd.DataFrame:
    """Return the BioPlex 293T interactions: a, b (Entrez ids), confidence (probability of interaction)."""
    with open_member(wheel, source, BIOPLEX_MEMBER) as stream, gzip.open(stream) as table:
        frame = pd.read_csv(table, sep="\t")
    return frame.rename(columns={"GeneA": "a", "GeneB": "b", "pInt": "confidence"})[["a", "b", "confidence"]]


def by_entrez(pairs: pd.DataFrame, entrez: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) between the genes `entrez`; pairs with any other gene are left out."""
    position = pd.Series(np.arange(len(entrez)), index=entrez)
    position = position[position.index > 0]
    kept = pairs[pairs["a"].isin(position.index) & pairs["b"].isin(position.index)]
    edges = np.column_stack([position[kept["a"]].to_numpy(), position[kept["b"]].to_numpy()])
    return edges.reshape(-1, 2).astype(np.int64), kept["confidence"].to_numpy(float)


def coexpression(X: np.ndarray, n_neighbours: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, |r|): each gene with its `n_neighbours` most correlated ones, by absolute Pearson r.

    Uses the expression only, never the outcome.
    """
    if n_neighbours >= X.shape[1]:
        raise StudyError(
            f"coexpression_neighbours: expected fewer than the {X.shape[1]} genes, found {n_neighbours}."
        )
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    r = np.abs(standardised.T @ standardised) / len(X)
    np.fill_diagonal(r, -1.0)
    nearest = np.argsort(-r, axis=1, kind="stable")[:, :n_neighbours]
    edges = np.column_stack([np.repeat(np.arange(len(r)), n_neighbours), nearest.ravel()])
    return edges.astype(np.int64), np.clip(r[edges[:, 0], edges[:, 1]], 1e-12, 1.0)


def join(
    cohort: Cohort, edges: np.ndarray, confidence: np.ndarray, min_confidence: float, origin: str
) -> Study:
    """Return the cohort cut to the largest connected component of the network.

    Edges below `min_confidence` and self-loops are dropped; of parallel edges the most confident stays.
    """
    wanted = (confidence >= min_confidence) & (edges[:, 0] != edges[:, 1])
    edges, confidence = np.sort(edges[wanted], axis=1), confidence[wanted]
    if not len(edges):
        raise StudyError(
            f"{origin}: expected edges of confidence >= {min_confidence} between measured genes, found none."
        )
    order = np.lexsort((-confidence, edges[:, 1], edges[:, 0]))
    edges, confidence = edges[order], confidence[order]
    first = np.r_[True, (edges[1:] != edges[:-1]).any(axis=1)]
    edges, confidence = edges[first], confidence[first]

    n_genes = cohort.X.shape[1]
    adjacency = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n_genes, n_genes))
    _, label = connected_components(adjacency, directed=False)
    keep = label == np.bincount(label).argmax()
    inside = keep[edges[:, 0]]
    position = np.cumsum(keep) - 1
    return Study(
        X=np.ascontiguousarray(cohort.X[:, keep]),
        y=cohort.y,
        time=cohort.time,
        patients=cohort.patients,
        entrez=cohort.entrez[keep],
        symbol=cohort.symbol[keep],
        counts=cohort.counts,
        edges=position[edges[inside]].astype(np.int64),
        confidence=confidence[inside],
    )
