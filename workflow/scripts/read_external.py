"""Read the cohorts that the models are tested on, the clinical columns of all, and the 70 genes."""

from itertools import islice

import numpy as np

from study.data.nki import read_seventy
from study.data.registry import COHORTS
from study.data.sources import inputs_of, open_wheel
from study.data.studyfile import Cohort
from study.data.symbols import read_aliases, read_annotation
from study.command import command
from study.io import say
from study.io import write_text
from study.run.loading import load


def main(sources: str, published: str, files: list, wheel: str, cohort: str, annotation: str, aliases: str, folder: str, training: str) -> None:
    """Write a cohort file and a clinical table each."""
    genes, paths = Cohort.load(cohort), iter(files)
    for name in (training, *COHORTS[training].external):
        spec = COHORTS[name]
        inputs = inputs_of(spec.files, list(islice(paths, len(spec.files))), sources, published)
        clinical = load("study.data", spec.clinical_reader)(spec, **inputs)
        write_text(f"{folder}/{name}_clinical.csv", clinical.to_csv(index=False))
        if name != training:
            patients = load("study.data", spec.reader)(spec, **inputs)
            patients.save(f"{folder}/{name}.npz")
            found = np.isin(genes.entrez, patients.entrez).sum()
            say(
                f"{name}: {len(patients.y)} patients, {patients.y.sum()} events, {len(patients.entrez):,} genes; among "
                f"them {found:,} of the {len(genes.entrez):,} of {COHORTS[training].label}"
            )
    seventy = read_seventy(open_wheel(wheel, sources), genes, read_annotation(annotation), read_aliases(aliases))
    write_text(f"{folder}/seventy.csv", seventy.to_csv(index=False))


if __name__ == "__main__":
    command(main)
