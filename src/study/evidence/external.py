"""Models of all patients of a cohort, applied unchanged to cohorts they never saw.

A gene is standardised within the cohort it was measured in, without looking at the outcome; weights stay as they were
learned; a gene that was not measured there counts as average, that is, its term is left out.

A stand-in for the 70-gene signature (van 't Veer et al. 2002), whose averages are not in our sources, keeps its idea: a
low correlation with the average profile of the training patients without the event is a high risk. The genes were
chosen on patients of whom some are in the NKI cohort, so it is used in other cohorts only.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from study import tables
from study.cv.nested import Standardiser
from study.cv.splits import generator
from study.data.clinical import covariates
from study.data.registry import COHORTS
from study.data.studyfile import Cohort, Study
from study.evidence.patients import km_table
from study.evidence.random_sets import neighbours_of, random_models, random_row, ridge_weights
from study.methods import REFERENCE
from study.stats.discrimination import auc_difference, auc_interval
from study.stats.survival import concordance, hazard_ratio, high_risk, log_rank

SIGNATURE = "70-gene stand-in"
# What a reader looks for in the clinical columns of a cohort.
USUAL = {"size", "grade", "er", "nodes", "age"}


class ClinicalCohort(NamedTuple):
    """A cohort by its name in the registry, with its table of patients and clinical columns."""

    name: str
    cohort: Cohort
    clinical: pd.DataFrame


class CohortScores(NamedTuple):
    """The scores of one model in one cohort, and which of its genes were missing there."""

    cohort: str
    model: str
    scores: np.ndarray
    genes_used: int
    missing: list[str]


def external_tables(
    study: Study,
    training: ClinicalCohort,
    external: list[ClinicalCohort],
    models: list[dict],
    risks: pd.DataFrame,
    signature: pd.DataFrame,
    settings: dict,
    say: Callable[[str], None],
) -> dict[str, pd.DataFrame]:
    """Return the tables by name.

    `models` are what the files of the signatures hold, learned in the cohort `training`, which comes with all its
    genes; `risks` is the table evidence/patients, `signature` has the name and entrez of the 70 genes.
    """
    seed, X = settings["seed"], standardised(study)
    neighbours = neighbours_of(study.edges, X.shape[1])
    genes = {model["method"]: positions(model["entrez"], study) for model in models}
    refitted = {method: ridge_weights(X, study.y, own) for method, own in genes.items() if len(own) < X.shape[1]}
    random = {}
    for size in sorted({len(genes[method]) for method in refitted}):
        random[size] = random_models(X, study.y, neighbours, size, settings["random_sets"], seed)
        say(f"random connected sets of {size} genes: {settings['random_sets']}")

    rows = {key: [] for key in ("external", "external_differences", "random_sets", "added_value", "clinical")}
    groups = []
    for method, table in risks.merge(training.clinical, on="patient").groupby("method", sort=False):
        known = covariates(table, COHORTS[training.name].clinical)
        rows["added_value"] += added_value(training.name, method, table["score"], known, table["time"], table["event"])
    rows["clinical"] += clinical_rows(training.name, training.clinical)
    for name, cohort, clinical in external:
        Z, place = standardised(cohort), positions(study.entrez, cohort)
        known = covariates(clinical, COHORTS[name].clinical)
        scored = [apply(model, name, cohort, Z) for model in models]
        scored.append(apply_signature(signature, training.cohort, name, cohort, Z))
        rows["clinical"] += clinical_rows(name, clinical)
        rows["external_differences"] += difference_rows(scored, cohort)
        for applied in scored:
            rows["external"].append(external_row(applied, cohort, seed))
            groups.append(risk_groups(applied, cohort))
            rows["added_value"] += added_value(name, applied.model, applied.scores, known, cohort.time, cohort.y)
            if applied.model in refitted:
                weights = random[len(genes[applied.model])]
                row = random_row(applied.scores, weights, refitted[applied.model], place, cohort, Z)
                rows["random_sets"].append({"cohort": name, "model": applied.model} | row)
        say(f"{name}: {len(scored)} models")

    by_name = {key: pd.DataFrame(values, columns=tables.columns(f"evidence/{key}")) for key, values in rows.items()}
    by_name["external_km"] = km_table(pd.concat(groups), "cohort", "model")
    return {f"evidence/{key}": table for key, table in by_name.items()}


def standardised(cohort: Cohort) -> np.ndarray:
    """Return the expression with every gene centred and scaled within the cohort."""
    return Standardiser(cohort.X, str(cohort.missing))(cohort.X)


def positions(entrez: list[int] | np.ndarray, cohort: Cohort) -> np.ndarray:
    """Return where each gene stands in the cohort, -1 where it does not."""
    return pd.Index(cohort.entrez).get_indexer(np.asarray(entrez, np.int64))


def apply(model: dict, name: str, cohort: Cohort, Z: np.ndarray) -> CohortScores:
    """Return the scores of a final model in a cohort."""
    where = positions(model["entrez"], cohort)
    measured = where >= 0
    scores = Z[:, where[measured]] @ np.array(model["weights"])[measured] + model["intercept"]
    missing = np.array(model["symbol"])[~measured].tolist()
    return CohortScores(name, model["method"], scores, int(measured.sum()), missing)


def apply_signature(
    signature: pd.DataFrame, training: Cohort, name: str, cohort: Cohort, Z: np.ndarray
) -> CohortScores:
    """Return minus the cosine of each profile with the mean of the training patients without the event."""
    genes = signature.loc[signature["entrez"] > 0, "entrez"].drop_duplicates().to_numpy()
    measured = genes[positions(genes, cohort) >= 0]
    centroid = standardised(training)[:, positions(measured, training)][training.y != 1].mean(axis=0)
    profiles = Z[:, positions(measured, cohort)]
    lengths = np.linalg.norm(profiles, axis=1) * np.linalg.norm(centroid)
    scores = -(profiles @ centroid) / np.where(lengths > 0, lengths, 1.0)
    missing = signature.loc[~signature["entrez"].isin(measured), "name"].tolist()
    return CohortScores(name, SIGNATURE, scores, len(measured), missing)


def external_row(applied: CohortScores, cohort: Cohort, seed: int) -> dict:
    """Return a model's row of external.csv: discrimination, concordance, high against low about the median score."""
    scores, event, time = applied.scores, cohort.y, cohort.time
    high = high_risk(scores)
    values = [
        *(applied.cohort, applied.model, len(event), int(event.sum()), COHORTS[applied.cohort].event_means),
        *(applied.genes_used, len(applied.missing), ";".join(applied.missing)),
        *auc_interval(event, scores),
        *concordance(time, event, scores, generator(seed, 0, 0, "concordance")),
        *hazard_ratio(time, event, high)[:3],
        log_rank(time, event, high)[1],
    ]
    return dict(zip(tables.columns("evidence/external"), values, strict=True))


