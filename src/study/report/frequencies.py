"""How often each method selects each gene."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.report.inputs import Inputs
from study.stats.supports import frequencies_table, weight_matrices


def frequencies(inputs: Inputs) -> pd.DataFrame:
    """Return a row per selecting method and gene it ever selected, most frequent first.

    The evidence table is taken when it is there; else the same, but for `connected`, is counted from the folds.
    """
    table = inputs.evidence.get("frequencies")
    if table is None:
        table = count_frequencies(inputs)
    table = table[table["method"].isin(inputs.selecting)].reset_index(drop=True)
    return table.assign(known=table["symbol"].isin(inputs.data["known_genes"]).astype(int))


def count_frequencies(inputs: Inputs) -> pd.DataFrame:
    """Return frequency, mean weight, share of the majority's sign, known flag and degree of every gene selected."""
    study = inputs.study
    names = pd.DataFrame(
        {
            "symbol": study.symbol,
            "entrez": pd.Series(study.entrez).where(study.entrez > 0),
            "known": np.isin(study.symbol, inputs.data["known_genes"]).astype(int),
            "degree": np.bincount(study.edges.ravel(), minlength=len(study.symbol)),
        }
    )
    matrices = weight_matrices(inputs.genes, inputs.metrics, study.symbol)
    parts = [
        frequencies_table(weights).join(names, on="gene").assign(method=method) for method, weights in matrices.items()
    ]
    return pd.concat(parts, ignore_index=True)
