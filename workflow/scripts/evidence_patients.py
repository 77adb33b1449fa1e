"""Turn the test scores of all folds into the tables of patients: survival, ROC, calibration."""

from study import tables
from study.cv.results import with_refits
from study.data.registry import cohort_of
from study.data.studyfile import Study
from study.evidence.patients import patient_tables
from study.command import command
from study.io import read_json


def main(run: str, study: str, permutation: str, folds: list, settings: dict) -> None:
    result = read_json(permutation)
    result = None if "left_out" in result else result
    results = with_refits([read_json(path) for path in folds])
    spec, horizon = cohort_of(settings), settings["outcome"]["horizon"]
    for name, table in patient_tables(results, Study.load(study), spec, result, settings["seed"], horizon).items():
        tables.write(run, name, table)


if __name__ == "__main__":
    command(main)
