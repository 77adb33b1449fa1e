"""The tables on genes, of every method: frequencies, stability, known genes, pathways."""

import networkx as nx
import numpy as np
import pandas as pd

from graphiht.network import Network
from study import tables
from study.data.gene_sets import known_mask, membership
from study.data.studyfile import Study
from study.evidence.failed import failed_folds, with_failures
from study.methods import headline, keeps_all
from study.stats.discrimination import gene_aucs
from study.stats.enrichment import degree_bins, known_row, pathways_table
from study.stats.supports import (
    STABLE_FREQUENCY,
    frequencies_table,
    jaccard_table,
    largest_connected,
    selects,
    stability_row,
    weight_matrices,
)


def gene_tables(
    study: Study,
    metrics: pd.DataFrame,
    genes: pd.DataFrame,
    known: pd.DataFrame,
    pathways: pd.DataFrame,
    published: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables by name. A method that keeps every gene in every fit is in `stability` only.

    Return an empty table without known genes or Entrez ids. Enrichment is that of the genes
    selected in at least half of the fits, whether or not they are connected, so that methods with and without the
    network answer the same question.

    `published` has the genes that the paper identified, by method.
    """
    weights = weight_matrices(genes, metrics, study.symbol)
    supports = {method: ~np.isnan(matrix) for method, matrix in weights.items()}
    selecting = {method: matrix for method, matrix in supports.items() if selects(matrix) and not keeps_all(method)}
    is_known = known_mask(known, study.entrez, study.symbol)
    network = Network(study.edges, len(study.symbol))
    degree = np.diff(network.indptr)
    bins = degree_bins(degree)
    members = membership(pathways, study.entrez)
    collections = [(pathways["collection"] == name).to_numpy() for name in pathways["collection"].unique()]
    names = pd.DataFrame({"symbol": study.symbol, "entrez": pd.array(study.entrez, "Int64")})
    names["entrez"] = names["entrez"].mask(names["entrez"] == 0)
    names = names.assign(known=is_known.astype(int), degree=degree, auc_alone=gene_aucs(study.X, study.y, study.source))

    parts = {"frequencies": [], "known": [], "pathways": []}
    for method, matrix in selecting.items():
        frequency = matrix.mean(axis=0)
        frequent = frequency >= STABLE_FREQUENCY
        names["connected"] = largest_connected(frequent, network).astype(int)
        parts["frequencies"].append(frequencies_table(weights[method]).join(names, on="gene").assign(method=method))
        if is_known.any():
            union = sorted(study.symbol[is_known & (frequency > 0)].tolist())
            row = known_row(frequency, frequent, is_known, bins)
            parts["known"].append(pd.DataFrame([{"method": method, **row, "union_genes": ";".join(union)}]))
        for own in collections:
            listed = pathways_table(frequent, pathways[own], members[own], study.symbol, bins)
            parts["pathways"].append(listed.assign(method=method))
    stability = [{"method": method, **stability_row(matrix)} for method, matrix in supports.items()]
    by_name = {name: tables.stack(f"evidence/{name}", some) for name, some in parts.items()} | {
        "stability": pd.DataFrame(stability),
        "jaccard": jaccard_table(selecting),
        "union": union_table(study, selecting, known, published),
    }
    failed = failed_folds(metrics)
    return {f"evidence/{name}": with_failures(table, failed) for name, table in by_name.items()}


def selected_network(study: Study, frequencies: pd.DataFrame) -> nx.Graph:
    """Return the genes that the headline method selects in at least half of the folds, and the edges among them.

    `higher` says whether higher expression of the gene on its own goes with more or fewer events.
    """
    method = headline(frequencies["method"].unique().tolist())
    genes = frequencies[(frequencies["method"] == method) & (frequencies["frequency"] >= STABLE_FREQUENCY)]
    graph = nx.Graph(method=method or "")
    for row in genes.sort_values("frequency", ascending=False, kind="stable").itertuples():
        graph.add_node(
            row.symbol,
            symbol=row.symbol,
            entrez="" if pd.isna(row.entrez) else str(row.entrez),
            frequency=float(row.frequency),
            weight=float(row.mean_weight),
            higher="more events" if row.auc_alone > 0.5 else "fewer events",
            known=int(row.known),
        )
    pairs = study.symbol[study.edges].tolist()
    for (a, b), confidence in zip(pairs, study.confidence.tolist(), strict=True):
        if a in graph and b in graph:
            graph.add_edge(a, b, confidence=confidence)
    return graph


def union_table(
    study: Study, supports: dict[str, np.ndarray], known: pd.DataFrame, published: pd.DataFrame
) -> pd.DataFrame:
    """Return the paper's table: a row per known gene, and which method ever selected it, in any fold.

    It rewards large and unstable selections; it is there to be compared with the paper's, whose columns are
    `paper_<method>`. A known gene that is not in the network (`in_network` 0) cannot be selected. Empty when none is.
    """
    rows = []
    in_paper = published.groupby("method", sort=False)["symbol"].agg(set)
    for entrez, symbol in zip(known["entrez"], known["symbol"], strict=True):
        here = ((study.entrez == entrez) & (study.entrez > 0)) | (study.symbol == symbol)
        row = {"symbol": symbol, "in_network": int(here.any())}
        row |= {method: int(matrix[:, here].any()) for method, matrix in supports.items()}
        rows.append(row | {f"paper_{method}": int(symbol in genes) for method, genes in in_paper.items()})
    table = pd.DataFrame(rows)
    return table if len(table) and table["in_network"].any() else tables.empty("evidence/union")
