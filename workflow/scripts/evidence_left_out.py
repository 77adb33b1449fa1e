"""Test models of pooled cohorts in the cohort that each left out."""

import pandas as pd

from study.command import command
from study.data.studyfile import Cohort, Study
from study.evidence.left_out import left_out_tables
from study.io import read_json, say
from study.tables import write_all


def main(study: str, cohort: str, clinical: str, folds: list, settings: dict, tables: list) -> None:
    results = [read_json(path) for path in folds]
    columns = pd.read_csv(clinical, dtype={"patient": str})
    write_all(tables, left_out_tables(results, Study.load(study), Cohort.load(cohort), columns, settings, say))


command(main)
