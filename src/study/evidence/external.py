"""Models of all NKI patients, applied unchanged to cohorts they never saw.

A gene is standardised within the cohort it was measured in, without looking at the outcome; weights stay as they were
learned; a gene that was not measured there counts as average, that is, its term is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from study.cv.nested import Standardiser
from study.cv.splits import generator
from study.data.external import EXTERNAL, NKI70
from study.data.studyfile import Cohort
from study.stats.cox import fit_cox, likelihood_ratio_p
from study.stats.discrimination import auc_difference, auc_interval
from study.stats.scores import auc
from study.stats.survival import concordance, high_risk, kaplan_meier, log_rank

PEER = "ridge"


@dataclass(frozen=True)
class Applied:
    """The scores of one model in one cohort, and which of its genes were missing there."""

    cohort: str
    model: str
    scores: np.ndarray
    genes_used: int
    missing: list[str]


def standardised(cohort: Cohort) -> np.ndarray:
    """Return the expression with every gene centred and scaled within the cohort."""
    return Standardiser(cohort.X)(cohort.X)


def positions(entrez: list[int] | np.ndarray, cohort: Cohort) -> np.ndarray:
    """Return where each gene stands in the cohort, -1 where it does not."""
    place = {int(gene): number for number, gene in enumerate(cohort.entrez)}
    return np.array([place.get(int(gene), -1) for gene in entrez], int)


def apply(model: dict, name: str, cohort: Cohort, Z: np.ndarray) -> Applied:
    """Return the scores of a final model (see `study.cv.final`) in a cohort."""
    where = positions(model["entrez"], cohort)
    there = where >= 0
    scores = Z[:, where[there]] @ np.array(model["weights"])[there] + model["intercept"]
    missing = [symbol for symbol, found in zip(model["symbol"], there, strict=True) if not found]
    return Applied(name, model["method"], scores, int(there.sum()), missing)


def external_row(applied: Applied, cohort: Cohort, seed: int) -> dict:
    """Return a model's row of external.csv: discrimination, concordance, and the groups about the median score.

    `hazard_ratio` compares the high with the low group, `hr_per_sd` is that of one standard deviation of the score.
    """
    high = high_risk(applied.scores)
    event, time = cohort.y, cohort.time
    value, low, above = auc_interval(event, applied.scores)
    index = concordance(time, event, applied.scores, generator(seed, 0, 0, "concordance"))
    groups = fit_cox(high, time, event)
    per_sd = fit_cox(applied.scores / applied.scores.std(), time, event)
    return {
        "cohort": applied.cohort,
        "model": applied.model,
        "patients": len(event),
        "events": int(event.sum()),
        "event_means": EXTERNAL[applied.cohort].event_means,
        "genes_used": applied.genes_used,
        "genes_missing": len(applied.missing),
        "missing": ";".join(applied.missing),
        "auc": value,
        "low": low,
        "high": above,
        **dict(zip(("concordance", "concordance_low", "concordance_high"), index, strict=True)),
        **dict(zip(("hazard_ratio", "hr_low", "hr_high"), groups.hazard_ratio(), strict=True)),
        "logrank_p": log_rank(time, event, high)[1],
        **dict(zip(("hr_per_sd", "hr_per_sd_low", "hr_per_sd_high"), per_sd.hazard_ratio(), strict=True)),
    }


def curves(applied: Applied, cohort: Cohort) -> pd.DataFrame:
    """Return a model's rows of external_km.csv."""
    high = high_risk(applied.scores)
    tables = []
    for group, members in (("high", high), ("low", ~high)):
        table = kaplan_meier(cohort.time[members], cohort.y[members])
        names = {"cohort": applied.cohort, "model": applied.model, "group": group}
        tables.append(pd.DataFrame(names, index=table.index).join(table))
    return pd.concat(tables, ignore_index=True)


def difference_rows(scored: list[Applied], cohort: Cohort) -> list[dict]:
    """Return for every model its AUC minus that of the ridge peer on the same patients."""
    peer = next((applied for applied in scored if applied.model == PEER), None)
    rows = []
    for applied in scored:
        if peer is None or applied.model == PEER:
            continue
        values = auc_difference(cohort.y, applied.scores, peer.scores)
        row = {"cohort": applied.cohort, "model": applied.model, "peer": PEER}
        rows.append(row | dict(zip(("difference", "low", "high", "p"), values, strict=True)))
    return rows


