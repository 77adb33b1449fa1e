"""Models of pooled cohorts in the one that was left out: figures by cohort, over all of them, and within strata.

Everything of the cohort left out is judged by itself: its own follow-up tells how many were lost, its own patients are
resampled. Nothing of it was used before, except that its genes were centred and scaled without looking at outcomes.
"""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd

from study import tables
from study.cv.splits import generator
from study.data.clinical import covariates
from study.data.registry import COHORTS
from study.data.studyfile import Cohort, Study
from study.evidence.external import added_value
from study.methods import REFERENCE, keeps_all
from study.stats.discrimination import Z, auc_interval
from study.stats.meta import random_effects
from study.stats.resampling import BootstrapEvaluation, resamples

DRAWS = 1000
TAILS = (2.5, 97.5)
# Fewer patients on either side say nothing of a stratum.
FEWEST = 8
# The proliferation genes of the PAM50 assay (Nielsen et al., Clin Cancer Res 2010), by Entrez id: BIRC5, CCNB1, CDC20,
# CEP55, MKI67, NDC80, NUF2, PTTG1, RRM2, TYMS, UBE2C.
PROLIFERATION = (332, 891, 991, 55165, 4288, 10403, 83540, 9232, 6241, 7298, 11065)
METAGENE = "proliferation"
# Known for some patients of some cohorts, and asked of every score.
CLINICAL = ("subtype", "er", "grade", "nodes", "age")
STRATA = ("subtype", "er")
# Of all cohorts the row of the random-effects estimate.
ALL = "all cohorts"


def round_names(cohorts: list[str], rounds: list[list[str]]) -> list[str]:
    """Return what each round of training is called: all cohorts, or without some."""
    lacking = [[name for name in cohorts if name not in trained] for trained in rounds]
    return [f"without {', '.join(names)}" if names else "all" for names in lacking]


def left_out_tables(
    folds: list[dict], study: Study, cohort: Cohort, clinical: pd.DataFrame, settings: dict, say: Callable[[str], None]
) -> dict[str, pd.DataFrame]:
    """Return the tables by name; `study` has the pooled patients on the network, `cohort` with all their genes."""
    pooled, horizon = settings["pooled"], settings["outcome"]["horizon"]
    known = clinical.set_index("patient").reindex(cohort.patients).reset_index(drop=True)
    known[METAGENE] = metagene(cohort)
    rows: dict[str, list[dict]] = {name: [] for name in ("left_out", "left_out_models", "strata", "left_out_value")}
    differences = []
    rounds = enumerate(round_names(pooled["cohorts"], pooled["rounds"]), start=1)
    for (trial, round_), (number, name) in product(rounds, enumerate(pooled["cohorts"], start=1)):
        by_method = {fold["method"]: fold for fold in folds if (fold["trial"], fold["fold"]) == (trial, number)}
        test = np.array(next(iter(by_method.values()))["test_patients"])
        scores = {method: np.array(fold["test_scores"]) for method, fold in by_method.items()}
        time, event = study.time[test], study.y[test]
        rng = generator(settings["seed"], 0, 0, f"resample {name}")
        judged = BootstrapEvaluation(time, event, horizon or np.max(time), resamples(len(time), DRAWS, rng))
        figures = {method: judged.figures(scores[method], fold["threshold"]) for method, fold in by_method.items()}
        for method, fold in by_method.items():
            key = {"round": round_, "cohort": name, "method": method}
            rows["left_out_models"].append(key | model_row(fold, judged, test))
            for metric, values in figures[method].items():
                row = key | {"metric": metric}
                rows["left_out"].append(row | summary(values))
                if REFERENCE in figures and method != REFERENCE:
                    differences.append(row | summary(values - figures[REFERENCE][metric]))
            rows["strata"] += strata_rows(key, scores[method], event, known.iloc[test])
            rows["left_out_value"] += value_rows(key, scores[method], known.iloc[test], time, event)
        say(f"{name} left out ({round_}): {len(by_method)} models")
    frames = {name: pd.DataFrame(values) for name, values in rows.items()}
    frames["left_out_differences"] = pd.DataFrame(differences, columns=tables.columns("evidence/left_out_differences"))
    frames["left_out_value"] = with_combined_ratios(frames["left_out_value"])
    frames["left_out_summary"] = pd.concat(
        [
            combined(frames["left_out"]).assign(of="value"),
            combined(frames["left_out_differences"]).assign(of=f"difference to {REFERENCE}"),
        ],
        ignore_index=True,
    )
    frames["left_out_genes"] = gene_table(folds, study, pooled)
    return {f"evidence/{name}": frame for name, frame in frames.items()}


def summary(values: np.ndarray) -> dict:
    """Return value, error, low, high of a figure over resamples, the first being that of the cohort itself."""
    drawn = values[1:][np.isfinite(values[1:])]
    low, high = np.percentile(drawn, TAILS)
    return {"value": values[0], "error": drawn.std(ddof=1), "low": low, "high": high}


def model_row(fold: dict, judged: BootstrapEvaluation, rows: np.ndarray) -> dict:
    """Return the settings of a model and its test patients."""
    return {
        "patients": len(rows),
        "events": int(judged.event.sum()),
        "events_by_horizon": int(judged.y.sum()),
        "followed_to_horizon": int((~judged.y & (judged.weights > 0)).sum()),
        "n_nonzero": int(np.count_nonzero(fold["weights"])),
        **{key: fold[key] for key in ("sparsity", "lambda", "C", "inner_error")},
    }