def risk_groups(applied: CohortScores, cohort: Cohort) -> pd.DataFrame:
    """Return cohort, model, group, time, event of every patient, those of high risk first."""
    names = {"cohort": applied.cohort, "model": applied.model}
    names["group"] = np.where(high_risk(applied.scores), "high", "low")
    return pd.DataFrame(names | {"time": cohort.time, "event": cohort.y}).sort_values("group", kind="stable")


def difference_rows(scored: list[CohortScores], cohort: Cohort) -> list[dict]:
    """Return for every model its AUC minus that of the reference baseline on the same patients."""
    baseline = [applied.scores for applied in scored if applied.model == REFERENCE]
    return [
        {"cohort": applied.cohort, "model": applied.model, "baseline": REFERENCE}
        | dict(zip(("difference", "low", "high", "p"), auc_difference(cohort.y, applied.scores, scores), strict=True))
        for scores in baseline
        for applied in scored
        if applied.model != REFERENCE
    ]


def added_value(
    cohort: str, model: str, score: np.ndarray, clinical: pd.DataFrame, time: np.ndarray, event: np.ndarray
) -> list[dict]:
    """Return a model's rows of added_value.csv: one without covariates, one adjusted for the clinical columns.

    Complete cases only. The hazard ratio is that of one standard deviation of the score; p is Wald's, and
    `p_likelihood_ratio` asks whether the score adds to the covariates.
    """
    known = clinical.notna().all(axis=1).to_numpy()
    score, time, event = (np.asarray(values)[known] for values in (score, time, event))
    columns = [name for name in clinical.columns if clinical.loc[known, name].nunique() > 1]
    rows = []
    for names in ([], columns):
        row = {"cohort": cohort, "model": model, "covariates": ";".join(names) or "none"}
        row |= {"patients": len(event), "events": int(event.sum())}
        covariates = clinical.loc[known, names].to_numpy(float)
        found = hazard_ratio(time, event, score / score.std(), covariates)._asdict()
        rows.append(row | {"hazard_ratio": found.pop("ratio")} | found)
    return rows


def clinical_rows(name: str, clinical: pd.DataFrame) -> list[dict]:
    """Return the rows of clinical.csv: which columns there are, what they mean, for how many they are known."""
    spec = COHORTS[name]
    lacking = sorted(USUAL - {column.name for column in spec.clinical})
    absent = f"not there: {', '.join(lacking)}" if lacking else ""
    return [
        {
            "cohort": name,
            "column": column.name,
            "meaning": column.meaning,
            "known": int(clinical[column.name].notna().sum()),
            "note": spec.clinical_note or absent,
        }
        for column in spec.clinical
    ]
