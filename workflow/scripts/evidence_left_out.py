"""Judge the models of pooled cohorts in the cohort that each left out."""

import pandas as pd

from study import tables
from study.data.studyfile import Cohort, Study
from study.evidence.left_out import left_out_tables
from study.command import command
from study.io import say
from study.io import read_json


def main(run: str, study: str, cohort: str, clinical: str, folds: list, settings: dict) -> None:
    results = [read_json(path) for path in folds]
    known = pd.read_csv(clinical, dtype={"patient": str})
    for name, table in left_out_tables(results, Study.load(study), Cohort.load(cohort), known, settings, say).items():
        tables.write(run, name, table)


if __name__ == "__main__":
    command(main)
