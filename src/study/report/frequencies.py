"""How often each method selects each gene."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.report.inputs import Inputs


def frequencies(inputs: Inputs) -> pd.DataFrame:
    """Return a row per selecting method and gene it ever selected, most frequent first.

    The evidence table is taken when it is there; else the same columns are counted from the genes of the folds.
    """
    table = inputs.evidence.get("frequencies")
    if table is None:
        table = count_frequencies(inputs)
    return table[table["method"].isin(inputs.selecting)].reset_index(drop=True)


def count_frequencies(inputs: Inputs) -> pd.DataFrame:
    """Return frequency, mean weight, share of the majority's sign, known flag and degree of every gene selected."""
    genes, study = inputs.genes, inputs.study
    folds = inputs.metrics["method"].value_counts()
    degree = dict(
        zip(
            study.symbol.tolist(),
            np.bincount(study.edges.ravel(), minlength=len(study.symbol)).tolist(),
            strict=True,
        )
    )
    known = set(inputs.data["known_genes"])
    genes = genes.assign(positive=genes["weight"] > 0)
    grouped = genes.groupby(["method", "symbol"], sort=False)
    table = grouped.agg(
        entrez=("entrez", "first"),
        times=("weight", "size"),
        mean_weight=("weight", "mean"),
        positive=("positive", "mean"),
    ).reset_index()
    table["frequency"] = table["times"] / table["method"].map(folds)
    table["same_sign"] = np.maximum(table["positive"], 1 - table["positive"])
    table["known"] = table["symbol"].isin(known).astype(int)
    table["degree"] = table["symbol"].map(degree)
    order = {method: i for i, method in enumerate(inputs.methods)}
    table["order"] = table["method"].map(order)
    table = table.sort_values(["order", "frequency", "symbol"], ascending=[True, False, True], kind="stable")
    columns = ["method", "symbol", "entrez", "frequency", "mean_weight", "same_sign", "known", "degree"]
    return table[columns].reset_index(drop=True)
