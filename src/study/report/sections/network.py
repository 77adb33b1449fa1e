"""The data of the network viewer: genes, interactions, and how often each method selects each gene."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from study.methods import colour, headline, label
from study.report.blocks import Section, as_json
from study.report.inputs import Inputs

LEAST_SHARE = 0.1
SHOWN_AT_FIRST = 40


def section(inputs: Inputs) -> Section:
    """Return the viewer of the stable subnetwork of each method."""
    if not len(inputs.frequencies):
        return Section()
    data = network_data(inputs) | {"known": inputs.known_gene}
    return Section(numbers={"data": Markup(as_json(data))})


def first_threshold(shares: np.ndarray) -> float:
    """Return the frequency the slider starts at: the least of 0.5, 0.55, ... that leaves a readable number of genes."""
    for step in range(10, 20):
        if (shares >= step / 20).sum() <= SHOWN_AT_FIRST:
            return step / 20
    return 0.95


def network_data(inputs: Inputs) -> dict:
    """Return what the viewer needs, as plain lists.

    Genes that some method selects in at least a tenth of its folds, the network's edges among them, and per method
    [gene, frequency, mean weight, share of the majority's sign]. Genes and edges refer to positions in the lists.
    """
    table = inputs.frequencies[inputs.frequencies["frequency"] >= LEAST_SHARE]
    symbols = sorted(table["symbol"].unique())
    study = inputs.study
    in_study = {symbol: i for i, symbol in enumerate(study.symbol.tolist())}
    degree = np.bincount(study.edges.ravel(), minlength=len(study.symbol))
    known = set(inputs.data["known_genes"])
    genes = [
        {
            "symbol": symbol,
            "entrez": int(study.entrez[in_study[symbol]]) or None,
            "known": symbol in known,
            "degree": int(degree[in_study[symbol]]),
        }
        for symbol in symbols
    ]
    position = {in_study[symbol]: i for i, symbol in enumerate(symbols)}
    edges = [
        [position[a], position[b], round(float(confidence), 4)]
        for (a, b), confidence in zip(study.edges.tolist(), study.confidence.tolist(), strict=True)
        if a in position and b in position
    ]
    names = [name for name in inputs.selecting if name in set(table["method"])]
    methods = [_method(name, table[table["method"] == name], symbols) for name in names]
    first = names.index(headline(names)) if names else 0
    return {"genes": genes, "edges": edges, "methods": methods, "first": first, "least": LEAST_SHARE}


def _method(name: str, rows: pd.DataFrame, symbols: list[str]) -> dict:
    position = {symbol: i for i, symbol in enumerate(symbols)}
    return {
        "name": name,
        "label": label(name),
        "colour": colour(name),
        "start": first_threshold(rows["frequency"].to_numpy()),
        "genes": [
            [position[row.symbol], round(row.frequency, 4), float(f"{row.mean_weight:.4g}"), round(row.same_sign, 4)]
            for row in rows.itertuples()
        ],
    }
