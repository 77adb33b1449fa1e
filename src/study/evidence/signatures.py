"""The signatures of all patients as tables; covariates are in their files only."""

import numpy as np
import pandas as pd

from graphiht.signature import Signature


def signature_tables(signatures: list[Signature]) -> dict[str, pd.DataFrame]:
    """Return a row per method, and a row per method and gene; without mean and scale where cohorts were pooled."""
    rows = [
        {
            "method": one.method,
            "genes_used": len(one.symbol) - len(one.covariates),
            "intercept": one.intercept,
            "cut_off": one.cut_off,
            **{key: one.settings[key] for key in ("sparsity", "lambda", "C", "n_blocks")},
            **{key: one.training[key] for key in ("inner_error", "status", "patients", "events")},
            "scaling": one.scaling,
        }
        for one in signatures
    ]
    genes = pd.concat(
        pd.DataFrame(
            {
                "method": one.method,
                "symbol": one.symbol,
                "entrez": one.entrez,
                "weight": one.weights,
                "mean": np.nan if one.mean is None else one.mean,
                "scale": np.nan if one.scale is None else one.scale,
            }
        ).head(len(one.symbol) - len(one.covariates))
        for one in signatures
    )
    return {"evidence/signatures": pd.DataFrame(rows), "evidence/final_models": genes}
