"""Networks of genes, and a cohort joined with one."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd

from graphiht.network import Network
from study.data.sources import Wheel
from study.data.studyfile import Cohort, Study
from study.run.errors import StudyError

SCNET_MEMBER = "scNET/Data/H_sapiens.net"
BIOPLEX_MEMBER = "cptac/utils/data/BioPlex_293T_Network_10K_Dec_2019.tsv.gz"


def read_scnet(cohort: Cohort, settings: dict, wheel: Wheel) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) of the scNET human interactions between the genes of a cohort."""
    with wheel.open(SCNET_MEMBER) as stream:
        pairs = pd.read_csv(stream, sep="\t", header=None, names=["a", "b", "confidence", "unused"])
    return by_entrez(pairs, cohort.entrez)


def read_bioplex(cohort: Cohort, settings: dict, wheel: Wheel) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, probability of interaction) of BioPlex 293T between the genes of a cohort."""
    frame = bioplex_table(wheel)
    return by_entrez(frame.rename(columns={"GeneA": "a", "GeneB": "b", "pInt": "confidence"}), cohort.entrez)


def bioplex_table(wheel: Wheel) -> pd.DataFrame:
    """Return the table of BioPlex 293T interactions, which names each gene by Entrez id and symbol."""
    with wheel.open(BIOPLEX_MEMBER) as stream, gzip.open(stream) as table:
        return pd.read_csv(table, sep="\t", keep_default_na=False)


def by_entrez(pairs: pd.DataFrame, entrez: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) between the genes `entrez`; pairs with any other gene are left out."""
    position = pd.Series(np.arange(len(entrez)), index=entrez)
    position = position[position.index > 0]
    kept = pairs[pairs["a"].isin(position.index) & pairs["b"].isin(position.index)]
    edges = np.column_stack([position[kept["a"]].to_numpy(), position[kept["b"]].to_numpy()])
    return edges.reshape(-1, 2).astype(np.int64), kept["confidence"].to_numpy(float)


def coexpression(cohort: Cohort, settings: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, |r|): each gene with its most correlated ones, by absolute Pearson r.

    How many is the key coexpression_neighbours of the settings. Uses the expression only, never the outcome.
    """
    X, n_neighbours = cohort.X, settings["coexpression_neighbours"]
    if n_neighbours >= X.shape[1]:
        raise StudyError(f"coexpression_neighbours: expected fewer than the {X.shape[1]} genes, found {n_neighbours}.")
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    r = np.abs(standardised.T @ standardised) / len(X)
    np.fill_diagonal(r, -1.0)
    nearest = np.argsort(-r, axis=1, kind="stable")[:, :n_neighbours]
    edges = np.column_stack([np.repeat(np.arange(len(r)), n_neighbours), nearest.ravel()])
    return edges.astype(np.int64), np.clip(r[edges[:, 0], edges[:, 1]], 1e-12, 1.0)


def join(cohort: Cohort, edges: np.ndarray, confidence: np.ndarray, min_confidence: float, origin: str) -> Study:
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

    part, genes = Network(edges, cohort.X.shape[1]).largest_component()
    inside = np.isin(edges[:, 0], genes)
    return Study(
        X=np.ascontiguousarray(cohort.X[:, genes]),
        y=cohort.y,
        time=cohort.time,
        patients=cohort.patients,
        entrez=cohort.entrez[genes],
        symbol=cohort.symbol[genes],
        counts=cohort.counts,
        edges=part.edges.astype(np.int64),
        confidence=confidence[inside],
    )


def check_sizes(n_genes: int, settings: dict) -> None:
    """Raise StudyError when the grid asks for more genes than the network has, or more components than genes."""
    smallest, largest = min(settings["sparsities"]), max(settings["sparsities"])
    if largest > n_genes:
        raise StudyError(f"config: sparsities: expected at most the network's {n_genes} genes, found {largest}.")
    if settings["n_components"] > smallest:
        raise StudyError(
            f"config: n_components: expected at most the smallest sparsity, {smallest}, found "
            f"{settings['n_components']}."
        )
