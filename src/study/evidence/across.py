"""The same patient scored by the models of several runs, of which none had seen her."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from study import tables
from study.cv.nested import Standardiser
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
    first = {run.cohort: i for i, run in reversed([*enumerate(runs)])}
    transfer, patients = [], []
    for cohort, place in sorted(first.items(), key=lambda item: item[1]):
        study = runs[place].study
        Z, there = Standardiser(study.X, str(study.missing))(study.X), {key: i for i, key in enumerate(keys[place])}
        for run, of_run in zip(runs, keys, strict=True):
            score, n_genes, missing = (
                _out_of_fold(run, method, study.patients)
                if run.cohort == cohort
                else _applied(run, method, of_run, Z, there)
            )
            data = {"run": run.name, "cohort": cohort, "method": method, "own": int(run.cohort == cohort)}
            auc = dict(zip(("auc", "low", "high"), auc_interval(study.y, score), strict=True))
            sizes = {"patients": len(study.y), "events": int(study.y.sum()), "genes_used": n_genes}
            transfer.append(data | sizes | {"genes_missing": missing} | auc)
            ranks = (rankdata(score) - 0.5) / len(score)
            for patient, event, share in zip(study.patients, study.y, ranks, strict=True):
                patients.append(data | {"patient": patient, "event": int(event), "percentile": share})
    return {"transfer": pd.DataFrame(transfer), "patients": pd.DataFrame(patients)}


def _out_of_fold(run: Run, method: str, patients: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Return the mean risks of folds that had left a patient out, in the order of `patients`."""
    own = run.patients[run.patients["method"] == method].set_index("patient")["risk"]
    return own.loc[patients.astype(str)].to_numpy(float), int((run.models["method"] == method).sum()), 0


def _applied(run: Run, method: str, of_run: list, Z: np.ndarray, there: dict) -> tuple[np.ndarray, int, int]:
    """Return the scores of a run's signature in standardised expression of others, the genes used and those missing."""
    own = run.models[run.models["method"] == method]
    of_symbol = dict(zip(run.study.symbol, of_run, strict=True))
    score, missing = np.zeros(len(Z)), 0
    for symbol, weight in zip(own["symbol"], own["weight"], strict=True):
        place = there.get(of_symbol[symbol])
        if place is None:
            missing += 1
        else:
            score += weight * Z[:, place]
    return score, len(own) - missing, missing
