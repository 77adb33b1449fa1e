"""Figures of gene sets: how often genes are selected, and how much methods have in common."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from study.figures.style import heat_map, name_of
from study.methods import label


def gene_frequencies(shares: pd.DataFrame, known: set[str]) -> Figure:
    """Return selection frequencies genes x methods; known genes are starred."""
    named = shares.rename(index=lambda symbol: f"{symbol} *" if symbol in known else symbol, columns=label)
    bar = "share of folds that select the gene"
    return heat_map(named, bar, 0.26 * len(named) + 1.6, cmap="cividis_r", vmin=0, vmax=1)


def genes_in_common(jaccard: pd.DataFrame) -> Figure:
    """Return the Jaccard indices between methods; on the diagonal each method with itself."""
    failed = jaccard.set_index("method_a")["failed_a"]
    failed = failed[~failed.index.duplicated()]
    values = jaccard.pivot(index="method_a", columns="method_b", values="jaccard").loc[failed.index, failed.index]
    text = values.map(lambda value: "" if pd.isna(value) else f"{value:.2f}").to_numpy()
    named = values.rename(index=lambda name: name_of(name, failed[name]), columns=label)
    return heat_map(named, "mean Jaccard index", 0.42 * len(named) + 1.8, text, cmap="cividis", vmin=0, vmax=1)
