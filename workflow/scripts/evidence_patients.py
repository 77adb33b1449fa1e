"""Describe what the out-of-fold scores say about patients: survival, ROC, calibration."""

from study.command import command
from study.cv.results import with_refits
from study.data.registry import cohort_of
from study.data.studyfile import Study
from study.evidence.patients import patient_tables
from study.io import read_json
from study.tables import write_all


def main(study: str, folds: list, settings: dict, tables: list) -> None:
    results = with_refits([read_json(path) for path in folds])
    horizon = settings["outcome"]["horizon"]
    write_all(tables, patient_tables(results, Study.load(study), cohort_of(settings), settings["seed"], horizon))


command(main)
