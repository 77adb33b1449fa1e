"""The same patient scored by the models of several runs, of which none had seen her."""

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from study import tables
from study.evidence.external import standardised
from study.evidence.recurrence import Run, gene_keys, shared_headline
from study.stats.discrimination import auc_interval


def across_tables(runs: list[Run]) -> dict[str, pd.DataFrame]:
    """Return the tables `transfer` and `patients` of the headline method; empty where no model is in every run.

    A run's patients have their out-of-fold risk of it. Patients of another cohort have the score of its signature, the
    model of all its patients, with genes standardised within their own cohort; genes it lacks count as average.
    """
    method = shared_headline([table["method"] for run in runs for table in (run.models, run.patients)])
    if method is None:
        return {name: tables.empty(f"compare/{name}") for name in ("transfer", "patients")}
    keys = gene_keys(runs)
    first: dict[str, int] = {}
    for place, run in enumerate(runs):
        first.setdefault(run.cohort, place)
    transfer, patients = [], []
    for cohort, place in first.items():
        study = runs[place].study
        Z, there = standardised(study), {key: i for i, key in enumerate(keys[place])}
        for run, of_run in zip(runs, keys, strict=True):
            model = run.models[run.models["method"] == method]
            if run.cohort == cohort:
                own = run.patients[run.patients["method"] == method].set_index("patient")["risk"]
                score, n_genes, missing = own.loc[study.patients.astype(str)].to_numpy(float), len(model), 0
            else:
                key = dict(zip(run.study.symbol, of_run, strict=True))
                place_of = np.array([there.get(key[symbol], -1) for symbol in model["symbol"]], int)
                found = place_of >= 0
                score = Z[:, place_of[found]] @ model["weight"].to_numpy()[found]
                n_genes, missing = int(found.sum()), int((~found).sum())
            data = {"run": run.name, "cohort": cohort, "method": method, "own": int(run.cohort == cohort)}
            auc = dict(zip(("auc", "low", "high"), auc_interval(study.y, score), strict=True))
            sizes = {"patients": len(study.y), "events": int(study.y.sum()), "genes_used": n_genes}
            transfer.append(data | sizes | {"genes_missing": missing} | auc)
            ranks = (rankdata(score) - 0.5) / len(score)
            patients.append(pd.DataFrame(data | {"patient": study.patients, "event": study.y, "percentile": ranks}))
    return {"transfer": pd.DataFrame(transfer), "patients": pd.concat(patients, ignore_index=True)}
