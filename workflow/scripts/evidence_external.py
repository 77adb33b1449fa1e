"""Test the models of all patients in cohorts they never saw."""

import pandas as pd

from study.command import command
from study.data.gene_names import read_aliases, read_annotation
from study.data.nki import read_seventy
from study.data.sources import open_wheel
from study.data.studyfile import Cohort, Study
from study.evidence.external import ClinicalCohort, external_tables
from study.io import read_json, say
from study.tables import read, write_all


def main(
    study: str,
    cohort: str,
    clinical: str,
    sources: str,
    seventy_genes: str,
    annotation: str,
    aliases: str,
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

    own = with_clinical(settings["cohort"], cohort, clinical)
    others = map(with_clinical, names, external_cohorts, external_clinical)
    wheel, probes = open_wheel(seventy_genes, sources), read_annotation(annotation)
    by_name = external_tables(
        Study.load(study),
        own,
        list(others),
        [read_json(path) for path in models],
        read(patients),
        read_seventy(wheel, own.cohort, probes, read_aliases(aliases)),
        settings,
        say,
    )
    write_all(tables, by_name)


command(main)
