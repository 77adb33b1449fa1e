"""Test the models of all patients in cohorts they never saw."""

import pandas as pd

from study.command import command
from study.data.studyfile import Cohort, Study
from study.evidence.external import ClinicalCohort, external_tables
from study.io import read_json, say
from study.tables import read, write_all


def main(
    study: str,
    cohort: str,
    clinical: str,
    seventy_genes: str,
    names: list,
    external_cohorts: list,
    external_clinical: list,
    models: list,
    patients: str,
    settings: dict,
    tables: list,
) -> None:
    def with_clinical(name: str, path: str, table: str) -> ClinicalCohort:
        return ClinicalCohort(name, Cohort.load(path), pd.read_csv(table, dtype={"patient": str}))

    others = map(with_clinical, names, external_cohorts, external_clinical)
    by_name = external_tables(
        Study.load(study),
        with_clinical(settings["cohort"], cohort, clinical),
        list(others),
        [read_json(path) for path in models],
        read(patients),
        pd.read_csv(seventy_genes, keep_default_na=False),
        settings,
        say,
    )
    write_all(tables, by_name)


command(main)
