"""Read the cohorts that the models are tested on, the clinical columns, and the 70 genes, out of the survset wheel."""

import pandas as pd

from study.data.external import read_external
from study.data.nki import read_seventy
from study.data.registry import COHORTS
from study.data.sources import open_wheel
from study.data.studyfile import Cohort
from study.data.symbols import read_aliases
from study.run.command import command, say
from study.run.files import write_text
from study.run.loading import load


def main(sources, wheel, cohort, annotation, aliases, folder, training):
    """Write a cohort file and a clinical table each."""
    source = open_wheel(wheel, sources)
    genes, older_names = Cohort.load(cohort), read_aliases(aliases)
    spec = COHORTS[training]
    for name in spec.external:
        patients, clinical = read_external(name, source, genes, older_names)
        patients.save(f"{folder}/{name}.npz")
        write_text(f"{folder}/{name}_clinical.csv", clinical.to_csv(index=False))
        measured, by_symbol, found = patients.counts
        say(
            f"{name}: {len(patients.y)} patients, {patients.y.sum()} events, {measured:,} genes; of the "
            f"{len(genes.entrez):,} genes of {spec.label} {found:,} found, {found - by_symbol:,} under an older name"
        )
    clinical = load("study.data", spec.clinical_reader)(spec, source)
    write_text(f"{folder}/{training}_clinical.csv", clinical.to_csv(index=False))
    probes = pd.read_csv(annotation, sep="\t", dtype={"entrez": int, "symbol": str})
    seventy = read_seventy(source, genes, probes, older_names)
    write_text(f"{folder}/seventy.csv", seventy.to_csv(index=False))


if __name__ == "__main__":
    command(
        main,
        wheel="the survset wheel",
        cohort="file of the cohort the models are learned in",
        annotation="table probe, entrez, symbol",
        aliases="table entrez, symbol, alias, kind",
        folder="folder to write to",
        training="name of that cohort",
    )
