"""The data of the network viewer: genes, interactions, and how often each method selects each gene."""

import numpy as np
from markupsafe import Markup

from study.methods import colour, label
from study.report.blocks import Section, as_json, is_blank
from study.report.inputs import Inputs, first_method

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
    [gene, frequency, mean weight]. Genes and edges refer to positions in the lists.
    """
    table, study = inputs.frequencies[inputs.frequencies["frequency"] >= LEAST_SHARE], inputs.study
    genes = table.drop_duplicates("symbol").sort_values("symbol")
    position = {symbol: i for i, symbol in enumerate(genes["symbol"])}
    pairs = study.symbol[study.edges].tolist()
    methods = [
        {
            "name": name,
            "label": label(name),
            "colour": colour(name),
            "start": first_threshold(rows["frequency"].to_numpy()),
            "genes": [
                [position[row.symbol], round(row.frequency, 4), float(f"{row.mean_weight:.4g}")]
                for row in rows.itertuples()
            ],
        }
        for name, rows in table.groupby("method", sort=False)
    ]
    return {
        "genes": [
            {
                "symbol": row.symbol,
                "entrez": None if is_blank(row.entrez) else int(row.entrez),
                "known": bool(row.known),
                "degree": int(row.degree),
                "higher": "more" if row.more else "fewer",
            }
            for row in genes.itertuples()
        ],
        "edges": [
            [position[a], position[b], round(confidence, 4)]
            for (a, b), confidence in zip(pairs, study.confidence.tolist(), strict=True)
            if a in position and b in position
        ],
        "methods": methods,
        "first": [one["name"] for one in methods].index(first_method(table)) if methods else 0,
        "least": LEAST_SHARE,
    }
