"""The same patient scored by the models of several runs, of which none had seen her."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from study import tables
from study.cv.nested import Standardiser
from study.evidence.recurrence import Run, gene_keys
from study.methods import headline
from study.stats.discrimination import auc_interval


def across_tables(runs: list[Run]) -> dict[str, pd.DataFrame]:
    """Return the tables `transfer` and `patients` of the headline method; empty where no model is in every run.

    A run's patients have their out-of-fold risk of it. Patients of another cohort have the score of its signature, the
    model of all its patients, with genes standardised within their own cohort; genes it lacks count as average. Pooled
    cohorts are left out, because their patients are those of others.
    """
    runs = [run for run in runs if run.models is not None and run.patients is not None and not run.study.is_pooled]
    common = [
        method
        for method in dict.fromkeys(runs[0].models["method"] if runs else ())
        if all((run.models["method"] == method).any() and (run.patients["method"] == method).any() for run in runs)
    ]
    method = headline(common)
    if method is None or len(runs) < 2:
        return {name: tables.empty(f"compare/{name}") for name in ("transfer", "patients")}
    keys = [{key: i for i, key in enumerate(of_run)} for of_run in gene_keys(runs)]
    first = {run.cohort: i for i, run in reversed([*enumerate(runs)])}
    transfer, patients = [], []
    for cohort, place in sorted(first.items(), key=lambda item: item[1]):
        study = runs[place].study
        Z = Standardiser(study.X, str(study.missing))(study.X)
        for run, of_run in zip(runs, keys, strict=True):
            score, n_genes, missing = (
                _out_of_fold(run, method, study.patients)
                if run.cohort == cohort
                else _applied(run, method, of_run, Z, keys[place])
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


def _applied(run: Run, method: str, of_run: dict, Z: np.ndarray, there: dict) -> tuple[np.ndarray, int, int]:
    """Return the scores of a run's signature in standardised expression of others, the genes used and those missing."""
    own = run.models[run.models["method"] == method]
    by_place = {place: key for key, place in of_run.items()}
    of_symbol = {str(symbol): by_place[i] for i, symbol in enumerate(run.study.symbol)}
    found = [there.get(of_symbol[symbol]) for symbol in own["symbol"]]
    score = np.zeros(len(Z))
    for place, weight in zip(found, own["weight"], strict=True):
        if place is not None:
            score += weight * Z[:, place]
    missing = sum(place is None for place in found)
    return score, len(found) - missing, missing
