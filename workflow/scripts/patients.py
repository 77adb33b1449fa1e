"""Turn the test scores of all folds into the tables and figures of patients: survival, ROC, calibration."""

import pandas as pd

from study.cv.results import with_refits
from study.data.studyfile import Study
from study.evidence.patients import (
    KM_COLUMNS,
    SURVIVAL_COLUMNS,
    by_method,
    calibration_table,
    failed_folds,
    km_table,
    notes,
    outcomes_table,
    patients_table,
    roc_table,
    survival_table,
    with_permutation,
)
from study.figures import patients as figures
from study.run.command import add_settings, parser, run
from study.run.files import read_json, write_text

TABLES = ("patients", "survival", "km", "roc", "calibration", "outcomes", "notes")
FIGURES = ("survival", "roc", "calibration")


def main() -> None:
    made = parser(
        __doc__,
        study="the study file",
        permutation="result of the permutation test",
        tables=f"folder for {', '.join(TABLES)} (.csv)",
        figures=f"folder for {', '.join(FIGURES)} (.svg)",
    )
    made.add_argument("--folds", required=True, nargs="+", help="the fold files")
    add_settings(made)
    arguments = made.parse_args()
    study, settings = Study.load(arguments.study), arguments.settings
    permutation = read_json(arguments.permutation)
    permutation = None if "left_out" in permutation else permutation
    # The times of the NKI cohort are years; of anyone else's the unit is not known.
    in_years = settings["cohort"] == "nki"
    groups = by_method(with_refits([read_json(path) for path in arguments.folds]))
    failed = {method: failed_folds(folds) for method, folds in groups.items()}

    patients = patients_table(groups, study)
    tables = {
        "patients": patients,
        "survival": pd.DataFrame(columns=SURVIVAL_COLUMNS),
        "km": pd.DataFrame(columns=KM_COLUMNS),
        "roc": roc_table(patients, settings["seed"]),
        "calibration": calibration_table(patients),
        "outcomes": outcomes_table(patients, failed, in_years, "death" if in_years else "event"),
        "notes": notes(study, failed, permutation, in_years),
    }
    if study.has_times:
        survival = survival_table(patients, failed, settings["seed"])
        tables["survival"] = with_permutation(survival, permutation)
        tables["km"] = km_table(patients)
        drawn = figures.survival_figure(tables["km"], survival, "years" if in_years else "time")
    else:
        drawn = figures.sentence(tables["notes"]["note"].iloc[0])
    for name in TABLES:
        write_text(f"{arguments.tables}/{name}.csv", tables[name].to_csv(index=False))
    write_text(f"{arguments.figures}/survival.svg", drawn)
    write_text(f"{arguments.figures}/roc.svg", figures.roc_figure(tables["roc"], tables["outcomes"]))
    write_text(
        f"{arguments.figures}/calibration.svg", figures.calibration_figure(tables["calibration"], failed)
    )


if __name__ == "__main__":
    run(main)