def random_row(
    applied: Applied,
    weights: np.ndarray,
    refitted: np.ndarray,
    place: np.ndarray,
    cohort: Cohort,
    Z: np.ndarray,
) -> dict:
    """Return a model's row of random_sets.csv: its AUC beside those of random connected sets of its size.

    Parameters
    ----------
    weights : (sets, genes)
        Ridge weights of the random sets, from `study.evidence.random_sets`.
    refitted : (genes,)
        Weights of the same kind for the model's own genes, to compare like with like.
    place : (genes,)
        Where each gene of the network stands in the cohort, -1 where it does not.
    """
    there = place >= 0
    measured = Z[:, place[there]]
    random = np.array([auc(cohort.y, scores) for scores in weights[:, there] @ measured.T])
    own, again = auc(cohort.y, applied.scores), auc(cohort.y, measured @ refitted[there])
    middle, low, high = np.quantile(random, [0.5, 0.025, 0.975])
    return {
        "cohort": applied.cohort,
        "model": applied.model,
        "auc": own,
        "random_median": middle,
        "random_low": low,
        "random_high": high,
        "share_as_good": share_as_good(own, random),
        "sets": len(random),
        "genes": int(np.count_nonzero(refitted)),
        "auc_refit": again,
        "share_as_good_refit": share_as_good(again, random),
    }


def share_as_good(value: float, random: np.ndarray) -> float:
    """Return (k + 1) / (n + 1) for the k of n random values that reach `value`."""
    return float((1 + np.sum(random >= value - 1e-12)) / (1 + len(random)))


def added_value(
    cohort: str, model: str, score: np.ndarray, clinical: pd.DataFrame, time: np.ndarray, event: np.ndarray
) -> list[dict]:
    """Return a model's rows of added_value.csv: one without covariates, one beside the clinical columns.

    Complete cases only. The hazard ratio is that of one standard deviation of the score; p is Wald's, and
    `p_likelihood_ratio` asks whether the score adds to the covariates.
    """
    known = clinical.notna().all(axis=1).to_numpy()
    columns = [name for name in clinical.columns if clinical.loc[known, name].nunique() > 1]
    scaled = score[known] / score[known].std()
    rows = []
    for names in ([], columns):
        X = clinical.loc[known, names].to_numpy(float)
        both = fit_cox(np.column_stack([scaled, X]), time[known], event[known])
        if names:
            p = likelihood_ratio_p(fit_cox(X, time[known], event[known]), both)
        else:
            p = likelihood_ratio_p(_null(time[known], event[known]), both)
        ratio = dict(zip(("hazard_ratio", "low", "high"), both.hazard_ratio(), strict=True))
        place = {"cohort": cohort, "model": model, "covariates": ";".join(names) or "none"}
        size = {"patients": int(known.sum()), "events": int(event[known].sum())}
        rows.append(place | size | ratio | {"p": both.p_value(), "p_likelihood_ratio": p})
    return rows


def _null(time: np.ndarray, event: np.ndarray):
    """Return the fit without covariates."""
    return fit_cox(np.empty((len(time), 0)), time, event)


def clinical_rows(cohort: str, clinical: pd.DataFrame) -> list[dict]:
    """Return the rows of clinical.csv: which columns there are, what they mean, for how many they are known."""
    columns = NKI70 if cohort == "nki" else EXTERNAL[cohort].clinical
    note = (
        "from the smaller table nki70, for 144 of the 295 patients, all with positive nodes"
        if cohort == "nki"
        else ""
    )
    names = {"size", "grade", "er", "nodes", "age"} - {column.name for column in columns}
    absent = f"not there: {', '.join(sorted(names))}" if names else ""
    return [
        {
            "cohort": cohort,
            "column": column.name,
            "meaning": column.meaning,
            "known": int(clinical[column.name].notna().sum()),
            "note": note or absent,
        }
        for column in columns
    ]
