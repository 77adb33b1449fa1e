"""Would random edges select the same biology? Pathways among frequent genes, real network against rewired ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.stats.enrichment import LEAST_GENES

COLUMNS = ["method", "pathway", "name", "genes_in_network", "overlap", "rewired", "p", "repetitions"]


def rewired_table(
    results: list[dict], sets: pd.DataFrame, members: np.ndarray, symbols: np.ndarray
) -> pd.DataFrame:
    """Return a row per method and gene set that its frequent genes share, the largest overlap first.

    overlap counts the set's genes among those selected in at least half of the fits on the real network, rewired is
    the mean of the same on networks with the same degrees and random edges, and p is (k + 1)/(n + 1), k of
    these n having at least that overlap. Degrees and expression are the same, so a small p is due to which genes
    interact. It is nominal: there is one per set.

    Parameters
    ----------
    results : list
        What `study.evidence.controls.run_control` returned.
    sets : table with the columns pathway, name
    members : bool array (sets, genes)
    symbols : array (genes,)
    """
    position = {symbol: i for i, symbol in enumerate(symbols)}

    def overlaps(result: dict) -> np.ndarray:
        chosen = np.zeros(len(symbols), int)
        chosen[[position[symbol] for symbol in result["frequent_genes"]]] = 1
        return members @ chosen

    rows = []
    for method in dict.fromkeys(result["method"] for result in results if result["control"] == "network"):
        of_method = [result for result in results if result["method"] == method]
        real = next(overlaps(result) for result in of_method if result["control"] == "real")
        rewired = np.array([overlaps(result) for result in of_method if result["control"] == "network"])
        shared = [i for i in np.flatnonzero(real) if members[i].sum() >= LEAST_GENES]
        for i in sorted(shared, key=lambda i: (-real[i], sets["pathway"].iloc[i])):
            rows.append(
                {
                    "method": method,
                    "pathway": sets["pathway"].iloc[i],
                    "name": sets["name"].iloc[i],
                    "genes_in_network": int(members[i].sum()),
                    "overlap": int(real[i]),
                    "rewired": rewired[:, i].mean(),
                    "p": ((rewired[:, i] >= real[i]).sum() + 1) / (len(rewired) + 1),
                    "repetitions": len(rewired),
                }
            )
    return pd.DataFrame(rows, columns=COLUMNS)
