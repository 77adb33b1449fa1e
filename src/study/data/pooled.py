"""Pool cohorts: their patients together, standardised within each cohort, on the genes that most of them measured."""

from collections import Counter
from dataclasses import replace

import numpy as np

from graphiht.network import Network
from study.data.studyfile import Cohort, Study


def pool(cohorts: dict[str, Cohort]) -> Cohort:
    """Return one cohort with the patients of several.

    Genes that at most one cohort lacks are kept, by Entrez id. Each gene is standardised within each cohort, without
    using the outcome. Where a cohort lacks it, it is 0, the average.
    """
    measured = Counter(gene for cohort in cohorts.values() for gene in cohort.entrez.tolist() if gene)
    genes = np.array(sorted(gene for gene, times in measured.items() if times >= len(cohorts) - 1), np.int64)
    symbol: dict[int, str] = {}
    parts = []
    for cohort in cohorts.values():
        there = np.isin(cohort.entrez, genes) & (cohort.entrez > 0)
        X = np.zeros((len(cohort.y), len(genes)))
        values = cohort.X[:, there]
        X[:, np.searchsorted(genes, cohort.entrez[there])] = (values - values.mean(axis=0)) / values.std(axis=0)
        parts.append(X)
        for gene, own in zip(cohort.entrez[there].tolist(), cohort.symbol[there].tolist(), strict=True):
            symbol.setdefault(gene, own)
    return Cohort(
        X=np.vstack(parts),
        y=np.concatenate([cohort.y for cohort in cohorts.values()]),
        time=np.concatenate([cohort.time for cohort in cohorts.values()]),
        patients=np.concatenate([np.char.add(f"{name}:", cohort.patients) for name, cohort in cohorts.items()]),
        entrez=genes,
        symbol=np.array([symbol[gene] for gene in genes.tolist()]),
        counts=np.array([len(measured), len(measured), len(genes)]),
        source=np.repeat(list(cohorts), [len(cohort.y) for cohort in cohorts.values()]),
    )


def on_platform(study: Study, rows: np.ndarray) -> tuple[Study, np.ndarray]:
    """Return a pooled study on the genes that the cohort of some rows measured, and where these genes stand in it.

    The genes are those of the largest part of the network between them. Pooling writes 0 where a cohort lacks a gene,
    so this asks nothing of outcomes, and nothing of expression but whether it is there.
    """
    measured = np.flatnonzero((study.X[rows] != 0).any(axis=0))
    part, measured = Network(study.edges, len(study.symbol)).subnetwork(measured)
    genes = measured[part.largest_component()[1]]
    inside = np.isin(study.edges, genes).all(axis=1)
    own = {key: getattr(study, key)[genes] for key in ("entrez", "symbol")} | {"X": study.X[:, genes]}
    edges = np.searchsorted(genes, study.edges[inside])
    return replace(study, **own, edges=edges, confidence=study.confidence[inside]), genes