def combined(table: pd.DataFrame) -> pd.DataFrame:
    """Return the random-effects estimate of every round, method and metric, and the plain mean.

    Over all cohorts, and over those that models of the NKI patients are tested in, which are its usual yardstick.
    """
    yardstick = COHORTS["nki"].external
    rows = []
    for names, own in table.groupby(["round", "method", "metric"], sort=False):
        for label, kept in ((ALL, own), (", ".join(yardstick), own[own["cohort"].isin(yardstick)])):
            if len(kept) and (label == ALL or len(kept) == len(yardstick) < len(own)):
                row = dict(zip(("round", "method", "metric"), names, strict=True)) | {"cohorts": label}
                estimate = random_effects(kept["value"].to_numpy(), kept["error"].to_numpy())
                rows.append(row | {"mean": kept["value"].mean()} | estimate._asdict())
    return pd.DataFrame(rows)


def strata_rows(key: dict, scores: np.ndarray, event: np.ndarray, clinical: pd.DataFrame) -> list[dict]:
    """Return the AUC for event status within each stratum of the cohort that has patients enough."""
    rows = []
    for column in STRATA:
        for value in sorted(clinical[column].dropna().unique()) if column in clinical else []:
            own = (clinical[column] == value).to_numpy()
            if min(event[own].sum(), (1 - event[own]).sum()) < FEWEST:
                continue
            spec = next(each for each in COHORTS[key["cohort"]].clinical if each.name == column)
            row = key | {"column": column, "stratum": spec.categories[int(value)] if spec.categories else f"{value:g}"}
            row |= {"patients": int(own.sum()), "events": int(event[own].sum())}
            rows.append(row | dict(zip(("auc", "low", "high"), auc_interval(event[own], scores[own]), strict=True)))
    return rows


def metagene(cohort: Cohort) -> np.ndarray:
    """Return each patient's mean of the proliferation genes, which are standardised within cohorts."""
    return cohort.X[:, np.isin(cohort.entrez, PROLIFERATION)].mean(axis=1)


def value_rows(key: dict, scores: np.ndarray, known: pd.DataFrame, time: np.ndarray, event: np.ndarray) -> list[dict]:
    """Return whether a score adds to proliferation, to clinical columns, and to both.

    Clinical columns are those that at least half of the cohort's patients have.
    """
    known = known.reset_index(drop=True)
    half = set(known.columns[known.notna().mean() >= 0.5]).intersection(CLINICAL)
    columns = tuple(column for column in COHORTS[key["cohort"]].clinical if column.name in half)
    usable, clinical = [column.name for column in columns], covariates(known, columns)
    beside = {METAGENE: ([METAGENE], known[[METAGENE]])}
    if usable:
        beside["clinical"] = usable, clinical
        beside["clinical and proliferation"] = [*usable, METAGENE], clinical.join(known[[METAGENE]])
    rows = []
    for name, (used, table) in beside.items():
        alone, adjusted = added_value(key["cohort"], key["method"], scores, table, time, event)
        if name == METAGENE:
            rows.append(key | alone | {"beside": "nothing", "covariates": ""})
        rows.append(key | adjusted | {"beside": name, "covariates": ";".join(used)})
    return rows


def with_combined_ratios(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the random-effects hazard ratios over all cohorts behind it."""
    rows = []
    for (round_, method, beside), own in table.groupby(["round", "method", "beside"], sort=False):
        own = own[np.isfinite(own["low"]) & np.isfinite(own["high"])]
        if len(own) < 2:
            continue
        error = (np.log(own["high"]) - np.log(own["low"])) / (2 * Z)
        estimate = random_effects(np.log(own["hazard_ratio"]).to_numpy(), error.to_numpy())
        ratio = dict(zip(("hazard_ratio", "low", "high"), np.exp(estimate[:3]), strict=True))
        names = {"round": round_, "method": method, "beside": beside, "cohort": ALL, "covariates": "by cohort"}
        rows.append(names | ratio | {key: own[key].sum() for key in ("patients", "events")})
    return pd.concat([table, pd.DataFrame(rows)], ignore_index=True)


def gene_table(folds: list[dict], study: Study, pooled: dict) -> pd.DataFrame:
    """Return for every round, method and gene: in how many models it is, its mean weight in them, and its sign."""
    names = round_names(pooled["cohorts"], pooled["rounds"])
    rows = [
        (names[fold["trial"] - 1], fold["method"], gene, weight)
        for fold in folds
        if fold["n_nonzero"] < study.X.shape[1] and not keeps_all(fold["method"])
        for gene, weight in zip(fold["genes"], fold["weights"], strict=True)
    ]
    table = pd.DataFrame(rows, columns=["round", "method", "gene", "weight"])
    grouped = table.groupby(["round", "method", "gene"], sort=False)["weight"]
    result = grouped.agg(models="size", mean_weight="mean", same_sign=lambda w: abs(np.sign(w).sum()) == len(w))
    result = result.reset_index().sort_values(
        ["round", "method", "models"], ascending=[True, True, False], kind="stable"
    )
    position = result.pop("gene").to_numpy(int)
    return result.assign(symbol=study.symbol[position], entrez=study.entrez[position])
