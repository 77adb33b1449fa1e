"""Read the clinical columns of a cohort, by the reader that the registry names."""

from study.data.registry import COHORTS, files_of
from study.data.sources import inputs_of
from study.command import command
from study.io import write_text
from study.run.loading import load


def main(name: str, members: list, sources: str, published: str, files: list, clinical: str) -> None:
    """Write the table of patients and clinical columns."""
    spec = COHORTS[name]
    inputs = inputs_of(files_of(name, members), files, sources, published)
    write_text(clinical, load("study.data", spec.clinical_reader)(spec, **inputs).to_csv(index=False))


if __name__ == "__main__":
    command(main)
