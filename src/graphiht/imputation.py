"""Values that were not measured, filled in from patients one may look at."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

KINDS = ("mean", "knn")
NEIGHBOURS = 5


def imputer(Z: np.ndarray, kind: str) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that fills the NaN of standardised matrices from training patients alone.

    Parameters
    ----------
    Z : ndarray of shape (n_patients, n_genes)
        Training patients, each gene centred and scaled by their known values.
    kind : {"mean", "knn"}
        "mean" fills in 0, the mean of the training patients; "knn" the mean of the five training patients that are
        nearest in the genes both have.

    Returns
    -------
    callable
        Takes and returns an ndarray of shape (n, n_genes).
    """
    if kind == "mean":
        return lambda rows: np.where(np.isnan(rows), 0.0, rows)
    from sklearn.impute import KNNImputer

    fitted = KNNImputer(n_neighbors=min(NEIGHBOURS, len(Z)), keep_empty_features=True).fit(Z)
    return fitted.transform
