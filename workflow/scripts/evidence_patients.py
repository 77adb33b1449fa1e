"""Describe what the out-of-fold scores say about patients: survival, ROC, calibration."""

import pandas as pd

from study.command import command
from study.cv.results import with_refits
from study.data.registry import cohort_of
from study.data.studyfile import Study
from study.evidence.patients import patient_tables
from study.io import read_json
from study.tables import write_all


def main(study: str, clinical: str, folds: list, settings: dict, tables: list) -> None:
    results, known = with_refits([read_json(path) for path in folds]), pd.read_csv(clinical, dtype={"patient": str})
    cohort, seed, outcome = cohort_of(settings), settings["seed"], settings["outcome"]
    is_cox = outcome.get("model") == "cox"
    write_all(tables, patient_tables(results, Study.load(study), known, cohort, seed, outcome["horizon"], is_cox))


command(main)
