"""Apply the models of all NKI patients to three other cohorts, unchanged, and write what they reach there."""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from study.cv.newton import fit_ridge
from study.data.external import EXTERNAL
from study.data.studyfile import Cohort, Study
from study.evidence import external as transfer
from study.evidence.external_text import transfer_notes
from study.evidence.random_sets import LAMBDA, neighbours_of, random_models
from study.evidence.seventy import NAME, centroid_scores, good_centroid
from study.figures import patients as figures
from study.run.command import add_settings, parser, run
from study.run.files import read_json, write_json, write_text

say = partial(print, file=sys.stderr, flush=True)


def seventy(table: pd.DataFrame, nki: Cohort, name: str, cohort: Cohort, Z: np.ndarray) -> transfer.Applied:
    """Return the scores of the stand-in for the 70-gene signature."""
    genes = table[table["entrez"] > 0].drop_duplicates("entrez")["entrez"].to_numpy()
    there = genes[transfer.positions(genes, cohort) >= 0]
    trained = transfer.standardised(nki)[:, transfer.positions(there, nki)]
    scores = centroid_scores(Z[:, transfer.positions(there, cohort)], good_centroid(trained, nki.y))
    missing = table.loc[~table["entrez"].isin(there), "name"].tolist()
    return transfer.Applied(name, NAME, scores, len(there), missing)


def main() -> None:
    made = parser(
        __doc__,
        study="the study file",
        cohort="the NKI cohort file",
        external="folder of the other cohorts",
        patients="table of out-of-fold risks",
        tables="folder for the tables",
        figures="folder for the figures",
    )
    made.add_argument("--models", required=True, nargs="+", help="the final models")
    add_settings(made)
    arguments = made.parse_args()
    study, nki, settings = Study.load(arguments.study), Cohort.load(arguments.cohort), arguments.settings
    models = [read_json(path) for path in arguments.models]
    folder, seed = Path(arguments.external), settings["seed"]
    signature = pd.read_csv(folder / "seventy.csv", keep_default_na=False)
    clinical = {
        name: pd.read_csv(folder / f"{name}_clinical.csv", dtype={"patient": str})
        for name in ["nki", *EXTERNAL]
    }

    X = transfer.standardised(study)
    neighbours = neighbours_of(study.edges, X.shape[1])
    selecting = [model for model in models if len(model["entrez"]) < X.shape[1]]
    random, refitted = {}, {}
    for size in sorted({len(model["entrez"]) for model in selecting}):
        random[size] = random_models(X, study.y, neighbours, size, settings["random_sets"], seed)
        say(f"random connected sets of {size} genes: {settings['random_sets']}")
    for model in selecting:
        genes = transfer.positions(model["entrez"], study)
        refitted[model["method"]] = np.zeros(X.shape[1])
        refitted[model["method"]][genes] = fit_ridge(X[:, genes], study.y, LAMBDA)[0]

    rows = {key: [] for key in ("external", "external_differences", "random_sets", "added_value", "clinical")}
    km = []
    risks = pd.read_csv(arguments.patients).merge(clinical["nki"], on="patient", how="inner")
    for method, table in risks.groupby("method", sort=False):
        values = table[clinical["nki"].columns.drop("patient")].reset_index(drop=True)
        score, time, event = (table[name].to_numpy() for name in ("score", "time", "event"))
        rows["added_value"] += transfer.added_value("nki", method, score, values, time, event)
    rows["clinical"] += transfer.clinical_rows("nki", clinical["nki"])
    for name in EXTERNAL:
        cohort = Cohort.load(folder / f"{name}.npz")
        Z = transfer.standardised(cohort)
        place = transfer.positions(study.entrez, cohort)
        scored = [transfer.apply(model, name, cohort, Z) for model in models]
        with_signature = [*scored, seventy(signature, nki, name, cohort, Z)]
        rows["clinical"] += transfer.clinical_rows(name, clinical[name])
        rows["external_differences"] += transfer.difference_rows(with_signature, cohort)
        for applied in with_signature:
            rows["external"].append(transfer.external_row(applied, cohort, seed))
            km.append(transfer.curves(applied, cohort))
            values = clinical[name].drop(columns="patient")
            rows["added_value"] += transfer.added_value(
                name, applied.model, applied.scores, values, cohort.time, cohort.y
            )
            if applied.model in refitted:
                weights = random[np.count_nonzero(refitted[applied.model])]
                row = transfer.random_row(applied, weights, refitted[applied.model], place, cohort, Z)
                rows["random_sets"].append(row)
        say(f"{name}: {len(with_signature)} models")

    tables = {key: pd.DataFrame(values) for key, values in rows.items()} | {"external_km": pd.concat(km)}
    tables["final_models"] = pd.DataFrame(
        [
            (model["method"], *gene)
            for model in models
            for gene in zip(model["symbol"], model["entrez"], model["weights"], strict=True)
        ],
        columns=["method", "symbol", "entrez", "weight"],
    )
    graph_methods = [model["method"] for model in models if model["method"].startswith("graph-")]
    tables["external_notes"] = transfer_notes(
        tables["external"], tables["external_differences"], tables["random_sets"], graph_methods
    )
    for name, table in tables.items():
        write_text(f"{arguments.tables}/{name}.csv", table.to_csv(index=False))
    write_json(f"{arguments.tables}/final_models.json", {model["method"]: model for model in models})
    write_text(f"{arguments.figures}/external_auc.svg", figures.external_figure(tables["external"]))
    drawn = figures.external_survival_figure(tables["external_km"], tables["external"])
    write_text(f"{arguments.figures}/external_survival.svg", drawn)


if __name__ == "__main__":
    run(main)
