"""Read the clinical columns of a cohort."""

from study.command import command
from study.data.readers import CLINICAL_READERS
from study.data.registry import COHORTS, files_of
from study.data.sources import inputs_of
from study.io import write_text


def main(name: str, members: list, sources: str, published: str, files: list, clinical: str) -> None:
    inputs = inputs_of(files_of(name, members), files, sources, published)
    write_text(clinical, CLINICAL_READERS[name](COHORTS[name], **inputs).to_csv(index=False))


command(main)
