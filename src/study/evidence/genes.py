"""The tables on genes, of every method: frequencies, stability, stable subnetworks, known genes, pathways."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.data.gene_sets import known_mask, membership
from study.data.studyfile import Study
from study.stats.enrichment import PATHWAY_COLUMNS, degree_bins, known_row, pathways_table
from study.stats.supports import (
    STABLE_FREQUENCY,
    frequencies_table,
    jaccard_table,
    selects,
    stability_row,
    stable_subnetwork,
    weight_matrices,
)

COLUMNS = {
    "frequencies": [
        "method",
        "symbol",
        "entrez",
        "frequency",
        "mean_weight",
        "same_sign",
        "known",
        "degree",
    ],
    "stability": ["method", "nogueira", "low", "high", "mean_jaccard", "mean_genes", "supports"],
    "jaccard": ["method_a", "method_b", "jaccard"],
    "stable_genes": ["method", "symbol", "entrez", "frequency", "mean_weight", "known"],
    "stable_edges": ["method", "symbol_a", "symbol_b", "confidence"],
    "known": [
        "method",
        "known_in_network",
        "union_found",
        "union_genes",
        "average_precision",
        "chance_precision",
        "overlap",
        "p",
        "p_matched",
        "genes_tested",
    ],
    "pathways": ["method", *PATHWAY_COLUMNS],
}


def gene_tables(
    study: Study,
    metrics: pd.DataFrame,
    genes: pd.DataFrame,
    known: pd.DataFrame,
    pathways: pd.DataFrame,
    published: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables by name. A method that keeps every gene in every fit is in `stability` only.

    What cannot be made, for want of known genes or of Entrez ids, is an empty table. Enrichment is that of the genes
    selected in at least half of the fits, whether or not they are connected, so that methods with and without the
    network answer the same question.

    Parameters
    ----------
    known : table entrez, symbol
    pathways : table pathway, name, genes (Entrez ids); empty when there are none
    published : table method, symbol of the paper's identified genes
    """
    weights = weight_matrices(genes, metrics, study.symbol)
    supports = {method: ~np.isnan(matrix) for method, matrix in weights.items()}
    selecting = [method for method in supports if selects(supports[method])]
    is_known = known_mask(known, study.entrez, study.symbol)
    degree = np.bincount(study.edges.ravel(), minlength=len(study.symbol))
    bins = degree_bins(degree)
    members = membership(pathways, study.entrez)
    names = pd.DataFrame(
        {
            "symbol": study.symbol,
            "entrez": pd.array(study.entrez, "Int64"),
            "known": is_known.astype(int),
            "degree": degree,
        }
    )
    names["entrez"] = names["entrez"].mask(names["entrez"] == 0)

    found = {name: [] for name in ("frequencies", "stable_genes", "stable_edges", "known", "pathways")}
    for method in selecting:
        table = frequencies_table(weights[method])
        table = table.join(names, on="gene").assign(method=method)
        frequency = supports[method].mean(axis=0)
        stable, edges = stable_subnetwork(frequency, study.edges)
        found["frequencies"].append(table)
        found["stable_genes"].append(table[table["gene"].isin(stable)])
        found["stable_edges"].append(_edges(method, study, edges))
        frequent = frequency >= STABLE_FREQUENCY
        if is_known.any():
            union = sorted(study.symbol[is_known & (frequency > 0)].tolist())
            row = known_row(frequency, frequent, is_known, bins)
            found["known"].append(pd.DataFrame([{"method": method, **row, "union_genes": ";".join(union)}]))
        if members.any():
            listed = pathways_table(frequent, pathways, members, study.symbol, bins)
            found["pathways"].append(listed.assign(method=method))
    tables = {name: _stack(parts, COLUMNS[name]) for name, parts in found.items()}
    tables["stability"] = pd.DataFrame(
        [{"method": method, **stability_row(matrix)} for method, matrix in supports.items()],
        columns=COLUMNS["stability"],
    )
    tables["jaccard"] = jaccard_table({method: supports[method] for method in selecting})
    tables["union"] = union_table(study, supports, selecting, known, published)
    return tables


def _edges(method: str, study: Study, numbers: np.ndarray) -> pd.DataFrame:
    ends = study.symbol[study.edges[numbers]].reshape(-1, 2)
    return pd.DataFrame(
        {
            "method": method,
            "symbol_a": ends[:, 0],
            "symbol_b": ends[:, 1],
            "confidence": study.confidence[numbers],
        }
    )


def _stack(parts: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    filled = [part[columns] for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else pd.DataFrame(columns=columns)


def union_table(
    study: Study,
    supports: dict[str, np.ndarray],
    selecting: list[str],
    known: pd.DataFrame,
    published: pd.DataFrame,
) -> pd.DataFrame:
    """Return the paper's table: a row per known gene, and which method ever selected it, in any fold.

    It rewards large and unstable selections; it is there to be compared with the paper's, whose columns are
    `paper_<method>`. A known gene that is not in the network (`in_network` 0) cannot be selected. Empty when none is.
    """
    rows = []
    in_paper = published.groupby("method", sort=False)["symbol"].agg(set)
    for entrez, symbol in zip(known["entrez"], known["symbol"], strict=True):
        here = ((study.entrez == entrez) & (study.entrez > 0)) | (study.symbol == symbol)
        row = {"symbol": symbol}
        row |= {method: int(supports[method][:, here].any()) for method in selecting}
        row |= {f"paper_{method}": int(symbol in genes) for method, genes in in_paper.items()}
        rows.append(row | {"in_network": int(here.any())})
    columns = ["symbol", *selecting, *(f"paper_{method}" for method in in_paper.index), "in_network"]
    table = pd.DataFrame(rows, columns=columns)
    return table if table["in_network"].any() else table.iloc[:0]
