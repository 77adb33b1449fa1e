"""Read the clinical columns of a cohort, by the reader that the registry names."""

from study.data.registry import COHORTS, files_of
from study.data.sources import inputs_of
from study.run.command import command
from study.run.files import write_text
from study.run.loading import load


def main(name, members, sources, published, files, clinical):
    """Write the table of patients and clinical columns."""
    spec = COHORTS[name]
    inputs = inputs_of(files_of(name, members), files, sources, published)
    write_text(clinical, load("study.data", spec.clinical_reader)(spec, **inputs).to_csv(index=False))


if __name__ == "__main__":
    command(
        main,
        name="name of the cohort",
        members=["of a pooled cohort the cohorts it is made of"],
        files=["the files of its row in the registry, in that order"],
        clinical="the table to write",
    )
