"""Compare several runs: how well each predicts, which genes recur, and the same patient by models of each."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from study import tables
from study.data.studyfile import Study
from study.evidence.external import standardised
from study.evidence.failed import failed_folds
from study.methods import headline
from study.stats.discrimination import auc_interval
from study.stats.paired import paired_difference
from study.stats.recurrence import chance_of_runs, chances, overlap_row, recurrent_counts
from study.stats.supports import STABLE_FREQUENCY

DRAWS = 10_000


@dataclass(frozen=True)
class Run:
    """What is compared of a run; `models` and `patients` are evidence/final_models and evidence/patients."""

    name: str
    cohort: str
    network: str
    study: Study
    metrics: pd.DataFrame
    frequencies: pd.DataFrame
    models: pd.DataFrame
    patients: pd.DataFrame


def comparison_tables(runs: list[Run], folds: int, seed: int) -> dict[str, pd.DataFrame]:
    """Return the tables by name; those on genes are of the headline method, and empty when none selects everywhere."""
    by_name = {"compare/runs": runs_table(runs, folds)}
    method = shared_headline([run.frequencies["method"] for run in runs])
    parts = gene_tables(runs, method, np.random.default_rng(seed)) if method else {}
    for name in ("recurrence", "recurrent", "overlaps"):
        by_name[f"compare/{name}"] = parts.get(name, tables.empty(f"compare/{name}"))
    return by_name


def shared_headline(columns: list[pd.Series]) -> str | None:
    """Return which of the methods that stand in all columns is the headline, None if no method does."""
    return headline([name for name in dict.fromkeys(columns[0]) if all(name in set(own) for own in columns)])


def runs_table(runs: list[Run], folds: int) -> pd.DataFrame:
    """Return a row per run and method: the data, and AUC and balanced error with corrected intervals."""
    rows = []
    for run in runs:
        data = {"run": run.name, "cohort": run.cohort, "network": run.network, "patients": len(run.study.y)}
        data |= {"events": int(run.study.y.sum()), "n_genes": len(run.study.symbol), "n_edges": len(run.study.edges)}
        failed = failed_folds(run.metrics)
        for method, of_method in run.metrics.groupby("method", sort=False):
            row = data | {"method": method, "n_nonzero": of_method["n_nonzero"].mean(), "failed": failed[method]}
            for metric in ("auc", "balanced_error"):
                mean = paired_difference(of_method[metric], 0.0, folds)
                low, high = np.clip([mean["low"], mean["high"]], 0, 1)
                row |= {metric: mean["difference"], f"{metric}_low": low, f"{metric}_high": high}
            rows.append(row)
    return pd.DataFrame(rows)


def gene_keys(runs: list[Run]) -> list[list[tuple[int, str]]]:
    """Return by what each gene of each run is found in the others: its Entrez id, else its symbol.

    A gene without an id has that of the gene of the same symbol in another run, if no other of its run has it.
    """
    ids = {
        symbol: int(entrez)
        for run in reversed(runs)
        for symbol, entrez in zip(run.study.symbol, run.study.entrez, strict=True)
        if entrez > 0
    }
    keys = []
    for run in runs:
        taken = set(run.study.entrez.tolist())
        of_run = []
        for symbol, entrez in zip(run.study.symbol, run.study.entrez.tolist(), strict=True):
            found = entrez or ids.get(symbol, 0)
            if not entrez and found in taken:
                found = 0
            taken.add(found)
            of_run.append((found, "") if found else (0, str(symbol)))
        keys.append(of_run)
    return keys


def gene_tables(runs: list[Run], method: str, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Return the tables recurrence, recurrent and overlaps of a method."""
    names: dict[tuple[int, str], str] = {}
    keys = gene_keys(runs)
    for run, of_run in zip(runs, keys, strict=True):
        for key, symbol in zip(of_run, run.study.symbol, strict=True):
            names.setdefault(key, str(symbol))
    place = {key: i for i, key in enumerate(names)}
    measured = np.zeros((len(runs), len(names)), bool)
    frequency, weights = np.full(measured.shape, np.nan), np.full(measured.shape, np.nan)
    for row, (run, of_run) in enumerate(zip(runs, keys, strict=True)):
        at = pd.Series([place[key] for key in of_run], index=run.study.symbol)
        measured[row, at], frequency[row, at] = True, 0.0
        own = run.frequencies[run.frequencies["method"] == method]
        frequency[row, at[own["symbol"]]] = own["frequency"]
        weights[row, at[own["symbol"]]] = own["mean_weight"]
    frequent = frequency >= STABLE_FREQUENCY

    chance, times = chances(measured, frequent), frequent.sum(axis=0)
    signs = np.where(frequent, np.sign(weights), np.nan)
    symbols = np.array(list(names.values()), object)
    cohorts = pd.DataFrame(frequent).groupby([run.cohort for run in runs]).any().sum(axis=0).to_numpy()
    table = pd.DataFrame(
        {
            "symbol": symbols,
            "entrez": pd.array([key[0] or None for key in names], "Int64"),
            "method": method,
            "measured_in": measured.sum(axis=0),
            "frequent_in": times,
            "frequent_cohorts": cohorts,
            "chance": chance_of_runs(chance, times),
            "same_sign": np.where(times > 1, np.abs(np.nansum(signs, axis=0)) == times, np.nan),
        }
    )
    for run, of_run, in_run in zip(runs, frequency, weights, strict=True):
        table[f"frequency {run.name}"], table[f"weight {run.name}"] = of_run, in_run
    mean = np.nanmean(frequency, axis=0)
    order = np.lexsort((-mean, -times))
    counts = recurrent_counts(measured, frequent, DRAWS, rng)
    overlaps = []
    for a, b in combinations(range(len(runs)), 2):
        pair = [a, b]
        both = frequent[a] & frequent[b]
        row = {"run_a": runs[a].name, "run_b": runs[b].name, "same_patients": int(runs[a].cohort == runs[b].cohort)}
        row |= overlap_row(measured[pair], frequent[pair], weights[pair])
        overlaps.append(row | {"genes": ";".join(symbols[both])})
    return {
        "recurrence": table.iloc[order[mean[order] > 0]],
        "recurrent": pd.DataFrame(counts, columns=["runs", "observed", "expected", "p"]).assign(draws=DRAWS),
        "overlaps": pd.DataFrame(overlaps),
    }


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
