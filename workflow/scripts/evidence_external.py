"""Apply the models of all patients to cohorts they never saw, unchanged, and write what they reach there."""

import pandas as pd

from study import tables
from study.data.registry import COHORTS
from study.data.studyfile import Cohort, Study
from study.evidence.external import Described, external_tables
from study.command import command
from study.io import say
from study.io import read_json


def main(run: str, study: str, cohort: str, folder: str, models: list, settings: dict) -> None:
    def described(name, file):
        clinical = pd.read_csv(f"{folder}/{name}_clinical.csv", dtype={"patient": str})
        return Described(name, Cohort.load(file), clinical)

    name = settings["cohort"]
    by_name = external_tables(
        Study.load(study),
        described(name, cohort),
        [described(other, f"{folder}/{other}.npz") for other in COHORTS[name].external],
        [read_json(path) for path in models],
        tables.read(run, "evidence/patients"),
        pd.read_csv(f"{folder}/seventy.csv", keep_default_na=False),
        settings,
        say,
    )
    for key, table in by_name.items():
        tables.write(run, key, table)


if __name__ == "__main__":
    command(main)
